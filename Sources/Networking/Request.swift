import Foundation
import Text

/// An HTTP request as a value: relative to a service's base URL, comparable, printable without its secrets.
package struct Request: Hashable, Sendable {
  package var method: RequestMethod
  /// The path segments.
  ///
  /// They are percent-encoded in the URL, so an id with `/` or `..` remains one segment.
  package var path: [String]
  package var query: [QueryItem]
  package var headers: [HeaderField]
  package var body: Body
  /// All secrets in this request, each with its environment variable for `curl` output.
  ///
  /// They are masked by value wherever the request is printed.
  package var secrets: [NamedSecret]
  /// The maximum size of the response in bytes; a longer one fails with `TransportError.Reason.tooLarge`.
  package var maxResponseBytes: Int
  /// The variable name under which the response body is treated as a secret, or `nil`.
  ///
  /// Set if the response is itself a credential, such as the URL that deletes a product. The body is masked wherever
  /// the exchange is shown or stored, and `curl` output assigns it to this variable.
  package var responseSecretName: String?
  /// Requests a dedicated connection, so that name lookup, connect and TLS can be measured.
  package var recordsPhases = false
  /// The encoded path and query exactly as the user pasted them, or `nil` to derive them from `path` and `query`.
  package var rawTarget: String?
  /// Indicates whether `headers` is the complete list of fields except for `Host`, `Content-Length` and `User-Agent`,
  /// as a pasted `curl` line requires.
  ///
  /// Repeated fields are sent repeatedly.
  package var hasExactHeaders = false

  package init(
    _ method: RequestMethod, _ path: [String], query: [QueryItem] = [], headers: [HeaderField] = [], body: Body = .none,
    secrets: [NamedSecret] = [], maxResponseBytes: Int = Request.defaultMaxResponseBytes
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
    self.secrets = secrets
    self.maxResponseBytes = maxResponseBytes
  }

  /// The default of `maxResponseBytes`: 8 MiB.
  package static let defaultMaxResponseBytes = 8 << 20
}

extension Request: CustomStringConvertible {
  /// The request line, header fields and a summary of the body, without secrets.
  package var description: String {
    var lines = ["\(method.rawValue) \(target)"]
    lines += headers.map { "\($0.name): \($0.value)" }
    if let type = body.type { lines.append("Content-Type: \(type)") }
    lines += bodyLines
    return SecretRedactor(secrets, in: .request).mask(lines.joined(separator: "\n"))
  }

  private var bodyLines: [String] {
    switch body {
    case .none: return []
    case .data(let data, _): return ["", Self.summary(of: data)]
    case .multipart(let form):
      return form.parts.map { part in
        let name = part.fileName.map { "\(part.name) (\($0), \(part.type ?? "no type"))" } ?? part.name
        return "  \(name): " + (part.fileName == nil ? Self.summary(of: part.content) : Self.size(of: part.content))
      }
    }
  }

  private static func summary(of data: Data) -> String { String(validating: data, as: UTF8.self) ?? size(of: data) }
  private static func size(of data: Data) -> String { "\(data.count) bytes" }
}

extension Request {
  /// The encoded path and query as in the request line, without the base URL's own path.
  package var target: String {
    if let rawTarget { return rawTarget }
    let path = "/" + path.map(PercentEncoding.segment).joined(separator: "/")
    if query.isEmpty { return path }
    let items = query.map { PercentEncoding.query($0.name) + "=" + PercentEncoding.query($0.value) }
    return path + "?" + items.joined(separator: "&")
  }

  /// Returns the absolute URL at `base`, whose own path is the prefix.
  ///
  /// - Throws: `TransportError` if the base is not a plain `http` or `https` URL.
  package func url(at base: URL) throws(TransportError) -> String {
    try Request.baseURLString(of: base) + target
  }

