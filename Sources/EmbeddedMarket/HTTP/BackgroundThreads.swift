import Glibc
import NIOPosix
import Synchronization

/// The client that a piece of work is for: its IP address, and its vendor once the request is known to name one.
///
/// Two addresses that send the identifier of one vendor are two clients, so that neither waits for the requests of the other.
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
/// The threads run one piece of work of each client in turn, so that no client waits for all the work of another. Work is not
/// begun once its client has disconnected.
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

  private struct ClientQueues {
    /// The work of each client, in order; a client without work has no entry.
    var waiting: [WorkClient: [Work]] = [:]
    /// The clients with work, the next one first.
    var order: [WorkClient] = []

    mutating func add(_ work: @escaping Work, for client: WorkClient) {
      if waiting[client] == nil { order.append(client) }
      waiting[client, default: []].append(work)
    }

    /// Takes the first work of the next client, which goes to the end of the order.
    mutating func next() -> Work? {
      guard !order.isEmpty else { return nil }
      let client = order.removeFirst()
      guard var queue = waiting[client], !queue.isEmpty else { return nil }
      let work = queue.removeFirst()
      waiting[client] = queue.isEmpty ? nil : queue
      if !queue.isEmpty { order.append(client) }
      return work
    }
  }

  private static let niceness: Int32 = 10
  private let pool: NIOThreadPool
  private let queues = Mutex(ClientQueues())

  init(count: Int) {
    pool = NIOThreadPool(numberOfThreads: count)
    pool.start()
  }

  /// The number of pieces of work that are waiting.
  var waitingCount: Int { queues.withLock { $0.waiting.values.reduce(0) { $0 + $1.count } } }

  /// Runs work on one of the threads: that of one client in the order of the calls, the clients in turn.
  ///
  /// - Parameters:
  ///   - client: The client that the work is for.
  ///   - isWanted: Returns false when the client has left. It is called before the work begins.
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
    queues.withLock { $0.add(work, for: client) }
    pool.submit { _ in
      // Of the calling thread only.
      let process = __priority_which_t(PRIO_PROCESS.rawValue)
      if getpriority(process, 0) < BackgroundThreads.niceness { setpriority(process, 0, BackgroundThreads.niceness) }
      self.queues.withLock { $0.next() }?()
    }
  }
}
