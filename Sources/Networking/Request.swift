import Foundation

/// What is to be asked, as an inert value: relative to a service's address, comparable, printable without its secrets.
package struct Request: Hashable, Sendable {
  package var method: Method
  /// Segments are percent-encoded when the address is made, so an id with `/` or `..` stays one segment.
  package var path: [String]
  package var query: [QueryItem]
  package var headers: [Header]
  package var body: Body
  /// Every secret used in this request, with the variable a curl line reads it from; masked by value wherever it is printed.
  package var secrets: [NamedSecret]
  /// The longest answer that is taken, in bytes; a longer one ends as `TransportFailure.Reason.tooLarge`.
  package var answerLimit: Int
  /// Set where the answer is itself a key, as the address that deletes a product: the variable that a curl line keeps it
  /// in. The key is masked wherever the exchange is shown or kept.
  package var answeredSecret: String?
  /// Asks for a connection of its own, so that look-up, connect and TLS can be told apart.
  package var isMeasured = false
  /// Path and query exactly as a person pasted them, encoded already; nil where they are made of `path` and `query`.
  package var exactTarget: String?
  /// True where `headers` are all that is sent besides `Host`, `Content-Length` and `User-Agent`, each as often as it
  /// is there: what a pasted `curl` line says.
  package var hasExactHeaders = false

  package init(
    _ method: Method, _ path: [String], query: [QueryItem] = [], headers: [Header] = [], body: Body = .none,
    secrets: [NamedSecret] = [], answerLimit: Int = Request.usualAnswerLimit
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
    self.secrets = secrets
    self.answerLimit = answerLimit
  }

  /// 8 MiB.
  package static let usualAnswerLimit = 8 << 20
}

/// An HTTP method (RFC 9110 section 9).
package enum Method: String, Hashable, Sendable, CaseIterable {
  case get = "GET"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"
  case head = "HEAD"
  case options = "OPTIONS"

  /// Only reads may be sent twice.
  package var isRead: Bool {
    switch self {
    case .get, .head, .options: true
    case .post, .put, .patch, .delete: false
    }
  }
}

/// One header field; names compare without case (RFC 9110 section 5.1).
package struct Header: Hashable, Sendable {
  package var name: String
  package var value: String
  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// True when the name is a token and the value holds nothing that could end the line (RFC 9110 section 5.5).
  package var isSound: Bool {
    !name.isEmpty && name.utf8.allSatisfy(Header.token.contains)
      && value.utf8.allSatisfy { $0 == 0x09 || (0x20...0x7E).contains($0) }
  }

  private static let token = ASCIISet(
    "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
}

/// One `name=value` of a query, in the order given.
package struct QueryItem: Hashable, Sendable {
  package var name: String
  package var value: String
  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// What a request carries.
package enum Body: Hashable, Sendable {
  case none
  /// Bytes with their media type.
  case data(Data, type: String)
  case multipart(Multipart)

  /// A JSON body, its members in the order given.
  package static func json(_ value: JSON) -> Body { .data(Data(value.text.utf8), type: "application/json") }

  /// The media type, `Content-Type` on the wire; nil without a body.
  package var type: String? {
    switch self {
    case .none: nil
    case .data(_, let type): type
    case .multipart(let form): form.type
    }
  }

  /// The bytes that are sent; nil without a body.
  package var bytes: Data? {
    switch self {
    case .none: nil
    case .data(let data, _): data
    case .multipart(let form): form.bytes
    }
  }
}

extension Request: CustomStringConvertible {
  /// The request for people: line, headers and a look at the body, without its secrets.
  package var description: String {
    var lines = ["\(method.rawValue) \(target)"]
    lines += headers.map { "\($0.name): \($0.value)" }
    if let type = body.type { lines.append("Content-Type: \(type)") }
    lines += bodyLines
    return Masker(secrets).mask(lines.joined(separator: "\n"))
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
  /// The encoded path and query, as they stand in the request line after the base address's own path.
  package var target: String {
    if let exactTarget { return exactTarget }
    let path = "/" + path.map(PercentEncoding.segment).joined(separator: "/")
    if query.isEmpty { return path }
    let items = query.map { PercentEncoding.query($0.name) + "=" + PercentEncoding.query($0.value) }
    return path + "?" + items.joined(separator: "&")
  }

  /// The whole address at `base`, whose own path stays in front.
  ///
  /// - Throws: `TransportFailure` when the base is no plain `http` or `https` address.
  package func address(at base: URL) throws(TransportFailure) -> String {
    try Request.front(of: base) + target
  }

  /// What every address at `base` begins with, up to the path of the request.
  ///
  /// - Throws: as `address(at:)`.
  static func front(of base: URL) throws(TransportFailure) -> String {
    // The host as the wire has it (RFC 5891), which is also read without tables of letters.
    guard let parts = URLComponents(url: base, resolvingAgainstBaseURL: true), let name = parts.encodedHost,
      !name.isEmpty, let scheme = parts.scheme?.lowercased(), scheme == "http" || scheme == "https", parts.user == nil,
      parts.password == nil, parts.hasSoundPort
    else { throw TransportFailure(.badAddress(base.absoluteString), extent: .nothing) }
    var front = Substring(parts.percentEncodedPath)
    while front.last == "/" { front.removeLast() }
    let authority = name.contains(":") && !name.hasPrefix("[") ? "[\(name)]" : name
    return scheme + "://" + authority + (parts.port.map { ":\($0)" } ?? "") + String(front)
  }
}

extension Request {
  /// True where one of the request's secrets is in what is sent, in any spelling.
  package var carriesSecret: Bool {
    guard !secrets.isEmpty else { return false }
    let masker = Masker(secrets)
    let texts = [target] + headers.map(\.value) + [body.bytes.map { String(decoding: $0, as: UTF8.self) } ?? ""]
    return texts.contains { masker.mask($0) != $0 }
  }
}

extension URLComponents {
  /// False for a port that no socket has: 0, 65536, or more digits than a number holds, which Foundation passes over.
  package var hasSoundPort: Bool {
    guard let range = rangeOfPort, !range.isEmpty else { return true }
    return port.map { (1...65_535).contains($0) } ?? false
  }
}

/// The addresses of this machine: the only ones where plain `http` may carry a secret without being asked about.
package enum Loopback {
  /// The host of an address that everyone on the way can read along; `nil` for `https` and for this machine.
  package static func openHost(of base: URL) -> String? {
    // The host as it is sent decides, as in `front(of:)`: `%6cocalhost` is not `localhost`.
    guard let parts = URLComponents(url: base, resolvingAgainstBaseURL: true), parts.scheme?.lowercased() == "http",
      let host = parts.encodedHost, !host.isEmpty, !contains(host)
    else { return nil }
    return host
  }

  /// `localhost`, an address of 127.0.0.0/8 or `::1`; a name that merely looks like one is another machine.
  package static func contains(_ host: String) -> Bool {
    var name = host.lowercased()
    while name.first == "[" { name.removeFirst() }
    while name.last == "]" { name.removeLast() }
    if name == "localhost" || name == "::1" { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "127" else { return false }
    return parts.allSatisfy { part in
      (1...3).contains(part.utf8.count) && part.utf8.allSatisfy { (48...57).contains($0) } && UInt8(part) != nil
    }
  }
}
