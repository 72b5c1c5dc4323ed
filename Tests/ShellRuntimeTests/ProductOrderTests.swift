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
  func orders(_ field: ProductField, _ rising: [Int], _ falling: [Int]) {
    #expect(ProductOrder(field).sorted(Self.products).map(\.id) == rising)
    #expect(ProductOrder(field, descends: true).sorted(Self.products).map(\.id) == falling)
  }

  /// The first of many are the same as after sorting all, in any order of arrival, also if the page decoder skips rows.
  @Test func theBestOfMany() throws {
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
      let rows = try #require(best.rows(of: try ProductFilter(nil, me: nil, .open)))
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

/// The products that a condition matches, and the fields that require reading each product.
@Suite struct ProductFilterTests {
  private static let products = [
    Product(id: 1, name: "Red Mug", price: Amount(9), stock: 0, vendor: "kim", vendorID: 15),
    Product(id: 2, name: "cup", price: Amount(10), stock: 5, vendor: "Mugs & Co", vendorID: 16),
    Product(id: 3, name: "pot", price: Amount(11), stock: 7, vendor: "lee", vendorID: 15),
  ]

  private func chosen(
    _ condition: String?, search: String? = nil, me: Int? = 15, _ edition: Edition = .open
  ) throws -> [Int] {
    let filter = try ProductFilter(
      try condition.map { try Condition.read($0) }, search: search, me: me, edition)
    return Self.products.filter(filter.matches).map(\.id)
  }

  @Test(
    arguments: [
      (nil, [1, 2, 3]), ("stock>0", [2, 3]), ("vendor=me", [1, 3]), ("not vendor=me and price<11", [2]),
      ("description~x", []),
    ] as [(String?, [Int])])
  func conditions(_ condition: String?, _ expected: [Int]) throws {
    #expect(try chosen(condition) == expected)
  }

  /// If the server supports searching, it searches.
  ///
  /// Otherwise name and vendor are searched here.
  @Test(arguments: Edition.allCases) func searching(_ edition: Edition) throws {
    let filter = try ProductFilter(nil, search: "MUG", me: nil, edition)
    let searches = edition.supports(.search)
    #expect(filter.serverSearch == (searches ? "MUG" : nil) && filter.searchesLocally == !searches)
    #expect(Self.products.filter(filter.matches).map(\.id) == (searches ? [1, 2, 3] : [1, 2]))
    let empty = try ProductFilter(nil, search: "", me: nil, edition)
    #expect(empty.serverSearch == nil && !empty.searchesLocally && empty.rows == nil)
  }

  @Test func meMustBeKnown() throws {
    #expect(throws: CurrentVendorUnknownError.self) {
      try ProductFilter(try Condition.read("vendor=me"), me: nil, .open)
    }
    #expect(try chosen("stock>0", me: nil) == [2, 3])
  }

  /// Fields that only the product has, fields without a source, and unknown currency codes are reported; then rows
  /// aren't enough.
  @Test(arguments: Edition.allCases) func whatRowsLeaveOut(_ edition: Edition) throws {
    for field in ProductField.allCases {
      let filter = try ProductFilter(
        try Condition.read("currency=XYZ or currency=usd"), order: ProductOrder(field), me: nil, edition)
      #expect(filter.detailOnlyFields == (edition.capabilities.fieldsMissingInLists.contains(field) ? [field] : []))
      #expect(filter.unsupportedFields == (edition.capabilities.unsupportedFields.contains(field) ? [field] : []))
      #expect(filter.unknownCurrencies == ["XYZ"])
      #expect((filter.rows == nil) == edition.capabilities.fieldsMissingInLists.contains(field))
    }
  }
}
