import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTP1

/// Rejects request heads before anything else reads them: those that two parsers could interpret differently (RFC 9112
/// sections 6.3 and 11.2, RFC 9110 section 7.2), and those that are too large.
struct RequestHeadValidator {
  let limits: ServerLimits

  /// Returns a head as the handlers after the guard expect it.
  ///
  /// - The host of a target in absolute form is the one that counts (RFC 9112 section 3.2.2).
  /// - A request in HTTP/1.0 has its connection closed, and its expectation is ignored, because its client knows no interim
  ///   response (RFC 9110 section 10.1.1).
  static func normalized(_ head: HTTPRequestHead) -> HTTPRequestHead {
    var head = head
    if let (authority, target) = absoluteForm(of: head.uri),
      head.headers["Host"].count == 1 || head.version == .http1_0 && !head.headers.contains(name: "Host")
    {
      head.uri = target
      head.headers.replaceOrAdd(name: "Host", value: authority)
    }
    if head.version == .http1_0 {
      head.headers.remove(name: "Expect")
      head.headers.replaceOrAdd(name: "Connection", value: "close")
    }
    return head
  }

  /// Returns the host with its port, and the path with its query, of `http://HOST/PATH`, or `nil` for another target.
  private static func absoluteForm(of target: String) -> (authority: String, target: String)? {
    guard let scheme = target.firstRange(of: "://"),
      ["http", "https"].contains(target[..<scheme.lowerBound].lowercased())
    else { return nil }
    let rest = target[scheme.upperBound...]
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    guard !authority.isEmpty, !authority.contains("@") else { return nil }
    let path = rest.dropFirst(authority.count)
    return (String(authority), path.hasPrefix("/") ? String(path) : "/" + path)
  }

  func refusal(of head: HTTPRequestHead) -> MarketHTTPError? {
    if head.uri.utf8.count > limits.pathBytes { return .longAddress }
    let bytes = head.headers.reduce(head.uri.utf8.count) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    if bytes > limits.headBytes || head.headers.count > limits.headFields { return .largeHead }
    return ambiguity(of: head).map { MarketHTTPError(400, "Bad Request: \($0)") }
  }

  /// Returns the response to a head or body that the decoder could not parse.
  static func refusal(of error: HTTPParserError) -> MarketHTTPError {
    let reason: String
    switch error {
    case .headerOverflow: return .largeHead
    case .invalidURL, .invalidPath, .invalidQueryString, .invalidFragment, .invalidHost, .invalidPort:
      reason = "The address holds characters that must be percent-encoded"
    case .invalidMethod: reason = "The method is unknown; methods are in capital letters"
    case .invalidHeaderToken: reason = "A header field holds a character that is not allowed there"
    case .invalidContentLength, .unexpectedContentLength: reason = "Content-Length must be one number"
    case .invalidChunkSize: reason = "The body is not in chunks as Transfer-Encoding says"
    case .invalidEOFState: reason = "The request ended before it was complete"
    case .invalidVersion: reason = "The first line must end in HTTP/1.1"
    default: reason = "This is not an unambiguous HTTP/1.1 request"
    }
    return MarketHTTPError(400, "Bad Request: \(reason)")
  }

  /// Returns the reason for which two parsers could interpret a head differently, or `nil` if it is unambiguous.
  private func ambiguity(of head: HTTPRequestHead) -> String? {
    if head.uri.contains("%00") { return "The address holds a NUL character (%00)" }
    guard head.uri.hasPrefix("/") else { return "The address must begin with /; the host is in the Host field" }
    let lengths = head.headers["Content-Length"]
    let codings = head.headers["Transfer-Encoding"]
    if lengths.count > 1 || codings.count > 1 || (!lengths.isEmpty && !codings.isEmpty) {
      return "The length of the body is given more than once"
    }
    if let coding = codings.first, coding.lowercased() != "chunked" || head.version != .http1_1 {
      return "Transfer-Encoding must be chunked, in HTTP/1.1"
    }
    if let length = lengths.first, length.isEmpty || !length.utf8.allSatisfy({ (48...57).contains($0) }) {
      return "Content-Length must be one number"
    }
    let hosts = head.headers["Host"].count
    if hosts > 1 { return "There is more than one Host field" }
    return hosts == 0 && head.version != .http1_0 ? "The Host field is missing" : nil
  }
}

extension MarketHTTPError {
  static let longAddress = MarketHTTPError(414, "URI Too Long")
  static let largeHead = MarketHTTPError(431, "Request Header Fields Too Large")
}
