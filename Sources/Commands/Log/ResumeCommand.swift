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
    traits: [.daily],
    parameters: [
      Parameter(
        "send", .option, kind: .number(1...Int.max),
        summary: LocalizedText(
          "send create N again, after checking that the product does not exist", ko: "상품이 없는 것을 확인한 뒤 등록 N번 다시 보내기")),
      Parameter(
        "forget", .flag, kind: .none,
        summary: LocalizedText("discard pending changes that were not applied", ko: "적용되지 않은 변경 버리기")),
      Parameter(
        "N", .positional(required: false), kind: .number(1...Int.max),
        summary: LocalizedText("only log entry N", ko: "로그 N번만")),
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
    try await WriteApproval.admitPlainHTTP(in: scope)
    let market = try await scope.marketClient()
    let runner = scope.planRunner(for: market)
    let binding = scope.session.binding(at: market.service.baseURL)
    if let sends {
      if try scope.context.journal().entry(sends)?.approver == nil { try scope.requireWritable() }
      return try await send(sends, at: market, in: &scope)
    }
    let settled = scope.mode == .dry ? [] : try await runner.recover()
    var decisions = UndecidedWritePrompt.Decisions()
    if scope.mode != .dry, !forgets {
      decisions = try await UndecidedWritePrompt(scope).ask(binding, only: only)
      for entry in decisions.closed { scope.say(ResumeCommand.closed(entry)) }
    }
    let journal = try scope.context.journal()
    if scope.mode != .dry, !forgets, only == nil { try sayUnshown(binding, journal: journal, in: scope) }
    let unfinished = try journal.resumableEntries(binding).filter { only == nil || $0.id == only }
    if forgets {
      let questions = try journal.undecidedEntries(binding).filter { $0.isQuestion || $0.hasInvalidChecksum }
      let report = try await forget(
        unfinished + questions.filter { only == nil || $0.id == only }, settled, in: scope)
      return CommandResult(report)
    }
    let altered = unfinished.filter(\.hasInvalidChecksum)
    for entry in altered { scope.say(ResumeCommand.altered(entry)) }
    let rest = unfinished.filter { !$0.hasInvalidChecksum }
    let resent = decisions.resent
    if (rest + resent).contains(where: { $0.approver == nil }) { try scope.requireWritable() }
    let executor = PlanExecutor(market, consent)
    guard !(rest + resent).isEmpty, !scope.context.interruption.isRequested else {
      return try await report(settled, decisions: decisions, done: [], executor: executor, binding: binding, in: &scope)
    }
    var notes = resent.isEmpty ? [] : [ResumeCommand.mayArrive(resent)]
    if scope.context.asker != nil, !consent.yes, !scope.context.assumesYes, scope.mode == .write {
      notes += try await outdated(market, rest + resent)
    }
    var done: [RecoveredWrite] = []
    return try await executor.execute(
      Plan((rest + resent).compactMap(\.change)), notes: notes, in: &scope,
      send: { [scope] approved, runner in
        let chosen = approved.remaining(of: rest.filter { $0.change != nil } + resent)
        let again = Set(resent.map(\.id))
        let unsent = rest.filter { $0.change == nil } + chosen.filter { !again.contains($0.id) }
        if !unsent.isEmpty { done = try await runner.resume(Set(unsent.map(\.id)), pace: consent.pace) }
        for entry in chosen where again.contains(entry.id) && !scope.context.interruption.isRequested {
          guard let made = try await runner.resend(entry.id) else {
            scope.say(ResumeCommand.notResent(entry))
            continue
          }
          done.append(made)
        }
        return done.map(\.outcome)
      },
      report: { _, _, scope in
        try await report(settled, decisions: decisions, done: done, executor: executor, binding: binding, in: &scope)
      })
  }

  /// Reports the writes that were resolved by reading or by the user, those that were sent, and those that still need a
  /// decision.
  private func report(
    _ settled: [RecoveredWrite], decisions: UndecidedWritePrompt.Decisions, done: [RecoveredWrite],
    executor: PlanExecutor, binding: WriteScope, in scope: inout CommandScope
  ) async throws -> CommandResult {
    // A write that was found not applied and then made is reported once, with its final outcome.
    var all: [Int: RecoveredWrite] = [:]
    for one in settled { all[one.entry] = one }
    for entry in decisions.closed { all[entry.id] = nil }
    for entry in decisions.applied {
      guard let change = entry.change else { continue }
      all[entry.id] = RecoveredWrite(
        entry: entry.id, change: change, outcome: .done(change.product, differences: []))
    }
    for one in done { all[one.entry] = one }
    let resumed = Set(all.keys).union(decisions.closed.map(\.id)).sorted()
    try scope.context.journal().endRuns(ofResumed: resumed, where: CommandRun.isWholeRun)
    let questions = try scope.context.journal().undecidedEntries(binding).filter(\.isQuestion)
    guard !all.isEmpty else {
      if !questions.isEmpty { throw ResumeCommand.undecided }
      guard decisions.closed.isEmpty, decisions.applied.isEmpty else {
        return .message(.note("No more pending changes.", ko: "대기 중인 변경이 더 없습니다."))
      }
      return .message(try StatusCommand.sayOtherPending(than: binding, in: scope))
    }
    let isOpen = only == nil && !questions.isEmpty
    if isOpen {
      for entry in questions where all[entry.id] == nil {
        guard let change = entry.change else { continue }
        all[entry.id] = RecoveredWrite(
          entry: entry.id, change: change, outcome: .needsDecision(entry.detail ?? "no response"))
      }
    }
    let rows = all.values.sorted { $0.entry < $1.entry }
    var result = try await executor.report(Plan(rows.map(\.change)), rows.map(\.outcome), in: &scope)
    if isOpen { result.status = .outcomeUnknown }
    return result
  }

  /// Names the products that an interrupted command created without showing its outcome.
  private func sayUnshown(_ binding: WriteScope, journal: Journal, in scope: CommandScope)
    throws
  {
    let entries = try journal.unshownCreates(binding)
    guard !entries.isEmpty else { return }
    let products = entries.compactMap { entry in entry.product.map { ($0, entry.change?.name ?? "") } }
    let most = products.count > 1 ? 5 : 1
    let listed = products.prefix(most).map { "\($0) \($1)".trimmed }.joined(separator: ", ")
    let list = listed + (products.count > most ? ", …" : "")
    let message: Message =
      products.count == 1
      ? .note(
        "The command that was interrupted had created a product: \(.foreign(list)) (log entry \(entries[0].id)).",
        ko: "중단된 명령이 상품을 등록했습니다: \(.foreign(list))(로그 \(entries[0].id)번).")
      : .note(
        "The commands that were interrupted had created \(products.count) products: \(.foreign(list))",
        ko: "중단된 명령이 상품 \(products.count)개를 등록했습니다: \(.foreign(list))")
    scope.say(
      message.because("Nothing is left to do for these.", ko: "더 할 일은 없습니다.")
        .next("Run \(.command("log")) to list them.", ko: "\(.command("log"))에서 볼 수 있습니다."))
    try journal.markShown(entries.map(\.id))
  }

  /// The maximum number of products that are read before the question.
  private static let maximumReads = 20

  /// Reads before a question, which would be idle where the server cannot be reached.
  ///
  /// - Returns: A warning with the values that have changed since the changes were planned, which are not overwritten.
  private func outdated(_ market: Client<MarketService>, _ entries: [JournalEntry]) async throws -> [Message] {
    let edits = entries.filter { $0.product != nil }.prefix(ResumeCommand.maximumReads)
    if edits.isEmpty {
      do {
        _ = try await market.send(CheckHealth())
      } catch is MarketError {
        // Whatever it says, it is there.
      }
    }
    var changed: [LocalizedText] = []
    for entry in edits {
      guard let id = entry.product else { continue }
      do {
        let product = try await market.send(GetProduct(id))
        guard case .edit(let planned, let from, let to)? = entry.change else { continue }
        let now = ProductValues(of: product)
        for field in to.assignedFields where field != .thumbnail {
          guard let value = now[field], let before = from[field], value != before, value != to[field] else { continue }
          let (name, title) = (planned.name ?? "", field.title)
          let values = (now: value.description, before: before.description)
          changed.append(
            LocalizedText(
              "product \(id) \(.foreign(name)): \(title.english) is now \(.foreign(values.now)), was \(.foreign(values.before))",
              ko:
                "\(id)번 상품 \(.foreign(name)): \(title.korean) 현재 \(.foreign(values.now)), 이전 \(.foreign(values.before))"
            ))
        }
      } catch is MarketError {
        // Whatever it says, it is there.
      }
    }
    guard !changed.isEmpty else { return [] }
    let message = Message.warning(
      "Values have changed since these changes were planned. They will not be overwritten.",
      ko: "변경을 계획한 뒤에 바뀐 값이 있습니다. 그 값은 덮어쓰지 않습니다.")
    return [changed.reduce(message) { $0.because($1) }]
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
    scope.say(ResumeCommand.mayArrive([entry]).because(UndecidedWritePrompt.evidence(of: entry)))
    let executor = PlanExecutor(market, consent)
    var sent = Plan([])
    return try await executor.execute(
      Plan([change]), in: &scope,
      send: { _, runner in
        guard let made = try await runner.resend(number) else {
          throw CommandError(.refused, ResumeCommand.notResent(entry))
        }
        sent = Plan([made.change])
        return [made.outcome]
      },
      report: { _, outcomes, scope in try await executor.report(sent, outcomes, in: &scope) })
  }

  private static func mayArrive(_ entries: [JournalEntry]) -> Message {
    guard entries.count == 1, let entry = entries.first else {
      return .warning(
        "\(entries.count) creates are sent again. If they still take effect, the products may exist twice.",
        ko: "등록 \(entries.count)건을 다시 보냅니다. 처음 요청이 뒤늦게 적용되면 상품이 중복될 수 있습니다.")
    }
    let subject = entry.subject
    return .warning(
      "Log entry \(entry.id) (\(subject.english)) may still take effect. If you send it again, the product may exist twice.",
      ko: "로그 \(entry.id)번(\(subject.korean))은 뒤늦게 적용될 수 있습니다. 다시 보내면 상품이 중복될 수 있습니다.")
  }

  private static func notResent(_ entry: JournalEntry) -> Message {
    let subject = entry.subject
    return .failure(
      "Cannot send log entry \(entry.id) again: \(subject.english).",
      ko: "로그 \(entry.id)번을 다시 보낼 수 없습니다: \(subject.korean)."
    ).because(
      "It was resolved by another openmarket session, or its images are no longer available.",
      ko: "다른 openmarket에서 처리했거나 사진이 없습니다.")
  }

  /// Returns the message about a write that the user said did not take effect, and that can't be sent again.
  private static func closed(_ entry: JournalEntry) -> Message {
    let subject = entry.subject
    return .note(
      "Not applied and not sent again: \(subject.english) (log entry \(entry.id)).",
      ko: "적용되지 않았고 다시 보내지 않습니다: \(subject.korean)(로그 \(entry.id)번)."
    ).next("Run the command again if you still want it.", ko: "필요하면 명령을 다시 실행하세요.")
  }

  private static func altered(_ entry: JournalEntry) -> Message {
    let (number, subject) = (entry.id, entry.subject)
    return .warning(
      "Log entry \(number) (\(subject.english)) was modified on disk and cannot be resumed.",
      ko: "로그 \(number)번(\(subject.korean))은 저장된 뒤 파일에서 바뀌어 재개할 수 없습니다."
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
    _ rest: [JournalEntry], _ settled: [RecoveredWrite], in scope: CommandScope
  ) async throws -> Report {
    guard !rest.isEmpty else {
      return .message(.note("No pending changes.", ko: "대기 중인 변경이 없습니다."))
    }
    let message: Message =
      rest.contains(where: \.isQuestion)
      ? .note(
        "To discard: \(rest.count), not applied or unknown.",
        ko: "버릴 변경: 미적용 또는 결과 미확인 \(rest.count)건.")
      : .note("To discard: \(rest.count), not applied.", ko: "버릴 변경: 적용되지 않은 \(rest.count)건.")
    let options = scope.messageOptions
    scope.say(
      message.because(first: consent.showsAll ? rest.count : 20, of: rest, counter: "건") { entry in
        let (number, subject) = (entry.id, entry.subject(options))
        return LocalizedText("log entry \(number): \(subject.english)", ko: "로그 \(number)번: \(subject.korean)")
      })
    if scope.mode == .dry { return .empty }
    if !consent.yes, !scope.context.assumesYes {
      let count = rest.count
      try await scope.confirm(
        LocalizedText(
          "Discard \(count) \(count == 1 ? StyledText("change") : "changes")? [y/N] ",
          ko: "변경 \(count)건을 버릴까요? [y/N] "),
        unattended: .failure("Not confirmed. Nothing was discarded.", ko: "확인이 필요합니다. 아무것도 버리지 않았습니다.")
          .next("Add \(.command("yes")) to the command.", ko: "명령 끝에 \(.command("yes"), .object) 붙이세요."),
        declined: .note("Canceled. Nothing was discarded.", ko: "취소했습니다. 아무것도 버리지 않았습니다."))
    }
    // A write that another shell has resumed in the meantime can't be closed here.
    let given = try rest.filter { try scope.context.journal().recordDecision($0.id, wasApplied: false) }.count
    return .group([
      BatchTable.report(Plan(settled.map(\.change)), settled.map(\.outcome), summary: nil),
      .message(
        given == 0
          ? .note("Nothing to discard.", ko: "버릴 변경이 없습니다.")
          : .success("Discarded \(given).", ko: "\(given)건을 버렸습니다.")),
    ])
  }
}
