import Dispatch
import Foundation
import Synchronization

/// A thread for long work, so that the threads of the pool stay free for what must answer at once.
final class WorkThread: TaskExecutor {
  private struct Work {
    var jobs: [UnownedJob] = []
    var isOver = false
  }

  private let work = Mutex(Work())
  private let ready = DispatchSemaphore(value: 0)

  init(_ name: String) {
    let thread = Thread { self.run() }
    thread.name = name
    thread.start()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isOver = work.withLock { work in
      if !work.isOver { work.jobs.append(job) }
      return work.isOver
    }
    // What comes behind the end is little, and any thread may do it.
    if isOver { return DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) } }
    ready.signal()
  }

  /// Ends the thread once nothing is left to do.
  func finish() {
    work.withLock { $0.isOver = true }
    ready.signal()
  }

  private func run() {
    while true {
      ready.wait()
      let (job, isOver) = work.withLock { work in
        (work.jobs.isEmpty ? nil : work.jobs.removeFirst(), work.isOver)
      }
      if let job {
        job.runSynchronously(on: asUnownedTaskExecutor())
      } else if isOver {
        return
      }
    }
  }
}
