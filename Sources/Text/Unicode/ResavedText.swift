/// The way in which a program changed a text when it saved a table: in another charset, or as a number.
///
/// Such a difference is not an edit by the user.
package enum ResavedText: Hashable, Sendable {
  /// Characters were replaced by `?` or U+FFFD, because the charset of the file doesn't have them.
  case lostCharacters
  /// A number was formatted: `90.75` for `90.750`, `1.00E+05` for `1e5`, `1800` for `1,800`.
  case formattedNumber

  /// Compares a text of a file with the text that it was made from, or returns `nil` if the texts are equal or differ in
  /// another way.
  package init?(_ text: String, from original: String) {
    guard text != original else { return nil }
    if ResavedText.isLoss(text, of: original) {
      self = .lostCharacters
    } else if let number = PlainNumber(text), let first = PlainNumber(original), number.isFormatted(from: first) {
      self = .formattedNumber
    } else {
      return nil
    }
  }

  /// Returns whether a text holds U+FFFD, the sign of a lost character, where the original has none.
  package static func holdsReplacement(_ text: String, _ original: String?) -> Bool {
    text.unicodeScalars.contains("\u{FFFD}") && original?.unicodeScalars.contains("\u{FFFD}") != true
  }

  private static func isLoss(_ text: String, of original: String) -> Bool {
    let marks: Set<Unicode.Scalar> = ["?", "\u{FFFD}"]
    guard text.unicodeScalars.contains(where: marks.contains) else { return false }
    let scalars = Array(original.unicodeScalars)
    let found = Array(text.unicodeScalars)
    // A program that lost one character of a charset lost all of them.
    return [Charset.cp949, .latin1].contains { charset in
      let missing = charset.missing(in: original)
      return !missing.isEmpty && isLoss(found[...], of: scalars[...], missing)
    }
      || text.unicodeScalars.contains("\u{FFFD}")
        && isLoss(found[...], of: scalars[...], Set(scalars.filter { !$0.isASCII }), always: false)
  }

  /// Returns whether the text results from the original if each missing character is replaced by one sign, by a sign for each of
  /// its units or bytes, or by nothing if it has no width.
  private static func isLoss(
    _ text: ArraySlice<Unicode.Scalar>, of original: ArraySlice<Unicode.Scalar>, _ missing: Set<Unicode.Scalar>,
    always: Bool = true
  ) -> Bool {
    // The numbers of characters of the text that the original so far may have become.
    var ends: Set<Int> = [0]
    let text = Array(text)
    for scalar in original {
      var next: Set<Int> = []
      for end in ends {
        if !always || !missing.contains(scalar), end < text.count, text[end] == scalar { next.insert(end + 1) }
        guard missing.contains(scalar) else { continue }
        if scalar.properties.isDefaultIgnorableCodePoint { next.insert(end) }
        var count = 0
        while count < UTF8.width(scalar), end + count < text.count,
          text[end + count] == "\u{FFFD}" || always && text[end + count] == "?"
        {
          count += 1
          next.insert(end + count)
        }
      }
      if next.isEmpty { return false }
      ends = next
    }
    return ends.contains(text.count)
  }
}

/// A number as spreadsheets read it in a cell: `1,800`, `90.750`, `1e5`, `007`.
private struct PlainNumber {
  private let isNegative: Bool
  /// The significant digits, without zeros at both ends.
  private let digits: [UInt8]
  /// The power of ten of the last digit.
  private let exponent: Int
  /// The number of digits of the mantissa as it is written.
  private let written: Int
  private let hasExponent: Bool

  init?(_ text: String) {
    guard text.utf8.count <= 60,
      let match = text.wholeMatch(
        of: /([+-]?)([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,3}))?/)
    else { return nil }
    let whole = match.2.utf8.filter { $0 != UInt8(ascii: ",") }
    let fraction = Array((match.3 ?? "").utf8)
    var digits = Array((whole + fraction).drop { $0 == UInt8(ascii: "0") })
    written = digits.count
    var exponent = (match.4.flatMap { Int($0.drop { $0 == "+" }) } ?? 0) - fraction.count
    while digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      exponent += 1
    }
    self.digits = digits
    self.exponent = digits.isEmpty ? 0 : exponent
    isNegative = match.1 == "-" && !digits.isEmpty
    hasExponent = match.4 != nil
  }

  /// Returns whether a spreadsheet shows or stores the other number as this one: the same value, the value rounded to the
  /// digits of an exponent form, or to the fifteen digits that a spreadsheet stores.
  func isFormatted(from original: PlainNumber) -> Bool {
    guard isNegative == original.isNegative else { return false }
    if digits == original.digits, exponent == original.exponent { return true }
    let limit = hasExponent ? written : 15
    guard limit > 0, original.digits.count > limit else { return false }
    let top = original.exponent + original.digits.count
    guard exponent + digits.count == top || exponent + digits.count == top + 1 else { return false }
    var rounded = original.digits.prefix(limit).map { $0 - 48 }
    if original.digits[limit] >= UInt8(ascii: "5"), hasExponent {
      var index = rounded.count - 1
      while index >= 0, rounded[index] == 9 {
        rounded[index] = 0
        index -= 1
      }
      if index >= 0 { rounded[index] += 1 } else { rounded.insert(1, at: 0) }
    }
    while rounded.last == 0 { rounded.removeLast() }
    return rounded.map { $0 + 48 } == digits
  }
}
