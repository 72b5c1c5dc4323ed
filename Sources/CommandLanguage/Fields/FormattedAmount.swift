import Catalog
import Text

/// An amount with thousands separators or the symbol of its currency.
package struct FormattedAmount: Hashable, Sendable {
  package let amount: Amount
  package let currency: Currency?

  private static let signs: [(String, Currency)] = [
    ("₩", .krw), ("￦", .krw), ("원", .krw), ("¥", Currency("JPY")), ("￥", Currency("JPY")),
  ]

  /// Returns `nil` for a plain number, and for ambiguous text such as `19,99`.
  package init?(_ text: String) {
    var digits = text.nfcNormalized
    var currency: Currency?
    for (sign, code) in FormattedAmount.signs where currency == nil {
      if sign != "원", digits.hasPrefix(sign) {
        digits = String(digits.dropFirst())
        currency = code
      } else if sign == "원", digits.hasSuffix(sign) {
        digits = String(digits.dropLast())
        currency = code
      }
    }
    let groups = digits.split(separator: ",", omittingEmptySubsequences: false)
    guard currency != nil || groups.count > 1 else { return nil }
    let isGrouped =
      groups.count == 1
      || (1...3).contains(groups[0].count)
        && groups.dropFirst().enumerated().allSatisfy { place, group in
          let whole = place == groups.count - 2 ? group.prefix { $0 != "." } : group
          return whole.count == 3
        }
    guard isGrouped, let amount = Amount(typed: groups.joined()) else { return nil }
    self.amount = amount
    self.currency = currency
  }

  /// Returns the error for an amount in a currency other than the price's.
  package static func mismatch(_ sign: Currency, _ other: Currency, at range: Range<Int>? = nil) -> ParseError {
    ParseError(
      LocalizedText(
        "The amount is in \(sign.code), but the price of the product is in \(other.code).",
        ko: "금액은 \(sign.code), 상품의 통화는 \(other.code)입니다."),
      suggestion: LocalizedText(
        "Type only the number, or add \(.command("currency=\(sign.code)")).",
        ko: "숫자만 적거나 \(.command("currency=\(sign.code)"))도 함께 적습니다."), at: range)
  }
}
