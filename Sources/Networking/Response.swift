import Foundation
import Text

/// A complete HTTP response: status, header fields and the body, which is within the request's limit.
package struct Response: Hashable, Sendable {
  package var status: Int
  package var headers: [HeaderField]
  package var body: Data
  /// The timing of the exchange, or `nil` for a response that was not received over a network.
  package var timing: ExchangeMetrics?

  package init(status: Int, headers: [HeaderField] = [], body: Data = Data(), timing: ExchangeMetrics? = nil) {
    self.status = status
    self.headers = headers
    self.body = body
    self.timing = timing
  }

  package var statusClass: StatusClass { StatusClass(status) }

  /// Indicates whether the status is 2xx.
  package var isSuccess: Bool { statusClass == .success }

  /// Returns the value of the first header field with this name, regardless of case.
  package func header(_ name: String) -> String? {
    let name = name.lowercased()
    return headers.first { $0.name.utf8.count == name.utf8.count && $0.name.lowercased() == name }?.value
  }

  /// The response with its body in UTF-8, if it is in another charset that its `Content-Type` or a byte order mark names.
  ///
  /// A body that is UTF-8 is UTF-8, whatever the field says: servers send JSON, which has no charset (RFC 8259, section
  /// 8.1), with the default of their framework. UTF-16 has zero bytes, which no JSON in UTF-8 has.
  package var inUTF8: Response {
    guard let charset = Charset(contentType: header("Content-Type") ?? "", body: body),
      body.contains(0) || String(validating: body, as: UTF8.self) == nil,
      let text = try? charset.text(of: body)
    else { return self }
    var response = self
    response.body = Data(text.utf8)
    return response
  }
}

/// Names of HTTP status codes (RFC 9110 section 15, RFC 6585).
package enum HTTPStatus {
  /// Returns the code with its registered name, such as `404 Not Match`, or only the number for an unregistered code.
  package static func described(_ status: Int) -> String { names[status].map { "\(status) \($0)" } ?? String(status) }

  /// Returns the registered name of a code, or an empty string.
  package static func name(of status: Int) -> String { names[status] ?? "" }

  private static let names = [
    100: "Continue", 101: "Switching Protocols", 200: "OK", 201: "Created", 202: "Accepted",
    203: "Non-Authoritative Information", 204: "No Content", 205: "Reset Content", 206: "Partial Content",
    300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
    307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized",
    402: "Payment Required", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable",
    407: "Proxy Authentication Required", 408: "Request Timeout", 409: "Conflict", 410: "Gone",
    411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large", 414: "URI Too Long",
    415: "Unsupported Media Type", 416: "Range Not Satisfiable", 417: "Expectation Failed",
    421: "Misdirected Request", 422: "Unprocessable Content", 426: "Upgrade Required",
    428: "Precondition Required", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
    500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
    504: "Gateway Timeout", 505: "HTTP Version Not Supported",
  ]
}

/// The class of a status code, by what it says about the request: carried out, certainly not, or unknown.
///
/// The only such table, used for product writes, raw requests, deletions and login checks (RFC 9110 section 15; 429 is
/// RFC 6585 section 4).
package enum StatusClass: Hashable, Sendable {
  /// 2xx.
  case success
  /// 3xx: the request belongs to another URL.
  ///
  /// Redirects are not followed.
  case redirection
  /// 4xx except 408 and 429: a final rejection; nothing was done.
  case clientError
  /// 429: not processed now; the request may be sent again later.
  case tooManyRequests
  /// 408, 5xx and every status that is not final: unknown whether the request was carried out.
  case indeterminate

  package init(_ status: Int) {
    self =
      switch status {
      case 200..<300: .success
      case 300..<400: .redirection
      case 408: .indeterminate
      case 429: .tooManyRequests
      case 400..<500: .clientError
      default: .indeterminate
      }
  }
}

/// The timing of an exchange: when it began, the header fields that were sent, and the duration of each phase.
package struct ExchangeMetrics: Hashable, Sendable {
  package var started: Date
  /// The header fields as they were sent, in order.
  ///
  /// They contain secrets.
  package var headers: [HeaderField]
  package var phases: Phases

  package init(started: Date, headers: [HeaderField], phases: Phases) {
    self.started = started
    self.headers = headers
    self.phases = phases
  }
}
