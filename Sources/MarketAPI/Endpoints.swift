import Catalog
import Networking

/// Requests one product with all its fields.
package struct GetProduct: Endpoint {
  package var id: Product.ID
  package init(_ id: Product.ID) { self.id = id }

  /// Returns the request, which every edition supports.
  ///
  /// - Throws: `MarketError.notLoggedIn` and `.invalidCredential` for credentials that can't be sent.
  package func makeRequest(to market: MarketService) throws -> Request {
    try market.dialect.codec.authorizing(market.dialect.codec.show(id), as: market.credentials)
  }

  /// - Throws: `MarketError.notFound` for a deleted product, `.unreadable` for a body without a product or with another
  ///   one, otherwise the error for the status.
  package func decode(from response: Response, of market: MarketService) throws -> Product {
    try market.dialect.codec.product(id, in: ResponseDecoder(response: response, market: market))
  }
}

/// Requests one product of a market that a file describes, with all its members.
package struct GetDocument: Endpoint {
  package var id: Product.ID
  package init(_ id: Product.ID) { self.id = id }

  /// - Throws: The errors of `GetProduct`.
  package func makeRequest(to market: MarketService) throws -> Request {
    try GetProduct(id).makeRequest(to: market)
  }

  /// - Throws: The errors of `GetProduct`.
  package func decode(from response: Response, of market: MarketService) throws -> ProductDocument {
    let decoder = ResponseDecoder(response: response, market: market)
    let product = try market.dialect.codec.product(id, in: decoder)
    let place = market.dialect.marketDescription?.read.record ?? .root
    return ProductDocument(
      product: product, record: place.value(in: try decoder.json()) ?? .null, tag: response.header("ETag"))
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

  /// - Throws: The errors of `GetProduct`.
  package func makeRequest(to market: MarketService) throws -> Request {
    try GetProduct(id).makeRequest(to: market)
  }

  /// - Throws: The errors of `GetProduct`.
  package func decode(from response: Response, of market: MarketService) throws -> Output {
    let decoder = ResponseDecoder(response: response, market: market)
    let product = try market.dialect.codec.product(id, in: decoder)
    let reported = (try? decoder.object()).flatMap { market.dialect.codec.serverSalePrice(in: $0) }
    let differs = product.price != nil && product.discount != nil && reported != product.sale
    return Output(product: product, conflictingSalePrice: differs ? reported : nil)
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
  /// The reference to this page in the page before it, in a market whose pages are read in sequence; or the number of
  /// rows before this page, in a market whose pages have offsets.
  package var after: String?
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
    if search?.isEmpty == false, !market.dialect.supports(.search) {
      throw MarketError.unsupported(.search, market.dialect)
    }
    return try market.dialect.codec.authorizing(market.dialect.codec.list(self), as: market.credentials)
  }

  /// - Throws: `MarketError.unreadable` for a body that isn't a page of this edition, with the editions whose page it
  ///   is; otherwise the error for the status.
  package func decode(from response: Response, of market: MarketService) throws -> Page {
    if response.status == 200, let page = market.dialect.codec.decodePageFast(response.body, asked: self) {
      return page
    }
    return try market.dialect.codec.page(in: ResponseDecoder(response: response, market: market), asked: self)
  }
}

/// A predicate that the page decoder applies to rows.
///
/// Rows that don't match are decoded only as far as `fields` requires, so errors in their other members aren't
/// reported. This makes a scan of a market several times faster if few rows match.
package struct RowFilter: Sendable {
  /// The fields, besides the id, that `matches` reads.
  package let fields: Set<ProductField>
  package let matches: @Sendable (Product) -> Bool

  package init(fields: Set<ProductField>, matches: @escaping @Sendable (Product) -> Bool) {
    self.fields = fields
    self.matches = matches
  }
}

/// Creates a product.
package struct CreateProduct: Endpoint {
  package var draft: ProductDraft
  /// The boundary of the multipart form, which must not occur in a picture.
  package var boundary: String
  /// The id of the write, which a market that a file describes may keep in a member of the product.
  package var operation: String

  package init(_ draft: ProductDraft, boundary: String, operation: String = "-") {
    self.draft = draft
    self.boundary = boundary
    self.operation = operation
  }

  /// - Throws: `MarketError.notLoggedIn` with all missing parts, `.unsupported(.fractionalPrices)` in the camp
  ///   editions, `.invalidCredential` for an identifier that no header can carry.
  package func makeRequest(to market: MarketService) throws -> Request {
    try market.dialect.codec.create(self, as: market.credentials)
  }

  /// - Throws: `MarketError.unreadable` after a success without a product; it is then unknown whether the product was
  ///   created. Otherwise the error for the status.
  package func decode(from response: Response, of market: MarketService) throws -> Product {
    try market.dialect.codec.created(in: ResponseDecoder(response: response, market: market))
  }
}

/// Changes fields of a product.
///
/// Fields that are `nil` stay unchanged.
package struct EditProduct: Endpoint {
  package var id: Product.ID
  package var fields: ProductValues
  /// The complete new set of pictures.
  ///
  /// Only the camp editions accept one.
  package var pictures: [PictureFile]?
  /// The current product.
  ///
  /// The camp editions need it because they send the sale price, which depends on price and discount.
  package var current: Product?
  /// The product with all its members as it was read just before, for a market that a file describes.
  package var document: ProductDocument?
  package var boundary: String

  package init(
    _ id: Product.ID, _ fields: ProductValues, pictures: [PictureFile]? = nil, current: Product? = nil, boundary: String
  ) {
    self.id = id
    self.fields = fields
    self.pictures = pictures
    self.current = current
    self.boundary = boundary
  }

  /// - Throws: `MarketError.unsupported` for values the edition can't change, `.needsCurrentProduct` if the sale price
  ///   depends on an unknown field, `.notLoggedIn`, `.invalidCredential`.
  package func makeRequest(to market: MarketService) throws -> Request {
    if pictures != nil, !market.dialect.supports(.replacePictures) {
      throw MarketError.unsupported(.replacePictures, market.dialect)
    }
    if fields.thumbnailID != nil, !market.dialect.supports(.chooseThumbnail) {
      throw MarketError.unsupported(.chooseThumbnail, market.dialect)
    }
    return try market.dialect.codec.edit(self, as: market.credentials)
  }

  /// - Throws: `MarketError.unreadable` if another product is returned, otherwise the error for
  ///   the status.
  package func decode(from response: Response, of market: MarketService) throws -> Product {
    try market.dialect.codec.edited(id, in: ResponseDecoder(response: response, market: market))
  }
}

/// Deletes a product permanently.
///
/// `training` and `open` require the token that `RequestDeletion` returns.
package struct DeleteProduct: Endpoint {
  package var id: Product.ID
  package var token: DeletionToken?
  /// The state of the product that was read just before, for a market whose description names the precondition.
  package var tag: String?

  package init(_ id: Product.ID, token: DeletionToken? = nil, tag: String? = nil) {
    self.id = id
    self.token = token
    self.tag = tag
  }

  /// - Throws: `MarketError.invalidDeletionURL` without a token that this server can have issued, `.notLoggedIn`.
  package func makeRequest(to market: MarketService) throws -> Request {
    try market.dialect.codec.delete(self, as: market.credentials)
  }

  /// Returns the product as it was, or `nil` in an edition that returns only the id.
  ///
  /// - Throws: `MarketError.notFound` if it was already deleted (or, in the camp editions, if the password is wrong),
  ///   `.unreadable` after a success that names no product or another one, otherwise the error for the status.
  package func decode(from response: Response, of market: MarketService) throws -> Product? {
    try market.dialect.codec.deleted(id, in: ResponseDecoder(response: response, market: market))
  }
}

extension Request {
  /// Returns the request with its deletion tokens marked as secrets: a response that is a token, and a token in the
  /// path.
  ///
  /// It is used for requests that a user wrote by hand; the shell's own deletions are marked when they are created. If
  /// the server's dialect isn't known, the formats of all editions are checked.
  package func hidingDeletionTokens(of dialect: Dialect?) -> Request {
    var request = self
    let dialects = dialect.map { [$0] } ?? Edition.allCases.map { Dialect($0) }
    for codec in dialects.map(\.codec) {
      if codec.isDeletionTokenRequest(self) { request.responseSecretName = Credentials.deletionTokenVariable }
      guard let token = codec.deletionToken(in: self) else { continue }
      request.secrets.append(NamedSecret(Credentials.deletionTokenVariable, token))
    }
    return request
  }
}

/// Requests the token for a deletion.
///
/// It proves the vendor's identity and deletes nothing yet.
package struct RequestDeletion: Endpoint {
  package var id: Product.ID
  package init(_ id: Product.ID) { self.id = id }

  /// - Throws: `MarketError.unsupported(.requestDeletion)` in the camp editions, `.notLoggedIn`.
  package func makeRequest(to market: MarketService) throws -> Request {
    try market.dialect.codec.requestDeletion(of: id, as: market.credentials)
  }

  /// - Throws: `MarketError.invalidDeletionURL` for a URL that isn't below the server's own `/api/products/`,
  ///   otherwise the error for the status.
  package func decode(from response: Response, of market: MarketService) throws -> DeletionToken {
    let decoder = ResponseDecoder(response: response, market: market)
    let text = try decoder.text()
    guard market.dialect.codec.isValidToken(text), let secret = Secret(text) else {
      throw MarketError.invalidDeletionURL(excerpt: decoder.excerpt(text))
    }
    return DeletionToken(secret)
  }
}

extension RequestDeletion {
  /// Returns a token in the format of this dialect, for showing the second request before the first was sent.
  package func placeholder(for dialect: Dialect, token: String) -> DeletionToken? {
    Secret(prefix(for: dialect) + token).map { DeletionToken($0) }
  }

  /// Returns the text that precedes the token in the server's response.
  package func prefix(for dialect: Dialect) -> String { dialect.capabilities.deletionTokenPrefix }
}

/// The token that `RequestDeletion` returns for the deletion itself.
///
/// It is a credential and is treated as a secret.
package struct DeletionToken: Hashable, Sendable {
  package let secret: Secret
  package init(_ secret: Secret) { self.secret = secret }
}

/// Checks a product's password by sending an update without fields (see the article Protocol).
///
/// Camp editions only; nothing is changed.
package struct VerifyPassword: Endpoint {
  package var id: Product.ID
  package var boundary: String

  package init(_ id: Product.ID, boundary: String) {
    self.id = id
    self.boundary = boundary
  }

  /// - Throws: `MarketError.unsupported(.verifyPassword)` in the editions with vendors, `.notLoggedIn`.
  package func makeRequest(to market: MarketService) throws -> Request {
    guard market.dialect.supports(.verifyPassword) else {
      throw MarketError.unsupported(.verifyPassword, market.dialect)
    }
    return try market.dialect.codec.edit(EditProduct(id, ProductValues(), boundary: boundary), as: market.credentials)
  }

  /// Returns whether the password is right.
  ///
  /// It is also false for a deleted item, because the servers respond the same way to both.
  ///
  /// - Throws: `MarketError.unreadable` for another body, otherwise the error for the status.
  package func decode(from response: Response, of market: MarketService) throws -> Bool {
    do {
      _ = try ResponseDecoder(response: response, market: market).product(id, with: market.dialect.codec)
      return true
    } catch MarketError.notFound(_) {
      return false
    }
  }
}

/// Requests the health status of the server.
package struct CheckHealth: Endpoint {
  package init() {}

  /// - Throws: `MarketError.unsupported(.checkHealth)` in the camp editions.
  package func makeRequest(to market: MarketService) throws -> Request {
    guard market.dialect.supports(.checkHealth) else {
      throw MarketError.unsupported(.checkHealth, market.dialect)
    }
    return Request(.get, ["healthChecker"])
  }

  /// - Throws: The error for an unsuccessful status.
  package func decode(from response: Response, of market: MarketService) throws -> HealthStatus {
    let decoder = ResponseDecoder(response: response, market: market)
    let text = try decoder.text()
    return HealthStatus(isHealthy: text == "OK", text: decoder.excerpt(text))
  }
}

/// The health reported by the server, with its text.
package struct HealthStatus: Hashable, Sendable {
  package var isHealthy: Bool
  package var text: String

  package init(isHealthy: Bool, text: String) {
    self.isHealthy = isHealthy
    self.text = text
  }
}
