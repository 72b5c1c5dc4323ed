import Catalog
import Networking

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
  /// Other rows may be returned with nothing but their ids.
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

  /// - Throws: `MarketError.unreadable` for a body that isn't a page of this edition, with the editions whose page it
  ///   is; otherwise the error for the status.
  package func decode(from response: Response, of market: MarketService) throws -> Page {
    if response.status == 200, let page = market.edition.codec.decodePageFast(response.body, asked: self) {
      return page
    }
    let decoder = ResponseDecoder(response: response, market: market)
    let object = try decoder.object()
    let page = market.edition.codec.page(from: object, asked: self)
    if !market.edition.codec.isPage(object) {
      let others = Edition.allCases.filter { $0 != market.edition && $0.codec.isPage(object) }
      if !others.isEmpty { throw decoder.undecodable(.list(of: others)) }
    }
    guard let page else { throw decoder.undecodable(.json) }
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
