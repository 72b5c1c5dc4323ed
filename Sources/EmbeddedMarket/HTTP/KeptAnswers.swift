import GRDB
import NIOCore
import Synchronization

/// Answers of reading that can be given again as long as nobody has changed the market: to ask whether somebody has takes
/// a few microseconds, to read a page some hundred.
///
/// Whoever was told that a write is done and reads after that reads what was written, also where another process wrote:
/// SQLite's own mark of what others have committed is asked each time.
final class KeptAnswers: Sendable {
  private struct State {
    /// The mark that all the answers were read under, or after.
    var version: Int64?
    var answers: [String: Answer] = [:]
    var bytes = 0
  }

  /// Bytes of bodies; where it would be more, all of them go.
  private static let most = 1 << 20

  private let path: String
  /// Opened with the first question: the start of a shell waits for no connection that nobody may need.
  private let watch = Mutex<DatabaseQueue?>(nil)
  private let state = Mutex(State())

  /// - Parameter path: of the market's file, which must be there and be in WAL mode.
  init(path: String) { self.path = path }

  /// What was answered under that name before, or else what `make` answers.
  ///
  /// - Parameter name: everything that the answer depends on, beside the market itself.
  /// - Throws: what `make` throws; that is not kept.
  func answer(to name: String, _ make: () async throws -> Answer) async throws -> Answer {
    // Before the market is read: what is committed in between makes the answer newer than its mark, never older.
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

  /// Nil where the file cannot be asked at once.
  ///
  /// A connection of its own, which nobody keeps longer than it takes to ask: this may run on any thread.
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
