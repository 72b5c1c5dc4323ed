import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore

/// A complete HTTP request for the editions, already checked as far as HTTP is concerned.
struct RequestContext: Sendable {
  /// The scheme and authority used by the client.
  ///
  /// Picture URLs use them too, so that they work with whichever server responds.
  var base: String
  /// The path and query as sent.
  var target: String
  var query: QueryParameters
  var headers: HTTPFields
  /// The named segments of the path as sent.
  var names: [Substring: Substring]
  var body: Data

  var identifier: String? { headers[.identifier] }
  var languages: String? { headers[.acceptLanguage] }
  var contentType: String? { headers[.contentType] }
  var cause: AuditCause { AuditCause(body: body, request: headers[.requestID]) }

  /// Returns a named segment of the path, decoded.
  func text(_ name: String) -> String {
    let raw = String(names[name[...]] ?? "")
    return raw.removingPercentEncoding ?? raw
  }

  /// Returns a number in the path.
  ///
  /// Throws a 400 if it is not a number.
  func number(_ name: String) throws(MarketHTTPError) -> Int64 {
    let text = text(name)
    guard let number = Int64(text) else { throw .noNumber(text, name) }
    return number
  }
}

extension HTTPField.Name {
  /// The header field with the vendor's identifier in `training` and `open`.
  static let identifier = HTTPField.Name("identifier")!
  /// The header field that is stored with the effect of a request.
  static let requestID = HTTPField.Name("X-Request-Id")!
}

extension RequestContext {
  /// Reads the complete request.
  ///
  /// Throws a 413 if the body exceeds the limit.
  init(_ request: Request, names: [Substring: Substring], limit: Int) async throws {
    base = "http://" + (request.head.authority ?? "localhost")
    target = request.uri.string
    query = QueryParameters(request.uri.query ?? "")
    headers = request.headers
    self.names = names
    body = Data()
    guard request.method != .get, request.method != .head else { return }
    for try await buffer in request.body {
      guard body.count + buffer.readableBytes <= limit else { throw MarketHTTPError.tooLarge(limit) }
      body.append(contentsOf: buffer.readableBytesView)
    }
  }
}

/// The query of a URL: names and values decoded, `+` as a space.
///
/// The first of equal names counts, except for numbers.
struct QueryParameters: Hashable, Sendable {
  private var values: [String: String] = [:]
  private var repeated: Set<String> = []

  init(_ text: String) {
    for pair in text.split(separator: "&") {
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = QueryParameters.decoded(halves[0])
      if values[name] != nil { repeated.insert(name) }
      if values[name] == nil { values[name] = halves.count == 2 ? QueryParameters.decoded(halves[1]) : "" }
    }
  }

  /// All values by name.
  var all: [String: String] { values }

  subscript(name: String) -> String? { values[name] }

  /// Returns an integer, or the default if it is missing or empty.
  ///
  /// Throws a 400 for any other value, and if it is repeated.
  func number(_ name: String, default standard: Int64) throws(MarketHTTPError) -> Int64 {
    if repeated.contains(name) { throw .malformed("\(name): was given more than once") }
    guard let text = values[name], !text.isEmpty else { return standard }
    guard let number = Int64(text) else { throw .noNumber(text, name) }
    return number
  }

  /// Decodes a text; with an invalid escape it is left as it is.
  private static func decoded(_ text: Substring) -> String {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else { return String(text) }
    let spaced = String(text).replacingOccurrences(of: "+", with: " ")
    return spaced.removingPercentEncoding ?? spaced
  }
}

/// A response: status, media type and body.
struct MarketResponse: Hashable, Sendable {
  var status: Int
  var type: String
  var body: ByteBuffer
  /// Indicates a picture, which never changes under its URL.
  var isImmutable = false
  /// The methods that the path supports, for a 405.
  var allowed: [String] = []

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
    if !allowed.isEmpty { headers[.allow] = allowed.joined(separator: ", ") }
    return headers
  }

  func response(at stamp: MarketTime) -> Response {
    Response(status: .init(code: status), headers: headers(at: stamp), body: .init(byteBuffer: body))
  }
}

/// An error response; each edition encodes it in its own format.
struct MarketHTTPError: Error, Hashable, Sendable {
  var status: Int
  /// The message in the wording of Spring, the framework of the servers of 2022.
  var message: String
  /// The message in the wording of Vapor, the framework of the camp servers, or `nil` if the message is not a
  /// framework's.
  var vaporMessage: String?
  /// The methods that the path supports, for a 405.
  var allowed: [String] = []

  init(_ status: Int, _ message: String, vaporMessage: String? = nil) {
    self.status = status
    self.message = message
    self.vaporMessage = vaporMessage
  }

  static func tooLarge(_ limit: Int) -> MarketHTTPError {
    MarketHTTPError(413, "Maximum upload size of \(limit) bytes exceeded", vaporMessage: "Payload Too Large")
  }

  static func malformed(_ message: String, vapor: String? = nil) -> MarketHTTPError { MarketHTTPError(400, message, vaporMessage: vapor) }

  static func missing(_ key: String) -> MarketHTTPError {
    malformed("\(key): must not be null", vapor: "Value required for key '\(key)'.")
  }

  static func missingPart(_ name: String) -> MarketHTTPError {
    malformed("Required request part '\(name)' is not present", vapor: "Value required for key '\(name)'.")
  }

  fileprivate static func noNumber(_ text: String, _ name: String) -> MarketHTTPError {
    malformed(
      "Failed to convert value of type 'String' to required type 'int'; For input string: \"\(text)\"",
      vapor: "Value of type 'Int' required for key '\(name)'.")
  }
}
