import Foundation
import GRDB

/// The integrity check of an SQLite file of the home folder, which changes nothing.
package enum StoredFileCheck {
  /// The result of a check.
  package enum Verdict: Hashable, Sendable {
    case intact
    /// The file was too large to be checked within the time limit.
    case unfinished
    /// The first damage that was found.
    case damaged(String)
  }

  /// Checks the structure of a file.
  ///
  /// - Parameters:
  ///   - path: The path of an existing file.
  ///   - limit: The time after which the check is given up.
  package static func run(_ path: String, within limit: Duration) -> Verdict {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(0.2)
    do {
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      let timer = Task.detached {
        try await Task.sleep(for: limit)
        queue.interrupt()
      }
      defer { timer.cancel() }
      let word = try queue.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") } ?? "ok"
      return word == "ok" ? .intact : .damaged(word)
    } catch let error as DatabaseError {
      switch error.resultCode {
      case .SQLITE_INTERRUPT, .SQLITE_BUSY, .SQLITE_LOCKED: return .unfinished
      default: return .damaged(error.message ?? "SQLite \(error.extendedResultCode.rawValue)")
      }
    } catch {
      return .damaged(String(describing: error))
    }
  }
}
