import Foundation
import HTTPTypes

/// The web pages that may use the API from a browser, by their origins (RFC 6454): the browser asks the server (Fetch, "CORS
/// protocol").
///
/// A page of any other origin gets no data, because the response doesn't name it, and its writes are refused.
package struct AllowedOrigins: Hashable, Sendable {
  /// The origins that were named, such as `https://app.example`.
  private var named: Set<String> = []
  /// A Boolean value that indicates that the pages of this machine, such as those of a development server, are allowed.
  private var includesLoopback = false

  /// No pages.
  package static let none = AllowedOrigins()

  private init() {}

  /// Creates the origins from their texts, or returns `nil` if one is no origin.
  ///
  /// - Parameters:
  ///   - texts: The origins: a scheme, a host, and possibly a port.
  ///   - includesLoopback: Whether pages with a loopback host are allowed, too.
  package init?(_ texts: [String], includesLoopback: Bool) {
    self.includesLoopback = includesLoopback
    for text in texts {
      guard let origin = AllowedOrigins.canonical(text) else { return nil }
      named.insert(origin)
    }
  }

  /// A Boolean value that is true if no pages are allowed.
  var isEmpty: Bool { named.isEmpty && !includesLoopback }

  /// Returns whether the pages of an origin, as a browser sends it, are allowed.
  ///
  /// The origin `null` of a file or of a page in a sandbox is no one's, and never allowed.
  func contains(_ text: String) -> Bool {
    guard let origin = AllowedOrigins.canonical(text) else { return false }
    if named.contains(origin) { return true }
    guard includesLoopback, let host = URL(string: origin)?.host else { return false }
    return ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host)
  }

  /// Returns an origin as browsers send it: in lowercase, without the default port and without a path.
  private static func canonical(_ text: String) -> String? {
    let lower = text.lowercased()
    guard let parts = URLComponents(string: lower), let scheme = parts.scheme, ["http", "https"].contains(scheme),
      let host = parts.encodedHost, !host.isEmpty, host != "*", parts.user == nil, parts.path.isEmpty,
      parts.query == nil, parts.fragment == nil
    else { return nil }
    let port = parts.port == (scheme == "https" ? 443 : 80) ? nil : parts.port
    return "\(scheme)://\(host)" + (port.map { ":\($0)" } ?? "")
  }
}

extension AllowedOrigins {
  /// Returns the response to a preflight, by which a browser asks whether a page may send a request, or `nil` for another
  /// request.
  ///
  /// - Parameters:
  ///   - head: The head of the request.
  ///   - methods: The methods of its path.
  func preflight(_ head: HTTPRequest, methods: [String]) -> MarketResponse? {
    let fields = head.headerFields
    guard head.method == .options, !methods.isEmpty, let origin = fields[.origin], contains(origin),
      fields[.requestedMethod] != nil
    else { return nil }
    var response = MarketResponse.nothing
    response.fields[.allowedMethods] = methods.joined(separator: ", ")
    let names = (fields[.requestedHeaders] ?? "").split(separator: ",").map {
      $0.trimmingCharacters(in: .whitespaces)
    }.compactMap { HTTPField.Name($0)?.canonicalName }
    if !names.isEmpty { response.fields[.allowedHeaders] = names.joined(separator: ", ") }
    // Pages of the web need a permission of their own for a server in the local network (Private Network Access).
    if fields[.requestsPrivateNetwork] == "true" { response.fields[.allowsPrivateNetwork] = "true" }
    response.fields[.preflightAge] = "600"
    return response
  }

  /// Adds the header fields to a response by which a browser gives it to an allowed page, and to no other.
  func mark(_ response: inout MarketResponse, for origin: String?) {
    guard !isEmpty else { return }
    response.fields[.vary] = "Origin"
    guard let origin, contains(origin) else { return }
    response.fields[.allowedOrigin] = origin
    // The total and the link to the next page may be in header fields.
    response.fields[.exposedHeaders] = "*"
  }
}

extension HTTPField.Name {
  fileprivate static let requestedMethod = HTTPField.Name("Access-Control-Request-Method")!
  fileprivate static let requestedHeaders = HTTPField.Name("Access-Control-Request-Headers")!
  fileprivate static let requestsPrivateNetwork = HTTPField.Name("Access-Control-Request-Private-Network")!
  fileprivate static let allowedMethods = HTTPField.Name("Access-Control-Allow-Methods")!
  fileprivate static let allowedHeaders = HTTPField.Name("Access-Control-Allow-Headers")!
  fileprivate static let allowedOrigin = HTTPField.Name("Access-Control-Allow-Origin")!
  fileprivate static let allowsPrivateNetwork = HTTPField.Name("Access-Control-Allow-Private-Network")!
  fileprivate static let exposedHeaders = HTTPField.Name("Access-Control-Expose-Headers")!
  fileprivate static let preflightAge = HTTPField.Name("Access-Control-Max-Age")!
}
