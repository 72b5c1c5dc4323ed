import Catalog
import CommandLanguage
import MarketAPI
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

  func take(_ session: inout Session, _ execution: inout Execution) async throws {
    let start = session
    var known: ReportSnapshot?
    var hasChanged = false
    var trouble: CommandError?
    while true {
      // Each round begins with the same session: `watch 5 next` reads the same page every time.
      var round = start
      do {
        let report = try await prepared.command.run(&round, &execution, in: prepared.context)
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
      try await prepared.context.spinner.hidden { try await prepared.context.pause(interval) }
    }
  }

  /// Prints the complete report of the first round, and then only the changes.
  private func show(_ report: Report, _ changes: [RowChange]?, isFirst: Bool, _ session: Session) async throws {
    guard let changes else { return try await prepared.deliver(report, session) }
    for message in report.messages { prepared.context.say(message, session) }
    if !changes.isEmpty { try WatchSink(prepared, session).deliver(changes, withHead: isFirst) }
  }

  /// Returns whether to continue after an error: the server, or a product that existed, may return.
  private func isTransient(_ failure: CommandError, _ known: ReportSnapshot?) -> Bool {
    switch failure.exitStatus {
    case .unreachable: true
    case .refused: known != nil
    case .success, .usageError, .blocked, .outcomeUnknown, .assertionFailed, .partialFailure, .interrupted, .hungUp,
      .quit,
      .terminated:
      false
    }
  }

  private func tell(_ failure: CommandError, _ session: Session) {
    var message = failure.message
    message.tone = .warning
    say(message.next("Still watching.", ko: "계속 반복합니다."), session)
  }

  private func say(_ message: Message, _ session: Session) { prepared.context.say(message, session) }

  /// Returns `true` if a product of this round satisfies the condition.
  private func holds(_ report: Report, _ session: Session) -> Bool {
    guard let until = until?.resolved(at: prepared.context.seconds) else { return false }
    let me = session.credentials.vendorID.map { Vendor(id: $0) }
    guard let product = report.products.first(where: { until.holds(for: $0, me: me) }) else { return false }
    say(
      .note(
        "Product \(product.id) now matches \(.command(until.description)).",
        ko: "\(product.id)번 상품이 \(.command(until.description)) 조건을 만족합니다."), session)
    return true
  }
}
