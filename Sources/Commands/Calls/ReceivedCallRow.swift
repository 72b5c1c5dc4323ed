import Catalog
import CommandLanguage
import Foundation
import MarketAPI
import Networking
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// A request of an app as `calls received`, `calls follow` and `class URL follow` show it, with its mistakes in words.
package struct ReceivedCallRow: Sendable {
  let number: Int
  let time: Timestamp
  let sender: String
  let method: String
  let target: String
  /// The status, or `nil` if there was no response.
  let status: Int?
  /// The microseconds from the request to its response.
  let duration: Int
  let mistakes: [LocalizedText]

  /// Creates the row of a request to a market of a dialect, or of one whose rules aren't known.
  package init(_ call: ReceivedCall, _ dialect: Dialect?) {
    number = call.number
    time = Timestamp(seconds: call.exchange.started / 1000, isUTC: true)
    (sender, method, target) = (call.sender, call.exchange.request.method, call.target)
    (status, duration) = (call.exchange.response?.status, call.exchange.duration)
    mistakes = ReceivedCallRow.mistakes(of: call, dialect)
  }

  /// Returns what is wrong with a refused request: what the server said, and as `explain` says it the broken rules of the
  /// edition, or otherwise the meaning of the response.
  private static func mistakes(of call: ReceivedCall, _ dialect: Dialect?) -> [LocalizedText] {
    guard call.isRefused else { return [] }
    let words = call.words ?? ""
    let told = call.detail.map { "\(words) (\($0))" } ?? words
    var mistakes = told.isEmpty ? [] : [LocalizedText(same: "\(.foreign(told))")]
    guard let dialect, let status = call.exchange.response?.status else { return mistakes }
    if call.hasContent, dialect.edition != nil {
      mistakes += EditionRules(dialect).breaches(of: SentRequest(call.exchange.request, dialect)).map(\.wording)
    }
    guard mistakes.count < 2 else { return mistakes }
    let meaning = ResponseExplanation.meaning(
      status: status, words: words, detail: call.detail, of: call.exchange.request.method,
      String(call.target.prefix { $0 != "?" }), dialect)
    if let meaning, meaning.english.plain != words + "." { mistakes.append(meaning) }
    return mistakes
  }

  /// Creates a row from the cells of a server's CSV, or returns `nil` for others.
  init?(_ cells: [String]) {
    guard cells.count == ReceivedCallRow.keys.count, let number = Int(cells[0]), let time = Timestamp(cells[1]),
      let duration = Int(cells[6])
    else { return nil }
    (self.number, self.time, self.duration, status) = (number, time, duration, Int(cells[5]))
    (sender, method) = (CSVInjection.unescape(cells[2]), CSVInjection.unescape(cells[3]))
    target = CSVInjection.unescape(cells[4])
    let mistake = CSVInjection.unescape(cells[7])
    mistakes = mistake.isEmpty ? [] : [LocalizedText(same: "\(.foreign(mistake))")]
  }

  /// The first line of the CSV in which a server sends requests; the duration is in microseconds.
  package static let keys = ["n", "time", "from", "method", "path", "status", "us", "mistake"]

  /// Returns the cells for the CSV of a server.
  package func cells(in language: MessageLanguage) -> [String] {
    let texts = [sender, method, target].map(CSVInjection.escape)
    return [String(number), time.description] + texts + [
      status.map { String($0) } ?? "", String(duration),
      CSVInjection.escape(mistakes.map { $0[language].plain }.joined(separator: "; ")),
    ]
  }
}

// MARK: What is shown
extension ReceivedCallRow {
  /// Returns the table of requests.
  static func table(_ rows: [ReceivedCallRow]) -> Table {
    Table(
      [
        .init("n", LocalizedText("n", ko: "번호"), isNumber: true),
        .init("time", LocalizedText("time", ko: "시각"), dropOrder: 1),
        .init("from", LocalizedText("from", ko: "보낸 쪽"), dropOrder: 2),
        .init("method", LocalizedText("method", ko: "메서드")),
        .init("path", LocalizedText("path", ko: "경로"), minimumWidth: 24),
        .init("status", LocalizedText("status", ko: "상태"), isNumber: true),
        .init("ms", LocalizedText("ms", ko: "ms"), isNumber: true, dropOrder: 3),
        .init("mistakes", LocalizedText("mistakes", ko: "실수"), minimumWidth: 24),
      ],
      rows: rows.map { row in
        [
          .number(row.number), .timestamp(row.time), .text(row.sender), .text(row.method), .text(row.target),
          row.status.map { .number($0) } ?? .none,
          .amount(Amount(CallColumns.milliseconds(row.duration))),
          .list(row.mistakes.map { .localized($0) }),
        ]
      })
  }

  /// Returns the lines of the request for users: time of day, method, status, path and duration, and below them its mistakes.
  func figure(_ options: RenderOptions) -> Figure {
    var lines: [[Figure.Run]] = [
      [
        Figure.Run(String(time.local.displayDescription.suffix(8)) + "  ", .dim),
        Figure.Run(options.cells.aligned(Sanitizer.sanitized(method, limit: 10), to: 7)),
        Figure.Run((status.map { String($0) } ?? "-") + "  ", status.map { $0 < 400 } == true ? .bold : .warning),
        Figure.Run(Sanitizer.sanitized(target, limit: 500)),
        Figure.Run("  " + StoredExchangeReport.milliseconds(duration), .dim),
      ]
    ]
    let indent = String(repeating: " ", count: 10)
    let width = options.paragraphWidth(indent: indent.count)
    for mistake in mistakes {
      lines += Figure.paragraph(mistake[options.language], width: width, options).map { [Figure.Run(indent)] + $0 }
    }
    return Figure(lines, table: ReceivedCallRow.table([self]))
  }
}

/// Writes requests one by one: lines for a terminal or a pipe, or a row in a data format.
struct ReceivedCallWriter {
  private let format: OutputFormat
  private let scope: CommandScope

  init(_ clauses: Clauses, in scope: CommandScope) {
    self.scope = scope
    format = clauses.format ?? scope.session.settings.format
  }

  /// Writes a request.
  ///
  /// - Throws: `OutputError`.
  func write(_ row: ReceivedCallRow) throws {
    let options = scope.dataOptions
    let text =
      switch format {
      case .table, .markdown: TerminalRenderer().render(.drawing(row.figure(options)), options)
      case .json, .jsonl: JSONLinesRenderer().render(.rows(ReceivedCallRow.table([row])), options)
      case .csv, .tsv: format.renderer.render(.rows(ReceivedCallRow.table([row])), options)
      }
    try scope.writeOutput(text)
  }
}
