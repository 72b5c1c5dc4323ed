import Catalog
import Networking

/// Requests one product with all its fields.
package struct GetProduct: Endpoint {
  package var id: Product.ID
  package init(_ id: Product.ID) { self.id = id }

  /// Returns the request, which every edition supports.
  package func makeRequest(to market: MarketService) -> Request { market.edition.codec.show(id) }

  /// - Throws: `MarketError.notFound` for a deleted product, `.undecodable` for a body without a product or with another
  ///   one, otherwise the error for the status.
  package func decode(from reply: Response, of market: MarketService) throws -> Product {
    try ResponseDecoder(reply: reply, market: market).product(id, with: market.edition.codec)
  }
}

/// Requests a product like `GetProduct`, and reports a sale price that contradicts the other prices.
package struct GetProductWithServerPrice: Endpoint {
  /// The product, and the contradicting sale price.
  package struct Output: Hashable, Sendable {
    package var product: Product
    /// The sale price in the response if it isn't list price minus discount.
    package var conflictingSalePrice: Amount?
  }

  package var id: Product.ID
  package init(_ id: Product.ID) { self.id = id }

  package func makeRequest(to market: MarketService) -> Request { market.edition.codec.show(id) }

  /// - Throws: The errors of `GetProduct`.
  package func decode(from reply: Response, of market: MarketService) throws -> Output {
    let answer = ResponseDecoder(reply: reply, market: market)
    let product = try answer.product(id, with: market.edition.codec)
    let told = market.edition.codec.serverSalePrice(in: try answer.object())
    let differs = product.price != nil && product.discount != nil && told != product.sale
    return Output(product: product, conflictingSalePrice: differs ? told : nil)
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
  package var rowFilter: RowFilter?

  package init(page: Int = 1, size: Int? = nil, search: String? = nil, rowFilter: RowFilter? = nil) {
    self.rowFilter = rowFilter
    self.page = page
    self.size = size
    self.search = search
  }

  /// - Throws: `MarketError.unsupported(.search)` if the edition doesn't support searching.
  package func makeRequest(to market: MarketService) throws -> Request {
    if search?.isEmpty == false, !market.edition.supports(.search) {
      throw MarketError.unsupported(.search, market.edition)
    }
    return market.edition.codec.list(self)
  }

  /// - Throws: `MarketError.undecodable` for a body that isn't a page of this edition, with the editions whose page it
  ///   is; otherwise the error for the status.
  package func decode(from reply: Response, of market: MarketService) throws -> Page {
    if reply.status == 200, let page = market.edition.codec.decodePageFast(reply.body, asked: self) { return page }
    let answer = ResponseDecoder(reply: reply, market: market)
    let object = try answer.object()
    let page = market.edition.codec.page(from: object, asked: self)
    if !market.edition.codec.isPage(object) {
      let others = Edition.allCases.filter { $0 != market.edition && $0.codec.isPage(object) }
      if !others.isEmpty { throw answer.undecodable(.list(of: others)) }
    }
    guard let page else { throw answer.undecodable(.json) }
    return page
  }
}

/// A predicate that the page decoder applies to rows.
///
/// Rows that don't match are decoded only as far as `fields` requires, so errors in their other members aren't
/// reported. This makes a scan of a whole market several times faster if few rows match.
package struct RowFilter: Sendable {
  /// The fields, besides the id, that `matches` reads.
  package let fields: Set<ProductField>
  package let matches: @Sendable (Product) -> Bool

  package init(fields: Set<ProductField>, matches: @escaping @Sendable (Product) -> Bool) {
    self.fields = fields
    self.matches = matches
  }
}
