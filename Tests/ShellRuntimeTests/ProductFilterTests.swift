import Catalog
import CommandLanguage
import MarketAPI
import TestSupport
import Testing

@testable import ShellRuntime

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
      try condition.map { try Condition.read($0) }, search: search, me: me, Dialect(edition))
    return try Self.products.filter { try filter.matches($0) }.map(\.id)
  }

  @Test(
    arguments: [
      (nil, [1, 2, 3]), ("stock>0", [2, 3]), ("vendor=me", [1, 3]), ("not vendor=me and price<11", [2]),
      ("description~x", []),
    ] as [(String?, [Int])])
  func conditionSelectsTheseProducts(_ condition: String?, _ expected: [Int]) throws {
    #expect(try chosen(condition) == expected)
  }

  /// If the server supports searching, it searches.
  ///
  /// Otherwise name and vendor are searched here.
  @Test(arguments: Edition.allCases) func searchRunsOnTheServerIfSupported(_ edition: Edition) throws {
    let filter = try ProductFilter(nil, search: "MUG", me: nil, Dialect(edition))
    let searches = Dialect(edition).supports(.search)
    #expect(filter.serverSearch == (searches ? "MUG" : nil) && filter.searchesLocally == !searches)
    let chosen = try filter.matching(Self.products)
    #expect(chosen.map(\.id) == (searches ? [1, 2, 3] : [1, 2]))
    let empty = try ProductFilter(nil, search: "", me: nil, Dialect(edition))
    #expect(empty.serverSearch == nil && !empty.searchesLocally && empty.rows == nil)
  }

  @Test func meRequiresALogin() throws {
    #expect(throws: CurrentVendorUnknownError.self) {
      try ProductFilter(try Condition.read("vendor=me"), me: nil, Dialect(.open))
    }
    #expect(try chosen("stock>0", me: nil) == [2, 3])
  }

  /// Fields that only the product has, fields without a source, and unknown currency codes are reported; then rows
  /// aren't enough.
  @Test(arguments: Edition.allCases) func fieldsMissingInRowsAreReported(_ edition: Edition) throws {
    for field in ProductField.allCases {
      let filter = try ProductFilter(
        try Condition.read("currency=XYZ or currency=usd"), order: ProductOrder(field), me: nil, Dialect(edition))
      #expect(filter.detailOnlyFields == (edition.capabilities.fieldsMissingInLists.contains(field) ? [field] : []))
      #expect(filter.unsupportedFields == (edition.capabilities.unsupportedFields.contains(field) ? [field] : []))
      #expect(filter.unknownCurrencies == ["XYZ"])
      #expect((filter.rows == nil) == edition.capabilities.fieldsMissingInLists.contains(field))
    }
  }
}
