import Catalog
import Testing

/// The properties of currencies.
///
/// An unknown currency is preserved.
struct CurrencyTests {
  @Test(
    arguments: [
      ("KRW", 0, true), ("JPY", 0, true), ("USD", 2, true), ("HKD", 2, true), ("EUR", nil, false), ("krw", nil, false),
      ("", nil, false),
    ] as [(String, Int?, Bool)])
  func currencyCodeHasTheseDecimals(code: String, decimals: Int?, isDocumented: Bool) {
    let currency = Currency(code)
    #expect(currency.description == code)
    #expect(currency.minorUnitDigits == decimals)
    #expect(currency.isDocumented == isDocumented)
  }
}
