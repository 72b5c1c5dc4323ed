/// A word in front of a command that changes how it is run.
package enum Prefix: Hashable, Sendable {
  case dry
  case curl
  case time
  case trace
  case watch(seconds: Int)

  /// The words, `watch` being followed by a number of seconds.
  package static let words = ["dry", "curl", "time", "trace", "watch"]
}
