import Catalog
import Foundation
import MarketAPI
import Networking
import Presentation
import Text

/// A JSON document as a market sent it.
struct MarketDocument {
  let json: JSON
  /// The bytes as they were received, with the secrets of the request masked.
  private let bytes: Data

  /// Sends a request, and returns its decoded response and the document.
  ///
  /// - Throws: The errors of the endpoint; `TransportError` without a response; `JSONSyntaxError` for a body that is no
  ///   JSON.
  static func read<Call: Endpoint>(
    _ call: Call, of market: Client<MarketService>
  ) async throws -> (Call.Output, MarketDocument) where Call.API == MarketService {
    let request = try call.makeRequest(to: market.service)
    let response = try await market.transport.send(request, to: market.service.baseURL, with: market.options).inUTF8
    let decoded = try call.decode(from: response, of: market.service)
    let bytes = SecretRedactor(request.secrets).mask(bytes: response.body)
    return (decoded, MarketDocument(json: try JSON(parsing: bytes), bytes: bytes))
  }

  /// Returns the ID of a product of the first page, or `nil` if the market is empty, and the JSON of the page with at most
  /// `count` products.
  ///
  /// - Throws: The errors of reading the page.
  static func firstPage(
    _ edition: Edition, upTo count: Int, of market: Client<MarketService>
  ) async throws -> (product: Product.ID?, json: JSON) {
    let size = market.service.dialect.supports(.pageSize) ? count : nil
    let (page, document) = try await read(ListProducts(page: 1, size: size), of: market)
    return (page.products.first?.id, document.json.shortened(EditionSchemas(edition).rows, to: count))
  }

  /// Returns the document over several lines; for a file or a program it is exactly what was received, with the secrets
  /// of the request masked.
  func figure(isSeen: Bool) -> Figure {
    var figure = Figure(
      IndentedJSON(json).lines,
      table: Table([.init("json", LocalizedText(same: "JSON"))], rows: [[.text(json.serialized)]]),
      json: json.serialized)
    if !isSeen { figure.exactBytes = bytes + Data("\n".utf8) }
    return figure
  }
}

extension JSON {
  /// Returns an object with at most `count` elements in the array of a member.
  fileprivate func shortened(_ key: String, to count: Int) -> JSON {
    guard let object, let rows = object[key]?.array else { return self }
    return .object(object.keys.map { ($0, $0 == key ? .array(Array(rows.prefix(count))) : object[$0] ?? .null) })
  }
}
