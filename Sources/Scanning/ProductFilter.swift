import Catalog
import Foundation
import Language
import Marketplace
import Networking
import Synchronization
import Text

/// Which products of a scan are wanted: those a condition holds for, and those with a text where the server cannot search.
package struct ProductFilter: Sendable {
  /// What the server is asked to search for.
  package let serverSearch: String?
  /// What the condition asks that only a product itself tells, not a row of a list.
  package let askedOfDetails: [Field]
  /// What the condition asks that no answer of the edition tells.
  package let untold: [Field]
  /// Codes in the condition that are no currency of the market's documentation.
  package let unknownCurrencies: [String]
  private let condition: Language.Expression?
  private let me: Vendor?
  private let text: String?

  /// - Parameter vendorID: whom `me` means; nil while nobody knows.
  /// - Throws: `UnknownVendor` where the condition asks for `me` and nobody knows who that is.
  package init(
    _ condition: Language.Expression?, search: String? = nil, order: ProductOrder? = nil,
    me vendorID: Int?, _ edition: Edition
  ) throws(UnknownVendor) {
    if condition?.asksForMe == true, vendorID == nil { throw UnknownVendor() }
    self.condition = condition
    let asked = (condition?.fields ?? []).union(order.map { [$0.field] } ?? [])
    askedOfDetails = asked.filter { edition.traits.notInRows.contains($0) }
    untold = asked.filter { edition.traits.untold.contains($0) }
    unknownCurrencies = (condition?.currencies ?? []).filter { !Currency($0.uppercased()).isDocumented }
    me = vendorID.map { Vendor(id: $0) }
    let search = search.flatMap { $0.isEmpty ? nil : $0 }
    serverSearch = edition.supports(.search) ? search : nil
    text = edition.supports(.search) ? nil : search
  }

  /// True where the server leaves the searching to us.
  package var searchesHere: Bool { text != nil }

  /// The same for the reader of pages, where rows tell all that is asked.
  package var rows: RowFilter? {
    guard askedOfDetails.isEmpty, condition != nil || text != nil else { return nil }
    let asked: Set<Field> = text == nil ? [] : [.name, .vendor]
    return RowFilter(fields: asked.union(condition?.fields ?? []), holds: holds)
  }

  package func holds(_ product: Product) -> Bool {
    if let condition, !condition.holds(for: product, me: me) { return false }
    guard let text else { return true }
    // By name or vendor, as a server that can search does.
    return [product.name, product.vendor].contains { $0?.range(of: text, options: .caseInsensitive) != nil }
  }
}

/// A condition asks for `me`, and nobody said which vendor that is.
package struct UnknownVendor: Error {}

/// A condition may ask for what the rows of an edition's list do not tell.
extension ProductFilter {
  /// Products read at once for it.
  private static let width = 8

  /// The wanted ones among the rows of a page, in their order; read one by one where a row does not tell enough.
  ///
  /// - Throws: what the client throws for a product that was asked for.
  package func chosen(_ rows: [Product], of market: Client<Market>) async throws -> [Product] {
    if condition == nil, text == nil, askedOfDetails.isEmpty { return rows }
    guard !askedOfDetails.isEmpty else { return rows.filter(holds) }
    var whole: [Product.ID: Product] = [:]
    try await SideBySide.each(of: rows.map(\.id), atOnce: ProductFilter.width) {
      try await MarketReader(market).product($0)
    } take: { product in
      if let product { whole[product.id] = product }
    }
    // What went away since the list was read is not among them any more.
    return rows.compactMap { whole[$0.id] }.filter(holds)
  }
}

extension Product {
  /// True where a row of a list gives these fields as surely as the product itself would.
  ///
  /// Lists bring no pictures, and some no description.
  package func tells(_ fields: Set<Field>) -> Bool {
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

/// An order of products by one field: numbers as numbers, times as times, text as `CollationKey` has it; what is not
/// known comes last either way.
package struct ProductOrder: Hashable, Sendable {
  package var field: Field
  package var descends: Bool

  package init(_ field: Field, descends: Bool = false) {
    self.field = field
    self.descends = descends
  }

  /// Products with the same value keep their order.
  package func sorted(_ products: [Product]) -> [Product] {
    places(of: products.map(key)).map { products[$0] }
  }

  /// Where each key belongs; equal ones stay in the order in which they stand.
  fileprivate func places(of keys: [Key?]) -> [Int] {
    keys.indices.sorted { left, right in
      if isBefore(keys[left], keys[right]) { return true }
      return !isBefore(keys[right], keys[left]) && left < right
    }
  }

  /// What is not known comes after everything else.
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

    init?(_ product: Product, _ field: Field) {
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
        case .thumbnail: product.thumbnail.map(Key.folded)
        }
      guard let key else { return nil }
      self = key
    }

    private static func folded(_ text: String) -> Key { .text(CollationKey(text)) }
  }
}

/// The first so many products in an order, out of any number of them: at most twice as many are held.
package struct BestProducts {
  private let limit: Int
  private let order: ProductOrder
  /// In the order of their coming, but for those that were sorted already.
  private var held: [(key: ProductOrder.Key?, product: Product)] = []
  private let bound = Bound()

  /// Of those that were sorted the last: whoever reads pages need not read whole what comes behind it.
  private final class Bound: Sendable {
    let worst = Mutex<(key: ProductOrder.Key?, isKnown: Bool)>((nil, false))

    /// One that is as good as the last came after it.
    func admits(_ key: ProductOrder.Key?, _ order: ProductOrder) -> Bool {
      let worst = worst.withLock { $0 }
      return !worst.isKnown || order.isBefore(key, worst.key)
    }
  }

  package init(_ limit: Int, by order: ProductOrder) {
    self.limit = limit
    self.order = order
  }

  package mutating func add(_ products: [Product]) {
    for product in products {
      let key = order.key(product)
      if !bound.admits(key, order) { continue }
      held.append((key, product))
      if held.count >= limit * 2 { cut() }
    }
  }

  /// The first ones; products with the same value are in the order of their coming.
  package var products: [Product] {
    var copy = self
    copy.cut()
    return copy.held.map(\.product)
  }

  private mutating func cut() {
    held = order.places(of: held.map(\.key)).prefix(limit).map { held[$0] }
    if held.count == limit, let last = held.last { bound.worst.withLock { $0 = (last.key, true) } }
  }

  /// The rows that could still be among the first, for the reader of pages: nil where a filter has its own, which must
  /// count what it wants, and where rows do not tell the field.
  package func narrowed(_ filter: ProductFilter) -> RowFilter? {
    guard filter.askedOfDetails.isEmpty, filter.rows == nil else { return nil }
    return RowFilter(fields: [order.field]) { [order, bound] product in bound.admits(order.key(product), order) }
  }
}
