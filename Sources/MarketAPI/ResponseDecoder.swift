import Catalog
import Foundation
import Networking
import Text

/// Decodes the parts of a response that all editions share: status, error body and JSON.
struct ResponseDecoder {
  let response: Response
  let market: MarketService

  /// Returns the body of a successful response as JSON.
  ///
  /// - Throws: The error for the status, whose message is read from `{code, message}`, `{message}` or `{error,
  ///   reason}`.
  func json() throws(MarketError) -> JSON {
    try throwIfUnsuccessful()
    guard let json = try? JSON(parsingStrictly: response.body) else { throw undecodable(bodyKind) }
    return json
  }

  func object() throws(MarketError) -> JSONObject {
    guard let object = try json().object else { throw undecodable(bodyKind == .html ? .html : .json) }
    return object
  }

  /// Returns the text of a successful response, which is ASCII, without a byte order mark and surrounding quotes and white space.
  func text() throws(MarketError) -> String {
    try throwIfUnsuccessful()
    let spaces = CharacterSet.whitespacesAndNewlines.union(CharacterSet(charactersIn: "\u{FEFF}"))
    let text = String(decoding: response.body, as: UTF8.self).trimmingCharacters(in: spaces)
    return text.trimmingCharacters(in: CharacterSet(charactersIn: "\"")).trimmingCharacters(in: spaces)
  }

  /// Returns the product in the body.
  ///
  /// With an `id`, a different product is an error.
  func product(_ id: Product.ID? = nil, with codec: some MarketCodec) throws(MarketError) -> Product {
    try throwIfUnsuccessful()
    let product =
      if let plain = codec.decodeProductFast(response.body) { plain } else { try decodeProductWithTree(with: codec) }
    if let id, product.id != id { throw undecodable(.otherProduct(product.id)) }
    return product
  }

  private func decodeProductWithTree(with codec: some MarketCodec) throws(MarketError) -> Product {
    let object = try object()
    do {
      return try codec.product(from: object)
    } catch {
      if let fault = error.textFault { throw undecodable(.invalidText(fault, try? object.id())) }
      throw undecodable(error.field == "id" && object["id"] == nil ? .json : .field(error.field, found: error.found))
    }
  }

  func undecodable(_ kind: MarketError.BodyKind) -> MarketError {
    let isText = !response.body.contains(0)
    return .unreadable(
      status: response.status, kind: isText ? kind : .binary,
      excerpt: isText ? excerpt(String(decoding: response.body.prefix(4000), as: UTF8.self)) : "")
  }

  func excerpt(_ text: String) -> String {
    String(masker.mask(text).trimmingCharacters(in: .whitespacesAndNewlines).prefix(500))
  }

  /// Throws the error for the status of a response that isn't a success.
  func throwIfUnsuccessful() throws(MarketError) {
    switch response.statusClass {
    case .success: return
    case .redirection: throw .redirected(status: response.status, to: response.header("Location").map(excerpt))
    case .clientError where response.status == 404: throw .notFound(message: message)
    case .tooManyRequests: throw .tooManyRequests(retryAfter: RetryAfter.seconds(of: response), message: message)
    case .indeterminate where response.status < 200: throw undecodable(bodyKind)
    case .clientError, .indeterminate: throw .refused(status: response.status, message: message)
    }
  }

  /// The server's message, otherwise the beginning of the body as text; `nil` for an empty body, and an empty message for one
  /// that isn't text.
  var message: String? {
    guard response.body.contains(0) else { return message(in: response.body) }
    // The type of an error may name another charset, or none for a text.
    let charset = Charset(byteOrderMarkOf: response.body)
    return (charset.flatMap { try? $0.text(of: response.body) }).flatMap { message(in: Data($0.utf8)) } ?? ""
  }

  private func message(in bytes: Data) -> String? {
    let body = try? JSON(parsing: bytes)
    if let own = body.flatMap({ market.dialect.codec.message(in: $0) }) { return excerpt(own) }
    if body == .string("") { return nil }
    let text = String(decoding: bytes.prefix(4000), as: UTF8.self)
    let shown = kind(of: bytes) == .html ? Self.textOfPage(text) : text
    let message = excerpt(shown)
    return message.isEmpty ? nil : String(message.prefix(200))
  }

  /// Returns the text of the beginning of a web page: its title, otherwise what it shows.
  private static func textOfPage(_ page: String) -> String {
    let title = page.firstMatch(of: #/(?is)<title[^>]*>(.*?)<\/title/#).map { String($0.1) } ?? ""
    let shown =
      title.allSatisfy(\.isWhitespace)
      ? page.replacing(#/(?is)<(script|style|head)\b.*?(<\/\1\s*>|$)/#, with: " ") : title
    return shown.replacing(#/<[^>]*(>|$)/#, with: " ").split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private var bodyKind: MarketError.BodyKind { kind(of: response.body) }

  private func kind(of body: Data) -> MarketError.BodyKind {
    let start = String(decoding: body.prefix(200), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    if start.isEmpty { return .empty }
    if body.contains(0) { return .binary }
    let type = response.header("Content-Type")?.lowercased() ?? ""
    if start.hasPrefix("<") || type.contains("html") { return .html }
    return (try? JSON(parsing: body)) == nil ? .text : .json
  }

  private var masker: SecretRedactor {
    var secrets: [NamedSecret] = []
    if let secret = market.credentials?.secret { secrets.append(NamedSecret(Credentials.secretVariable, secret)) }
    if let identifier = market.credentials?.identifier.flatMap({ Secret($0) }) {
      secrets.append(NamedSecret(Credentials.identifierVariable, identifier))
    }
    return SecretRedactor(secrets)
  }
}
