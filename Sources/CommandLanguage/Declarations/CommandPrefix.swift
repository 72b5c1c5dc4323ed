/// A word before a command that changes how it is run.
package enum CommandPrefix: Hashable, Sendable {
  case dry
  case curl
  /// Prints the requests as Swift code.
  case swift
  case time
  case trace
  case watch(seconds: Int)

  /// The words to type for the prefixes.
  ///
  /// `watch` is followed by a number of seconds.
  package static let words = ["dry", "curl", "swift", "time", "trace", "watch"]
}
