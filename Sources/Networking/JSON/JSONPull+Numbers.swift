/// The grammar of numbers, and the few forms of Java's that are plain.
extension JSONPull {
  struct Number {
    var digits: Int
    /// Powers of ten; no zeros at the end of the digits when it is below 0.
    var exponent: Int
  }

  mutating func number() throws(NotPlain) -> Number? {
    skipSpace()
    if try takeNull() { return nil }
    let isNegative = index < bytes.count && bytes[index] == UInt8(ascii: "-")
    if isNegative { index += 1 }
    let start = index
    var digits = takeDigits(0)
    let whole = index - start
    guard whole > 0, whole == 1 || bytes[start] != UInt8(ascii: "0") else { throw NotPlain() }
    var exponent = 0
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      index += 1
      let point = index
      digits = takeDigits(digits)
      exponent = point - index
      guard exponent < 0 else { throw NotPlain() }
    }
    guard index - start <= 18 else { throw NotPlain() }
    if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") { exponent += try power() }
    while exponent < 0, digits % 10 == 0, digits != 0 {
      digits /= 10
      exponent += 1
    }
    if digits == 0 { exponent = 0 }
    // A letter behind it makes it a word that is no number.
    if index < bytes.count, JSONPull.isWord(bytes[index]) { throw NotPlain() }
    return Number(digits: isNegative ? -digits : digits, exponent: exponent)
  }

  private mutating func power() throws(NotPlain) -> Int {
    index += 1
    var isNegative = false
    if index < bytes.count, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") {
      isNegative = bytes[index] == UInt8(ascii: "-")
      index += 1
    }
    let start = index
    let power = takeDigits(0)
    guard (1...2).contains(index - start) else { throw NotPlain() }
    return isNegative ? -power : power
  }

  /// At most 18 of them are ever of use; more wrap around and are refused by their count.
  private mutating func takeDigits(_ value: Int) -> Int {
    var value = value
    while index < bytes.count, (48...57).contains(bytes[index]) {
      value = value &* 10 &+ Int(bytes[index] &- 48)
      index += 1
    }
    return value
  }
}
