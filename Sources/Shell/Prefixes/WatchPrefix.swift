import Catalog
import Engine
import Failures
import Language
import Marketplace
import Platform
import Presentation
import Text

/// The prefix `watch SECONDS`, which repeats a reading command and prints only the changes, until Ctrl-C or `until
/// EXPR`.
///
/// If the server becomes unreachable, it waits. The loss and the return are each reported once.
struct WatchPrefix {
  private let turn: PreparedCommand
  private let interval: Duration
  private let until: Condition?

  init(_ turn: PreparedCommand, every seconds: Int) {
    self.turn = turn
    interval = .seconds(seconds)
    until = turn.invocation.until
  }

  func take(_ session: inout Session, _ execution: inout Execution) async throws {
    let start = session
    var known: ReportSnapshot?
    var hasChanged = false
    var trouble: CommandError?
    while true {
      // Each round begins with the same session: `watch 5 next` reads the same page every time.
      var round = start
      do {
        let report = try await turn.command.run(&round, &execution, in: turn.context)
        if trouble != nil { say(.success("The server is responding again.", ko: "서버가 다시 응답합니다."), round) }
        trouble = nil
        let rows = ReportSnapshot(report)
        let changes = known.map { rows.changes(since: $0) }
        try await show(report, changes, isFirst: !hasChanged, round)
        hasChanged = hasChanged || changes?.isEmpty == false
        known = rows
        session = round
        if holds(report, session) { return }
      } catch {
        let failure = CommandError(describing: error)
        guard isTransient(failure, known) else { throw error }
        if trouble?.message != failure.message { tell(failure, start) }
        trouble = failure
      }
      try await turn.context.spinner.hidden { try await turn.context.pause(interval) }
    }
  }

  /// Prints the complete report of the first round, and then only the changes.
  private func show(_ report: Report, _ changes: [RowChange]?, isFirst: Bool, _ session: Session) async throws {
    guard let changes else { return try await turn.deliver(report, session) }
    for message in report.messages { turn.context.say(message, session) }
    if !changes.isEmpty { try WatchSink(turn, session).deliver(changes, withHead: isFirst) }
  }

  /// Returns whether to continue after an error: the server, or a product that existed, may return.
  private func isTransient(_ failure: CommandError, _ known: ReportSnapshot?) -> Bool {
    switch failure.exitStatus {
    case .unreachable: true
    case .refused: known != nil
    case .success, .usageError, .blocked, .outcomeUnknown, .assertionFailed, .partialFailure, .interrupted, .hungUp, .quit,
      .terminated:
      false
    }
  }

  private func tell(_ failure: CommandError, _ session: Session) {
    var message = failure.message
    message.tone = .warning
    say(message.next("Still watching.", ko: "계속 반복합니다."), session)
  }

  private func say(_ message: Message, _ session: Session) { turn.context.say(message, session) }

  /// Returns `true` if a product of this round satisfies the condition.
  private func holds(_ report: Report, _ session: Session) -> Bool {
    guard let until = until?.resolved(at: turn.context.seconds) else { return false }
    let me = session.credentials.vendorID.map { Vendor(id: $0) }
    guard let product = report.products.first(where: { until.holds(for: $0, me: me) }) else { return false }
    say(
      .note(
        "Product \(product.id) now matches \(.command(until.description)).",
        ko: "\(product.id)번 상품이 \(.command(until.description)) 조건을 만족합니다."), session)
    return true
  }
}

/// The output of changes at the destination of the line: text lines, or one JSON object or one row for each change.
struct WatchSink {
  private let turn: PreparedCommand
  private let session: Session

  init(_ turn: PreparedCommand, _ session: Session) {
    self.turn = turn
    self.session = session
  }

  /// Writes the changes.
  ///
  /// `withHead` means that CSV and TSV begin with the column names.
  func deliver(_ changes: [RowChange], withHead: Bool) throws {
    let format = turn.invocation.clauses.format ?? session.settings.format
    let options = turn.context.dataOptions(session)
    let rows = Report.rows(RowChange.table(changes))
    let text =
      switch format {
      case .table, .markdown: TerminalRenderer().render(.text(LocalizedText(same: WatchSink.lines(changes))), options)
      case .json, .jsonl: JSONLinesRenderer().render(rows, options)
      case .csv, .tsv: WatchSink.rows(format.renderer.render(rows, options), withHead: withHead)
      }
    try turn.context.console.writeOutput(text)
  }

  private static func lines(_ changes: [RowChange]) -> StyledText {
    changes.enumerated().reduce("") { $0 + ($1.offset == 0 ? "" : "\n") + $1.element.line }
  }

  private static func rows(_ text: String, withHead: Bool) -> String {
    if withHead { return text }
    let end = text.utf8.firstIndex(of: UInt8(ascii: "\n")).map { text.utf8.index(after: $0) }
    return end.map { String(text[$0...]) } ?? text
  }
}
