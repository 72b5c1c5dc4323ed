import Dispatch
import Foundation
import Glibc
import Synchronization

/// The serial executor of an editor: a thread, so that waiting for a key blocks no other work.
final class ThreadExecutor: SerialExecutor {
  private struct Work {
    var jobs: [UnownedJob] = []
    var isOver = false
    var hasBegun = false
  }

  private let work = Mutex(Work())
  private let ready = DispatchSemaphore(value: 0)

  /// Starts the thread with the first job.
  ///
  /// An editor that never shows a prompt has no thread.
  private func begin() {
    let thread = Thread { self.run() }
    thread.name = "editor"
    thread.start()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isFirst = work.withLock { work in
      work.jobs.append(job)
      defer { work.hasBegun = true }
      return !work.hasBegun
    }
    if isFirst { begin() }
    ready.signal()
  }

  /// Ends the thread after the remaining jobs.
  func finish() {
    work.withLock { $0.isOver = true }
    ready.signal()
  }

  private func run() {
    unblockStopSignals()
    installAlternateSignalStack()
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

  /// Sets the stack for signal handlers, for the case that the thread's own stack overflows.
  private func installAlternateSignalStack() {
    let size = 65_536
    var stack = stack_t()
    stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    stack.ss_size = size
    sigaltstack(&stack, nil)
  }

  /// Unblocks the stop signals.
  ///
  /// A thread created by a pool thread inherits a mask that blocks all signals. Ctrl-Z would not stop the program then,
  /// nor would SIGTTIN and SIGTTOU, so that a program in the background would use the terminal of another one.
  private func unblockStopSignals() {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGTSTP, SIGTTIN, SIGTTOU] { sigaddset(&signals, signal) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }
}
