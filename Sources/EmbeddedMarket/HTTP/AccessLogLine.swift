import HTTPTypes
import HummingbirdCore
import NIOCore

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
