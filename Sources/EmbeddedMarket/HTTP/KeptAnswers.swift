import GRDB
import NIOCore
import Synchronization

/// A cache of read responses, invalidated by SQLite's `PRAGMA data_version`, which is much cheaper than reading a page.
///
/// The version is checked for every request, so that responses reflect all committed writes, including those of other
/// processes.
final class KeptAnswers: Sendable {
  private struct State {
    /// The version under which, or after which, all cached responses were read.
    var version: Int64?
    var answers: [String: Answer] = [:]
    var bytes = 0
  }

  /// The maximum size of all bodies in bytes; when it is exceeded, the cache is emptied.
  private static let most = 1 << 20

  private let path: String
  /// Opened with the first request, so that starting the server does not wait for it.
  private let watch = Mutex<DatabaseQueue?>(nil)
  private let state = Mutex(State())

  /// Creates a cache for the database file at `path`, which must exist and be in WAL mode.
  init(path: String) { self.path = path }

  /// Returns the cached response, or else that of `make`, whose errors are not cached.
  ///
  /// `name` must identify everything that the response depends on besides the market itself.
  func answer(to name: String, _ make: () async throws -> Answer) async throws -> Answer {
    // Read before the market: a commit in between makes the response newer than its version, never older.
    guard let version = version() else { return try await make() }
    if let kept = state.withLock({ $0.version == version ? $0.answers[name] : nil }) { return kept }
    let answer = try await make()
    state.withLock { state in
      if state.version != version || state.bytes + answer.body.readableBytes > KeptAnswers.most { state = State() }
      state.version = version
      state.bytes += answer.body.readableBytes
      state.answers[name] = answer
    }
    return answer
  }

  func close() {
    try? watch.withLock { watch in
      try watch?.close()
      watch = nil
    }
  }

  /// Returns the version, or `nil` if it cannot be read immediately.
  ///
  /// Uses a separate connection, which is held only for the query: this may run on any thread.
  private func version() -> Int64? {
    watch.withLock { watch in
      do {
        let queue = try watch ?? KeptAnswers.opened(path)
        watch = queue
        return try queue.unsafeRead { database in
          try Int64.fetchOne(database.cachedStatement(sql: "PRAGMA data_version"))
        }
      } catch {
        return nil
      }
    }
  }

  private static func opened(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.label = "market version"
    configuration.busyMode = .immediateError
    return try DatabaseQueue(path: path, configuration: configuration)
  }
}
