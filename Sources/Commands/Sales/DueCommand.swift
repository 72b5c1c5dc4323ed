import Catalog
import CommandLanguage
import FoundationEssentials
import MarketOperations
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// `due`: lists the scheduled plans.
///
/// `due apply` applies those that are due, after each product was read again.
package struct DueCommand: Command {
  package static let declaration = CommandDeclaration(
    "due", group: .schedule, summary: LocalizedText("list scheduled plans", ko: "예약된 계획 보기"),
    usage: ["due", "due apply [all]"],
    details: LocalizedText(
      "Lists the starts and ends of sales in all profiles. due apply applies those whose time has come. What it could not do, it reports and tries again each time, with exit code 7, until sale dismiss.",
      ko:
        "모든 프로필의 할인 시작과 끝을 표시합니다. due apply는 시각이 된 것을 적용합니다. 하지 못한 것은 sale dismiss를 하기 전까지 매번 알리고 다시 시도하며, 종료 코드는 7입니다."
    ), writesToMarket: true,
    producesData: true,
    parameters: [
      Parameter(
        "apply", .flag, kind: .none, summary: LocalizedText("apply the plans that are due", ko: "시각이 된 계획 적용")),
      .showingAll,
    ],
    examples: [
      .init("due", "time, content and file of each plan", ko: "언제, 무엇을, 어느 파일인지"),
      .init(
        "due apply yes", "applies due plans of all profiles without asking (see timer)",
        ko: "모든 프로필의 계획을 묻지 않고 적용(timer 참고)"),
    ])

  private let consent: WriteOptions
  private let isApplying: Bool
  private let hasFailureLimit: Bool

  package var writes: Bool { isApplying }

  package init(_ invocation: ParsedCommand) {
    consent = WriteOptions(invocation)
    isApplying = invocation.has("apply")
    hasFailureLimit = invocation.number("stop-after") != nil
  }

  /// A start or an end whose time is known.
  private struct Event {
    var sale: ScheduledSale
    var plan: ScheduledPlanStore.ScheduledPlan
    var phase: SaleExecution.Phase
    var time: Timestamp

    /// The note of its writes in the log.
    var note: String? {
      guard let rule = plan.contents.sale else { return plan.contents.note }
      return "sale \(rule.percent)% \(phase == .start ? "begins" : "ends")"
    }
  }

  /// - Throws: `CommandError` if writing isn't approved; the errors of opening the market. A plan that can't be read is a
  ///   message.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    let store = ScheduledPlanStore(scope.context.stores.home)
    let now = scope.context.clock.timestamp
    var result: CommandResult
    let unreadable: [CommandError]
    if isApplying {
      try scope.requireWritable(checksApproval: true)
      var context = scope.context
      context.program.attribution = Attribution(.timer)
      (result, unreadable) = try await scope.with(context) { scope in try await apply(store, now, in: &scope) }
    } else {
      let (sales, errors) = store.sales(scope.session.limits)
      let events = DueCommand.events(of: sales)
      if let note = store.handedOverNote(scope) { scope.say(note) }
      let table = Report.rows(DueCommand.table(events, now))
      result = CommandResult(events.isEmpty ? .group([.message(DueCommand.nothingScheduled), table]) : table)
      unreadable = errors
      for failure in unreadable { scope.say(failure.described) }
    }
    if !unreadable.isEmpty, result.error == nil { result.status = .partialFailure }
    return result
  }

  /// Returns the starts and ends of sales that aren't applied yet, the earliest first, and ends before starts.
  private static func events(of sales: [ScheduledSale]) -> [Event] {
    let events = sales.flatMap { sale -> [Event] in
      switch sale.form {
      case .rule(let plan, let rule, _):
        let end = Event(sale: sale, plan: plan, phase: .end, time: sale.ends ?? rule.end)
        return (sale.unstarted.isEmpty ? [] : [Event(sale: sale, plan: plan, phase: .start, time: plan.due)]) + [end]
      case .plans(let start, let end):
        return (start.map { [Event(sale: sale, plan: $0, phase: .start, time: $0.due)] } ?? [])
          + (end.map { [Event(sale: sale, plan: $0, phase: .end, time: $0.due)] } ?? [])
      }
    }
    func order(_ event: Event) -> (Timestamp, Int, String) {
      (event.time, event.phase == .end ? 0 : 1, event.plan.name)
    }
    return events.sorted { order($0) < order($1) }
  }

  /// Returns the events that are due, without the start of a sale whose end is due too.
  private static func dueEvents(_ sales: [ScheduledSale], _ now: Timestamp) -> [Event] {
    events(of: sales).filter { event in
      guard event.time <= now else { return false }
      return event.phase == .end || event.sale.state(now) != .over
    }
  }

  /// Returns whether a start or an end is due, or a plan can't be read, which `due apply` reports.
  static func isDue(in scope: CommandScope) -> Bool {
    let (sales, unreadable) = ScheduledPlanStore(scope.context.stores.home).sales(scope.session.limits)
    return !unreadable.isEmpty || !dueEvents(sales, scope.context.clock.timestamp).isEmpty
  }

  /// Applies each due start and end in the profile in which its sale was planned.
  ///
  /// One that can't be applied is reported and doesn't prevent the others. The exit status shows the failure.
  ///
  /// - Returns: The result, with the error that ended the command if there is a report of earlier ones.
  /// - Throws: An error that ends the command before anything is reported; the errors of the files.
  private func apply(
    _ store: ScheduledPlanStore, _ now: Timestamp, in scope: inout CommandScope
  ) async throws -> (CommandResult, unreadable: [CommandError]) {
    let limits = scope.session.limits
    if scope.mode == .write {
      try await store.storeNumbers(limits, scope.context.program.interruption, scope.context.clock)
    }
    var lock: FolderLock?
    if scope.mode == .write, !store.list(limits).plans.isEmpty {
      lock = try await store.lock(scope.context.program.interruption, scope.context.clock)
    }
    defer { withExtendedLifetime(lock) {} }
    let (sales, unreadable) = store.sales(limits)
    for failure in unreadable { scope.say(failure.described) }
    let due = DueCommand.dueEvents(sales, now)
    guard !due.isEmpty else {
      return (.message(.note("No plans are due.", ko: "적용할 시각이 된 계획이 없습니다.")), unreadable)
    }
    var whole = CommandResult()
    var reports: [Report] = []
    var left: [Message] = []
    for event in due {
      scope.say(
        .note(
          "\(.value(event.plan.name)), due since \(LocalTime(event.time).description)",
          ko: "\(.value(event.plan.name)), \(LocalTime(event.time).description)부터 적용할 계획"))
      do {
        // What was applied before may have ended another sale of the same product.
        let current = store.sales(limits).sales
        let sale = current.first { $0.plans.contains { $0.path == event.plan.path } } ?? event.sale
        let made = try await apply(event, sale: sale, among: current, store: store, in: &scope)
        if let message = made.left { left.append(message) }
        reports.append(made.result.report)
        whole.merge(made.result)
        if let error = made.result.error { throw error }
      } catch {
        if endsCommand(error, scope.context.program) {
          guard !reports.isEmpty else { throw error }
          (whole.error, whole.status) = (error, CommandError.exitStatus(of: error))
          break
        }
        _ = scope.report(error)
        whole.status = .partialFailure
      }
    }
    for message in left { scope.say(message) }
    whole.report = .group(reports)
    return (whole, unreadable)
  }

  /// Applies the start or the end of a sale.
  ///
  /// - Returns: The result, and the message about what is left.
  private func apply(
    _ event: Event, sale: ScheduledSale, among sales: [ScheduledSale], store: ScheduledPlanStore,
    in scope: inout CommandScope
  ) async throws -> (result: CommandResult, left: Message?) {
    let consent = consent(for: sale)
    switch sale.form {
    case .rule(let plan, let rule, _):
      let execution = SaleExecution(
        sale, plan: plan, rule: rule, phase: event.phase, among: sales, in: store, consent: consent)
      let made = try await scope.atMarket(of: plan.contents.destination) { market, scope in
        try await execution.run(at: market, in: &scope)
      }
      return (made.result, made.left?.message(sale.number))
    case .plans(let start, _):
      if event.phase == .end, let start, scope.mode == .write {
        scope.say(
          .note(
            "\(.value(start.name)): the sale ended before it was started.",
            ko: "\(.value(start.name)): 시작하기 전에 기간이 끝난 할인입니다."))
        store.archive(start.path)
      }
      let execution = PlanFileExecution(event.plan.contents, from: event.plan.source, named: event.plan.path, consent)
      let made = try await scope.atMarket(of: event.plan.contents.destination) { market, scope in
        try await execution.run(at: market, in: &scope)
      }
      if made.isSettled, made.result.isSuccess, made.result.error == nil {
        store.archive(event.plan.path)
        return (made.result, nil)
      }
      guard scope.mode == .write else { return (made.result, nil) }
      let name = event.plan.name
      return (
        made.result,
        Message.warning(
          "\(.value(name)) could not be applied completely.", ko: "\(.value(name)) 계획을 모두 적용하지 못했습니다."
        ).next(SaleLeftover.hint(sale.number))
      )
    }
  }

  /// Returns the options of the line, which by default don't stop before every product was tried.
  private func consent(for sale: ScheduledSale) -> WriteOptions {
    var consent = consent
    if !hasFailureLimit { consent.pace.failureLimit = max(sale.products.count, 1) }
    return consent
  }

  /// Returns whether an error ends the command: an interruption, a refusal by the user, or a missing `yes`.
  private func endsCommand(_ error: any Error, _ program: RunningProgram) -> Bool {
    if error is CancellationError || program.interruption.isRequested { return true }
    guard !consent.yes, !program.assumesYes, let error = error as? CommandError else { return false }
    return [.canceled, .notConfirmed].contains(error.code)
  }

  static let nothingScheduled = Message.note("No scheduled plans.", ko: "예약된 계획이 없습니다.")
    .next(
      "Run \(.command("sale mine 10% from 12-01 to 12-07")) to schedule a sale.",
      ko: "할인을 예약하려면 \(.command("sale mine 10% from 12-01 to 12-07"), .object) 실행하세요.")

  /// Returns the table of events.
  ///
  /// On a terminal a sale is named by its number, and the column of files, whose paths are long, is left out.
  private static func table(_ events: [Event], _ now: Timestamp) -> Table {
    let columns: [Table.Column] = [
      .init("state", LocalizedText("state", ko: "상태")), .init("due", LocalizedText("due", ko: "시각")),
      .init("profile", LocalizedText("profile", ko: "프로필"), dropOrder: 1),
      .init("what", LocalizedText("action", ko: "내용"), minimumWidth: 24),
      .init("products", LocalizedText("products", ko: "상품"), isNumber: true),
    ]
    func cells(_ event: Event, naming number: Int?) -> [Table.Cell] {
      let count = event.phase == .start ? event.sale.unstarted.count : event.sale.openProducts.count
      return [
        .localized(event.time <= now ? LocalizedText("due", ko: "적용할 시각") : LocalizedText("scheduled", ko: "예약됨")),
        .timestamp(event.time), .text(event.plan.contents.destination.profile),
        event.note.map { what($0, number) } ?? .none, .number(count),
      ]
    }
    var table = Table(
      columns + [.init("file", LocalizedText("file", ko: "파일"))],
      rows: events.map { cells($0, naming: nil) + [.text($0.plan.path)] })
    table.onTerminal = Table(columns, rows: events.map { cells($0, naming: $0.sale.number) })
    return table
  }

  /// Returns the note of a plan.
  ///
  /// The note of a sale is translated, with its number if there is one.
  private static func what(_ note: String, _ number: Int?) -> Table.Cell {
    guard let match = note.wholeMatch(of: /sale ([0-9.]+%) (begins|ends)/) else { return .text(note) }
    let (share, begins) = (String(match.1), match.2 == "begins")
    guard let number else {
      return .localized(
        LocalizedText("\(.foreign(note))", ko: "\(.foreign(share)) 할인 \(begins ? StyledText("시작") : "끝")"))
    }
    return .localized(
      LocalizedText(
        "sale \(number) \(begins ? StyledText("begins") : "ends"), \(.foreign(share))",
        ko: "\(number)번 할인 \(begins ? StyledText("시작") : "끝"), \(.foreign(share))"))
  }
}
