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

/// `resume`: finishes interrupted runs: it resolves unknown outcomes by reading, and makes what wasn't started or sent.
package struct ResumeCommand: Command {
  package static let declaration = CommandDeclaration(
    "resume", group: .review, summary: LocalizedText("finish interrupted runs", ko: "중단된 실행 마저 처리"),
    usage: ["resume [rN] [all]", "resume N", "resume send N", "resume forget [N]"],
    details: LocalizedText(
      "Checks unknown outcomes by reading the products, and sends the changes that were not sent. Of a script, it goes on with the lines after the one that stopped. A create that may have taken effect is never sent again without your decision. A run that is older than three days needs its number.",
      ko:
        "결과 미확인인 변경은 상품을 읽어 확인하고, 보내지 않은 변경은 보냅니다. 스크립트는 멈춘 다음 줄부터 이어 갑니다. 적용되었을 수 있는 등록은 직접 결정하기 전에는 다시 보내지 않습니다. 사흘이 지난 실행은 번호를 적어야 합니다."
    ),
    writesToMarket: true,
    producesData: true,
    traits: [.daily, .takesNoKey],
    parameters: [
      Parameter(
        "send", .option, kind: .number(1...Int.max),
        summary: LocalizedText(
          "send create N again, after checking that the product does not exist", ko: "상품이 없는 것을 확인한 뒤 등록 N번 다시 보내기")),
      Parameter(
        "forget", .flag, kind: .none,
        summary: LocalizedText("discard pending changes that were not applied", ko: "적용되지 않은 변경 버리기")),
      Parameter(
        "N", .positional(required: false), kind: .writeOrRun,
        summary: LocalizedText("only run rN, or log entry N", ko: "rN 실행만, 또는 로그 N번만")),
      .showingAll,
    ],
    examples: [
      .init("resume", "after an interruption", ko: "중단된 다음에"),
      .init("resume r12", "only run r12, whatever its age", ko: "오래되었더라도 r12 실행만"),
      .init("resume yes", "in front of a nightly line", ko: "매일 밤 실행하는 줄 앞에"),
      .init(
        "resume send 12", "send create 12 again, after checking that it does not exist", ko: "직접 찾아본 다음 등록 12번을 다시 보내기"),
      .init("resume forget", "discard what was not applied", ko: "적용되지 않은 변경 버리기"),
    ])

  /// The age in seconds from which a run is resumed by its number only.
  static let maximumAge: Int64 = 3 * 86_400

  private let consent: WriteOptions
  private let forgets: Bool
  private let sends: Int?
  /// The only log entry that is meant.
  private let only: Int?
  /// The only run that is meant.
  private let run: Int?

  package init(_ invocation: ParsedCommand) {
    consent = WriteOptions(invocation)
    forgets = invocation.has("forget")
    sends = invocation.number("send")
    only = invocation.number("N")
    run = invocation.text("N").flatMap(Run.number)
  }

  /// - Throws: `CommandError` if writing isn't approved, for a number that isn't a pending create or an interrupted run, and
  ///   if an outcome stays undecided; `JournalError`.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    // What was approved before it was interrupted goes on without another signature.
    try scope.requireWritable(checksApproval: true)
    try await WriteApproval.admitPlainHTTP(in: scope)
    let market = try await scope.marketClient()
    try await scope.recognizeForJournal(market)
    let runner = scope.planRunner(for: market)
    let binding = scope.session.marketLogin(at: market.service.baseURL)
    if let sends {
      if try scope.context.stores.journal().entry(sends)?.approver == nil { try scope.requireWritable() }
      let remapped = try scope.context.stores.journal().remappedWrites(in: runner.mapping, binding)
      try CommandError.throwIfRemapped(remapped.filter { $0.entry == sends }, in: runner.mapping)
      return try await send(sends, at: market, in: &scope)
    }
    let journal = try scope.context.stores.journal()
    let runs = try wantedRuns(binding, journal, in: scope)
    if !forgets, scope.mode == .write { try await confirmCopiedHome(runs, journal, in: scope) }
    let isMeant = try membership(in: runs, at: binding, journal)
    let remapped = try journal.remappedWrites(in: runner.mapping, binding).filter { isMeant($0.entry) }
    if !forgets { try CommandError.throwIfRemapped(remapped, in: runner.mapping) }
    var settled = scope.mode == .dry ? [] : try await runner.recover(where: isMeant)
    if scope.mode == .write {
      try journal.discardSuperseded(binding)
      try settled.removeAll { try journal.entry($0.entry)?.state == .abandoned }
    }
    var decisions = UndecidedWritePrompt.Decisions()
    // What the user says that creates made.
    var created: [Int: Product] = [:]
    if scope.mode != .dry, !forgets {
      decisions = try await UndecidedWritePrompt(scope).ask(binding, where: isMeant)
      for entry in decisions.closed { scope.say(ResumeCommand.closed(entry)) }
      for (entry, id) in decisions.products { created[entry] = try? await market.send(GetProduct(id)) }
    }
    let unfinished = try journal.resumableEntries(binding).filter { isMeant($0.id) }
    if forgets {
      let unread = Set(remapped.map(\.entry))
      let questions = try journal.undecidedEntries(binding).filter {
        $0.isQuestion || $0.hasInvalidChecksum || unread.contains($0.id)
      }
      let report = try await forget(unfinished + questions.filter { isMeant($0.id) }, settled, in: scope)
      if scope.mode == .write { try journal.settleEmptiedRuns(binding) }
      return CommandResult(report)
    }
    let altered = unfinished.filter(\.hasInvalidChecksum)
    for entry in altered { scope.say(ResumeCommand.altered(entry)) }
    let outdated = Set(try discardSaleWrites(unfinished, in: scope))
    settled.removeAll { outdated.contains($0.entry) }
    let rest = unfinished.filter { !$0.hasInvalidChecksum && !outdated.contains($0.id) }
    let resent = decisions.resent
    if (rest + resent).contains(where: { $0.approver == nil }) { try scope.requireWritable() }
    let executor = PlanExecutor(market, consent)
    guard !(rest + resent).isEmpty, !scope.context.program.interruption.isRequested else {
      let taken = scope.mode == .write ? try takeOver(runs, journal, in: scope) : []
      return try await report(
        settled, decisions: decisions, created: created, done: [], runs: taken, executor: executor, binding: binding,
        in: &scope)
    }
    var notes = resent.isEmpty ? [] : [ResumeCommand.mayArrive(resent)]
    if scope.context.program.asker != nil, !consent.yes, !scope.context.program.assumesYes, scope.mode == .write {
      notes += try await changedValues(market, rest + resent)
    }
    // The run that is resumed makes the changes. It is in conflict neither with itself nor with the line that contains `resume`.
    let outer = scope.session.script.run
    scope.session.script.run = runs.first.map { RunInProgress(resuming: $0, within: outer, binding) }
    defer { scope.session.script.run = outer }
    var done: [RecoveredWrite] = []
    var taken: [Run] = []
    let result = try await executor.execute(
      Plan(rows: (rest + resent).compactMap { Plan.Row($0) }), notes: notes, in: &scope,
      send: { [scope] approved, runner in
        taken = try takeOver(runs, journal, in: scope)
        let numbers = Set(taken.map(\.number))
        let chosen = Set(approved.rows.compactMap(\.entry))
        let isMeant = { (entry: JournalEntry) in
          (entry.change == nil || chosen.contains(entry.id)) && entry.run.map(numbers.contains) ?? true
        }
        let unsent = Set(rest.filter(isMeant).map(\.id))
        if !unsent.isEmpty { done = try await runner.resume(unsent, pace: consent.pace) }
        for entry in resent.filter(isMeant) where !scope.context.program.interruption.isRequested {
          guard let made = try await runner.resend(entry.id) else {
            scope.say(ResumeCommand.notResent(entry))
            continue
          }
          done.append(made)
        }
        return Plan(rows: done.map { Plan.Row($0) })
      },
      report: { _, scope in
        try await report(
          settled, decisions: decisions, created: created, done: done, runs: taken, executor: executor,
          binding: binding, in: &scope)
      })
    if result.error != nil { try leave(taken, journal, within: outer, binding) }
    return result
  }

  /// Records that runs which were taken over are interrupted again, unless nothing is left of them.
  private func leave(
    _ runs: [Run], _ journal: Journal, within outer: RunInProgress?, _ binding: MarketLogin
  ) throws(JournalError) {
    for run in runs {
      try journal.finish(
        RunInProgress(resuming: run, within: outer, binding), isStopped: run.unit.kind == .script)
    }
  }

  /// Discards the writes of sales that were dismissed, canceled or are over.
  ///
  /// - Returns: Their entries.
  private func discardSaleWrites(_ unfinished: [JournalEntry], in scope: CommandScope) throws -> [Int] {
    let outdated = try PendingSaleWrites.outdated(unfinished, in: scope)
    guard !outdated.isEmpty else { return [] }
    for entry in outdated {
      let subject = entry.subject
      scope.say(
        .note(
          "Not sent: \(subject.english) (log entry \(entry.id)). Its sale was dismissed, was canceled or is over.",
          ko: "보내지 않음: \(subject.korean)(로그 \(entry.id)번). 그만두었거나 취소했거나 끝난 할인입니다."))
    }
    if scope.mode == .write {
      try scope.context.stores.journal().discardUnsent(outdated.map(\.id), because: .saleIsOver)
    }
    return outdated.map(\.id)
  }

  /// Asks before the resumption of runs that were begun in another file of the journal, or are in a handed over one.
  ///
  /// Another home may have finished the runs. `yes` answers the question only if the line has
  /// the number of a run. After the answer, the runs belong to this home.
  ///
  /// - Throws: `CommandError` with exit status 5 if the user can't be asked, and with 4 if the user declines.
  private func confirmCopiedHome(_ runs: [Run], _ journal: Journal, in scope: CommandScope) async throws {
    let copied = Set(try journal.runsOfAnotherPlace(runs.map(\.number)))
    let moved = runs.filter { copied.contains($0.number) }
    guard let first = moved.first else { return }
    let handedOver = try journal.handedOverRuns(moved.map(\.number))
    let warning = RunMessages.elsewhere(moved.map(\.name), isHandedOver: handedOver.count == moved.count)
    if run != nil, consent.yes {
      var note = warning
      note.tone = .note
      return scope.say(note)
    }
    guard scope.context.program.asker != nil else { throw RunMessages.decision(about: first.name, after: warning) }
    let names = moved.map(\.name).joined(separator: ", ")
    try await scope.confirm(
      LocalizedText("Go on with \(.value(names))? [y/N] ", ko: "\(.value(names), .object) 이어서 할까요? [y/N] "),
      after: warning, unattended: Message(.failure, warning.what))
  }

  /// Returns the interrupted runs that are meant, oldest first.
  ///
  /// - Throws: `CommandError` if the run of the line is still running or isn't interrupted.
  private func wantedRuns(_ binding: MarketLogin, _ journal: Journal, in scope: CommandScope) throws -> [Run] {
    if scope.mode == .write { try journal.settleEmptiedRuns(binding) }
    let unsettled = try journal.unsettledRuns(current: scope.session.script.run, binding)
    if let run {
      guard let one = unsettled.first(where: { $0.number == run }) else { throw RunMessages.notInterrupted(run) }
      if one.life.state == .open { throw RunMessages.stillRunning(one) }
      return [one]
    }
    if let only {
      let run = try journal.entry(only)?.run
      return unsettled.filter { $0.number == run && $0.life.state == .interrupted }
    }
    let interrupted = unsettled.filter { $0.life.state == .interrupted }
    guard !forgets else { return interrupted }
    let now = scope.context.clock.seconds
    for old in interrupted where now - old.begun.seconds > ResumeCommand.maximumAge {
      scope.say(RunMessages.needsItsNumber(old, now: scope.context.clock.timestamp))
    }
    return interrupted.filter { now - $0.begun.seconds <= ResumeCommand.maximumAge }
  }

  /// Returns a function that says whether a log entry is meant.
  private func membership(
    in runs: [Run], at binding: MarketLogin, _ journal: Journal
  ) throws -> @Sendable (Int) -> Bool {
    if let only { return { $0 == only } }
    func entries(of runs: [Run]) throws -> Set<Int> {
      Set(try runs.flatMap { try journal.entries(ofRun: $0.number).map(\.id) })
    }
    if run != nil {
      let meant = try entries(of: runs)
      return { meant.contains($0) }
    }
    // Writes of runs that have ended or were given up may still have an unknown outcome.
    let wanted = Set(runs.map(\.number))
    let others = try entries(of: journal.unsettledRuns(binding).filter { !wanted.contains($0.number) })
    return { !others.contains($0) }
  }

  /// Takes runs over, and returns those that no other shell took.
  private func takeOver(_ runs: [Run], _ journal: Journal, in scope: CommandScope) throws -> [Run] {
    try runs.filter { run in
      if try journal.takeOver(run.number) { return true }
      scope.say(RunMessages.takenByAnother(run))
      return false
    }
  }

  /// Reports the writes that were resolved by reading or by the user, those that were sent, and those that still need a
  /// decision.
  private func report(
    _ settled: [RecoveredWrite], decisions: UndecidedWritePrompt.Decisions, created: [Int: Product],
    done: [RecoveredWrite], runs: [Run], executor: PlanExecutor, binding: MarketLogin, in scope: inout CommandScope
  ) async throws -> CommandResult {
    var result: CommandResult
    do {
      result = try await reportWrites(
        settled, decisions: decisions, created: created, done: done, executor: executor, binding: binding,
        isOfRuns: !runs.isEmpty,
        in: &scope)
    } catch {
      try leave(runs, scope.context.stores.journal(), within: scope.session.script.run, binding)
      throw error
    }
    let failure = try await finish(runs, after: result.status, binding, in: &scope)
    if let failure, result.isSuccess { result.status = failure }
    return result
  }

  /// Ends the runs that were resumed, after the remaining lines of scripts, and reports their outcomes.
  ///
  /// - Parameters:
  ///   - status: The exit status of their writes. A script whose line failed doesn't go on.
  ///   - binding: The market and login.
  ///   - scope: The scope of the command.
  /// - Returns: The exit status of the first line that failed, or `nil`.
  private func finish(
    _ runs: [Run], after status: ExitStatus, _ binding: MarketLogin, in scope: inout CommandScope
  ) async throws -> ExitStatus? {
    let journal = try scope.context.stores.journal()
    let outer = scope.session.script.run
    var first: ExitStatus?
    for run in runs {
      let current = RunInProgress(resuming: run, within: outer, binding)
      var rest = ResumedScript.complete
      do {
        if try !journal.hasPendingWrites(ofRun: run.number) {
          let isStopped = scope.context.program.interruption.isRequested || Task.isCancelled
          rest =
            run.unit.kind == .script && (isStopped || status != .success)
            ? .failed(isStopped ? .interrupted : status)
            : try await scope.context.program.lines.resume(run, as: current, in: &scope)
        }
      } catch {
        try journal.finish(current, isStopped: true)
        throw error
      }
      let isInterrupted = try !journal.finish(current, isStopped: rest.isStopped).isEmpty
      switch rest {
      case .complete: break
      case .failed(let status): first = first ?? status
      case .notRun(let lines):
        first = first ?? .partialFailure
        scope.say(RunMessages.notRun(lines, of: run))
      }
      guard !isInterrupted, let ended = try journal.run(run.number) else { continue }
      scope.say(RunMessages.isComplete(ended))
    }
    return first
  }

  private func reportWrites(
    _ settled: [RecoveredWrite], decisions: UndecidedWritePrompt.Decisions, created: [Int: Product],
    done: [RecoveredWrite], executor: PlanExecutor, binding: MarketLogin, isOfRuns: Bool, in scope: inout CommandScope
  ) async throws -> CommandResult {
    // A write that was found not applied and then made is reported once, with its final outcome.
    var all: [Int: RecoveredWrite] = [:]
    for one in settled { all[one.entry] = one }
    for entry in decisions.closed { all[entry.id] = nil }
    for entry in decisions.applied {
      guard let change = entry.change else { continue }
      all[entry.id] = RecoveredWrite(
        entry: entry.id, change: change, outcome: .done(created[entry.id], differences: []))
    }
    for one in done { all[one.entry] = one }
    let questions = try scope.context.stores.journal().undecidedEntries(binding).filter(\.isQuestion)
    guard !all.isEmpty else {
      if !questions.isEmpty { throw ResumeCommand.undecided }
      if isOfRuns { return .empty }
      guard decisions.closed.isEmpty, decisions.applied.isEmpty else {
        return .message(.note("No more pending changes.", ko: "대기 중인 변경이 더 없습니다."))
      }
      if let only { return .message(ResumeCommand.notPending(only)) }
      return .message(try StatusCommand.sayOtherPending(than: binding, in: scope))
    }
    let isOpen = only == nil && !questions.isEmpty
    if isOpen {
      for entry in questions where all[entry.id] == nil {
        guard let change = entry.change else { continue }
        all[entry.id] = RecoveredWrite(
          entry: entry.id, change: change, outcome: .needsDecision(entry.detail ?? .noResponse))
      }
    }
    let rows = all.values.sorted { $0.entry < $1.entry }
    var result = try await executor.report(Plan(rows: rows.map { Plan.Row($0) }), in: &scope)
    if isOpen { result.status = .outcomeUnknown }
    return result
  }

  /// The maximum number of products that are read before the question.
  private static let maximumReads = 20

  /// Reads before a question, which would be idle where the server cannot be reached.
  ///
  /// - Returns: A warning with the values that have changed since the changes were planned, which are not overwritten.
  private func changedValues(_ market: Client<MarketService>, _ entries: [JournalEntry]) async throws -> [Message] {
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
    let binding = scope.session.marketLogin(at: market.service.baseURL)
    let entry = try scope.context.stores.journal().undecidedEntries(binding).first { $0.id == number }
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
    let journal = try scope.context.stores.journal()
    // The create belongs to its run, which is complete if nothing else of it is left.
    let run = try entry.run.flatMap { try journal.run($0) }.flatMap { $0.life.isUnsettled ? $0 : nil }
    let outer = scope.session.script.run
    let current = run.map { RunInProgress(resuming: $0, within: outer, binding) }
    if let current { scope.session.script.run = current }
    var isTaken = false
    defer {
      scope.session.script.run = outer
      if let current, isTaken { _ = try? journal.finish(current, isStopped: run?.unit.kind == .script) }
    }
    return try await executor.execute(
      Plan([change]), in: &scope,
      send: { _, runner in
        if let run { isTaken = try journal.takeOver(run.number) }
        guard let made = try await runner.resend(number) else {
          throw CommandError(.refused, ResumeCommand.notResent(entry))
        }
        return Plan(rows: [Plan.Row(made)])
      })
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

  /// Returns the note about an entry that is none of the pending changes here; there may be others.
  private static func notPending(_ entry: Int) -> Message {
    .note("Log entry \(entry) is not pending here.", ko: "로그 \(entry)번은 여기서 대기 중인 변경이 아닙니다.")
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
      return .message(
        only.map(ResumeCommand.notPending) ?? .note("No pending changes.", ko: "대기 중인 변경이 없습니다."))
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
    if !consent.yes, !scope.context.program.assumesYes {
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
    let given = try rest.filter { try scope.context.stores.journal().recordDecision($0.id, wasApplied: false) }.count
    return .group([
      BatchTable.report(Plan(rows: settled.map { Plan.Row($0) }), summary: nil),
      .message(
        given == 0
          ? .note("Nothing to discard.", ko: "버릴 변경이 없습니다.")
          : .success("Discarded \(given).", ko: "\(given)건을 버렸습니다.")),
    ])
  }
}
