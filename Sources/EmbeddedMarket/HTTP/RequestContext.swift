import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore

/// A complete HTTP request for the API, already checked as far as HTTP is concerned.
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
  /// The client, with its vendor once it is known.
  var client = WorkClient()
  /// Returns false when the connection was closed.
  var isConnected: @Sendable () -> Bool = { true }
  /// The number of the connection.
  var connection: Int?

  var identifier: String? { headers[.identifier] }
  var languages: String? { headers[.acceptLanguage] }
  var contentType: String? { headers[.contentType] }
  var cause: AuditCause {
    AuditCause(
      body: body, request: headers[.requestID].map { String($0.prefix(RequestContext.maximumRequestIDLength)) })
  }

  /// The maximum length of a request ID that is stored with its effect; IDs of clients are UUIDs or shorter.
  private static let maximumRequestIDLength = 128

  /// The size of a body from which on it is decoded on another thread.
  private static let largeBody = 64 * 1024

  /// Decodes the body: a large one on a thread of its own, because the search for a boundary, the hash and the JSON of
  /// megabytes would delay other requests.
  ///
  /// - Throws: The error of the work, and `ClientLeft`.
  func decode<Value: Sendable>(_ work: @escaping @Sendable (RequestContext) throws -> Value) async throws -> Value {
    guard body.count >= RequestContext.largeBody else { return try work(self) }
    return try await upload { try work(self) }
  }

  /// Does work for an upload, in turn with that of other clients.
  ///
  /// - Throws: The error of the work, and `ClientLeft`.
  func upload<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await BackgroundThreads.uploads.run(for: client, while: isConnected, work)
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

/// The connection of a request.
struct RequestConnection: Sendable {
  /// The number of the connection, which no other has; `nil` if it was closed.
  var number: Int?
  /// Returns false when the connection was closed.
  var isOpen: @Sendable () -> Bool
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
  init(
    _ request: Request, base: String, names: [Substring: Substring], limit: Int, client: WorkClient,
    on connection: RequestConnection
  ) async throws {
    self.base = base
    self.client = client
    isConnected = connection.isOpen
    self.connection = connection.number
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

extension Channel {
  /// The IP address of the client, or "" if it is unknown.
  ///
  /// An IPv4 client of a server that listens on IPv6 as well has an IPv4 address (RFC 4291 section 2.5.5.2).
  var clientAddress: String {
    let address = remoteAddress?.ipAddress ?? ""
    let mapped = "::ffff:"
    return address.hasPrefix(mapped) && address.contains(".") ? String(address.dropFirst(mapped.count)) : address
  }
}
