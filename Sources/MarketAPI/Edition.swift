import Catalog
import Foundation
import Networking
import Text

/// The four API dialects over the years (see the article Protocol).
///
/// The raw value is the word users type.
package enum Edition: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// The first server of 2021: `/items`, and a password for each product.
  case camp1
  /// The second server of 2021: like the first, but a deletion returns the product.
  case camp2
  /// The server of 2022: `/api/products`, snake_case paging, deletion by a product secret.
  case training
  /// The server from October 2022 on: `/api/products`, camelCase paging, search, deletion by an archive URL.
  case open

  package var description: String { rawValue }

  /// The codec that implements the edition's wire format.
  var codec: any EditionCodec {
    switch self {
    case .camp1: CampCodec(.camp1)
    case .camp2: CampCodec(.camp2)
    case .training: VendorCodec.training
    case .open: VendorCodec.open
    }
  }

  /// The names of all editions, as listed in help texts.
  package static let names = allCases.map(\.rawValue).joined(separator: ", ")

  /// The capabilities of the edition and the meaning of its wire format.
  package var capabilities: EditionCapabilities { codec.capabilities }

  /// The reason by which the edition is recognized from its responses.
  package var detectionReason: LocalizedText { codec.detectionReason }

  /// A Boolean value that indicates whether a deletion requires a token from an earlier request.
  package var deletionNeedsToken: Bool { supports(.requestDeletion) }

  /// Returns whether the edition supports this operation.
  package func supports(_ operation: Operation) -> Bool { capabilities.operations.contains(operation) }
}

/// The capabilities of an edition and the meaning of its wire format.
///
/// Each codec declares its own; other code tests these values instead of comparing editions.
package struct EditionCapabilities: Hashable, Sendable {
  /// The supported operations.
  ///
  /// All others fail with an error.
  package var operations: [Operation]
  /// A Boolean value that indicates whether products belong to vendors with an identifier.
  ///
  /// Otherwise each product has a password of its own, and a wrong password has the same response as a deleted product.
  package var hasVendors: Bool
  /// A Boolean value that indicates whether `discounted_price` is the sale price rather than the amount subtracted.
  package var discountedPriceIsSalePrice: Bool
  /// A Boolean value that indicates whether the first page of the list contains the newest products; otherwise the last
  /// page does.
  package var listsNewestFirst: Bool
  /// A Boolean value that indicates whether a deletion returns the product as it was; otherwise it returns only the id.
  package var deletionReturnsProduct: Bool

  /// The fields that a product contains but a row of a list doesn't.
  package var fieldsMissingInLists: [ProductField]
  /// The fields that no response contains.
  package var unsupportedFields: [ProductField] = []
  /// The key of the description in requests.
  package var descriptionKey = "descriptions"
  /// The text that precedes the token in the response to `RequestDeletion`.
  package var deletionTokenPrefix = ""

  /// The operations of every edition.
  static let common: [Operation] = [.list, .show, .create, .edit, .delete]
}

/// The operations of the API.
///
/// Not every edition supports all of them.
package enum Operation: String, Hashable, Sendable, CaseIterable {
  case list
  case search
  /// Requesting another number of rows per page than the server's default.
  case pageSize
  case show
  case create
  case edit
  case chooseThumbnail
  case replacePictures
  /// Trying the password, which shows whether a product is ours.
  case verifyPassword = "askOwnership"
  case fractionalPrices
  case requestDeletion
  case delete
  case checkHealth
}

