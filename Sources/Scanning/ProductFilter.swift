import Catalog
import Foundation
import Language
import Marketplace
import Networking
import Text

/// The products selected in a scan: those that satisfy a condition, and those that contain a text if the server can't
/// search.
package struct ProductFilter: Sendable {
  /// The text that the server is asked to search for.
  package let serverSearch: String?
  /// The fields used in the condition that only a product itself contains, not a row of a list.
  package let detailOnlyFields: [ProductField]
  /// The fields used in the condition that no response of the edition contains.
  package let unsupportedFields: [ProductField]
  /// Codes in the condition that aren't documented currencies.
  package let unknownCurrencies: [String]
  private let condition: Language.Condition?
  private let me: Vendor?
  private let text: String?

  /// Creates a filter for one edition.
  ///
  /// `me` in the condition refers to the vendor with `vendorID`.
  ///
  /// - Throws: `CurrentVendorUnknownError` if the condition contains `me` and `vendorID` is `nil`.
  package init(
    _ condition: Language.Condition?, search: String? = nil, order: ProductOrder? = nil,
    me vendorID: Int?, _ edition: Edition
  ) throws(CurrentVendorUnknownError) {
    if condition?.referencesCurrentVendor == true, vendorID == nil { throw CurrentVendorUnknownError() }
    self.condition = condition
    let asked = (condition?.fields ?? []).union(order.map { [$0.field] } ?? [])
    detailOnlyFields = asked.filter { edition.traits.fieldsMissingInLists.contains($0) }
    unsupportedFields = asked.filter { edition.traits.unsupportedFields.contains($0) }
    unknownCurrencies = (condition?.currencies ?? []).filter { !Currency($0.uppercased()).isDocumented }
    me = vendorID.map { Vendor(id: $0) }
    let search = search.flatMap { $0.isEmpty ? nil : $0 }
    serverSearch = edition.supports(.search) ? search : nil
    text = edition.supports(.search) ? nil : search
  }

  /// A Boolean value that indicates whether the text is searched for by the client because the server can't.
  package var searchesLocally: Bool { text != nil }

  /// The filter for the page decoder, or `nil` if there is no filter or if rows lack a field that it needs.
  package var rows: RowFilter? {
    guard detailOnlyFields.isEmpty, condition != nil || text != nil else { return nil }
    let asked: Set<ProductField> = text == nil ? [] : [.name, .vendor]
    return RowFilter(fields: asked.union(condition?.fields ?? []), matches: matches)
  }

  package func matches(_ product: Product) -> Bool {
    if let condition, !condition.holds(for: product, me: me) { return false }
    guard let text else { return true }
    // By name or vendor, like a server that can search.
    return [product.name, product.vendor].contains { $0?.range(of: text, options: .caseInsensitive) != nil }
  }
}

/// The error for a condition with `me` when the current vendor isn't known.
package struct CurrentVendorUnknownError: Error {}

// Conditions on fields that the rows of an edition's list don't contain.
extension ProductFilter {
  /// The number of products read concurrently.
  private static let maxConcurrentRequests = 8

  /// Returns the matching rows of a page in their order.
  ///
  /// Each product is read if a row lacks a field of the condition.
  ///
  /// - Throws: The client's error for a product that couldn't be read.
  package func filter(_ rows: [Product], of market: Client<MarketService>) async throws -> [Product] {
    if condition == nil, text == nil, detailOnlyFields.isEmpty { return rows }
    guard !detailOnlyFields.isEmpty else { return rows.filter(matches) }
    var whole: [Product.ID: Product] = [:]
    try await SideBySide.forEachConcurrently(of: rows.map(\.id), atOnce: ProductFilter.maxConcurrentRequests) {
      try await MarketReader(market).productIfExists($0)
    } take: { product in
      if let product { whole[product.id] = product }
    }
    // Products deleted since the list was read are omitted.
    return rows.compactMap { whole[$0.id] }.filter(matches)
  }
}

