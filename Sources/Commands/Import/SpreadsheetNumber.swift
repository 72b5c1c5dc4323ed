import Catalog
import CommandLanguage
import Foundation
import Text

/// A number as formatted by spreadsheets, `₩19,000`, `25.00` or `2.02E+04`, converted to the notation typed here.
package struct SpreadsheetNumber: Hashable, Sendable {
  /// The digits, with a decimal point if there is a fraction.
  package let plain: String
  /// The text as it is in the file.
  package let source: String
  /// The currency that the number has as a sign or a code: `₩19,000`, `15,000 KRW`.
  package let currency: Currency?
  /// The value of the last visible digit, if an exponent may have hidden further digits.
  package let resolution: Amount?

  /// Returns `nil` for other text, which stays as it is and is rejected with its own error.
  package init?(_ text: String) {
    source = text.trimmed
    var rest = Substring(source.withPlainDigits)
    // The Korean code page of Windows displays the backslash as the won sign.
    let sign = rest.first.flatMap { "₩￦\\".contains($0) ? $0 : nil }
    if sign != nil { rest = rest.dropFirst() }
    if sign == nil, rest.hasSuffix("원") { rest = rest.dropLast() }
    var currency: Currency? = sign != nil || source.hasSuffix("원") ? .krw : nil
    if currency == nil, let code = SpreadsheetNumber.code(in: &rest) { currency = code }
    self.currency = currency
    let halves = rest.trimmed.split(separator: "e", maxSplits: 1, omittingEmptySubsequences: false)
    let parts =
      (halves.count == 1 ? rest.trimmed.split(separator: "E", maxSplits: 1, omittingEmptySubsequences: false) : halves)
    guard let number = parts.first, let digits = SpreadsheetNumber.digits(String(number)) else { return nil }
    guard parts.count == 2 else {
      resolution = nil
      plain = SpreadsheetNumber.plain(digits.whole, digits.fraction, shifted: 0)
      return
    }
    guard let exponent = SpreadsheetNumber.exponent(String(parts[1])) else { return nil }
    plain = SpreadsheetNumber.plain(digits.whole, digits.fraction, shifted: exponent)
    let places = exponent - digits.fraction.utf8.count
    resolution = Amount(places < 0 ? Decimal(1) / pow(Decimal(10), -places) : pow(Decimal(10), places))
  }

  /// Removes the code of a documented currency from the beginning or the end, and returns it, or `nil` if there is none.
  private static func code(in rest: inout Substring) -> Currency? {
    for currency in Currency.documented {
      let code = currency.code
      if rest.uppercased().hasPrefix(code) {
        rest = Substring(rest.dropFirst(code.count).trimmed)
        return currency
      }
      if rest.uppercased().hasSuffix(code) {
        rest = Substring(rest.dropLast(code.count).trimmed)
        return currency
      }
    }
    return nil
  }

  /// Returns the digits before and after the decimal point, without thousands separators.
  private static func digits(_ text: String) -> (whole: String, fraction: String)? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let groups = parts[0].split(separator: ",", omittingEmptySubsequences: false)
    guard (1...3).contains(groups[0].utf8.count) || groups.count == 1,
      groups.dropFirst().allSatisfy({ $0.utf8.count == 3 })
    else { return nil }
    let (whole, fraction) = (groups.joined(), parts.count == 2 ? parts[1] : "")
    guard (1...15).contains(whole.utf8.count), fraction.utf8.count <= 15, parts.count == 1 || !fraction.isEmpty,
      (whole + fraction).utf8.allSatisfy({ (48...57).contains($0) }), whole.utf8.count == 1 || !whole.hasPrefix("0")
    else { return nil }
    return (whole, fraction)
  }

  /// Returns an exponent such as `+04`, `4` or `-2`.
  private static func exponent(_ text: String) -> Int? {
    let digits = text.hasPrefix("+") || text.hasPrefix("-") ? text.dropFirst() : Substring(text)
    guard (1...2).contains(digits.utf8.count), digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int(digits).map { text.hasPrefix("-") ? -$0 : $0 }
  }

  private static func plain(_ whole: String, _ fraction: String, shifted places: Int) -> String {
    let digits = whole + fraction
    let point = whole.utf8.count + places
    var left =
      point <= 0 ? "0" : String(digits.prefix(point)) + String(repeating: "0", count: max(0, point - digits.count))
    var right =
      point <= 0 ? String(repeating: "0", count: -point) + digits : String(digits.dropFirst(point))
    while right.hasSuffix("0") { right.removeLast() }
    while left.hasPrefix("0"), left.count > 1 { left.removeFirst() }
    return right.isEmpty ? left : left + "." + right
  }
}

extension SpreadsheetNumber {
  /// The words after a number of pieces, in lower case.
  private static let counters = ["개", "ea", "pcs"]

  /// Reads a number of pieces, `1,024개` or `40 EA`, or one without a word.
  package init?(pieces text: String) {
    let lower = text.trimmed.lowercased()
    let counter = SpreadsheetNumber.counters.first { lower.hasSuffix($0) }
    guard let counter else {
      self.init(text)
      return
    }
    self.init(String(lower.dropLast(counter.count)))
    guard currency == nil else { return nil }
  }

  /// Returns whether a text that can't be read is one number with other characters around it, `?14,000` or `12 boxes`.
  package static func isWithin(_ text: String) -> Bool {
    let isDigit = { (character: Character) in character.isASCII && character.isNumber }
    guard let first = text.firstIndex(where: isDigit), let last = text.lastIndex(where: isDigit) else { return false }
    return SpreadsheetNumber(String(text[first...last])) != nil
  }

  /// Returns the reason against using the number as the product's value, or `nil`.
  ///
  /// - Parameters:
  ///   - field: The field to be set.
  ///   - current: The current value.
  ///   - currency: The currency of the product after the row is written.
  /// - Returns: The error, for example for hidden digits or another currency.
  package func ambiguity(_ field: ProductField, now current: Amount?, in currency: Currency?) -> ParseError? {
    if let stated = self.currency, field != .stock, let currency, currency != stated {
      return ParseError(
        LocalizedText(
          "\(.field(field)) \(.foreign(source)) is in \(stated == .krw ? "won" : stated.code), but the product's currency is \(currency)",
          ko: "\(.field(field)) \(.foreign(source)), 상품의 통화는 \(currency)입니다"))
    }
    guard let resolution, let current, let value = Amount(typed: plain), value != current else { return nil }
    let distance = value < current ? current - value : value - current
    guard distance < resolution else { return nil }
    return ParseError(
      LocalizedText(
        "\(.field(field)) \(.foreign(source)) hides digits; it could also be \(current). Format the column as plain numbers and save again",
        ko: "\(.field(field)) \(.foreign(source)), 가려진 자릿수가 있습니다: \(current)도 그렇게 보입니다. 열을 숫자 서식으로 바꿔 다시 저장하세요"))
  }
}
