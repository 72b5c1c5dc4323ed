import Catalog
import Foundation
import Presentation

/// The text of a number in a chart: money with its currency, other numbers with thousands separators.
struct ChartNumberFormatter {
  let currency: Currency?
  let options: RenderOptions

  func text(_ value: Decimal) -> String {
    guard let currency else { return NumberFormatting.grouped(Amount(value).rounded(to: 2).description) }
    return NumberFormatting.money(
      Amount(value).rounded(to: currency.minorUnitDigits ?? 2), currency, ascii: options.usesASCII)
  }
}
