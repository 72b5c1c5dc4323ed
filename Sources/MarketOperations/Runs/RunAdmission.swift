import Catalog
import MarketAPI
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// The decision before a line repeats a part of a run that did not end.
///
/// A line is a new intent, and `resume` is the old one: nothing continues by itself. On a terminal the user is asked, and
/// elsewhere the line is held back. Nothing is recorded before the answer.
package struct RunAdmission {
  private let scope: CommandScope
  private let binding: MarketLogin
  /// A Boolean value that indicates the option `again`: all of the line is made, whatever a run has done.
  private let isAgain: Bool

  package init(at binding: MarketLogin, isAgain: Bool, in scope: CommandScope) {
    self.scope = scope
    self.binding = binding
    self.isAgain = isAgain
  }

  /// The journal, or `nil` if there is none yet.
  ///
  /// - Throws: `JournalError` if it can't be opened: then nothing may be sent.
  private var journal: Journal? {
    get throws {
      guard Journal.exists(in: scope.context.stores.home.journalFolder) else { return nil }
      return try scope.context.stores.journal()
    }
  }

  private var current: RunInProgress? { scope.session.script.run }

  /// Checks whether the line or script is that of an interrupted run, before anything is read or validated.
  ///
  /// - Throws: `RunRedirection` if the user wants the old run; `CommandError` with exit status 4 if the line is held back or
  ///   the user declines; `JournalError`.
  package func admitUnit() async throws {
    guard let current, let journal = try journal else { return }
    try admitKey(current, journal)
    let conflicts = try journal.conflicts(of: current.unit, items: [], current: current, binding)
    // A run of a market that was reset since holds nothing.
    if !conflicts.isEmpty, let now = await readBinding(), now != binding {
      return try await RunAdmission(at: now, isAgain: isAgain, in: scope).admitUnit()
    }
    if try admit(conflicts, journal) { return }
    try await ask(conflicts, isBeforeLine: true)
    try take(conflicts, journal)
  }

  /// Holds a script back before its first line if an unsettled run holds one of its lines, and the user can't be asked.
  ///
  /// On a terminal the question is asked at that line. What only a read shows, such as the changes of a loop, is met at the
  /// line in any case.
  ///
  /// - Parameter unit: Returns the unit of a line, or `nil` if it can't be held back.
  /// - Throws: `CommandError` with exit status 4; `JournalError`.
  package func admit(lines: @autoclosure () -> [String], unit: (String) -> RunUnit?) throws {
    guard scope.mode == .write, scope.context.program.asker == nil, let current, current.unit.key == nil,
      let journal = try journal, let runs = try? journal.unsettledRuns(current: current, binding), !runs.isEmpty
    else { return }
    let identities = Set(lines().compactMap { unit($0)?.identity })
    let conflicts = try runs.flatMap { run -> [RunConflict] in
      let stopped = run.unit.kind == .script ? run.line.flatMap { unit($0.text)?.identity } : nil
      guard [run.unit.identity, stopped].contains(where: { $0.map(identities.contains) == true }) else { return [] }
      return try journal.conflicts(of: run.unit, items: [], current: current, binding).filter {
        $0.run.number == run.number
      }.map { RunConflict(run: $0.run, isSameUnit: false, items: $0.items) }
    }
    _ = try admit(conflicts, journal)
  }

  /// Returns the market and login with the generation that the server says now, or `nil` if it can't be read.
  private func readBinding() async -> MarketLogin? {
    var scope = scope
    guard let market = try? await scope.marketClient(), (try? await scope.readGeneration(of: market)) != nil else {
      return nil
    }
    return scope.session.marketLogin(at: market.service.baseURL)
  }

  /// Checks whether a run with the same key of `once` was begun before: it goes on, or has ended.
  ///
  /// One that ended without any effect, because its change was refused, is no obstacle.
  private func admitKey(_ current: RunInProgress, _ journal: Journal) throws {
    guard let key = current.unit.key, current.number(binding) == nil, scope.mode == .write,
      let run = try journal.run(ofKey: key, binding)
    else { return }
    if isAgain || run.hasFailedAltogether { return current.admit([run.number], binding) }
    switch run.life.state {
    case .open:
      throw RunMessages.heldBack([RunConflict(run: run, isSameUnit: true, items: [])], isOfKey: true, now: now)
    case .interrupted:
      // The key says that the run is wanted, and not that no other home has made it.
      guard try journal.runsOfAnotherPlace([run.number]).isEmpty else {
        let isHandedOver = try !journal.handedOverRuns([run.number]).isEmpty
        throw RunMessages.decision(
          about: run.name, after: RunMessages.elsewhere([run.name], isHandedOver: isHandedOver))
      }
      throw RunRedirection.resume(run.number, isApproved: true)
    case .ended: throw RunRedirection.hasEnded(run.number)
    case .settled: throw RunMessages.givenUp(run, key: key)
    }
  }

  private var now: Timestamp { scope.context.clock.timestamp }

  /// Admits the line without a question if nothing is in conflict, or if it has the option `again`.
  ///
  /// - Returns: Whether it was admitted; false if the user has to be asked.
  /// - Throws: `CommandError` with exit status 4 if the user can't be asked.
  private func admit(_ conflicts: [RunConflict], _ journal: Journal) throws -> Bool {
    guard !conflicts.isEmpty else { return true }
    // Another key is another intent: only runs with the same one are met; see `admitKey`.
    if current?.unit.key != nil {
      current?.admit(conflicts.map(\.run.number), binding)
      return true
    }
    if isAgain {
      try take(conflicts, journal)
      return true
    }
    guard scope.mode == .write, scope.context.program.asker != nil else {
      if scope.mode == .write { try journal.countHeldBack(conflicts.map(\.run.number)) }
      throw RunMessages.heldBack(conflicts, now: now)
    }
    return false
  }

  /// Checks whether the changes of a plan repeat what a run did or is to do, and asks about them.
  ///
  /// - Parameter runner: Reads the outcomes that are unknown.
  /// - Returns: The plan without the changes that the user leaves to the old run, because that has made them.
  /// - Throws: As `admitUnit`.
  package func admit(_ plan: Plan, runner: PlanRunner) async throws -> Plan {
    guard let current, let journal = try journal else { return plan }
    let all = Set(plan.rows.flatMap { items(of: $0) })
    guard !all.isEmpty else { return plan }
    let conflicts = try journal.conflicts(of: current.unit, items: all, current: current, binding)
    if try admit(conflicts, journal) { return plan }
    var rest = plan
    if try await ask(conflicts, changes: plan.changes.count) == .rest {
      let made = try await made(by: conflicts, journal, runner: runner)
      rest.rows.removeAll { items(of: $0).contains(where: made.contains) }
    }
    try take(conflicts, journal)
    return rest
  }

  /// Returns the names of the effects that a row would repeat; see `HeldItem`.
  private func items(of row: Plan.Row) -> [String] {
    row.change.map { Journal.heldItems(of: $0, row.origin, binding) } ?? []
  }

  /// Checks whether a raw request repeats one of a run.
  package func admit(raw fingerprint: String) async throws {
    guard let current, let journal = try journal else { return }
    let items: Set<String> = [HeldItem.raw(fingerprint)]
    let conflicts = try journal.conflicts(of: current.unit, items: items, current: current, binding)
    if try admit(conflicts, journal) { return }
    try await ask(conflicts)
    try take(conflicts, journal)
  }

  /// Asks one question for all runs that are in conflict.
  ///
  /// A line of a script can't be replaced by another run, so only its changes are chosen.
  ///
  /// - Returns: `all`, or `rest` if the line leaves to the runs what they have made.
  /// - Throws: `RunRedirection` for the other choices; `CommandError` with exit status 4 if the user declines.
  @discardableResult
  private func ask(
    _ conflicts: [RunConflict], isBeforeLine: Bool = false, changes: Int = 0
  ) async throws -> AdmissionChoice {
    let isReplaceable = isBeforeLine || current?.unit.kind == .line && scope.session.script.stack.isEmpty
    let choices = AdmissionChoice.of(conflicts, forChanges: changes, isReplaceable: isReplaceable)
    scope.say(RunMessages.question(conflicts, now: now))
    for line in RunMessages.answers(conflicts, choices) { scope.printText(line) }
    while let answer = await scope.answer(to: RunMessages.prompt(choices.count)) {
      if answer.isEmpty || ConfirmationPrompt.isNo(answer) || answer == "q" { throw ConfirmationPrompt.declined }
      guard let index = Int(answer), choices.indices.contains(index - 1) else { continue }
      let numbers = conflicts.map(\.run.number)
      switch choices[index - 1] {
      case .resume: throw RunRedirection.resume(numbers[0], isApproved: false)
      case .undoFirst: throw RunRedirection.undoFirst(numbers)
      case .all, .rest: return choices[index - 1]
      }
    }
    throw ConfirmationPrompt.declined
  }

  /// Admits the line.
  ///
  /// It replaces runs of the same line, and runs whose held changes it all makes. Other runs give up the changes that it
  /// makes.
  private func take(_ conflicts: [RunConflict], _ journal: Journal) throws {
    var replaced: [Int] = []
    var released: [Int: Set<String>] = [:]
    for conflict in conflicts {
      let number = conflict.run.number
      if try conflict.isSameUnit || conflict.items.isSuperset(of: journal.heldItems(ofRun: number).keys) {
        replaced.append(number)
      } else {
        released[number] = conflict.items
      }
    }
    current?.admit(conflicts.map(\.run.number), replacing: replaced, releasing: released, binding)
  }

  /// Returns the names of what the runs have made or may have made, after reading what is unknown.
  private func made(
    by conflicts: [RunConflict], _ journal: Journal, runner: PlanRunner
  ) async throws -> Set<String> {
    var statuses: [String: JournalEntry.Status] = [:]
    for conflict in conflicts {
      let unknown = try journal.entries(ofRun: conflict.run.number).filter(\.isUnresolved).map(\.id)
      if !unknown.isEmpty { scope.say(resolved: try await runner.resolve(entries: unknown)) }
      statuses.merge(try journal.heldItems(ofRun: conflict.run.number)) { one, other in
        one == .notSent ? other : one
      }
    }
    return Set(statuses.filter { $0.value != .notSent }.keys)
  }
}