/// The wire format of one edition: its requests and responses.
///
/// No other code knows its names.
protocol EditionCodec: Sendable {
  var capabilities: EditionCapabilities { get }
  /// Returns whether the object is a page in this edition's list format.
  ///
  /// No other edition with the same list request has that format.
  func isPage(_ object: JSONObject) -> Bool
  /// The reason by which the edition was recognized, shown to a user who didn't name an edition.
  var detectionReason: LocalizedText { get }
  func list(_ asked: ListProducts) -> Request
  func show(_ id: Product.ID) -> Request
  func create(_ draft: ProductDraft, boundary: String, as credentials: Credentials?) throws(MarketError) -> Request
  func edit(_ edit: EditProduct, as credentials: Credentials?) throws(MarketError) -> Request
  func requestDeletion(of id: Product.ID, as credentials: Credentials?) throws(MarketError) -> Request
  /// Returns whether the response to `requestDeletion` is a valid token.
  func isValidToken(_ token: String) -> Bool
  func delete(_ id: Product.ID, token: DeletionToken?, as credentials: Credentials?) throws(MarketError) -> Request
  /// Returns whether the response to a request is a deletion token, even if a user wrote the request by hand.
  func isDeletionTokenRequest(_ request: Request) -> Bool
  /// Returns the token in the path of a deletion, or `nil` if there is none.
  func deletionToken(in request: Request) -> Secret?

  /// Decodes a page in one pass, or returns `nil` if the body isn't plain JSON.
  ///
  /// Then `page(from:asked:)`, which accepts all JSON, is used.
  func decodePageFast(_ body: Data, asked: ListProducts) -> Page?
  /// Decodes a product in one pass, or returns `nil` if the body isn't plain JSON.
  ///
  /// Then `product(from:)` is used.
  func decodeProductFast(_ body: Data) -> Product?
  /// Returns the page in an object, or `nil` if it isn't a page.
  func page(from object: JSONObject, asked: ListProducts) -> Page?
  func product(from object: JSONObject) throws(JSONTypeError) -> Product
  /// Returns the sale price that the server sent in addition to list price and discount.
  func serverSalePrice(in object: JSONObject) -> Amount?
}

extension EditionCodec {
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
    if let (units, exponent) = number.decimalComponents { return Amount(units: units, exponent: exponent) }
    guard let value = number.decimal else { throw JSONTypeError(field: key, found: number.literal) }
    return Amount(value)
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
    var products: [Product] = []
    var broken: [UndecodableRow] = []
    var seen: Set<Product.ID> = []
    for (index, row) in rows.enumerated() {
      guard let object = row.object else {
        broken.append(
          UndecodableRow(position: index + 1, id: nil, field: nil, reason: JSONTypeError(field: "", found: row).found))
        continue
      }
      do throws(JSONTypeError) {
        let product = try product(object)
        if seen.insert(product.id).inserted { products.append(product) }
      } catch {
        broken.append(
          UndecodableRow(position: index + 1, id: try? object.id(), field: error.field, reason: error.found))
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

/// Detects the edition of a server with at most two requests.
package struct EditionDetector: Sendable {
  private let transport: any Transport
  private let options: SendOptions

  package init(through transport: any Transport, with options: SendOptions = SendOptions()) {
    self.transport = transport
    self.options = options
  }

  /// Returns the newest edition whose list format the server uses.
  ///
  /// Editions with the same list request share one request.
  ///
  /// - Throws: `TransportError` if the server can't be reached, `MarketError.unknownEdition` if no response is
  ///   recognized.
  package func edition(at base: URL) async throws -> Edition {
    var asked: Request?
    var page: JSONObject?
    var failures: [MarketError] = []
    for edition in Edition.allCases.reversed() {
      let question = edition.codec.list(ListProducts(page: 1, size: 1))
      if question != asked {
        let response = try await transport.send(question, to: base, with: options)
        let decoder = ResponseDecoder(response: response.inUTF8, market: MarketService(base, edition: edition))
        do throws(MarketError) {
          page = try decoder.object()
          failures.append(decoder.undecodable(.json))
        } catch {
          page = nil
          failures.append(error)
        }
      }
      asked = question
      if let page, edition.codec.isPage(page) { return edition }
    }
    throw MarketError.unknownEdition(failures[0])
  }
}