extension Product {
  /// Returns whether the product contains these fields with the values that reading the product itself would give.
  ///
  /// Lists contain no pictures, and some of them no description.
  package func hasValues(_ fields: Set<ProductField>) -> Bool {
    fields.allSatisfy { field in
      switch field {
      case .id: true
      case .name: name != nil
      case .price: price != nil
      case .discount: discount != nil
      case .sale: sale != nil
      case .currency: currency != nil
      case .stock: stock != nil
      case .vendor: vendor != nil
      case .vendorID: vendorID != nil
      case .created: created != nil
      case .modified: modified != nil
      case .description: description != nil
      case .thumbnail, .images: images != nil
      }
    }
  }
}

/// An order of products by one field: numerically, chronologically, or by `CollationKey` for text.
///
/// Unknown values come last in both directions.
package struct ProductOrder: Hashable, Sendable {
  package var field: ProductField
  package var descends: Bool

  package init(_ field: ProductField, descends: Bool = false) {
    self.field = field
    self.descends = descends
  }

  /// Returns the products in this order.
  ///
  /// The sort is stable.
  package func sorted(_ products: [Product]) -> [Product] {
    sortedIndices(of: products.map(key)).map { products[$0] }
  }

  /// Returns the indices of the keys in sorted order.
  ///
  /// Equal keys keep their order.
  fileprivate func sortedIndices(of keys: [Key?]) -> [Int] {
    keys.indices.sorted { left, right in
      if isBefore(keys[left], keys[right]) { return true }
      return !isBefore(keys[right], keys[left]) && left < right
    }
  }

  /// Returns whether `left` precedes `right`.
  ///
  /// Unknown values come last.
  fileprivate func isBefore(_ left: Key?, _ right: Key?) -> Bool {
    guard let left else { return false }
    guard let right else { return true }
    return descends ? right < left : left < right
  }

  fileprivate func key(_ product: Product) -> Key? { Key(product, field) }

  fileprivate enum Key: Comparable {
    case whole(Int)
    case amount(Amount)
    case time(Int64)
    case text(CollationKey)

    init?(_ product: Product, _ field: ProductField) {
      let key: Key? =
        switch field {
        case .id: .whole(product.id)
        case .stock: product.stock.map(Key.whole)
        case .vendorID: product.vendorID.map(Key.whole)
        case .images: product.images.map { .whole($0.count) }
        case .price: product.price.map { .amount($0) }
        case .discount: product.discount.map { .amount($0) }
        case .sale: product.sale.map { .amount($0) }
        case .created: product.created.map { .time($0.seconds) }
        case .modified: product.modified.map { .time($0.seconds) }
        case .name: product.name.map(Key.folded)
        case .description: product.description.map(Key.folded)
        case .currency: product.currency.map { .folded($0.code) }
        case .vendor: product.vendor.map(Key.folded)
        case .thumbnail: product.thumbnailURL.map(Key.folded)
        }
      guard let key else { return nil }
      self = key
    }

    private static func folded(_ text: String) -> Key { .text(CollationKey(text)) }
  }
}

/// The first `limit` products in an order, collected from a stream.
///
/// At most twice as many are stored.
package struct TopProducts {
  private let limit: Int
  private let order: ProductOrder
  /// The collected products in order of arrival, except those that are already sorted.
  private var held: [(key: ProductOrder.Key?, product: Product)] = []

  package init(_ limit: Int, by order: ProductOrder) {
    self.limit = limit
    self.order = order
  }

  package mutating func add(_ products: [Product]) {
    for product in products {
      held.append((order.key(product), product))
      if held.count >= limit * 2 { truncate() }
    }
  }

  /// The first products in order.
  ///
  /// Equal ones stay in order of arrival.
  package var products: [Product] {
    var copy = self
    copy.truncate()
    return copy.held.map(\.product)
  }

  private mutating func truncate() {
    held = order.sortedIndices(of: held.map(\.key)).prefix(limit).map { held[$0] }
  }
}
