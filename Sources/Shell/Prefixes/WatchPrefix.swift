import Catalog
import Engine
import Failures
import Language
import Marketplace
import Platform
import Presentation
import Text

/// `watch SECONDS` in front of a command that reads: its data once, then only what changes, until Ctrl-C or `until EXPR`.
///
/// A server that goes away is waited for; that it went and that it came back is said once each.
struct WatchPrefix {
  private let turn: CommandExecution
  private let interval: Duration
  private let until: Expression?

  init(_ turn: CommandExecution, every seconds: Int) {
    self.turn = turn
    interval = .seconds(seconds)
    until = turn.invocation.until
  }

  func take(_ session: inout Session, _ execution: inout Execution) async throws {
    let start = session
    var known: RowSet?
    var hasChanged = false
    var trouble: Failure?
    while true {
      // Each round begins where the first did: `watch 5 next` looks at one page and does not run away.
      var round = start
      do {
        let report = try await turn.command.run(&round, &execution, in: turn.context)
        if trouble != nil { say(.success("It answers again.", ko: "다시 응답이 옵니다."), round) }
        trouble = nil
        let rows = RowSet(report)
        let changes = known.map { rows.changes(since: $0) }
        try await show(report, changes, isFirst: !hasChanged, round)
        hasChanged = hasChanged || changes?.isEmpty == false
        known = rows
        session = round
        if holds(report, session) { return }
      } catch {
        let failure = Failure(describing: error)
        guard outlasts(failure, known) else { throw error }
        if trouble?.message != failure.message { tell(failure, start) }
        trouble = failure
      }
      try await turn.context.pause(interval)
    }
  }

  /// The first look is shown whole; after it only what is different.
  private func show(_ report: Report, _ changes: [RowChange]?, isFirst: Bool, _ session: Session) async throws {
    guard let changes else { return try await turn.deliver(report, session) }
    for message in report.messages { turn.context.say(message, session) }
    if !changes.isEmpty { try WatchSink(turn, session).deliver(changes, withHead: isFirst) }
  }

  /// The server may come back, and so may a product that was there.
  private func outlasts(_ failure: Failure, _ known: RowSet?) -> Bool {
    switch failure.code {
    case .unreachable: true
    case .refused: known != nil
    case .success, .misread, .heldBack, .unknown, .assertionFailed, .incomplete, .interrupted, .hungUp, .quit,
      .terminated:
      false
    }
  }

  private func tell(_ failure: Failure, _ session: Session) {
    var message = failure.message
    message.tone = .warning
    say(message.next("Still watching.", ko: "계속 반복합니다."), session)
  }

  private func say(_ message: Message, _ session: Session) { turn.context.say(message, session) }

  /// True when a product of this round fulfils the condition.
  private func holds(_ report: Report, _ session: Session) -> Bool {
    guard let until = until?.resolved(at: turn.context.seconds) else { return false }
    let me = session.credentials.vendorID.map { Vendor(id: $0) }
    guard let product = report.products.first(where: { until.holds(for: $0, me: me) }) else { return false }
    say(
      .note(
        "\(.command(until.description)) holds for product \(product.id).",
        ko: "\(product.id)번 상품이 \(.command(until.description)) 조건에 맞았습니다."), session)
    return true
  }
}

/// Changes of watched rows where the line wants them: lines for people, one JSON object or one row each for programs.
struct WatchSink {
  private let turn: CommandExecution
  private let session: Session

  init(_ turn: CommandExecution, _ session: Session) {
    self.turn = turn
    self.session = session
  }

  /// - Parameter withHead: rows without nesting begin with the names of their columns.
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
    try turn.context.console.data(text)
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
