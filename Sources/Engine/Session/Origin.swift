/// Where a value of the session came from; the earlier beats the later.
package enum Origin: String, Hashable, Sendable {
  case option
  case environment
  case profile
  case detected
  case standard = "default"
}
