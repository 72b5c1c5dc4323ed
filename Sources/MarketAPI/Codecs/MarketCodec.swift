import Catalog
import Foundation
import Networking

/// The wire format of a market: its requests and responses.
///
/// No other code knows its names.
protocol MarketCodec: Sendable {
  var capabilities: MarketCapabilities { get }
  func list(_ asked: ListProducts) -> Request
  func show(_ id: Product.ID) -> Request
  func create(_ creation: CreateProduct, as credentials: Credentials?) throws(MarketError) -> Request
  func edit(_ edit: EditProduct, as credentials: Credentials?) throws(MarketError) -> Request
  func requestDeletion(of id: Product.ID, as credentials: Credentials?) throws(MarketError) -> Request
  /// Returns whether the response to `requestDeletion` is a valid token.
  func isValidToken(_ token: String) -> Bool
  func delete(_ deletion: DeleteProduct, as credentials: Credentials?) throws(MarketError) -> Request
  /// Returns whether the response to a request is a deletion token, even if a user wrote the request by hand.
  func isDeletionTokenRequest(_ request: Request) -> Bool
  /// Returns the token in the path of a deletion, or `nil` if there is none.
  func deletionToken(in request: Request) -> Secret?

  /// Returns a read with the credentials that it needs.
  func authorizing(_ request: Request, as credentials: Credentials?) throws(MarketError) -> Request

  /// Returns the page in a response.
  func page(in response: ResponseDecoder, asked: ListProducts) throws(MarketError) -> Page
  /// Returns the product in a response; with an `id`, another product is an error.
  func product(_ id: Product.ID?, in response: ResponseDecoder) throws(MarketError) -> Product
  /// Returns the product in the response to a create.
  func created(in response: ResponseDecoder) throws(MarketError) -> Product
  /// Returns the product in the response to an edit; another product is an error.
  func edited(_ id: Product.ID, in response: ResponseDecoder) throws(MarketError) -> Product
  /// Returns the product in the response to its deletion, or `nil` in a market that doesn't send it.
  func deleted(_ id: Product.ID, in response: ResponseDecoder) throws(MarketError) -> Product?
  /// Returns the server's own message in the body of an error.
  func message(in body: JSON) -> String?
  /// Decodes a page in one pass, or returns `nil` if the body isn't plain JSON.
  ///
  /// Then `page(from:asked:)`, which accepts all JSON, is used.
  func decodePageFast(_ body: Data, asked: ListProducts) -> Page?
  /// Decodes a product in one pass, or returns `nil` if the body isn't plain JSON.
  ///
  /// Then `product(from:)` is used.
  func decodeProductFast(_ body: Data) -> Product?
  func product(from object: JSONObject) throws(JSONTypeError) -> Product
  /// Returns the sale price that the server sent in addition to list price and discount.
  func serverSalePrice(in object: JSONObject) -> Amount?
}

extension MarketCodec {
  func authorizing(_ request: Request, as credentials: Credentials?) throws(MarketError) -> Request { request }

  func product(_ id: Product.ID?, in response: ResponseDecoder) throws(MarketError) -> Product {
    try response.product(id, with: self)
  }

  func created(in response: ResponseDecoder) throws(MarketError) -> Product { try product(nil, in: response) }

  func edited(_ id: Product.ID, in response: ResponseDecoder) throws(MarketError) -> Product {
    try product(id, in: response)
  }

  func deleted(_ id: Product.ID, in response: ResponseDecoder) throws(MarketError) -> Product? {
    if capabilities.deletionReturnsProduct { return try product(id, in: response) }
    guard let gone = try? response.object().int("id") else {
      _ = try response.object()
      throw response.undecodable(.json)
    }
    guard gone == id else { throw response.undecodable(.otherProduct(gone)) }
    return nil
  }

  func message(in body: JSON) -> String? {
    switch body {
    case .object(let object):
      for key in ["message", "reason", "error"] {
        if case .string(let text) = object[key], !text.isEmpty { return text }
      }
      return nil
    case .string(let text): return text.isEmpty ? nil : text
    case .null, .bool, .number, .array, .invalidLiteral: return nil
    }
  }

