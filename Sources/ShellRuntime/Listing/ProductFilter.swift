import Catalog
import CommandLanguage
import Foundation
import MarketAPI
import Networking
import Text

/// The products selected in a scan: those that satisfy a condition, and those that contain a text if the server can't
/// search.
package struct ProductFilter: Sendable {
  /// The text that the server is asked to search for.
  package let serverSearch: String?
  /// The fields used in the condition that only a product itself contains, not a row of a list.
  package let detailOnlyFields: [ProductField]
  /// The fields used in the condition that no response of the market contains.
  package let unsupportedFields: [ProductField]
  /// Codes in the condition that aren't documented currencies.
  package let unknownCurrencies: [String]
  /// The texts in the condition that have typographic quotation marks around them.
  package let curlyTexts: [String]
  private let condition: CommandLanguage.Condition?
  private let me: Vendor?
  private let text: String?

  /// Creates a filter for products of one dialect.
  ///
  /// `me` in the condition refers to the vendor with `vendorID`.
  ///
  /// - Throws: `CurrentVendorUnknownError` if the condition contains `me` and `vendorID` is `nil`.
  package init(
    _ condition: CommandLanguage.Condition?, search: String? = nil, order: ProductOrder? = nil,
    me vendorID: Int?, _ dialect: Dialect
  ) throws(CurrentVendorUnknownError) {
    if condition?.referencesCurrentVendor == true, vendorID == nil {
      throw CurrentVendorUnknownError(hasVendors: dialect.capabilities.ownership != .none)
    }
    self.condition = condition
    let asked = (condition?.fields ?? []).union(order.map { [$0.field] } ?? [])
    detailOnlyFields = asked.filter { dialect.capabilities.fieldsMissingInLists.contains($0) }
    unsupportedFields = asked.filter { dialect.capabilities.unsupportedFields.contains($0) }
    unknownCurrencies =
      dialect.capabilities.limits == nil
      ? [] : (condition?.currencies ?? []).filter { !Currency($0.uppercased()).isDocumented }
    curlyTexts = condition?.curlyTexts ?? []
    me = vendorID.map { Vendor(id: $0) }
    let search = search.flatMap { $0.isEmpty ? nil : $0 }
    serverSearch = dialect.supports(.search) ? search : nil
    text = dialect.supports(.search) ? nil : search
  }

  /// A Boolean value that indicates whether the text is searched for by the client because the server can't.
  package var searchesLocally: Bool { text != nil }

  /// The filter for the page decoder, or `nil` if there is no filter or if rows lack a field that it needs.
  package var rows: RowFilter? {
    guard detailOnlyFields.isEmpty, condition != nil || text != nil else { return nil }
    let asked: Set<ProductField> = text == nil ? [] : [.name, .vendor]
    // A row that can't be judged is decoded, and judged again by `filter`, which can throw.
    return RowFilter(fields: asked.union(condition?.fields ?? [])) { row in
      if Task.isCancelled { return true }
      do { return try matches(row) } catch { return true }
    }
  }

  /// Returns whether the product is among the selected ones.
  ///
  /// - Throws: `ParseError` if a regular expression takes too long.
  package func matches(_ product: Product) throws(ParseError) -> Bool {
    if let condition, try !condition.holds(for: product, me: me) { return false }
    guard let text else { return true }
    // By name or vendor, like a server that can search.
    return [product.name, product.vendor].contains { $0?.range(of: text, options: .caseInsensitive) != nil }
  }
}

// Conditions on fields that the rows of an edition's list don't contain.
extension ProductFilter {
  /// The number of products read concurrently.
  private static let maxConcurrentRequests = 8

  /// Returns the matching rows of a page in their order.
  ///
  /// Each product is read if a row lacks a field of the condition.
  ///
  /// - Throws: The client's error for a product that couldn't be read; `ParseError` if a regular expression takes too long;
  ///   `CancellationError`.
  package func filter(_ rows: [Product], of market: Client<MarketService>) async throws -> [Product] {
    if condition == nil, text == nil, detailOnlyFields.isEmpty { return rows }
    guard !detailOnlyFields.isEmpty else { return try matching(rows) }
    var whole: [Product.ID: Product] = [:]
    let width = market.service.dialect.capabilities.concurrency(ProductFilter.maxConcurrentRequests)
    try await BoundedTaskGroup.forEachConcurrently(of: rows.map(\.id), atOnce: width) {
      try await MarketReader(market).productIfExists($0)
    } take: { product in
      if let product { whole[product.id] = product }
    }
    // Products deleted since the list was read are omitted.
    return try matching(rows.compactMap { whole[$0.id] })
  }

  /// Returns the matching products.
  ///
  /// - Throws: `ParseError` if a regular expression takes too long; `CancellationError`.
  package func matching(_ products: [Product]) throws -> [Product] {
    try products.filter { product in
      try Task.checkCancellation()
      return try matches(product)
    }
  }
}

extension Product {
  /// Returns whether the product contains these fields with the values that reading the product itself would give.
  ///
  /// Lists contain no pictures, and some of them no description.
  package func hasValues(_ fields: Set<ProductField>) -> Bool {
    fields.allSatisfy { self[$0] != nil && ($0 != .thumbnail || images != nil) }
  }
}

/// A query that needs all pages of the list: which products, in which order, how many.
package struct ScanQuery: Hashable, Sendable {
  package var condition: Condition?
  package var order: ProductOrder?
  package var limit: Int?
  /// The minimum number of pages that may be read; `nil` stops a little after the page count that the server sent.
  package var pages: Int?

  package init(
    condition: Condition? = nil, order: ProductOrder? = nil, limit: Int? = nil, pages: Int? = nil
  ) {
    self.condition = condition
    self.order = order
    self.limit = limit
    self.pages = pages
  }
}

/// The error for a condition with `me` when the current vendor isn't known.
package struct CurrentVendorUnknownError: Error {
  /// A Boolean value that is false if the products of the market have no vendors.
  package var hasVendors = true
}
