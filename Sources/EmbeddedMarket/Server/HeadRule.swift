import NIOHTTP1

/// Which heads are refused before anything reads them: those that two readers could understand differently (RFC 9112 section 6.3 and
/// 11.2, RFC 9110 section 7.2), and those that are too large.
struct HeadRule {
  let limits: ServerLimits

  func refusal(of head: HTTPRequestHead) -> HTTPResponseStatus? {
    if head.uri.utf8.count > limits.pathBytes { return .uriTooLong }
    let bytes = head.headers.reduce(head.uri.utf8.count) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    if bytes > limits.headBytes || head.headers.count > limits.headFields { return .requestHeaderFieldsTooLarge }
    guard head.uri.hasPrefix("/") else { return .badRequest }
    let lengths = head.headers["Content-Length"]
    let codings = head.headers["Transfer-Encoding"]
    if lengths.count > 1 || codings.count > 1 || (!lengths.isEmpty && !codings.isEmpty) { return .badRequest }
    if let coding = codings.first, coding.lowercased() != "chunked" { return .badRequest }
    if !codings.isEmpty && head.version != .http1_1 { return .badRequest }
    if let length = lengths.first, length.isEmpty || !length.utf8.allSatisfy({ (48...57).contains($0) }) {
      return .badRequest
    }
    let hosts = head.headers["Host"].count
    return hosts == 1 || (hosts == 0 && head.version == .http1_0) ? nil : .badRequest
  }
}
