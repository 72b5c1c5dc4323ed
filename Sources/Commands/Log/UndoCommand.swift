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

/// `undo`: undoes the last write or batch, write N, or batch N.
///
/// It is previewed, approved and logged like any write.
package struct UndoCommand: ProductWriteCommand {
  package static let declaration = CommandDeclaration(
    "undo", group: .change, summary: LocalizedText("undo a change", ko: "변경 되돌리기"),
    usage: [
      "undo [N|rN] [changed] [all]", "undo rN [where EXPR] [all]", "undo batch N [all]", "undo since TIME [all]",
      "undo actor NAME [since TIME] [all]",
    ],
    details: LocalizedText(
      "Restores the values before the last change, before the whole last batch, or before one log entry. It shows the values and asks like any change. A value that someone else has changed since is not overwritten.",
      ko: "마지막 변경이나 마지막 일괄 작업 전체, 또는 한 로그의 이전 값을 복원합니다. 다른 변경처럼 값을 보여 주고 묻습니다. 그 뒤에 다른 사람이 바꾼 값은 덮어쓰지 않습니다."),
    writesToMarket: true, producesData: true,
    traits: [.daily, .capturesProduct, .takesNoKey],
    parameters: [
      Parameter(
        "N", .positional(required: false), kind: .writeOrRun,
        summary: LocalizedText(
          "log entry N only, or all of run rN (default: the last change, or the whole last batch)",
          ko: "로그 N번만, 또는 rN 실행 전체(기본: 마지막 변경 또는 마지막 일괄 작업 전체)")),
      Parameter("batch", .option, kind: .batchNumber, summary: LocalizedText("undo batch N", ko: "일괄 작업 전체")),
      Parameter(
        "actor", .option, kind: .text,
        summary: LocalizedText("all changes of an actor in the log, such as agent", ko: "로그에서 한 쪽이 한 모든 변경, 예: agent"),
        placeholder: "NAME"),
      Parameter(
        "since", .option, kind: .text,
        summary: LocalizedText(
          "all changes since yesterday, monday, 2h or 2026-11-20", ko: "어제, 월요일, 2h, 2026-11-20 뒤의 모든 변경"),
        placeholder: "TIME"),
      Parameter(
        "where", .option, kind: .expression,
        summary: LocalizedText(
          "only the changes of run rN that match, by the columns of log", ko: "rN 실행의 변경 중 조건에 맞는 것만(log의 열)")
      ),
      Parameter(
        "changed", .flag, kind: .none,
        summary: LocalizedText(
          "delete a created product even if others changed it since", ko: "등록한 상품을 다른 사람이 바꿨더라도 삭제")),
      .showingAll,
    ],
    columns: LogColumns.kinds,
    examples: [
      .init("undo", "undoes the last change or batch", ko: "마지막 변경, 일괄 작업이면 전체"),
      .init("undo 12", "log entry 12 only", ko: "로그 12번만"),
      .init("undo r12", "all that run r12 changed", ko: "r12 실행이 바꾼 모든 것"),
      .init("undo r12 where before.price<1000", "some of it, by the columns of log", ko: "그중 일부, log의 열로"),
      .init("undo batch 3", "the whole of batch 3", ko: "3번 일괄 작업 전체"),
      .init("undo since 2h", "all changes of the last two hours", ko: "두 시간 동안 한 모든 변경"),
      .init("undo actor agent since 2h", "all that agents changed in the last two hours", ko: "에이전트가 두 시간 동안 한 모든 변경"),
      .init("undo 12 changed", "deletes the new product even if others changed it", ko: "다른 사람이 바꾼 새 상품도 삭제"),
    ])

  private let target: UndoTarget
  /// The condition for the changes of a run.
  private let condition: Condition?
  /// The start of the time of `undo since` and `undo actor`, as typed.
  private let since: String?
  private let admitsChanged: Bool
  package let consent: WriteOptions

  /// - Throws: `ParseError` for `since` or `actor` with a number.
  package init(_ invocation: ParsedCommand) throws {
    since = invocation.text("since")
    admitsChanged = invocation.has("changed")
    consent = WriteOptions(invocation)
    let actor = invocation.text("actor")
    let isNumbered = invocation.has("batch") || invocation.has("N")
    guard !isNumbered || actor == nil && since == nil else {
      throw ParseError(
        LocalizedText("since and actor belong to no number.", ko: "since와 actor는 번호 없이 씁니다."),
        suggestion: LocalizedText(
          "For example: \(.command("undo actor agent since 2h"))", ko: "예: \(.command("undo actor agent since 2h"))"))
    }
    if let actor {
      target = .actor(actor, since: nil)
    } else if since != nil {
      target = .since(0)
    } else if let run = invocation.text("N").flatMap(Run.number) {
      target = .run(run)
    } else if let batch = invocation.number("batch") {
      target = .batch(batch)
    } else if let entry = invocation.number("N") {
      target = .entry(entry)
    } else {
      target = .last
    }
    condition = invocation.condition("where")
    guard condition == nil || invocation.text("N").flatMap(Run.number) != nil else {
      throw ParseError(
        LocalizedText("where belongs to a run.", ko: "where는 실행 번호와 함께 씁니다."),
        suggestion: LocalizedText(
          "For example: \(.command("undo r12 where product=42"))", ko: "예: \(.command("undo r12 where product=42"))"))
    }
  }

  /// Returns the target, with the entries that match the condition.
  ///
  /// - Throws: `ParseError` for a value that can't be compared; `CommandError` if no change of the run matches; `JournalError`.
  private func wanted(in scope: CommandScope) throws -> UndoTarget {
    let target = try timed(target, at: scope.context.clock.seconds)
    guard let condition = condition?.resolvedOnLocalClock(at: scope.context.clock.seconds), case .run(let run) = target
    else {
      return target
    }
    let entries = try scope.context.stores.journal().entries(ofRun: run)
    let found = try LogColumns.matching(condition, in: entries)
    guard entries.isEmpty || !found.isEmpty else {
      throw CommandError(
        .refused,
        .note("No change of r\(run) matches the condition.", ko: "r\(run) 실행에 조건에 맞는 변경이 없습니다."),
        code: .nothingToUndo)
    }
    return .entriesOfRun(run, Set(found.map(\.id)))
  }

  /// Returns the changes that would undo, for a plan file.
  ///
  /// - Throws: `UndoError` if nothing can be undone.
  package func plan(from market: Client<MarketService>, in scope: inout CommandScope) async throws -> Plan {
    let runner = scope.planRunner(for: market)
    let target = try wanted(in: scope)
    return try await runner.undoPlan(target, admitsChanged: admitsChanged).plan
  }

  /// - Throws: `UndoError` if nothing can be undone; `JournalError`; `CommandError` if it isn't approved.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    try await UndoRunner(try wanted(in: scope), admitsChanged: admitsChanged, consent)
      .run(in: &scope)
  }

  /// Returns the target with the time of `since`: of a day its beginning, as in `log since`.
  private func timed(_ target: UndoTarget, at now: Int64) throws -> UndoTarget {
    guard let since else { return target }
    let moment = try PastDate.read(since, at: now)
    if case .actor(let name, _) = target { return .actor(name, since: moment.beginning) }
    return .since(moment.beginning)
  }
}

