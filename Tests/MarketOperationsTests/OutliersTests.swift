import Catalog
import Foundation
import Testing
import Text
import WriteJournal

@testable import MarketOperations

/// The detection of probable typing errors, at the limits of every rule.
@Suite struct OutliersTests {
  private func found(_ changes: [Change], isArithmetic: Bool = false) -> [String] {
    var plan = Plan(changes)
    plan.computesPrices = isArithmetic
    return Outliers.find(in: plan).map { ($0.change.map { "\($0): " } ?? "") + $0.wording[.english].plain }
  }

  private static func product(_ id: Int = 7, currency: Currency = .krw) -> Product {
    Product(id: id, price: Amount(1000), discount: Amount(100), sale: Amount(900), currency: currency, stock: 10)
  }

  private func edit(_ to: ProductValues, of product: Product = product()) -> Change {
    .edit(
      product,
      from: ProductValues(
        price: to.price == nil ? nil : product.price, discount: to.discount == nil ? nil : product.discount,
        currency: to.currency == nil ? nil : product.currency, stock: to.stock == nil ? nil : product.stock), to: to)
  }

  @Test(
    arguments: [
      ("549", "0: product 7: sale US$900.00 -> US$449.00"), ("550", nil),
      ("499.99", "0: product 7: price US$1,000.00 -> US$499.99"),
      ("1900", nil),
      ("1901", "0: product 7: sale US$900.00 -> US$1,801.00"),
      ("2000.5", "0: product 7: price US$1,000.00 -> US$2,000.50"), ("0", "0: product 7: price US$1,000.00 -> US$0.00"),
      ("-1", "0: product 7: price US$1,000.00 -> US$-1.00"), ("1000", nil),
    ] as [(String, String?)])
  func unusualPricesAreReported(_ price: String, _ expected: String?) {
    // Decimals are normal in dollars.
    let change = edit(ProductValues(price: Decimal(string: price).map { Amount($0) }), of: Self.product(currency: .usd))
    #expect(found([change]) == (expected.map { [$0] } ?? []))
  }

  /// The sale price is reported if the list price isn't an outlier.
  @Test(
    arguments: [
      (500, nil), (551, "0: product 7: sale ₩900 -> ₩449"), (1000, "0: product 7: sale ₩900 -> ₩0"), (0, nil),
    ] as [(Int, String?)])
  func unusualDiscountsAreReported(_ discount: Int, _ expected: String?) {
    #expect(found([edit(ProductValues(discount: Amount(discount)))]) == (expected.map { [$0] } ?? []))
  }

  /// A stock up to 1,000 is normal.
  ///
  /// Above that, ten times the previous stock is the maximum.
  @Test(arguments: [
    (10, 1000, false), (10, 1001, true), (0, 1001, true), (200, 2000, false), (200, 2001, true), (500, 5000, false),
    (10, .max, true), (1_000_000, 5, false),
  ])
  func unusualStocksAreReported(_ before: Int, _ after: Int, _ isFar: Bool) {
    var product = Self.product()
    product.stock = before
    #expect(
      found([edit(ProductValues(stock: after), of: product)])
        == (isFar ? ["0: product 7: stock \(before) -> \(after)"] : []))
  }

  @Test(arguments: [
    (Currency.krw, []), (.usd, ["0: product 7: currency KRW -> USD"]),
    (
      Currency("XYZ"),
      ["0: product 7: currency KRW -> XYZ", "0: product 7: currency XYZ is not one of KRW, USD, JPY, HKD"]
    ),
  ])
  func currencyChangesAreReported(_ currency: Currency, _ expected: [String]) {
    #expect(found([edit(ProductValues(currency: currency))]) == expected)
  }

  @Test(arguments: [(Currency.krw, true), (.jpy, true), (.usd, false), (Currency("XYZ"), false)])
  func unusualDecimalsAreReported(_ currency: Currency, _ isOdd: Bool) {
    let change = edit(
      ProductValues(price: Amount(typed: "999.5")), of: Self.product(currency: currency))
    #expect(found([change]) == (isOdd ? ["0: decimals in \(currency): 999.5"] : []))
  }

  @Test(arguments: [(10, false), (11, true)]) func manyEmptiedStocksAreReported(_ count: Int, _ isFar: Bool) {
    let changes = (1...count).map { edit(ProductValues(stock: 0), of: Self.product($0)) }
    #expect(found(changes) == (isFar ? ["stock becomes 0 for \(count) products"] : []))
  }

  /// A calculation over several currencies is reported first; typed prices aren't a calculation.
  @Test(arguments: [true, false]) func calculationOverSeveralCurrenciesIsReportedFirst(_ isArithmetic: Bool) {
    let changes = [
      edit(ProductValues(price: Amount(1001))),
      edit(ProductValues(price: Amount(1001)), of: Self.product(8, currency: .usd)),
      edit(ProductValues(price: Amount(1002)), of: Self.product(9)),
      edit(ProductValues(stock: 1), of: Self.product(10, currency: .jpy)),
    ]
    #expect(
      found(changes, isArithmetic: isArithmetic)
        == (isArithmetic ? ["mixed currencies: KRW 2, USD 1"] : []))
  }

  @Test func createsAndDeletesAreChecked() {
    func draft(_ price: Int, _ discount: Int = 0, _ currency: Currency = .krw, stock: Int = 0) -> Change {
      .create(
        ProductDraft(
          name: "mug", description: "a mug", price: Amount(price), discount: Amount(discount), currency: currency,
          stock: stock, pictures: []))
    }
    #expect(found([draft(1000), draft(1000, 999), .delete(Self.product())]) == [])
    #expect(found([draft(0)]) == ["0: mug: price ₩0"])
    #expect(found([draft(10), draft(10, 10)]) == ["1: mug: sale ₩0"])
    #expect(found([draft(10, stock: 1000), draft(10, stock: 1001)]) == ["1: mug: stock 0 -> 1001"])
    #expect(found([draft(10, 0, Currency("won"))]) == ["0: mug: currency won is not one of KRW, USD, JPY, HKD"])
  }
}