  func isDeletionTokenRequest(_ request: Request) -> Bool { false }
  func deletionToken(in request: Request) -> Secret? { nil }
  func decodePageFast(_ body: Data, asked: ListProducts) -> Page? { nil }
  func decodeProductFast(_ body: Data) -> Product? { nil }
  func serverSalePrice(in object: JSONObject) -> Amount? { nil }
}

extension JSONObject {
  /// Returns the product's id, which every row must have.
  func id() throws(JSONTypeError) -> Product.ID {
    guard let id = try int("id") else { throw JSONTypeError(field: "id", found: .null) }
    return id
  }

  /// Returns an exact amount from any notation of a number.
  ///
  /// - Throws: `JSONTypeError` with the key and the value found instead.
  package func amount(_ key: String) throws(JSONTypeError) -> Amount? {
    guard let number = try number(key) else { return nil }
    guard let amount = number.amount else { throw JSONTypeError(field: key, found: number.literal) }
    return amount
  }
}

extension JSONNumber {
  /// The exact amount, or `nil` if it exceeds 38 digits.
  var amount: Amount? {
    if let (units, exponent) = decimalComponents { return Amount(units: units, exponent: exponent) }
    return decimal.map { Amount($0) }
  }
}

extension Timestamp {
  /// Creates the timestamp of seconds since 1970 in UTC, whose fraction is cut off, or returns `nil` for a moment that
  /// no timestamp represents.
  init?(unixSeconds seconds: Decimal) {
    var source = seconds
    var floor = Decimal()
    NSDecimalRound(&floor, &source, 0, .down)
    guard let whole = Int64(NSDecimalString(&floor, nil)), Timestamp.representableRange.contains(whole) else {
      return nil
    }
    self.init(seconds: whole, isUTC: true)
  }
}

extension JSON {
  /// Returns an amount as a JSON number with its exact digits.
  static func amount(_ amount: Amount) -> JSON {
    JSONNumber(amount.description).map { .number($0) } ?? .string(amount.description)
  }
}

/// Decodes the rows of a list.
///
/// A row that can't be decoded is reported, the others are returned; repeated ids are dropped.
enum RowDecoder {
  static func read(
    _ rows: [JSON], with product: (JSONObject) throws(JSONTypeError) -> Product
  ) -> (products: [Product], broken: [UndecodableRow]) {
    read(rows, id: { try? $0.object?.id() }) { row throws(JSONTypeError) in
      guard let object = row.object else { throw JSONTypeError(field: "", found: row) }
      return try product(object)
    }
  }

  /// Decodes rows whose id is the value that `id` returns, also for a row that `product` can't decode.
  static func read(
    _ rows: [JSON], id: (JSON) -> Product.ID?, with product: (JSON) throws(JSONTypeError) -> Product
  ) -> (products: [Product], broken: [UndecodableRow]) {
    var products: [Product] = []
    var broken: [UndecodableRow] = []
    var seen: Set<Product.ID> = []
    for (index, row) in rows.enumerated() {
      do throws(JSONTypeError) {
        let product = try product(row)
        if seen.insert(product.id).inserted { products.append(product) }
      } catch {
        let field = error.field.isEmpty ? nil : error.field
        broken.append(UndecodableRow(position: index + 1, id: id(row), field: field, reason: error.found))
      }
    }
    return (products, broken)
  }
}

/// Validates page metadata.
///
/// Implausible counts, such as a negative total or `9223372036854775807` pages, become `nil`, because later arithmetic
/// would overflow.
enum PageCounts {
  /// Returns a page number, a last page or a total, if it is plausible.
  static func count(_ value: Int?) -> Int? { within(0...DocumentedLimits.page.upperBound, value) }

  /// Returns a number of rows per page, if it is plausible.
  static func size(_ value: Int?) -> Int? { within(1...10_000, value) }

  private static func within(_ bounds: ClosedRange<Int>, _ value: Int?) -> Int? {
    value.flatMap { bounds.contains($0) ? $0 : nil }
  }
}
