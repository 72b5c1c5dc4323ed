import Catalog
import Text

/// The number of products, their stock and its value, a row for each currency.
package struct ProductTotals: Hashable, Sendable {
  /// The sums of one currency.
  package struct Sum: Hashable, Sendable {
    package fileprivate(set) var products = 0
    package fileprivate(set) var soldOut = 0
    package fileprivate(set) var stock = Amount.zero
    /// The list prices of everything in stock.
    package fileprivate(set) var listValue = Amount.zero
    /// The sale prices of everything in stock.
    package fileprivate(set) var saleValue = Amount.zero
  }

  private var sums: [Currency?: Sum] = [:]
  /// The number of products without a stock or a price, which are in no sum.
  package private(set) var leftOut = 0

  package init() {}

  package var isEmpty: Bool { sums.isEmpty }

  /// The sums, by the code of their currency.
  package var byCurrency: [(currency: Currency?, sum: Sum)] {
    sums.map { ($0.key, $0.value) }.sorted { ($0.0?.code ?? "") < ($1.0?.code ?? "") }
  }

  /// Adds a product.
  ///
  /// Its values are exact decimals; amounts of two currencies are never added up.
  package mutating func add(_ product: Product) {
    guard case .number(let stock)? = product[.stock], case .amount(let price)? = product[.price] else {
      leftOut += 1
      return
    }
    let sale = if case .amount(let sale)? = product[.sale] { sale } else { price }
    var sum = sums[product.currency] ?? Sum()
    sum.products += 1
    if stock == 0 { sum.soldOut += 1 }
    sum.stock = sum.stock + Amount(stock)
    sum.listValue = sum.listValue + price * Amount(stock)
    sum.saleValue = sum.saleValue + sale * Amount(stock)
    sums[product.currency] = sum
  }

  package static let name = LocalizedText("total", ko: "합계")

  /// Returns the table of the sums.
  package func table() -> Table {
    Table(
      [
        .init("currency", LocalizedText("currency", ko: "통화")),
        .init("products", LocalizedText("products", ko: "상품 수"), isNumber: true),
        .init("sold_out", LocalizedText("sold out", ko: "품절"), isNumber: true),
        .init("stock", LocalizedText("stock", ko: "재고"), isNumber: true),
        .init("value_at_list_price", LocalizedText("at list price", ko: "정가 합계"), isNumber: true),
        .init("value_at_sale_price", LocalizedText("at sale price", ko: "판매가 합계"), isNumber: true),
      ],
      rows: byCurrency.map { currency, sum in
        [
          .text(currency?.code ?? "-"), .number(sum.products), .number(sum.soldOut), .amount(sum.stock),
          ProductTotals.cell(sum.listValue, currency), ProductTotals.cell(sum.saleValue, currency),
        ]
      })
  }

  /// Returns a sum, or an empty cell for one that no decimal holds.
  private static func cell(_ amount: Amount, _ currency: Currency?) -> Table.Cell {
    amount.isFinite ? .amount(amount, currency) : .none
  }
}
