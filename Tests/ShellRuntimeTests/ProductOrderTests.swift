import Catalog
import CommandLanguage
import MarketAPI
import TestSupport
import Testing

@testable import ShellRuntime

/// The orders by each kind of field.
@Suite struct ProductOrderTests {
  private static let products = [
    Product(id: 1, name: "b", price: Amount(9), currency: .usd, stock: 100, vendorID: 3),
    Product(id: 2, name: "A", price: Amount(typed: "10.5"), currency: .krw, stock: 20, vendorID: 3),
    Product(id: 3, price: Amount(typed: "9.25"), stock: 3),
    Product(id: 4, name: "\u{1100}\u{1161}", stock: nil, images: [Picture(url: "u")]),
    Product(id: 5, name: "가", price: Amount(10), currency: .krw, stock: 20, images: []),
  ]

  /// Unknown values are last in both directions, and equal ones keep their order.
  @Test(arguments: [
    (ProductField.id, [1, 2, 3, 4, 5], [5, 4, 3, 2, 1]), (.price, [1, 3, 5, 2, 4], [2, 5, 3, 1, 4]),
    (.stock, [3, 2, 5, 1, 4], [1, 2, 5, 3, 4]), (.name, [4, 5, 2, 1, 3], [1, 2, 4, 5, 3]),
    (.currency, [2, 5, 1, 3, 4], [1, 2, 5, 3, 4]), (.vendorID, [1, 2, 3, 4, 5], [1, 2, 3, 4, 5]),
    (.images, [5, 4, 1, 2, 3], [4, 5, 1, 2, 3]), (.created, [1, 2, 3, 4, 5], [1, 2, 3, 4, 5]),
  ])
  func productsAreInThisOrder(_ field: ProductField, _ rising: [Int], _ falling: [Int]) {
    #expect(ProductOrder(field).sorted(Self.products).map(\.id) == rising)
    #expect(ProductOrder(field, descends: true).sorted(Self.products).map(\.id) == falling)
  }

  /// The first of many are the same as after sorting all, in any order of arrival, also if the page decoder skips rows.
  @Test func firstOfManyEqualThoseOfACompleteSort() throws {
    var dice = SplitMix64(31)
    for _ in 0..<300 {
      let products = (1...Int.random(in: 1...120, using: &dice)).map { id in
        Product(
          id: id, name: ["b", "가", "A", nil].randomElement(using: &dice) ?? nil,
          price: Int.random(in: 0...4, using: &dice) == 0 ? nil : Amount(Int.random(in: 0...9, using: &dice)))
      }
      let order = ProductOrder(
        Bool.random(using: &dice) ? .price : .name, descends: Bool.random(using: &dice))
      let limit = Int.random(in: 1...30, using: &dice)
      var best = TopProducts(limit, by: order)
      let rows = try #require(best.rows(of: try ProductFilter(nil, me: nil, Dialect(.open))))
      let skips = Bool.random(using: &dice)
      var rest = products[...]
      while !rest.isEmpty {
        let count = Int.random(in: 0...20, using: &dice)
        best.add(rest.prefix(count).filter { !skips || rows.matches($0) })
        rest = rest.dropFirst(count)
      }
      #expect(best.products.map(\.id) == order.sorted(products).prefix(limit).map(\.id))
    }
  }
}
