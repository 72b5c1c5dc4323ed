import Catalog
import FoundationEssentials
import Text

/// A percentage of a price from 0 to 100, as typed: `10%`, `7.5 %`.
package struct Percentage: Hashable, Sendable {
  package let value: Amount

  package init?(_ text: String) {
    let text = text.trimmed
    guard text.hasSuffix("%"), let value = Amount(typed: String(text.dropLast()).trimmed.withPlainDigits), value >= 0,
      value <= 100
    else {
      return nil
    }
    self.value = value
  }

  /// Returns this percentage of a price, rounded to the smallest unit of the currency.
  package func of(_ price: Amount, in currency: Currency?) -> Amount {
    Amount(price.decimalValue * value.decimalValue / 100).rounded(to: currency?.minorUnitDigits ?? 2)
  }
}
