/// A number as TOML 1.0 writes it in decimal: `[+-]`, digits without leading zeros, a fraction, an exponent; underscores
/// between digits.
struct TOMLNumber {
  /// The text without underscores.
  private(set) var digits = ""
  /// Indicates that there is neither a fraction nor an exponent.
  private(set) var isInteger = true
  private var rest: ArraySlice<UInt8>

  /// Returns `nil` for a text that is not such a number.
  init?(_ text: ArraySlice<UInt8>) {
    rest = text
    takeSign()
    let hasLeadingZero = rest.first == UInt8(ascii: "0")
    let start = rest.count
    guard takeDigits(), !hasLeadingZero || start - rest.count == 1 else { return nil }
    if take(UInt8(ascii: ".")) {
      isInteger = false
      guard takeDigits() else { return nil }
    }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      isInteger = false
      takeSign()
      guard takeDigits() else { return nil }
    }
    guard rest.isEmpty else { return nil }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard rest.first == byte else { return false }
    digits.unicodeScalars.append(Unicode.Scalar(byte))
    rest.removeFirst()
    return true
  }

  private mutating func takeSign() {
    if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
  }

  /// Takes digits with single underscores between them, and returns false if there is none.
  private mutating func takeDigits() -> Bool {
    var isAfterDigit = false
    while let byte = rest.first {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        isAfterDigit = take(byte)
      case UInt8(ascii: "_") where isAfterDigit:
        rest.removeFirst()
        isAfterDigit = false
      default: return isAfterDigit
      }
    }
    return isAfterDigit
  }
}
