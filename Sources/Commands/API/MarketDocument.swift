import Catalog
import Foundation
import MarketAPI
import Networking
import Presentation
import Text

/// A JSON document as a market sent it.
struct MarketDocument {
  let json: JSON
  private let request: Request
  private let response: Response

  /// Sends a request, and returns its decoded response and the document.
  ///
  /// - Throws: The errors of the endpoint; `TransportError` without a response; `JSONSyntaxError` for a body that is no
  ///   JSON.
  static func read<Call: Endpoint>(
    _ call: Call, of market: Client<MarketService>
  ) async throws -> (Call.Output, MarketDocument) where Call.API == MarketService {
    let request = try call.makeRequest(to: market.service)
    let response = try await market.transport.send(request, to: market.service.baseURL, with: market.options)
    let decoded = try call.decode(from: response.inUTF8, of: market.service)
    let redactor = SecretRedactor(request.secrets)
    let json = try JSON(parsing: redactor.mask(bytes: response.inUTF8.body))
    return (decoded, MarketDocument(json: json, request: request, response: response))
  }

  private init(json: JSON, request: Request, response: Response) {
    (self.json, self.request, self.response) = (json, request, response)
  }

  /// Returns the document with at most `count` elements in a member.
  func shortened(rows: String, to count: Int) -> MarketDocument {
    guard let object = json.object else { return self }
    let short = object.keys.map { key in
      let value = object[key] ?? .null
      return (key, key == rows ? value.array.map { .array(Array($0.prefix(count))) } ?? value : value)
    }
    return MarketDocument(json: .object(short), request: request, response: response)
  }

  /// Returns the document over several lines; for a file or a program it is exactly what was received, with the secrets
  /// of the request masked.
  func figure(isSeen: Bool) -> Figure {
    var figure = Figure(
      PrettyJSON(json).lines,
      table: Table([.init("json", LocalizedText(same: "JSON"))], rows: [[.text(json.serialized)]]),
      json: json.serialized)
    if !isSeen {
      figure.exactBytes = SecretRedactor(request.secrets).mask(bytes: response.inUTF8.body) + Data("\n".utf8)
    }
    return figure
  }
}
