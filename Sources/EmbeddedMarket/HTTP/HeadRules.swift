import HTTPTypes
import HummingbirdCore
import NIOCore
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

extension MarketHTTPError {
  fileprivate static let badRequest = MarketHTTPError(400, "Bad Request")
  fileprivate static let longAddress = MarketHTTPError(414, "URI Too Long")
  fileprivate static let largeHead = MarketHTTPError(431, "Request Header Fields Too Large")
}

/// The host names that this server accepts, so that a web page whose name resolves to our address (DNS rebinding) gets
/// no data.
struct HostAllowList: Hashable, Sendable {
  /// The host that the server listens on.
  let host: String

  /// Returns true for `localhost`, loopback addresses and the configured host; if the server listens on all addresses,
  /// also for any IP literal.
  func accepts(_ authority: String?) -> Bool {
    guard let authority, let name = HostAllowList.name(of: authority) else { return false }
    if ["localhost", "127.0.0.1", "[::1]", host.lowercased(), "[\(host.lowercased())]"].contains(name) { return true }
    return !isLoopback && HostAllowList.isAddress(name)
  }

  var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }

  /// Returns the host without the port, or `nil` if the port is invalid.
  private static func name(of authority: String) -> String? {
    let lower = authority.lowercased()
    let closing = lower.lastIndex(of: "]")
    guard let colon = lower.lastIndex(of: ":"), closing.map({ $0 < colon }) ?? true else { return lower }
    let port = lower[lower.index(after: colon)...]
    guard port.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return String(lower[..<colon])
  }

  private static func isAddress(_ name: String) -> Bool {
    if name.hasPrefix("["), name.hasSuffix("]") { return name.contains(":") }
    let numbers = name.split(separator: ".", omittingEmptySubsequences: false)
    return numbers.count == 4 && numbers.allSatisfy { UInt8($0) != nil }
  }
}

/// Limits for a connection: time, memory and number.
struct ServerLimits: Sendable {
  /// The time from opening a connection to its first byte.
  var firstByteTime = TimeAmount.seconds(5)
  /// The time from the first byte of a connection to the end of its first head.
  var headerTimeout = TimeAmount.seconds(10)
  /// The time from the end of a head to the end of the response.
  ///
  /// Every `timeoutResetInterval` of the body restart it.
  var requestTime = TimeAmount.seconds(60)
  /// The number of body bytes that take one `requestTime` at the slowest supported rate, about 1 kB/s.
  var timeoutResetInterval = 64 * 1024
  /// The time between a response and the end of the next head.
  var idleTimeout = TimeAmount.seconds(60)
  var connections = 128
  /// The number above which the connection of the address that has waited longest for a head is closed.
  var connectionsPerAddress = 48
  /// The time for which a waiting connection is not closed in favour of others, because its request may be on the way.
  var graceTime = TimeAmount.seconds(1)
  /// The time without progress after which a body may be given up in favour of other connections.
  var stalledBodyTime = TimeAmount.seconds(5)
  var headBytes = 16 * 1024
  var headFields = 100
  var pathBytes = 8 * 1024
  /// The maximum size of a body.
  ///
  /// Five pictures of 300 KB and their text are much smaller.
  var bodyBytes = 10 * 1024 * 1024
  /// The number of bytes that are read and discarded beyond that, before the connection is closed.
  var maximumDrainedBytes = 64 * 1024 * 1024
}

/// The log line of a request: `2026-11-22T08:25:27Z PATCH /api/products/6 200 512 B 3 ms`.
struct AccessLogLine {
  let text: String

  init(_ request: Request, _ answer: MarketResponse, took time: Duration, at now: MarketTime) {
    let milliseconds = time.components.seconds * 1000 + time.components.attoseconds / 1_000_000_000_000_000
    text =
      "\(now.dateText)T\(now.timeText)Z \(request.method.rawValue) \(AccessLogLine.plain(request.uri.description)) "
      + "\(answer.status) \(answer.body.readableBytes) B \(milliseconds) ms"
  }

  /// Percent-encodes everything but visible ASCII, because the line may be printed on a terminal.
  private static func plain(_ address: String) -> String {
    var text = ""
    for byte in address.utf8 {
      if (0x21...0x7E).contains(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let hex = String(byte, radix: 16, uppercase: true)
        text += "%" + (hex.count == 1 ? "0" + hex : hex)
      }
    }
    return text
  }
}
