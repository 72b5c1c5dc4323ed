import Text

/// A fraction of requests, written as `0.2` or `20%`.
struct FaultRate {
  /// From 0 to 1.
  let value: Double

  /// Returns `nil` for a text that is not a number, or is not from 0 to 1.
  init?(_ text: String) {
    let isPercent = text.hasSuffix("%")
    guard let number = Double(isPercent ? String(text.dropLast()) : text) else { return nil }
    value = isPercent ? number / 100 : number
    guard (0...1).contains(value) else { return nil }
  }
}
