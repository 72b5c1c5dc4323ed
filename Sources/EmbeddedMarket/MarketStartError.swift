/// The error for a market that cannot be started.
package enum MarketStartError: Error, Hashable, Sendable {
  case portInUse(host: String, port: Int)
  /// The address cannot be bound; the reason is the system's message.
  case hostUnusable(host: String, port: Int, reason: String)
  case dataDirectoryNotWritable(path: String, reason: String)
  /// The file is damaged: the first findings of SQLite's integrity check, or its error.
  case damaged(path: String, findings: [String])
  /// The file was written by a later version of the program.
  case newerVersion(path: String, found: Int, supported: Int)
  /// The file is an SQLite file of another program and was not changed.
  case foreign(path: String)
  /// A product that the market was to begin with cannot be used.
  case unusableProduct(name: String, reason: String)
  /// The path of a fault's rule is not one of the edition's.
  case unknownPath(rule: String, paths: [String])
  /// `start` or `run` was called a second time.
  case alreadyStarted
}
