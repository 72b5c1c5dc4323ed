import Foundation
import Networking
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// A request and its response as they were sent, with secrets as dots: `>` before what was sent, `<` before what was
/// received, both indented.
package struct StoredExchangeReport {
  private let exchange: StoredExchange

  package init(_ exchange: StoredExchange) { self.exchange = exchange }

  package var drawing: Figure {
    Figure(lines, table: table, json: SecretPlaceholders.masked(exchange.json))
  }

  /// Returns a text such as `12.3 ms`.
  package static func milliseconds(_ micros: Int) -> String { "\(micros / 1000).\(micros % 1000 / 100) ms" }

  private var line: String { exchange.request.method + " " + (exchange.address ?? exchange.base) }

  private var lines: [[Figure.Run]] {
    let took = StoredExchangeReport.milliseconds(exchange.duration)
    var lines = [[run(line, .bold), run("  \(took)", .dim)]]
    lines += exchange.request.sentHeaders.map { [run("  > \($0.name): \($0.value)")] }
    lines += shown(exchange.request.body).map { [run("  > " + $0)] }
    if let failure = exchange.failure { lines.append([run("  ! " + failure.english, .warning)]) }
    guard let response = exchange.response else { return lines }
    lines.append([run("  < \(response.status)", response.status < 300 ? .bold : .warning)])
    lines += response.headers.map { [run("  < \($0.name): \($0.value)", .dim)] }
    lines += shown(response.body).map { [run("  < " + $0)] }
    return lines
  }

  private func run(_ text: String, _ style: Figure.Style = .plain) -> Figure.Run {
    Figure.Run(Sanitizer.sanitized(SecretPlaceholders.masked(text), limit: 4_000), style)
  }

  /// Returns the lines of a body, with JSON over several lines if nothing but space is added.
  private func shown(_ body: StoredExchange.Body) -> [String] {
    guard case .text(let text, _, _) = body, text.utf8.count < 1 << 18, let json = try? JSON(parsing: Data(text.utf8)),
      json.object != nil || json.array != nil,
      json.serialized.filter({ !$0.isWhitespace }) == text.filter({ !$0.isWhitespace })
    else { return self.body(body) }
    return IndentedJSON(json).text.split(separator: "\n").map(String.init)
  }

  private func body(_ body: StoredExchange.Body) -> [String] {
    switch body {
    case .none: []
    case .text(let text, _, _): text.split(whereSeparator: \.isNewline).map { String($0) }
    case .bytes(let type, let size, let sha256):
      ["\(size) bytes \(type ?? "")" + (sha256.map { " sha256 \($0)" } ?? "")]
    case .form(let parts):
      parts.map { part in
        part.fileName.map { file in
          "\(part.name): \(file), \(part.size) bytes" + (part.sha256.map { " sha256 \($0)" } ?? "")
        } ?? "\(part.name): \(part.text ?? "")"
      }
    }
  }

  private var table: Table {
    let cells: [(String, LocalizedText, Table.Cell)] = [
      ("attempt", LocalizedText("attempt", ko: "시도"), .number(exchange.attempt)),
      ("request", LocalizedText("request", ko: "요청"), .text(SecretPlaceholders.masked(line))),
      (
        "sent", LocalizedText("request", ko: "보낸 내용"),
        .text(SecretPlaceholders.masked(body(exchange.request.body).joined()))
      ),
      ("status", LocalizedText("status", ko: "상태"), exchange.response.map { .number($0.status) } ?? .none),
      (
        "answer", LocalizedText("response", ko: "응답"),
        .text(
          SecretPlaceholders.masked(exchange.response.map { body($0.body).joined() } ?? exchange.failure?.english ?? "")
        )
      ),
      ("milliseconds", LocalizedText("ms", ko: "밀리초"), .number(exchange.duration / 1000)),
    ]
    return Table(cells.map { .init($0.0, $0.1) }, rows: [cells.map(\.2)])
  }
}
