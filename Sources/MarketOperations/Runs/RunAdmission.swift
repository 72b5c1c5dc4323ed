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
  private let binding: WriteScope
  /// A Boolean value that indicates that all of the line is wanted anew: `again`.
  private let isAgain: Bool

  package init(at binding: WriteScope, isAgain: Bool, in scope: CommandScope) {
    self.scope = scope
    self.binding = binding
    self.isAgain = isAgain
  }

  /// The journal, or `nil` if there is none yet.
  ///
  /// - Throws: `JournalError` if it can't be opened: then nothing may be sent.
  private var journal: Journal? {
    get throws {
      guard Journal.exists(in: scope.context.home.journalFolder) else { return nil }
      return try scope.context.journal()
    }
  }

  private var current: RunInProgress? { scope.session.script.run }

  /// Checks whether the line or script is one that did not end, before anything is read or validated.
  ///
  /// - Throws: `RunRedirection` if the user wants the old run; `CommandError` with exit status 4 if the line is held back or
  ///   the user declines; `JournalError`.
  package func admitUnit() async throws {
    guard let current, let journal = try journal else { return }
    try admitKey(current, journal)
    let conflicts = try journal.conflicts(of: current.unit, items: [], current: current, binding)
    guard let question = try admit(conflicts, journal) else { return }
    try await ask(question, changes: [], items: [], runner: nil)
  }

  /// Checks whether a run with the same key of `once` was begun before: it goes on, or has ended.
  private func admitKey(_ current: RunInProgress, _ journal: Journal) throws {
    guard let key = current.unit.key, current.number(binding) == nil, !isAgain, scope.mode == .write,
      let run = try journal.run(ofKey: key, binding)
    else { return }
    switch run.life.state {
    case .open: throw RunMessages.heldBack([RunConflict(run: run, isSameUnit: true, items: [])], now: now)
    case .interrupted: throw RunRedirection.resume(run.number, isApproved: true)
    case .ended: throw RunRedirection.hasEnded(run.number)
    case .settled: throw RunMessages.givenUp(run, key: key)
    }
  }

  private var now: Timestamp { Timestamp(scope.context.now()) }

  private func admit(_ conflicts: [RunConflict], _ journal: Journal) throws -> AdmissionQuestion? {
    guard !conflicts.isEmpty else { return nil }
    if isAgain {
      try take(conflicts, journal)
      return nil
    }
    guard scope.mode == .write, scope.context.asker != nil else {
      if scope.mode == .write { try journal.countHeldBack(conflicts.map(\.run.number)) }
      throw RunMessages.heldBack(conflicts, now: now)
    }
    return AdmissionQuestion(conflicts: conflicts)
  }

  /// Checks whether changes repeat what a run did or is to do, and asks about them.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - origins: The origin of each.
  ///   - runner: Reads the outcomes that are unknown.
  /// - Returns: The indices of the changes that the user leaves to the old run, because that has made them.
  /// - Throws: As `admitUnit`.
  package func admit(
    _ changes: [Change], _ origins: [WriteOrigin], runner: PlanRunner
  ) async throws -> Set<Int> {
    guard let current, let journal = try journal else { return [] }
    let items = changes.indices.map { index in
      Journal.heldItems(of: changes[index], index < origins.count ? origins[index] : WriteOrigin(), binding)
    }
    let all = Set(items.joined())
    guard !all.isEmpty else { return [] }
    let conflicts = try journal.conflicts(of: current.unit, items: all, current: current, binding)
    guard let question = try admit(conflicts, journal) else { return [] }
    return try await ask(question, changes: changes, items: items, runner: runner)
  }

  /// Checks whether a raw request repeats one of a run.
  package func admit(raw fingerprint: String) async throws {
    guard let current, let journal = try journal else { return }
    let items: Set<String> = [HeldItem.raw(fingerprint)]
    let conflicts = try journal.conflicts(of: current.unit, items: items, current: current, binding)
    guard let question = try admit(conflicts, journal) else { return }
    try await ask(question, changes: [], items: [], runner: nil)
  }

  /// Asks one question for all runs that are in conflict.
  @discardableResult
  private func ask(
    _ question: AdmissionQuestion, changes: [Change], items: [[String]], runner: PlanRunner?
  ) async throws -> Set<Int> {
    let conflicts = question.conflicts
    let isInScript = current?.unit.kind == .script && !changes.isEmpty
    let choices = question.choices(forChanges: changes.count, isInScript: isInScript)
    scope.say(RunMessages.question(conflicts, now: now))
    for line in RunMessages.answers(conflicts, choices) { scope.tell(line) }
    while let answer = await scope.answer(to: RunMessages.prompt(choices.count)) {
      if answer.isEmpty || ConfirmationPrompt.isNo(answer) || answer == "q" { throw ConfirmationPrompt.declined }
      guard let index = Int(answer), choices.indices.contains(index - 1) else { continue }
      let numbers = conflicts.map(\.run.number)
      switch choices[index - 1] {
      case .resume: throw RunRedirection.resume(numbers[0], isApproved: false)
      case .undoFirst: throw RunRedirection.undoFirst(numbers)
      case .all:
        if let journal = try journal { try take(conflicts, journal) }
        return []
      case .rest:
        let made = try await made(conflicts, items: items, runner: runner)
        if let journal = try journal { try take(conflicts, journal) }
        return made
      }
    }
    throw ConfirmationPrompt.declined
  }

  /// Admits the line: runs of the same line, and those of which it makes all that they hold, are replaced by it; others give
  /// up what it makes.
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

  /// Returns the indices of the changes that the runs have made or may have made, after reading what is unknown.
  private func made(_ conflicts: [RunConflict], items: [[String]], runner: PlanRunner?) async throws -> Set<Int> {
    guard let journal = try journal else { return [] }
    var statuses: [String: JournalEntry.Status] = [:]
    for conflict in conflicts {
      let unknown = try journal.entries(ofRun: conflict.run.number).filter { $0.status == .unknown }.map(\.id)
      if let runner, !unknown.isEmpty {
        for one in try await runner.settle(entries: unknown) where !one.outcome.isUnknown {
          scope.say(RunMessages.outcome(of: one))
        }
      }
      statuses.merge(try journal.heldItems(ofRun: conflict.run.number)) { one, other in one == .done ? one : other }
    }
    return Set(items.indices.filter { index in items[index].contains { (statuses[$0] ?? .notSent) != .notSent } })
  }
}

/// The runs that a line would repeat a part of, about which the user is asked.
package struct AdmissionQuestion {
  package var conflicts: [RunConflict]

  /// An answer that the user can give.
  package enum Choice: Hashable, Sendable {
    /// The old run goes on.
    case resume
    /// The new line, without what the old run has made.
    case rest
    /// All of the new line, whatever the old run has made.
    case all
    /// The old run is undone, and then all of the new line is made.
    case undoFirst
  }

  /// Returns the answers, in the order of their numbers.
  ///
  /// A line of a script can't be replaced by another run, so only its changes are chosen.
  package func choices(forChanges count: Int, isInScript: Bool) -> [Choice] {
    guard !conflicts.contains(where: { $0.run.life.state == .open }) else { return [.all] }
    let done = conflicts.reduce(0) { $0 + $1.run.counts.done + $1.run.counts.unknown }
    var choices: [Choice] = []
    if conflicts.count == 1, conflicts[0].isSameUnit, !isInScript { choices.append(.resume) }
    if count > 1, done > 0 { choices.append(.rest) }
    choices.append(.all)
    if done > 0, !isInScript { choices.append(.undoFirst) }
    return choices
  }
}
