import Glibc
import NIOPosix
import Synchronization

/// The client that a piece of work is for: its IP address, and its vendor once the request is known to name one.
///
/// The address is a part of it, so that nobody waits for requests that others send in the name of a vendor.
struct WorkClient: Hashable, Sendable {
  var address = ""
  var vendor: Int64?
}

/// The error for work that was not done, because the connection of its client was closed.
struct ClientLeft: Error {}

/// A few threads of low priority for work that takes long: decoding pictures, reading large forms.
///
/// Swift's cooperative pool has one thread for each processor, and every request needs one. Long work there delays all
/// readers: five pictures of 8000x8000 pixels blocked a server on one processor for 18 s. The low priority makes the
/// system prefer the readers where there is only one processor.
///
/// The clients take turns: one piece of work of each, whoever has given more. So nobody waits for all that another client
/// has sent before. Work whose client has left is not begun.
///
/// The threads belong to the process: all its markets share them, so that their number limits the concurrency and the
/// memory of decoding.
final class BackgroundThreads: Sendable {
  /// Two threads for what clients upload.
  static let uploads = BackgroundThreads(count: 2)
  /// A thread for drawing the sample market, which should not wait for uploads.
  static let drawings = BackgroundThreads(count: 1)
  /// A thread for the records of requests, in their order.
  static let records = BackgroundThreads(count: 1)
  /// A thread for the pages of the teacher.
  static let pages = BackgroundThreads(count: 1)

  private typealias Work = @Sendable () -> Void

  private struct Lines {
    /// The work of each client, the first first; no line is empty.
    var waiting: [WorkClient: [Work]] = [:]
    /// The clients with work, the next one first.
    var turns: [WorkClient] = []

    mutating func add(_ work: @escaping Work, for client: WorkClient) {
      if waiting[client] == nil { turns.append(client) }
      waiting[client, default: []].append(work)
    }

    /// Takes the first work of the next client, which goes to the end of the turns.
    mutating func next() -> Work? {
      guard !turns.isEmpty else { return nil }
      let client = turns.removeFirst()
      guard var line = waiting[client], !line.isEmpty else { return nil }
      let work = line.removeFirst()
      waiting[client] = line.isEmpty ? nil : line
      if !line.isEmpty { turns.append(client) }
      return work
    }
  }

  private static let niceness: Int32 = 10
  private let pool: NIOThreadPool
  private let lines = Mutex(Lines())

  init(count: Int) {
    pool = NIOThreadPool(numberOfThreads: count)
    pool.start()
  }

  /// The number of pieces of work that are waiting.
  var waitingCount: Int { lines.withLock { $0.waiting.values.reduce(0) { $0 + $1.count } } }

  /// Runs work on one of the threads: that of one client in the order of the calls, the clients in turn.
  ///
  /// - Parameters:
  ///   - client: The client that the work is for.
  ///   - isWanted: Returns false when the client has left. It is called before the work begins.
  ///   - work: The work.
  /// - Throws: The error of the work; `ClientLeft` if the client left, and `CancellationError` if the task was cancelled, before
  ///   the work began.
  func run<Value: Sendable>(
    for client: WorkClient = WorkClient(), while isWanted: @escaping @Sendable () -> Bool = { true },
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let isCancelled = Mutex(false)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        submit(for: client) {
          let result = Result {
            if isCancelled.withLock({ $0 }) { throw CancellationError() }
            guard isWanted() else { throw ClientLeft() }
            return try work()
          }
          continuation.resume(with: result)
        }
      }
    } onCancel: {
      isCancelled.withLock { $0 = true }
    }
  }

  /// Runs work later on one of the threads, in the order of the calls of one client.
  func submit(for client: WorkClient = WorkClient(), _ work: @escaping @Sendable () -> Void) {
    lines.withLock { $0.add(work, for: client) }
    pool.submit { _ in
      // Of the calling thread only.
      let process = __priority_which_t(PRIO_PROCESS.rawValue)
      if getpriority(process, 0) < BackgroundThreads.niceness { setpriority(process, 0, BackgroundThreads.niceness) }
      self.lines.withLock { $0.next() }?()
    }
  }
}