/// The execution of an undo or redo, planned against the current state of the market.
///
/// Changes that can't be undone are reported before the question.
struct UndoRunner {
  private let target: UndoTarget
  private let admitsChanged: Bool
  private let consent: WriteOptions

  init(_ target: UndoTarget, admitsChanged: Bool = false, _ consent: WriteOptions) {
    self.target = target
    self.admitsChanged = admitsChanged
    self.consent = consent
  }

  func run(in scope: inout CommandScope) async throws -> CommandResult {
    try scope.requireWritable()
    let market = try await scope.marketClient()
    try await scope.recognizeForJournal(market)
    // The writes to undo are those of the logged-in vendor. Without a vendor none would be found.
    if market.service.dialect.capabilities.ownership == .vendors { _ = try market.service.credentials.needIdentifier() }
    let runner = scope.planRunner(for: market)
    let binding = scope.session.marketLogin(at: market.service.baseURL)
    try await readUnknown(binding, runner, in: scope)
    let run = try runToGiveUp(binding, in: scope)
    var notes = try run.map { [RunMessages.givesUp($0)] } ?? open(binding, scope.context.stores).map { [$0] } ?? []
    let undo: UndoPlan
    do {
      undo = try await plan(runner, notes: &notes, in: scope.context.stores)
    } catch {
      for note in notes { scope.say(note) }
      throw error
    }
    notes += UndoRunner.limited(undo.obstacles.map { Message(.warning, $0.wording) })
    notes += UndoLoss.messages(undo.losses) + UndoRunner.limited(undo.refusals.map(\.remark))
    let executor = PlanExecutor(market, consent)
    let journal = try scope.context.stores.journal()
    return try await executor.execute(
      undo.plan, notes: notes, in: &scope,
      send: { approved, runner in
        // Undoing the changes of a run gives up its rest.
        if let run { try journal.settle(run) }
        return await runner.run(approved, note: consent.note, pace: consent.pace)
      },
      report: { made, scope in
        var result = try await executor.report(
          made, undoCommand: target == .lastUndo ? "undo" : "redo", in: &scope)
        // Each of these was reported above. The request was only partly fulfilled.
        if !undo.refusals.isEmpty, result.status != .outcomeUnknown { result.status = .partialFailure }
        return result
      })
  }

