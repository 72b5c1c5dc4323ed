import Catalog
import Foundation
import Language
import Marketplace

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
