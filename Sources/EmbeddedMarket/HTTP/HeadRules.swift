import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTP1

/// Which heads are refused before anything reads them: those that two readers could understand differently (RFC 9112 section 6.3 and
/// 11.2, RFC 9110 section 7.2), and those that are too large.
struct HeadRule {
  let limits: ServerLimits

  func refusal(of head: HTTPRequestHead) -> Refusal? {
    if head.uri.utf8.count > limits.pathBytes { return .longAddress }
    let bytes = head.headers.reduce(head.uri.utf8.count) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    if bytes > limits.headBytes || head.headers.count > limits.headFields { return .largeHead }
    return isAmbiguous(head) ? .badRequest : nil
  }

  /// What the decoder itself could not read.
  static func refusal(of error: HTTPParserError) -> Refusal {
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

extension Refusal {
  fileprivate static let badRequest = Refusal(400, "Bad Request")
  fileprivate static let longAddress = Refusal(414, "URI Too Long")
  fileprivate static let largeHead = Refusal(431, "Request Header Fields Too Large")
}

/// Whose names this server answers to, so that a web page whose name was bent to our address (DNS rebinding) gets nothing.
struct HostRule: Hashable, Sendable {
  /// Where the server was asked to listen.
  let host: String

  /// Takes `localhost`, loopback addresses and the asked-for host; listening on every address, any address in digits.
  func accepts(_ authority: String?) -> Bool {
    guard let authority, let name = HostRule.name(of: authority) else { return false }
    if ["localhost", "127.0.0.1", "[::1]", host.lowercased(), "[\(host.lowercased())]"].contains(name) { return true }
    return !isLoopback && HostRule.isAddress(name)
  }

  var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }

  /// The part before the port; nil when the port is none.
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

/// How much one connection may take: of time, of memory, of places.
struct ServerLimits: Sendable {
  /// From the opening of a connection to its first byte.
  var firstByteTime = TimeAmount.seconds(5)
  /// From the first byte of a connection to the end of its first head.
  var headTime = TimeAmount.seconds(10)
  /// From the end of a head to the end of the answer; a body that comes in has it anew with every `progressBytes`.
  var requestTime = TimeAmount.seconds(60)
  /// On the slowest line that is borne, about 1 kB/s, these take one `requestTime`.
  var progressBytes = 64 * 1024
  /// Between an answer and the end of the next head.
  var idleTime = TimeAmount.seconds(60)
  var connections = 128
  /// Beyond these, the connection of the same address that has waited longest for a head is closed.
  var connectionsPerAddress = 48
  /// A connection that has waited for a head less long is not closed for others: its request may be on the way.
  var graceTime = TimeAmount.seconds(1)
  /// A body that has not got on for so long may be given up where there is no room for other connections.
  var stalledBodyTime = TimeAmount.seconds(5)
  var headBytes = 16 * 1024
  var headFields = 100
  var pathBytes = 8 * 1024
  /// Five pictures of 300 KB and their text fit many times.
  var bodyBytes = 10 * 1024 * 1024
  /// What is read past that, unkept, before the connection is cut.
  var drainedBytes = 64 * 1024 * 1024
}

/// A request that was answered, as a line: `2026-11-22T08:25:27Z PATCH /api/products/6 200 512 B 3 ms`.
struct RequestLine {
  let text: String

  init(_ request: Request, _ answer: Answer, took time: Duration, at now: MarketTime) {
    let milliseconds = time.components.seconds * 1000 + time.components.attoseconds / 1_000_000_000_000_000
    text =
      "\(now.day)T\(now.clock)Z \(request.method.rawValue) \(RequestLine.plain(request.uri.description)) "
      + "\(answer.status) \(answer.body.readableBytes) B \(milliseconds) ms"
  }

  /// What is no visible ASCII is spelled out: the line may go to a terminal.
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
