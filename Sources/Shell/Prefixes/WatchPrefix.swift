import Catalog
import CommandLanguage
import MarketAPI
import MarketOperations
import Platform
import Presentation
import ShellRuntime
import Text

/// The prefix `watch SECONDS`, which repeats a reading command and prints only the changes, until Ctrl-C or `until
/// EXPR`.
///
/// If the server becomes unreachable, it waits. The loss and the return are each reported once.
struct WatchPrefix {
  private let prepared: PreparedCommand
  private let interval: Duration
  private let until: Condition?

  init(_ prepared: PreparedCommand, every seconds: Int) {
    self.prepared = prepared
    interval = .seconds(seconds)
    until = prepared.invocation.until
  }

  func run(in scope: inout CommandScope) async throws -> CommandResult {
    var start = scope
    // Rows that a taller window shows aren't new.
    let pageSize = scope.session.settings.pageSize
    start.session.settings.pageSize = pageSize ?? scope.context.program.productsOnScreen
    var known: ReportSnapshot?
    var hasChanged = false
    var lastFailure: CommandError?
    while true {
      // Each round begins with the same session: `watch 5 next` reads the same page every time.
      var round = start
      do {
        let result = try await prepared.command.run(in: &round)
        if let error = result.error { throw error }
        if lastFailure != nil { round.say(.success("The server is responding again.", ko: "서버가 다시 응답합니다.")) }
        lastFailure = nil
        let rows = ReportSnapshot(result.report)
        let changes = known.map { rows.differences(from: $0) }
        try await show(result, changes, isFirst: !hasChanged, in: round)
        hasChanged = hasChanged || changes?.isEmpty == false
        known = rows
        scope = round
        scope.session.settings.pageSize = pageSize
        if try holds(result.report, in: scope) { return result }
      } catch {
        let failure = CommandError(describing: error)
        guard isTransient(failure, known) else { throw error }
        if lastFailure?.message != failure.message { report(failure, in: start) }
        lastFailure = failure
      }
      let context = scope.context
      try await context.program.spinner.hidden { try await context.clock.pause(interval) }
    }
  }

  /// Prints the complete report of the first round, and then only the changes.
  private func show(
    _ result: CommandResult, _ changes: [ReportDifference]?, isFirst: Bool, in scope: CommandScope
  ) async throws {
    guard let changes else { return try await prepared.deliver(result, in: scope) }
    for message in result.report.messages { scope.say(message) }
    if !changes.isEmpty { try WatchSink(prepared, scope).deliver(changes, withHead: isFirst) }
  }

  /// Returns whether to continue after an error: the server, or a product that existed, may return.
  private func isTransient(_ failure: CommandError, _ known: ReportSnapshot?) -> Bool {
    switch failure.exitStatus {
    case .unreachable: true
    case .refused: known != nil
    case .success, .usageError, .blocked, .outcomeUnknown, .assertionFailed, .partialFailure, .drift, .interrupted,
      .hungUp, .quit, .terminated:
      false
    }
  }

  private func report(_ failure: CommandError, in scope: CommandScope) {
    var message = failure.message
    message.tone = .warning
    scope.say(message.next("Still watching.", ko: "계속 반복합니다."))
  }

  /// Returns `true` if a product of this round satisfies the condition.
  ///
  /// - Throws: `ParseError` if a regular expression takes too long.
  private func holds(_ report: Report, in scope: CommandScope) throws -> Bool {
    guard let until = until?.resolved(at: scope.context.clock.seconds) else { return false }
    let me = scope.session.credentials.vendorID.map { Vendor(id: $0) }
    let first = try report.products.first { try until.holds(for: $0, me: me) }
    guard let product = first else { return false }
    scope.say(
      .note(
        "Product \(product.id) now matches \(.command(until.description)).",
        ko: "\(product.id)번 상품이 \(.command(until.description)) 조건을 만족합니다."))
    return true
  }
}

/// The output of changes at the destination of the line: text lines, or one JSON object or one row for each change.
struct WatchSink {
  private let prepared: PreparedCommand
  private let scope: CommandScope

  init(_ prepared: PreparedCommand, _ scope: CommandScope) {
    self.prepared = prepared
    self.scope = scope
  }

  /// Writes the changes.
  ///
  /// `withHead` means that CSV and TSV begin with the column names.
  func deliver(_ changes: [ReportDifference], withHead: Bool) throws {
    let format = prepared.invocation.clauses.format ?? scope.session.settings.format
    let options = scope.dataOptions
    let rows = Report.rows(ReportDifference.table(changes))
    let text =
      switch format {
      case .json, .jsonl: JSONLinesRenderer().render(rows, options)
      case .csv, .tsv: WatchSink.rows(format.renderer.render(rows, options), withHead: withHead)
      case .table, .markdown: TerminalRenderer().render(.text(LocalizedText(same: WatchSink.lines(changes))), options)
      }
    try scope.writeOutput(text)
  }

  private static func lines(_ changes: [ReportDifference]) -> StyledText {
    changes.enumerated().reduce("") { $0 + ($1.offset == 0 ? "" : "\n") + $1.element.line }
  }

  private static func rows(_ text: String, withHead: Bool) -> String {
    if withHead { return text }
    let end = text.utf8.firstIndex(of: UInt8(ascii: "\n")).map { text.utf8.index(after: $0) }
    return end.map { String(text[$0...]) } ?? text
  }
}
