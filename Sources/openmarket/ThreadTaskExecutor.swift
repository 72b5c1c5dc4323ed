import Dispatch
import Foundation
import Synchronization

/// A task executor with one thread, for long work that should not occupy the threads of the global pool.
final class ThreadTaskExecutor: TaskExecutor {
  private struct Work {
    var jobs: [UnownedJob] = []
    var isStopping = false
  }

  private let task = Mutex(Work())
  private let jobAvailable = DispatchSemaphore(value: 0)

  init(_ name: String) {
    let thread = Thread { self.run() }
    thread.name = name
    thread.start()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isOver = task.withLock { work in
      if !work.isStopping { work.jobs.append(job) }
      return work.isStopping
    }
    // A job after the end is short, and may run on any thread.
    if isOver { return DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) } }
    jobAvailable.signal()
  }

  /// Ends the thread when no job is left.
  func stop() {
    task.withLock { $0.isStopping = true }
    jobAvailable.signal()
  }

  /// Does what comes until `stop`.
  private func run() {
    while true {
      jobAvailable.wait()
      let (job, isOver) = task.withLock { work in
        (work.jobs.isEmpty ? nil : work.jobs.removeFirst(), work.isStopping)
      }
      if let job {
        job.runSynchronously(on: asUnownedTaskExecutor())
      } else if isOver {
        return
      }
    }
  }
}
