import Catalog
import Networking

/// One product with everything the market tells of it.
package struct ShowProduct: Endpoint {
  package var id: Product.ID
  package init(_ id: Product.ID) { self.id = id }

  /// A request that no edition refuses.
  package func request(to market: Market) -> Request { market.edition.codec.show(id) }

  /// - Throws: `MarketError.notFound` for a product that is gone, `.unreadable` for a body that is none or another
  ///   product, else the error of the status.
  package func answer(from reply: Reply, of market: Market) throws -> Product {
    try AnswerReader(reply: reply, market: market).product(id, with: market.edition.codec)
  }
}

/// A product as `ShowProduct` has it, and what the server tells of it that does not add up.
package struct InspectProduct: Endpoint {
  /// The product, and what the server says of its price besides.
  package struct Answer: Hashable, Sendable {
    package var product: Product
    /// The sale price in the answer, where it is not list price less discount.
    package var otherSale: Amount?
  }

  package var id: Product.ID
  package init(_ id: Product.ID) { self.id = id }

  package func request(to market: Market) -> Request { market.edition.codec.show(id) }

  /// - Throws: as `ShowProduct`.
  package func answer(from reply: Reply, of market: Market) throws -> Answer {
    let answer = AnswerReader(reply: reply, market: market)
    let product = try answer.product(id, with: market.edition.codec)
    let told = market.edition.codec.toldSale(in: try answer.object())
    let differs = product.price != nil && product.discount != nil && told != product.sale
    return Answer(product: product, otherSale: differs ? told : nil)
  }
}

/// One page of the market's products, newest first where the edition sorts.
package struct ListProducts: Endpoint {
  package var page: Int
  /// Rows a page; nil leaves it to the server. Only `training` and `open` can choose.
  package var size: Int?
  /// A part of a name or a vendor's name; only `open` searches.
  package var search: String?
  /// Of rows it does not hold for only the ids may come; nil wants all rows.
  package var wanted: RowFilter?

  package init(page: Int = 1, size: Int? = nil, search: String? = nil, wanted: RowFilter? = nil) {
    self.wanted = wanted
    self.page = page
    self.size = size
    self.search = search
  }

  /// - Throws: `MarketError.unsupported(.search)` where the edition does not search.
  package func request(to market: Market) throws -> Request {
    if search?.isEmpty == false, !market.edition.supports(.search) {
      throw MarketError.unsupported(.search, market.edition)
    }
    return market.edition.codec.list(self)
  }

  /// - Throws: `MarketError.unreadable` for a body that is no page of this edition, with the editions whose page it is; else the error of the status.
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

/// Which rows of a list are wanted whole: of the others nothing is made but what the filter had to look at, which makes
/// going through a whole market several times as fast where few rows are wanted. What is wrong elsewhere in a row that
/// is not wanted is not noticed.
package struct RowFilter: Sendable {
  /// What `holds` looks at besides the id.
  package let fields: Set<Field>
  package let holds: @Sendable (Product) -> Bool

  package init(fields: Set<Field>, holds: @escaping @Sendable (Product) -> Bool) {
    self.fields = fields
    self.holds = holds
  }
}
