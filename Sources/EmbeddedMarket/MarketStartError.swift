/// Why a market does not listen.
package enum MarketStartError: Error, Hashable, Sendable {
  case portInUse(host: String, port: Int)
  /// The address cannot be bound; the reason is the system's.
  case hostUnusable(host: String, port: Int, reason: String)
  case dataDirectoryNotWritable(path: String, reason: String)
  /// The first findings of SQLite's integrity check, or its error.
  case damaged(path: String, findings: [String])
  /// Written by a later version of the program.
  case newerVersion(path: String, found: Int, supported: Int)
  /// `start` or `run` was called a second time.
  case alreadyStarted
}
