import Catalog
import Foundation
import Networking

/// Decodes the parts of a response that all editions share: status, error body and JSON.
struct AnswerReader {
  let reply: Reply
  let market: Market

  /// Returns the body of a successful response as JSON.
  ///
  /// - Throws: The error for the status, whose message is read from `{code, message}`, `{message}` or `{error,
  ///   reason}`.
  func json() throws(MarketError) -> JSON {
    try check()
    guard let json = try? JSON(parsing: reply.body) else { throw unreadable(bodyKind) }
    return json
  }

  func object() throws(MarketError) -> JSONObject {
    guard let object = try json().object else { throw unreadable(bodyKind == .html ? .html : .json) }
    return object
  }

  /// Returns the text of a successful response without surrounding quotes and white space.
  func text() throws(MarketError) -> String {
    try check()
    let text = String(decoding: reply.body, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    return text.trimmingCharacters(in: CharacterSet(charactersIn: "\"")).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Returns the product in the body.
  ///
  /// With an `id`, a different product is an error.
  func product(_ id: Product.ID? = nil, with codec: some EditionCodec) throws(MarketError) -> Product {
    try check()
    let product = if let plain = codec.plainProduct(reply.body) { plain } else { try anyProduct(with: codec) }
    if let id, product.id != id { throw unreadable(.otherProduct(product.id)) }
    return product
  }

  private func anyProduct(with codec: some EditionCodec) throws(MarketError) -> Product {
    let object = try object()
    do {
      return try codec.product(from: object)
    } catch {
      throw unreadable(error.field == "id" && object["id"] == nil ? .json : .field(error.field, found: error.found))
    }
  }

  func unreadable(_ kind: MarketError.Kind) -> MarketError {
    .unreadable(
      status: reply.status, kind: kind, excerpt: excerpt(String(decoding: reply.body.prefix(4000), as: UTF8.self)))
  }

  func excerpt(_ text: String) -> String {
    String(masker.mask(text).trimmingCharacters(in: .whitespacesAndNewlines).prefix(500))
  }

  private func check() throws(MarketError) {
    switch reply.meaning {
    case .carriedOut: return
    case .redirected: throw .redirected(status: reply.status, to: reply.header("Location").map(excerpt))
    case .refused where reply.status == 404: throw .notFound(message: message)
    case .tooMany: throw .busy(retryAfter: RetryAfter.seconds(of: reply), message: message)
    case .unclear where reply.status < 200: throw unreadable(bodyKind)
    case .refused, .unclear: throw .refused(status: reply.status, message: message)
    }
  }

  /// The server's message, or `nil` for an HTML page.
  private var message: String? {
    if let object = (try? JSON(parsing: reply.body))?.object {
      for key in ["message", "reason", "error"] {
        if case .string(let text) = object[key], !text.isEmpty { return excerpt(text) }
      }
      return nil
    }
    return bodyKind == .text ? excerpt(String(decoding: reply.body.prefix(4000), as: UTF8.self)) : nil
  }

  private var bodyKind: MarketError.Kind {
    let start = String(decoding: reply.body.prefix(200), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    if start.isEmpty { return .empty }
    let type = reply.header("Content-Type")?.lowercased() ?? ""
    if start.hasPrefix("<") || type.contains("html") { return .html }
    return (try? JSON(parsing: reply.body)) == nil ? .text : .json
  }

  private var masker: Masker {
    var secrets: [NamedSecret] = []
    if let secret = market.credentials?.secret { secrets.append(NamedSecret(Credentials.secretVariable, secret)) }
    if let identifier = market.credentials?.identifier.flatMap({ Secret($0) }) {
      secrets.append(NamedSecret(Credentials.identifierVariable, identifier))
    }
    return Masker(secrets)
  }
}
