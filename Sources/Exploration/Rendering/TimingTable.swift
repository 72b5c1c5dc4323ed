import Catalog
import Engine
import Networking
import Presentation
import Text

/// Exchanges with the time of each phase in milliseconds; below them what was our own: reading the answers, drawing.
package enum TimingTable {
  package static func of(_ log: TimingLog, draw: Duration?, whole: Duration) -> Table {
    var rows = log.exchanges.map(row)
    rows.append(own(LocalizedText("decode", ko: "해석"), log.decoding))
    if let draw { rows.append(own(LocalizedText("draw", ko: "그리기"), draw)) }
    rows.append(own(LocalizedText("everything", ko: "전체"), whole))
    return Table(
      [
        .init("request", LocalizedText("request (ms)", ko: "요청 (ms)")),
        .init("status", LocalizedText("status", ko: "상태"), isNumber: true),
        .init("lookup", LocalizedText("look-up", ko: "이름 찾기"), isNumber: true),
        .init("connect", LocalizedText("connect", ko: "연결"), isNumber: true),
        .init("tls", LocalizedText("TLS", ko: "TLS"), isNumber: true),
        .init("send", LocalizedText("send", ko: "보내기"), isNumber: true),
        .init("wait", LocalizedText("first byte", ko: "첫 바이트"), isNumber: true),
        .init("body", LocalizedText("body", ko: "본문"), isNumber: true),
        .init("whole", LocalizedText("whole", ko: "합계"), isNumber: true),
      ], rows: rows)
  }

  private static func row(_ exchange: Exchange) -> [Table.Cell] {
    let request = exchange.masker.mask("\(exchange.request.method.rawValue) \(exchange.request.target)")
    guard let reply = try? exchange.outcome.get() else {
      return [.text(request)] + Array(repeating: .none, count: 7) + [.text(milliseconds(exchange.duration))]
    }
    let phases = reply.course?.phases
    let times = [
      phases?.lookup, phases?.connect, phases?.tls, phases.map { $0.blocked + $0.send }, phases?.wait, phases?.receive,
      exchange.duration,
    ]
    return [.text(request), .number(reply.status)] + times.map { $0.map { .text(milliseconds($0)) } ?? .none }
  }

  private static func own(_ what: LocalizedText, _ time: Duration) -> [Table.Cell] {
    [.wording(what)] + Array(repeating: .none, count: 7) + [.text(milliseconds(time))]
  }

  /// With one decimal, in whole numbers all the way.
  package static func milliseconds(_ time: Duration) -> String {
    let (seconds, attoseconds) = time.components
    let tenths = seconds * 10_000 + (attoseconds + 50_000_000_000_000) / 100_000_000_000_000
    return "\(tenths / 10).\(tenths % 10)"
  }
}
