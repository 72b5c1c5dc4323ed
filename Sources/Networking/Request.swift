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
package enum Method: String, Hashable, Sendable, Codable, CaseIterable {
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
    let token = Set("!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    return !name.isEmpty && name.utf8.allSatisfy(token.contains)
      && value.utf8.allSatisfy { $0 == 0x09 || (0x20...0x7E).contains($0) }
  }
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
