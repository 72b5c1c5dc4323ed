import Catalog
import Networking

/// Requests one product with all its fields.
package struct ShowProduct: Endpoint {
  package var id: Product.ID
  package init(_ id: Product.ID) { self.id = id }

  /// Returns the request, which every edition supports.
  package func request(to market: Market) -> Request { market.edition.codec.show(id) }

  /// - Throws: `MarketError.notFound` for a deleted product, `.unreadable` for a body without a product or with another
  ///   one, otherwise the error for the status.
  package func answer(from reply: Reply, of market: Market) throws -> Product {
    try AnswerReader(reply: reply, market: market).product(id, with: market.edition.codec)
  }
}

/// Requests a product like `ShowProduct`, and reports a sale price that contradicts the other prices.
package struct InspectProduct: Endpoint {
  /// The product, and the contradicting sale price.
  package struct Answer: Hashable, Sendable {
    package var product: Product
    /// The sale price in the response if it isn't list price minus discount.
    package var otherSale: Amount?
  }

  package var id: Product.ID
  package init(_ id: Product.ID) { self.id = id }

  package func request(to market: Market) -> Request { market.edition.codec.show(id) }

  /// - Throws: The errors of `ShowProduct`.
  package func answer(from reply: Reply, of market: Market) throws -> Answer {
    let answer = AnswerReader(reply: reply, market: market)
    let product = try answer.product(id, with: market.edition.codec)
    let told = market.edition.codec.toldSale(in: try answer.object())
    let differs = product.price != nil && product.discount != nil && told != product.sale
    return Answer(product: product, otherSale: differs ? told : nil)
  }
}

/// Requests one page of the list, newest first if the edition sorts that way.
package struct ListProducts: Endpoint {
  package var page: Int
  /// The number of rows per page, or `nil` for the server's default.
  ///
  /// Only `training` and `open` support it.
  package var size: Int?
  /// A part of a product's or a vendor's name.
  ///
  /// Only `open` supports searching.
  package var search: String?
  /// The rows to decode completely, or `nil` for all.
  ///
  /// Of the others only the ids may be returned.
  package var wanted: RowFilter?

  package init(page: Int = 1, size: Int? = nil, search: String? = nil, wanted: RowFilter? = nil) {
    self.wanted = wanted
    self.page = page
    self.size = size
    self.search = search
  }

  /// - Throws: `MarketError.unsupported(.search)` if the edition doesn't support searching.
  package func request(to market: Market) throws -> Request {
    if search?.isEmpty == false, !market.edition.supports(.search) {
      throw MarketError.unsupported(.search, market.edition)
    }
    return market.edition.codec.list(self)
  }

  /// - Throws: `MarketError.unreadable` for a body that isn't a page of this edition, with the editions whose page it
  ///   is; otherwise the error for the status.
  package func answer(from reply: Reply, of market: Market) throws -> Page {
    if reply.status == 200, let page = market.edition.codec.plainPage(reply.body, asked: self) { return page }
    let answer = AnswerReader(reply: reply, market: market)
    let object = try answer.object()
    let page = market.edition.codec.page(from: object, asked: self)
    if !market.edition.codec.isPage(object) {
      let others = Edition.allCases.filter { $0 != market.edition && $0.codec.isPage(object) }
      if !others.isEmpty { throw answer.unreadable(.list(of: others)) }
    }
    guard let page else { throw answer.unreadable(.json) }
    return page
  }
}

/// A predicate that the page decoder applies to rows.
///
/// Rows that don't match are decoded only as far as `fields` requires, so errors in their other members aren't
/// reported. This makes a scan of a whole market several times faster if few rows match.
package struct RowFilter: Sendable {
  /// The fields, besides the id, that `holds` reads.
  package let fields: Set<Field>
  package let holds: @Sendable (Product) -> Bool

  package init(fields: Set<Field>, holds: @escaping @Sendable (Product) -> Bool) {
    self.fields = fields
    self.holds = holds
  }
}
