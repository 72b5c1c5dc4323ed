import Dispatch
import Foundation
import Glibc
import Synchronization

/// The one thread an editor lives on, so that waiting for a key blocks nobody else.
final class EditorThread: SerialExecutor {
  private struct Work {
    var jobs: [UnownedJob] = []
    var isOver = false
  }

  private let work = Mutex(Work())
  private let ready = DispatchSemaphore(value: 0)

  init() {
    let thread = Thread { self.run() }
    thread.name = "line-editor"
    thread.start()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    work.withLock { $0.jobs.append(job) }
    ready.signal()
  }

  /// Ends the thread once nothing is left to do.
  func finish() {
    work.withLock { $0.isOver = true }
    ready.signal()
  }

  private func run() {
    letStopSignalsIn()
    prepareAlternateStack()
    // Loading it takes a while, in which others make ready what the first question needs.
    Locale.prepare()
    while true {
      ready.wait()
      let (job, isOver) = work.withLock { work in
        (work.jobs.isEmpty ? nil : work.jobs.removeFirst(), work.isOver)
      }
      if let job {
        job.runSynchronously(on: asUnownedSerialExecutor())
      } else if isOver {
        return
      }
    }
  }

  /// Where a signal handler runs when the thread's own stack is used up.
  private func prepareAlternateStack() {
    let size = 65_536
    var stack = stack_t()
    stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    stack.ss_size = size
    sigaltstack(&stack, nil)
  }

  /// A thread made by one of a pool inherits that all signals are held back, and Ctrl-Z would not stop the program; nor
  /// would the terminal of another, which a program sent to the background with `bg` must leave alone.
  private func letStopSignalsIn() {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGTSTP, SIGTTIN, SIGTTOU] { sigaddset(&signals, signal) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }
}
