import Catalog
import CommandLanguage
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// `resume`: resolves unknown outcomes by reading, and continues with writes that weren't started or sent.
package struct ResumeCommand: Command {
  package static let declaration = CommandDeclaration(
    "resume", group: .review, summary: LocalizedText("finish pending changes", ko: "대기 중인 변경 마저 처리"),
    usage: ["resume [N] [all]", "resume send N", "resume forget [N]"],
    details: LocalizedText(
      "Checks unknown outcomes by reading the products, and sends the changes that were not sent. A create that may have taken effect is never sent again without your decision.",
      ko: "결과 미확인인 변경은 상품을 읽어 확인하고, 보내지 않은 변경은 보냅니다. 적용되었을 수 있는 등록은 직접 결정하기 전에는 다시 보내지 않습니다."),
    writesToMarket: true,
    producesData: true,
    parameters: [
      Parameter(
        "send", .option, .number(1...Int.max),
        LocalizedText(
          "send create N again, after checking that the product does not exist", ko: "상품이 없는 것을 확인한 뒤 등록 N번 다시 보내기")),
      Parameter(
        "forget", .flag, .none, LocalizedText("discard pending changes that were not applied", ko: "적용되지 않은 변경 버리기")),
      Parameter(
        "N", .positional(required: false), .number(1...Int.max), LocalizedText("only log entry N", ko: "로그 N번만")),
      .showingAll,
    ],
    examples: [
      .init("resume", "after an interruption", ko: "중단된 다음에"),
      .init(
        "resume send 12", "send create 12 again, after checking that it does not exist", ko: "직접 찾아본 다음 등록 12번을 다시 보내기"),
      .init("resume forget", "discard what was not applied", ko: "적용되지 않은 변경 버리기"),
      .init("resume forget 12", "discard log entry 12", ko: "로그 12번 버리기"),
    ])

  private let consent: WriteOptions
  private let forgets: Bool
  private let sends: Int?
  private let only: Int?

  package init(_ invocation: ParsedCommand) {
    consent = WriteOptions(invocation)
    forgets = invocation.has("forget")
    sends = invocation.number("send")
    only = invocation.number("N")
  }

  /// - Throws: `CommandError` if writing isn't approved, for a number that isn't a pending create, and if an outcome stays
  ///   undecided; `JournalError`.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    // What was approved before it was interrupted goes on without another signature.
    try scope.requireWritable(checksApproval: true)
    try await WriteApproval.admitPlainHTTP(scope.session, scope.mode, in: scope.context)
    let market = try await scope.marketClient()
    let runner = scope.context.planRunner(for: market, scope.session)
    let binding = scope.session.binding(at: market.service.baseURL)
    if let sends {
      if try scope.context.journal().entry(sends)?.approver == nil { try scope.requireWritable() }
      return try await send(sends, at: market, in: &scope)
    }
    let settled = scope.mode == .dry ? [] : try await runner.recover()
    if scope.mode != .dry, !forgets, only == nil {
      try await UndecidedWritePrompt(scope.session, scope.context).ask(binding)
    }
    let journal = try scope.context.journal()
    if scope.mode != .dry, !forgets, only == nil { try sayUnshown(binding, journal, scope.session, scope.context) }
    let unfinished = try journal.resumableEntries(binding).filter { only == nil || $0.id == only }
    if forgets {
      let questions = try journal.undecidedEntries(binding).filter { $0.isQuestion || $0.hasInvalidChecksum }
      let report = try await forget(
        unfinished + questions.filter { only == nil || $0.id == only }, settled, scope.session, scope.mode,
        scope.context)
      return CommandResult(report)
    }
    let altered = unfinished.filter(\.hasInvalidChecksum)
    for entry in altered { scope.say(ResumeCommand.altered(entry.id)) }
    let rest = unfinished.filter { !$0.hasInvalidChecksum }
    if rest.contains(where: { $0.approver == nil }) { try scope.requireWritable() }
    let executor = PlanExecutor(market, consent)
    guard !rest.isEmpty, !scope.context.interruption.isRequested else {
      return try await report(settled, [], executor, binding, in: &scope)
    }
    if scope.context.asker != nil, !consent.yes, !scope.context.consent.yes, scope.mode == .write {
      try await reach(market, rest)
    }
    var done: [RecoveredWrite] = []
    return try await executor.execute(
      Plan(rest.compactMap(\.change)), in: &scope,
      send: { approved, runner in
        let chosen = rest.filter { $0.change == nil } + approved.remaining(of: rest.filter { $0.change != nil })
        done = try await runner.resume(Set(chosen.map(\.id)), pace: consent.pace)
        return done.map(\.outcome)
      },
      report: { _, _, scope in try await report(settled, done, executor, binding, in: &scope) })
  }

  /// Reports the writes that were resolved by reading and those that were sent.
  private func report(
    _ settled: [RecoveredWrite], _ done: [RecoveredWrite], _ executor: PlanExecutor, _ binding: WriteScope,
    in scope: inout CommandScope
  ) async throws -> CommandResult {
    // A write that was found not applied and then made is reported once, with its final outcome.
    let made = Set(done.map(\.entry))
    let all = (settled.filter { !made.contains($0.entry) } + done).sorted { $0.entry < $1.entry }
    try scope.context.journal().endRuns(ofResumed: all.map(\.entry), where: CommandRun.isWholeRun)
    guard !all.isEmpty else {
      if try scope.context.journal().undecidedEntries(binding).contains(where: \.isQuestion) {
        throw ResumeCommand.undecided
      }
      return .message(.note("No pending changes.", ko: "대기 중인 변경이 없습니다."))
    }
    return try await executor.report(Plan(all.map(\.change)), all.map(\.outcome), in: &scope)
  }

  /// Names the products that an interrupted command created without showing its outcome.
  private func sayUnshown(_ binding: WriteScope, _ journal: Journal, _ session: Session, _ context: CommandContext)
    throws
  {
    let entries = try journal.unshownCreates(binding)
    guard !entries.isEmpty else { return }
    let ids = entries.compactMap(\.product)
    let listed = ids.prefix(20).map(String.init).joined(separator: ", ") + (ids.count > 20 ? ", …" : "")
    context.say(
      ids.count == 1
        ? .note(
          "Product \(listed) was created by the command that was interrupted (log entry \(entries[0].id)).",
          ko: "중단된 명령이 \(listed)번 상품을 등록했습니다(로그 \(entries[0].id)번).")
        : .note(
          "\(ids.count) products were created by commands that were interrupted: \(listed).",
          ko: "중단된 명령이 상품 \(ids.count)개를 등록했습니다: \(listed)."), session)
    try journal.markShown(entries.map(\.id))
  }

  /// Reads once before a question, which would be idle where the server cannot be reached.
  private func reach(_ market: Client<MarketService>, _ entries: [JournalEntry]) async throws {
    do {
      if let id = entries.lazy.compactMap(\.product).first {
        _ = try await market.send(GetProductWithServerPrice(id))
      } else {
        _ = try await market.send(CheckHealth())
      }
    } catch is MarketError {
      // Whatever it says, it is there.
    }
  }

  /// Only a person says this, and only of a create that reading did not find.
  private func send(_ number: Int, at market: Client<MarketService>, in scope: inout CommandScope) async throws
    -> CommandResult
  {
    let binding = scope.session.binding(at: market.service.baseURL)
    let entry = try scope.context.journal().undecidedEntries(binding).first { $0.id == number }
    guard let entry, entry.isQuestion, !entry.hasInvalidChecksum, let change = entry.change, case .create = change
    else {
      throw CommandError(
        .refused,
        .failure(
          "Log entry \(number) is not a create that needs your decision.", ko: "로그 \(number)번은 결정이 필요한 등록이 아닙니다."
        )
        .next("Run \(.command("status")) to see pending changes.", ko: "대기 중인 변경은 \(.command("status"))에서 볼 수 있습니다."))
    }
    scope.say(
      .warning(
        "Log entry \(number) may still take effect. If you send it again, the product may exist twice.",
        ko: "로그 \(number)번은 뒤늦게 적용될 수 있습니다. 다시 보내면 상품이 중복될 수 있습니다."
      ).because(UndecidedWritePrompt.evidence(of: entry)))
    let executor = PlanExecutor(market, consent)
    var sent = Plan([])
    return try await executor.execute(
      Plan([change]), in: &scope,
      send: { _, runner in
        guard let made = try await runner.resend(number) else {
          throw CommandError(
            .refused,
            .failure(
              "Cannot send log entry \(number) again: it was resolved by another openmarket session, or its images are no longer available.",
              ko: "로그 \(number)번을 다시 보낼 수 없습니다. 다른 openmarket에서 처리했거나 사진이 없습니다."))
        }
        sent = Plan([made.change])
        return [made.outcome]
      },
      report: { _, outcomes, scope in try await executor.report(sent, outcomes, in: &scope) })
  }

  private static func altered(_ number: Int) -> Message {
    .warning(
      "Log entry \(number) was modified on disk and cannot be resumed.",
      ko: "로그 \(number)번이 저장된 뒤 파일에서 바뀌어 재개할 수 없습니다."
    ).next(
      "Run \(.command("resume forget \(number)")) to discard it.",
      ko: "버리려면 \(.command("resume forget \(number)"), .object) 실행하세요.")
  }

  private static let undecided = CommandError(
    .outcomeUnknown,
    .warning("Changes that need your decision are left pending.", ko: "직접 확인이 필요한 것은 그대로 남겨 둡니다.")
      .next(
        "Run \(.command("resume")) in a terminal to decide, or \(.command("resume forget")) to discard them.",
        ko: "터미널에서 \(.command("resume"), .object) 실행하면 하나씩 정할 수 있고, \(.command("resume forget"), .toward) 버릴 수 있습니다."))

  /// Reports the resolved writes and closes those that weren't made.
  private func forget(
    _ rest: [JournalEntry], _ settled: [RecoveredWrite], _ session: Session, _ mode: CommandScope.Mode,
    _ context: CommandContext
  ) async throws -> Report {
    guard !rest.isEmpty else {
      return .message(.note("No pending changes.", ko: "대기 중인 변경이 없습니다."))
    }
    let plan = Plan(rest.compactMap(\.change))
    context.say(
      rest.contains(where: \.isQuestion)
        ? .note(
          "To discard: \(rest.count), not applied or unknown.",
          ko: "버릴 변경: 미적용 또는 결과 미확인 \(rest.count)건.")
        : .note("To discard: \(rest.count), not applied.", ko: "버릴 변경: 적용되지 않은 \(rest.count)건."), session)
    if mode == .dry { return .empty }
    try await ConfirmationPrompt(session, context).ask(plan, consent: consent)
    // A write that another shell has resumed in the meantime can't be closed here.
    let given = try rest.filter { try context.journal().recordDecision($0.id, wasApplied: false) }.count
    return .group([
      BatchTable.report(Plan(settled.map(\.change)), settled.map(\.outcome), summary: nil),
      .message(
        given == 0
          ? .note("Nothing to discard.", ko: "버릴 변경이 없습니다.")
          : .success("Discarded \(given).", ko: "\(given)건을 버렸습니다.")),
    ])
  }
}
