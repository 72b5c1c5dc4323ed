import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTP1

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
  /// The generation of the market; see `StoredGeneration`.
  var generation: String?
  /// Further header fields, of an API that a file describes.
  var fields: HTTPFields = [:]

  /// The response without a body (204).
  static let nothing = MarketResponse(status: 204, type: "application/json", body: ByteBuffer())

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
    if let generation { headers[.marketGeneration] = generation }
    if let retryAfter { headers[.retryAfter] = String(retryAfter) }
    if !allowed.isEmpty { headers[.allow] = allowed.joined(separator: ", ") }
    for field in fields { headers[field.name] = field.value }
    if status == 204 { headers[.contentType] = nil }
    return headers
  }

  func response(at stamp: MarketTime) -> Response {
    Response(status: .init(code: status), headers: headers(at: stamp), body: .init(byteBuffer: body))
  }
}

extension HTTPField.Name {
  /// The generation of the market; see `StoredGeneration`.
  static let marketGeneration = HTTPField.Name("Market-Generation")!
}

/// An error response; each API encodes it in its own format.
struct MarketHTTPError: Error, Hashable, Sendable {
  var status: Int
  /// The message in the wording of Spring, the framework of the servers of 2022.
  var message: String
  /// The message in the wording of Vapor, the framework of the camp servers, or `nil` if the message is not a
  /// framework's.
  var vaporMessage: String?
  /// The message with `…` in place of what differs from request to request, or `nil` if nothing does.
  ///
  /// The report of the class counts by it.
  var pattern: String?
  /// The number of seconds after which the client may try again.
  var retryAfter: Int?
  /// The methods that the path supports, for a 405.
  var allowed: [String] = []
  /// Indicates that the product doesn't exist, for which a described API may have a response of its own.
  var isMissingProduct = false

  init(_ status: Int, _ message: String, vaporMessage: String? = nil, pattern: String? = nil) {
    self.status = status
    self.message = message
    self.vaporMessage = vaporMessage
    self.pattern = pattern
  }

  /// The error with the message by which the report counts.
  var general: MarketHTTPError {
    var general = self
    general.message = pattern ?? message
    return general
  }

  /// The error of a deliberate fault, with the name of its status (RFC 9110).
  static func deliberate(_ status: Int) -> MarketHTTPError {
    MarketHTTPError(status, "\(HTTPResponseStatus(statusCode: status).reasonPhrase) (a deliberate fault)")
  }

  static func tooLarge(_ limit: Int) -> MarketHTTPError {
    MarketHTTPError(413, "Maximum upload size of \(limit) bytes exceeded", vaporMessage: "Payload Too Large")
  }

  static func malformed(_ message: String, vapor: String? = nil, pattern: String? = nil) -> MarketHTTPError {
    MarketHTTPError(400, message, vaporMessage: vapor, pattern: pattern)
  }

  /// The error of a text that the database would store only up to its NUL.
  ///
  /// The behavior of the real servers is not known.
  static func nul(_ key: String) -> MarketHTTPError { malformed("\(key): must not contain the character U+0000") }

  static func missing(_ key: String) -> MarketHTTPError {
    malformed("\(key): must not be null", vapor: "Value required for key '\(key)'.")
  }

  static func missingPart(_ name: String) -> MarketHTTPError {
    malformed("Required request part '\(name)' is not present", vapor: "Value required for key '\(name)'.")
  }

  static func noNumber(_ text: String, _ name: String) -> MarketHTTPError {
    malformed(
      "Failed to convert value of type 'String' to required type 'int'; For input string: \"\(text)\"",
      vapor: "Value of type 'Int' required for key '\(name)'.")
  }
}
