import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore

/// A complete HTTP request for the editions, already checked as far as HTTP is concerned.
struct RequestContext: Sendable {
  /// The beginning of the URLs in the response: the scheme and authority that the client used, or the public URL.
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

  /// The size of a body from which on it is decoded on another thread.
  private static let largeBody = 64 * 1024

  /// Decodes the body: a large one on a thread of its own, because the search for a boundary, the hash and the JSON of
  /// megabytes would delay other requests.
  func decode<Value: Sendable>(_ work: @escaping @Sendable (RequestContext) throws -> Value) async throws -> Value {
    guard body.count >= RequestContext.largeBody else { return try work(self) }
    return try await BackgroundThreads.uploads.run { try work(self) }
  }

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
  /// Throws a 413 if the body exceeds the limit, and `IncompleteRequest` if the connection ends before the body.
  init(_ request: Request, base: String, names: [Substring: Substring], limit: Int) async throws {
    self.base = base
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
    if let length = headers[.contentLength].flatMap({ Int($0) }), body.count < length { throw IncompleteRequest() }
  }
}