  /// Returns the normalized base URL that all requests to `base` begin with.
  ///
  /// - Throws: `TransportError` if the base is not a plain `http` or `https` URL.
  static func baseURLString(of base: URL) throws(TransportError) -> String {
    // The host in its encoded form (RFC 5891), as it is sent. Reading it needs no Unicode tables.
    guard let parts = URLComponents(url: base, resolvingAgainstBaseURL: true), let name = parts.encodedHost,
      !name.isEmpty, let scheme = parts.scheme?.lowercased(), scheme == "http" || scheme == "https", parts.user == nil,
      parts.password == nil, parts.hasValidPort
    else { throw TransportError(.invalidURL(base.absoluteString), extent: .none) }
    var path = Substring(parts.percentEncodedPath)
    while path.last == "/" { path.removeLast() }
    let authority = name.contains(":") && !name.hasPrefix("[") ? "[\(name)]" : name
    return scheme + "://" + authority + (parts.port.map { ":\($0)" } ?? "") + String(path)
  }
}

extension Request {
  /// Indicates whether a secret of the request occurs in what is sent, in any encoding.
  package var carriesSecret: Bool {
    guard !secrets.isEmpty else { return false }
    let masker = SecretRedactor(secrets, in: .anywhere)
    let texts = [target] + headers.map(\.value) + [body.bytes.map { String(decoding: $0, as: UTF8.self) } ?? ""]
    return texts.contains { masker.mask($0) != $0 }
  }
}

extension URLComponents {
  /// Indicates whether the port is absent or between 1 and 65535.
  ///
  /// Foundation ignores a port with more digits than `Int` holds.
  package var hasValidPort: Bool {
    guard let range = rangeOfPort, !range.isEmpty else { return true }
    return port.map { (1...65_535).contains($0) } ?? false
  }
}

/// An HTTP method (RFC 9110 section 9).
package enum RequestMethod: String, Hashable, Sendable, CaseIterable {
  case get = "GET"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"
  case head = "HEAD"
  case options = "OPTIONS"

  /// Indicates whether the method is safe (RFC 9110 section 9.2.1).
  ///
  /// Only safe requests are sent again.
  package var isSafe: Bool {
    switch self {
    case .get, .head, .options: true
    case .post, .put, .patch, .delete: false
    }
  }
}

/// A `name=value` pair of a query.
///
/// Pairs are sent in the given order.
package struct QueryItem: Hashable, Sendable {
  package var name: String
  package var value: String
  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// A header field.
///
/// Names are case-insensitive (RFC 9110 section 5.1).
package struct HeaderField: Hashable, Sendable {
  package var name: String
  package var value: String
  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// Indicates whether the name is a token and the value contains no control character that could end the line (RFC
  /// 9110 section 5.5).
  package var isValid: Bool {
    !name.isEmpty && name.utf8.allSatisfy(HeaderField.token.contains)
      && value.utf8.allSatisfy { $0 == 0x09 || (0x20...0x7E).contains($0) }
  }

  private static let token = ASCIISet(
    "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
}

/// The body of a request.
package enum Body: Hashable, Sendable {
  case none
  /// Bytes with their media type.
  case data(Data, type: String)
  case multipart(Multipart)

  /// Returns a JSON body with members in the given order.
  package static func json(_ value: JSON) -> Body { .data(Data(value.serialized.utf8), type: "application/json") }

  /// The media type for `Content-Type`, or `nil` without a body.
  package var type: String? {
    switch self {
    case .none: nil
    case .data(_, let type): type
    case .multipart(let form): form.contentType
    }
  }

  /// The bytes that are sent, or `nil` without a body.
  package var bytes: Data? {
    switch self {
    case .none: nil
    case .data(let data, _): data
    case .multipart(let form): form.encoded
    }
  }
}

/// The part of a request that was sent.
package enum RequestProgress: Hashable, Sendable {
  /// No byte was sent.
  case none
  /// Some bytes may have been sent, but the last byte of the body was never handed to the socket: the request is
  /// shorter than its `Content-Length` and cannot be processed.
  case partial
  /// The last byte was handed to the socket, or it is unknown whether it was.
  case complete
}
