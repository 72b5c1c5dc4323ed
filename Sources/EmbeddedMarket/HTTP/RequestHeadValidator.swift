import NIOHTTP1

/// Rejects request heads before anything else reads them: those that two parsers could interpret differently (RFC 9112
/// sections 6.3 and 11.2, RFC 9110 section 7.2), and those that are too large.
struct RequestHeadValidator {
  let limits: ServerLimits

  func refusal(of head: HTTPRequestHead) -> MarketHTTPError? {
    if head.uri.utf8.count > limits.pathBytes { return .longAddress }
    let bytes = head.headers.reduce(head.uri.utf8.count) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    if bytes > limits.headBytes || head.headers.count > limits.headFields { return .largeHead }
    return isAmbiguous(head) ? .badRequest : nil
  }

  /// Returns the response to a head that the decoder could not parse.
  static func refusal(of error: HTTPParserError) -> MarketHTTPError {
    switch error {
    case .headerOverflow: .largeHead
    default: .badRequest
    }
  }

  private func isAmbiguous(_ head: HTTPRequestHead) -> Bool {
    guard head.uri.hasPrefix("/") else { return true }
    let lengths = head.headers["Content-Length"]
    let codings = head.headers["Transfer-Encoding"]
    if lengths.count > 1 || codings.count > 1 || (!lengths.isEmpty && !codings.isEmpty) { return true }
    if let coding = codings.first, coding.lowercased() != "chunked" { return true }
    if !codings.isEmpty && head.version != .http1_1 { return true }
    if let length = lengths.first, length.isEmpty || !length.utf8.allSatisfy({ (48...57).contains($0) }) { return true }
    let hosts = head.headers["Host"].count
    return hosts > 1 || (hosts == 0 && head.version != .http1_0)
  }
}
