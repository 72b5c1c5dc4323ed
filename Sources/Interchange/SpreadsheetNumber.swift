import Catalog
import Foundation
import Language
import Text

/// A number as spreadsheets show it, `₩19,000`, `25.00`, `2.02E+04`, in the form in which it is typed here.
package struct SpreadsheetNumber: Hashable, Sendable {
  /// Digits, with a point where there is a fraction.
  package let plain: String
  /// As it stood in the file.
  package let written: String
  /// It has the sign of the won.
  package let isWon: Bool
  /// What the last digit that is shown counts, where an exponent may hide others behind it.
  package let step: Amount?

  /// Nil for what is no such number: it is left as it is, to be refused in its own words.
  package init?(_ text: String) {
    written = text.trimmed
    var rest = Substring(written)
    // A backslash is how the Korean code page of Windows spells the sign.
    let sign = rest.first.flatMap { "₩￦\\".contains($0) ? $0 : nil }
    if sign != nil { rest = rest.dropFirst() }
    if sign == nil, rest.hasSuffix("원") { rest = rest.dropLast() }
    isWon = rest.count < written.count
    let halves = rest.trimmed.split(separator: "e", maxSplits: 1, omittingEmptySubsequences: false)
    let parts =
      (halves.count == 1 ? rest.trimmed.split(separator: "E", maxSplits: 1, omittingEmptySubsequences: false) : halves)
    guard let number = parts.first, let digits = SpreadsheetNumber.digits(String(number)) else { return nil }
    guard parts.count == 2 else {
      step = nil
      plain = SpreadsheetNumber.plain(digits.whole, digits.fraction, shifted: 0)
      return
    }
    guard let exponent = SpreadsheetNumber.exponent(String(parts[1])) else { return nil }
    plain = SpreadsheetNumber.plain(digits.whole, digits.fraction, shifted: exponent)
    let places = exponent - digits.fraction.utf8.count
    step = Amount(places < 0 ? Decimal(1) / pow(Decimal(10), -places) : pow(Decimal(10), places))
  }

  /// The digits before and after the point, separators of thousands taken out.
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

  /// `+04`, `4`, `-2`.
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
  /// What speaks against taking it for the value of a product; nil where nothing does.
  ///
  /// - Parameters:
  ///   - current: what the product has now.
  ///   - currency: what its prices are in once the row is written.
  package func doubt(_ field: Field, now current: Amount?, in currency: Currency?) -> ParseError? {
    if isWon, field != .stock, let currency, currency != .krw {
      return ParseError(
        LocalizedText(
          "\(.field(field)) \(.foreign(written)) is in won, the product in \(currency)",
          ko: "\(.field(field)) \(.foreign(written)), 상품의 통화는 \(currency)입니다"))
    }
    guard let step, let current, let value = Amount(typed: plain), value != current else { return nil }
    let distance = value < current ? current - value : value - current
    guard distance < step else { return nil }
    return ParseError(
      LocalizedText(
        "\(.field(field)) \(.foreign(written)) hides digits: \(current) looks the same; show the column as whole numbers and save again",
        ko: "\(.field(field)) \(.foreign(written)), 가려진 자릿수가 있습니다: \(current)도 그렇게 보입니다. 열을 숫자 서식으로 바꿔 다시 저장하세요"))
  }
}
