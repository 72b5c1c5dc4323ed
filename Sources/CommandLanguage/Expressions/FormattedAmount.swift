import Catalog
import Text

/// An amount with thousands separators, the symbol of its currency or a multiplier: `17k`, `1.7만`.
package struct FormattedAmount: Hashable, Sendable {
  package let amount: Amount
  package let currency: Currency?

  private static let signs: [(String, Currency)] = [
    ("₩", .krw), ("￦", .krw), ("원", .krw), ("¥", Currency("JPY")), ("￥", Currency("JPY")),
  ]

  private static let multipliers = [("만", 10_000), ("천", 1_000), ("k", 1_000), ("K", 1_000)]

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
    let multiplier = FormattedAmount.multipliers.first { digits.hasSuffix($0.0) && digits.count > 1 }
    if multiplier != nil { digits.removeLast() }
    let groups = digits.split(separator: ",", omittingEmptySubsequences: false)
    guard currency != nil || groups.count > 1 || multiplier != nil else { return nil }
    let isGrouped =
      groups.count == 1
      || (1...3).contains(groups[0].count)
        && groups.dropFirst().enumerated().allSatisfy { index, group in
          let whole = index == groups.count - 2 ? group.prefix { $0 != "." } : group
          return whole.count == 3
        }
    guard isGrouped, let typed = Amount(typed: groups.joined()),
      let amount = multiplier.map({ Amount(typed: (typed * Amount($0.1)).description) }) ?? typed
    else { return nil }
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