  /// Reads the unknown outcomes of the interrupted run to be undone, so that every applied change is undone.
  ///
  /// - Throws: `JournalError` if the log can't be read or written.
  private func readUnknown(_ binding: MarketLogin, _ runner: PlanRunner, in scope: CommandScope) async throws {
    guard scope.mode == .write else { return }
    let journal = try scope.context.stores.journal()
    let interrupted = try journal.unsettledRuns(current: scope.session.script.run, binding).filter {
      $0.life.state == .interrupted && $0.counts.unknown > 0
    }
    let meant: Run?
    switch target {
    case .run(let number), .entriesOfRun(let number, _): meant = interrupted.first { $0.number == number }
    case .last: meant = interrupted.last
    case .lastUndo, .entry, .batch, .actor, .since: meant = nil
    }
    guard let meant else { return }
    let unknown = try journal.entries(ofRun: meant.number).filter { $0.isUnresolved && !$0.isQuestion }
    scope.say(resolved: try await runner.resolve(entries: unknown.map(\.id)))
  }

  /// Returns the interrupted run whose changes are undone, so that its rest is given up, or `nil`.
  ///
  /// - Throws: `CommandError` with exit status 4 for `undo` without a number while a run is interrupted that doesn't contain
  ///   the last change: the user says which is meant.
  private func runToGiveUp(_ binding: MarketLogin, in scope: CommandScope) throws -> Int? {
    let journal = try scope.context.stores.journal()
    let unsettled = try journal.unsettledRuns(current: scope.session.script.run, binding)
    let interrupted = unsettled.filter { $0.life.state == .interrupted && $0.counts.done > 0 }
    switch target {
    case .run(let number), .entriesOfRun(let number, _):
      guard try journal.isRun(number, of: binding) else { throw UndoError.noSuchRun(number) }
      if let open = unsettled.first(where: { $0.number == number && $0.life.state == .open }) {
        throw RunMessages.stillRunning(open)
      }
      // A part of what it did is undone, and the rest of it stays.
      guard case .run = target else { return nil }
      return unsettled.contains { $0.number == number } ? number : nil
    case .last:
      guard let run = interrupted.last else { return nil }
      let last = try journal.lastUndoableEntry(binding)
      if let run = last?.run, interrupted.contains(where: { $0.number == run }) { return run }
      throw RunMessages.undoIsAmbiguous(run, last: last)
    case .lastUndo, .entry, .batch, .actor, .since: return nil
    }
  }

  /// Returns the first ten messages and the number of the others, so that the preview stays on the screen.
  private static func limited(_ messages: [Message]) -> [Message] {
    let most = 10
    guard messages.count > most else { return messages }
    let rest = messages.count - most
    return messages.prefix(most) + [.note("and \(rest) more like these", ko: "이와 같은 것이 \(rest)건 더 있습니다.")]
  }

  /// Returns a note about pending writes, which an undo leaves unchanged, or `nil` if there are none.
  private func open(_ binding: MarketLogin, _ stores: Stores) throws -> Message? {
    let journal = try stores.journal()
    let count = try journal.undecidedEntries(binding).count + journal.resumableEntries(binding).count
    guard count > 0 else { return nil }
    return .note(
      "\(count) \(count == 1 ? StyledText("change is") : "changes are") still pending and \(count == 1 ? StyledText("is") : "are") not affected.",
      ko: "대기 중인 변경 \(count)건은 그대로 둡니다."
    ).next("Run \(.command("status")) to see pending changes.", ko: "대기 중인 변경은 \(.command("status"))에서 볼 수 있습니다.")
  }

  /// Returns the plan of the undo.
  ///
  /// If the last write belongs to a batch, the plan undoes the complete batch.
  private func plan(
    _ runner: PlanRunner, notes: inout [Message], in stores: Stores
  ) async throws -> UndoPlan {
    let undo = try await runner.undoPlan(target, admitsChanged: admitsChanged)
    guard target == .last, let origin = undo.plan.rows.first?.origin.undoes else { return undo }
    let journal = try stores.journal()
    guard let batch = try journal.entry(origin.entry)?.batch, try journal.batch(batch).count > 1 else { return undo }
    notes.append(
      .note(
        "The last change belongs to batch \(batch), so the whole batch will be undone. To undo only that change, run \(.command("undo \(origin.entry)")).",
        ko: "마지막 변경은 \(batch)번 일괄 작업에 속하므로 전체를 되돌립니다. 하나만 되돌리려면 \(.command("undo \(origin.entry)"), .object) 입력하세요."))
    return undo.plan.rows.count > 1 ? undo : try await runner.undoPlan(.batch(batch), admitsChanged: admitsChanged)
  }
}