/// An answer to the question about runs that a line would repeat a part of.
package enum AdmissionChoice: Hashable, Sendable {
  /// The old run goes on.
  case resume
  /// The new line, without what the old run has made.
  case rest
  /// All of the new line, whatever the old run has made.
  case all
  /// The old run is undone, and then all of the new line is made.
  case undoFirst

  /// Returns the answers, in the order of their numbers.
  ///
  /// - Parameters:
  ///   - conflicts: The runs.
  ///   - count: The number of changes of the line, or 0 if they aren't known yet.
  ///   - isReplaceable: Whether other lines can be executed instead of the line, or before it.
  package static func of(
    _ conflicts: [RunConflict], forChanges count: Int, isReplaceable: Bool
  ) -> [AdmissionChoice] {
    guard !conflicts.contains(where: { $0.run.life.state == .open }) else { return [.all] }
    let done = conflicts.reduce(0) { $0 + $1.run.counts.done }
    let unknown = conflicts.reduce(0) { $0 + $1.run.counts.unknown }
    var choices: [AdmissionChoice] = []
    // A corrected line is most often meant in place of the old one, so undoing that one is the first answer.
    if count > 0, done > 0, isReplaceable, !conflicts.contains(where: \.isSameUnit) {
      return [.undoFirst] + (count > 1 ? [.rest] : []) + [.all]
    }
    if conflicts.count == 1, conflicts[0].isSameUnit, isReplaceable { choices.append(.resume) }
    if count > 1, done + unknown > 0 { choices.append(.rest) }
    choices.append(.all)
    if done > 0, isReplaceable { choices.append(.undoFirst) }
    return choices
  }
}
