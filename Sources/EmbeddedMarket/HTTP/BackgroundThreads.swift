import Glibc
import NIOPosix

/// A few threads of low priority for work that takes long: decoding pictures, reading large forms.
///
/// Swift's cooperative pool has one thread for each processor, and every request needs one. Long work there delays all
/// readers: five pictures of 8000x8000 pixels blocked a server on one processor for 18 s. The low priority makes the
/// system prefer the readers where there is only one processor.
///
/// The threads belong to the process: all its markets share them, so that their number limits the concurrency and the
/// memory of decoding.
final class BackgroundThreads: Sendable {
  /// Two threads for what clients upload.
  static let uploads = BackgroundThreads(count: 2)
  /// A thread for drawing the sample market, which should not wait for uploads.
  static let drawings = BackgroundThreads(count: 1)

  private static let niceness: Int32 = 10
  private let pool: NIOThreadPool

  private init(count: Int) {
    pool = NIOThreadPool(numberOfThreads: count)
    pool.start()
  }

  /// Runs work on one of the threads, in the order of the calls.
  ///
  /// Throws the error of the work, or `CancellationError` if the task was cancelled before the work began.
  func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await pool.runIfActive {
      // Of the calling thread only.
      let process = __priority_which_t(PRIO_PROCESS.rawValue)
      if getpriority(process, 0) < BackgroundThreads.niceness { setpriority(process, 0, BackgroundThreads.niceness) }
      return try work()
    }
  }
}
