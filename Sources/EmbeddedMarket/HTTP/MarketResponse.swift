import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore

/// A response: status, media type and body.
struct MarketResponse: Hashable, Sendable {
  var status: Int
  var type: String
  var body: ByteBuffer
  /// Indicates a picture, which never changes under its URL.
  var isImmutable = false
  /// The methods that the path supports, for a 405.
  var allowed: [String] = []
  /// The number of seconds after which the client may try again.
  var retryAfter: Int?

  static func json(_ value: WireJSON, status: Int = 200) -> MarketResponse {
    .json(value.bytes, status: status)
  }

  /// Returns a response whose body is JSON already.
  static func json(_ text: [UInt8], status: Int = 200) -> MarketResponse {
    MarketResponse(status: status, type: "application/json", body: ByteBuffer(bytes: text))
  }

  static func text(_ text: String, status: Int = 200) -> MarketResponse {
    MarketResponse(status: status, type: "text/plain;charset=UTF-8", body: ByteBuffer(string: text))
  }

  /// Returns an HTML page without external resources and scripts.
  static func page(_ html: String) -> MarketResponse {
    MarketResponse(status: 200, type: "text/html;charset=UTF-8", body: ByteBuffer(string: html))
  }

  static func csv(_ text: String) -> MarketResponse {
    MarketResponse(status: 200, type: "text/csv;charset=UTF-8", body: ByteBuffer(string: text))
  }

  static func picture(_ bytes: Data, type: String) -> MarketResponse {
    MarketResponse(status: 200, type: type, body: ByteBuffer(bytes: bytes), isImmutable: true)
  }

  func headers(at stamp: MarketTime) -> HTTPFields {
    var headers: HTTPFields = [.contentType: type, .date: stamp.httpDate]
    headers[.cacheControl] = isImmutable ? "max-age=31536000, immutable" : "no-store"
    headers[.xContentTypeOptions] = "nosniff"
    if type.hasPrefix("text/html") {
      headers[.contentSecurityPolicy] = "default-src 'none'; style-src 'unsafe-inline'"
    }
    if let retryAfter { headers[.retryAfter] = String(retryAfter) }
    if !allowed.isEmpty { headers[.allow] = allowed.joined(separator: ", ") }
    return headers
  }

  func response(at stamp: MarketTime) -> Response {
    Response(status: .init(code: status), headers: headers(at: stamp), body: .init(byteBuffer: body))
  }
}
