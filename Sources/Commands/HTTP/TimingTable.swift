import Networking
import Presentation
import Text

/// A table of exchanges with the milliseconds of each phase, and below them the time of decoding and drawing.
package enum TimingTable {
  package static func of(_ log: TimingLog, draw: Duration?, whole: Duration) -> Table {
    var rows = log.exchanges.map(row)
    rows.append(own(LocalizedText("decoding", ko: "해석"), log.decoding))
    if let draw { rows.append(own(LocalizedText("drawing", ko: "그리기"), draw)) }
    // Concurrent requests together take longer than the command itself.
    let rest = whole - log.exchanges.reduce(log.decoding + (draw ?? .zero)) { $0 + $1.duration }
    if rest > .zero { rows.append(own(LocalizedText("pauses and other time", ko: "대기와 기타"), rest)) }
    rows.append(own(LocalizedText("total", ko: "전체"), whole))
    return Table(
      [
        .init("request", LocalizedText("request (ms)", ko: "요청 (ms)")),
        .init("status", LocalizedText("status", ko: "상태"), isNumber: true),
        .init("lookup", LocalizedText("DNS", ko: "DNS"), isNumber: true),
        .init("connect", LocalizedText("connect", ko: "연결"), isNumber: true),
        .init("tls", LocalizedText("TLS", ko: "TLS"), isNumber: true),
        .init("send", LocalizedText("send", ko: "보내기"), isNumber: true),
        .init("wait", LocalizedText("first byte", ko: "첫 바이트"), isNumber: true),
        .init("body", LocalizedText("body", ko: "본문"), isNumber: true),
        .init("whole", LocalizedText("total", ko: "합계"), isNumber: true),
      ], rows: rows)
  }

  private static func row(_ exchange: Exchange) -> [Table.Cell] {
    let request = exchange.masker.mask("\(exchange.request.method.rawValue) \(exchange.request.target)")
    guard let response = try? exchange.outcome.get() else {
      return [.text(request)] + Array(repeating: .none, count: 7) + [.text(milliseconds(exchange.duration))]
    }
    let phases = response.timing?.phases
    let parts = [
      phases?.dns, phases?.connect, phases?.tls, phases.map { $0.blocked + $0.send }, phases?.wait, phases?.receive,
    ]
    // The displayed values are summed, so that the row adds up.
    let sum = parts.compactMap { $0.map(rounded) }.reduce(.zero, +)
    let times = parts + [phases == nil ? exchange.duration : sum]
    return [.text(request), .number(response.status)] + times.map { $0.map { .text(milliseconds($0)) } ?? .none }
  }

  /// Returns the duration rounded to a tenth of a millisecond.
  private static func rounded(_ time: Duration) -> Duration {
    .microseconds(tenths(time) * 100)
  }

  /// Returns the number of tenths of a millisecond, rounded.
  private static func tenths(_ time: Duration) -> Int64 {
    let (seconds, attoseconds) = time.components
    return seconds * 10_000 + (attoseconds + 50_000_000_000_000) / 100_000_000_000_000
  }

  private static func own(_ what: LocalizedText, _ time: Duration) -> [Table.Cell] {
    [.localized(what)] + Array(repeating: .none, count: 7) + [.text(milliseconds(time))]
  }

  /// Returns the milliseconds with one decimal, computed in integers.
  package static func milliseconds(_ time: Duration) -> String {
    let tenths = tenths(time)
    return "\(tenths / 10).\(tenths % 10)"
  }
}
