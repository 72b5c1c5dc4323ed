import Catalog
import CommandLanguage
import FileFormats
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
      "Lists the scheduled plans of all profiles. due apply applies those whose time has come.",
      ko: "모든 프로필의 예약된 계획을 표시합니다. due apply는 시각이 된 계획을 적용합니다."), writesToMarket: true,
    producesData: true,
    parameters: [
      Parameter(
        "apply", .flag, .none, LocalizedText("apply the plans that are due", ko: "시각이 된 계획 적용")),
      .showingAll,
    ],
    examples: [
      .init("due", "time, content and file of each plan", ko: "언제, 무엇을, 어느 파일인지"),
      .init(
        "due apply yes", "applies due plans of all profiles without asking, for cron or a systemd timer",
        ko: "모든 프로필의 계획을 묻지 않고 적용(cron이나 systemd 타이머용)"),
    ])

  private let consent: WriteOptions
  private let isApplying: Bool

  package var writes: Bool { isApplying }

  package init(_ invocation: ParsedCommand) {
    consent = WriteOptions(invocation)
    isApplying = invocation.has("apply")
  }

  /// - Throws: `CommandError` if writing isn't approved; the errors of opening the market. A plan that can't be read is a
  ///   message.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    let store = ScheduledPlanStore(scope.context.home)
    let (plans, unreadable) = store.list(scope.session.settings.limits)
    for failure in unreadable { scope.say(failure.described) }
    let now = Timestamp(scope.context.now())
    var result: CommandResult
    if isApplying {
      try scope.requireWritable(checksApproval: true)
      var context = scope.context
      context.attribution = Attribution(.timer)
      result = try await scope.with(context) { scope in
        try await apply(plans.filter { $0.due <= now }, store, in: &scope)
      }
    } else {
      result = CommandResult(plans.isEmpty ? DueCommand.none : .rows(DueCommand.table(plans, now)))
    }
    if !unreadable.isEmpty { result.status = .partialFailure }
    return result
  }

  /// Applies each plan in the profile it was made in.
  ///
  /// A plan that can't be applied is reported and doesn't prevent the others. The exit status shows the failure.
  private func apply(
    _ plans: [ScheduledPlanStore.ScheduledPlan], _ store: ScheduledPlanStore, in scope: inout CommandScope
  ) async throws -> CommandResult {
    guard !plans.isEmpty else { return .message(.note("No plans are due.", ko: "적용할 시각이 된 계획이 없습니다.")) }
    var whole = CommandResult()
    var reports: [Report] = []
    for plan in plans {
      if plan.isStart, plans.contains(where: { !$0.isStart && $0.saleName == plan.saleName }) {
        scope.say(
          .note(
            "\(.value(plan.name)): the sale ended before it was started.",
            ko: "\(.value(plan.name)): 시작하기 전에 기간이 끝난 할인입니다."))
        if scope.mode == .write { store.archive(plan.path) }
        continue
      }
      scope.say(
        .note(
          "\(.value(plan.name)), due since \(LocalTime(plan.due).description)",
          ko: "\(.value(plan.name)), \(LocalTime(plan.due).description)부터 적용할 계획"))
      do {
        let made = try await apply(plan, in: &scope)
        if made.isSettled { store.archive(plan.path) }
        if let error = made.result.error { throw error }
        reports.append(made.result.report)
        whole.merge(made.result)
      } catch {
        if isForAll(error, scope.context) { throw error }
        _ = scope.context.tell(error, scope.session)
        whole.status = .partialFailure
      }
    }
    whole.report = .group(reports)
    return whole
  }

  /// Applies a plan in this session, or in a temporary session of its profile.
  private func apply(_ plan: ScheduledPlanStore.ScheduledPlan, in scope: inout CommandScope) async throws -> (
    result: CommandResult, isSettled: Bool
  ) {
    let application = PlanFileExecution(plan.contents, from: plan.source, named: plan.path, consent)
    let place = plan.contents.destination
    if place.profile == scope.session.server.name {
      let market = try await scope.marketClient()
      return try await application.run(at: market, in: &scope)
    }
    var other = try scope.context.opening.session(
      profile: Sourced(place.profile, .profile), settings: scope.session.settings)
    if scope.session.server.access == Sourced(.readOnly, .option) { other.server.access = scope.session.server.access }
    scope.context.remember(other.secrets)
    scope.context.recording.exchanges?.configure(other)
    defer { scope.context.recording.exchanges?.configure(scope.session) }
    var inner = CommandScope(other, scope.context, scope.mode, line: scope.line)
    try inner.requireWritable(checksApproval: true)
    let market = try await inner.marketClient()
    return try await application.run(at: market, in: &inner)
  }

  /// Returns whether an error ends the command: an interruption, a refusal by the user, or a missing `yes`.
  private func isForAll(_ error: any Error, _ context: CommandContext) -> Bool {
    if error is CancellationError || context.interruption.isRequested { return true }
    let mayAsk = !consent.yes && !context.consent.yes
    return mayAsk && (error as? CommandError)?.exitStatus == .blocked
  }

  static let none = Report.message(
    .note("No scheduled plans.", ko: "예약된 계획이 없습니다.")
      .next(
        "Run \(.command("sale mine 10% from 12-01 to 12-07")) to schedule a sale.",
        ko: "할인을 예약하려면 \(.command("sale mine 10% from 12-01 to 12-07"), .object) 실행하세요."))

  private static func table(_ plans: [ScheduledPlanStore.ScheduledPlan], _ now: Timestamp) -> Table {
    Table(
      [
        .init("state", LocalizedText("state", ko: "상태")), .init("due", LocalizedText("due", ko: "시각")),
        .init("profile", LocalizedText("profile", ko: "프로필")), .init("what", LocalizedText("action", ko: "내용")),
        .init("products", LocalizedText("products", ko: "상품"), isNumber: true),
        .init("file", LocalizedText("file", ko: "파일")),
      ],
      rows: plans.map { plan in
        [
          .localized(plan.due <= now ? LocalizedText("due", ko: "적용할 시각") : LocalizedText("scheduled", ko: "예약됨")),
          .timestamp(plan.due), .text(plan.contents.destination.profile), plan.contents.note.map { what($0) } ?? .none,
          .number(plan.contents.plan.changes.count), .text(plan.path),
        ]
      })
  }

  /// Returns the note of a plan.
  ///
  /// The note of a sale is translated.
  private static func what(_ note: String) -> Table.Cell {
    guard let match = note.wholeMatch(of: /sale ([0-9.]+%) (begins|ends)/) else { return .text(note) }
    let (share, begins) = (String(match.1), match.2 == "begins")
    return .localized(
      LocalizedText("\(.foreign(note))", ko: "\(.foreign(share)) 할인 \(begins ? StyledText("시작") : "끝")"))
  }
}
