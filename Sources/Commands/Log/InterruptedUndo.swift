import Catalog
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import WriteJournal

/// The check whether an interrupted command already made the undo or redo that is requested.
///
/// Running `undo` again must not undo one more write.
struct InterruptedUndo {
  private let target: UndoTarget
  private let binding: WriteScope
  private let mode: CommandScope.Mode
  private let line: String?
  private let context: CommandContext

  init(_ target: UndoTarget, _ binding: WriteScope, in scope: CommandScope) {
    self.target = target
    self.binding = binding
    mode = scope.mode
    line = scope.line
    context = scope.context
  }

  /// Resolves undo writes that an interrupted command left pending.
  ///
  /// - Returns: The entries that already made the requested undo, or none if something is left to do.
  /// - Throws: `JournalError` if the log can't be read or written.
  func find(_ runner: PlanRunner, _ session: Session) async throws -> [JournalEntry] {
    guard mode == .write, Journal.exists(in: context.home.journalFolder) else { return [] }
    let journal = try context.journal()
    let settled = try await runner.settle(line: line, undos: true)
    for one in settled where !one.outcome.isUnknown { context.say(EarlierWriteMessages.message(one), session) }
    if let line {
      let entries = try journal.entries(ofLine: line, binding)
      let made = entries.filter { $0.state == .done }
      // A batch that a run of this script began and didn't finish is continued below.
      if !made.isEmpty, try !leavesRest(made, journal) { return try take(made, journal) }
    }
    let done = Set(settled.filter { if case .done = $0.outcome { true } else { false } }.map(\.entry))
    var found = try done.sorted().compactMap { try journal.entry($0) }.filter { $0.undoOf != nil }
    if found.isEmpty { found = try journal.unshownUndo(binding, isRedo: target == .lastUndo) }
    found = try found.filter { try isWanted($0, journal) }
    return found.isEmpty ? [] : try leavesRest(found, journal) ? [] : take(found, journal)
  }

  /// Returns the report of the entries that were found.
  ///
  /// Nothing is sent.
  static func report(
    _ entries: [JournalEntry], at market: Client<MarketService>, _ consent: WriteOptions, in scope: inout CommandScope
  ) async throws -> CommandResult {
    var plan = Plan([])
    for entry in entries {
      guard let id = entry.product else { continue }
      let write = EarlierWrite(
        entry: entry.id, product: id, isCreate: entry.action == .create, reason: .interruption(entry.time))
      let index = plan.count
      plan.earlier[index] = write
      if entry.action == .delete {
        plan.unchanged[index] = entry.snapshot ?? Product(id: id)
      } else if entries.count == 1, let now = try? await market.send(GetProduct(id)) {
        plan.unchanged[index] = now
      } else {
        plan.unchanged[index] = try scope.context.journal().recordedProduct(write)
      }
    }
    let report = PlanExecutor(market, consent).earlier(plan, in: &scope)
    for entry in entries where entry.action == .delete { if let id = entry.product { scope.session.recordDeleted(id) } }
    return CommandResult(report)
  }

  /// Returns whether the entry undoes or redoes the target of the line.
  private func isWanted(_ entry: JournalEntry, _ journal: Journal) throws -> Bool {
    switch target {
    case .last: !entry.undoDepth.isMultiple(of: 2)
    case .lastUndo: entry.undoDepth.isMultiple(of: 2)
    case .entry(let n): entry.undoOf == n
    case .actor(let name, _):
      try entry.undoOf.flatMap { try journal.entry($0) }?.actor?.matches(name) == true
        && !entry.undoDepth.isMultiple(of: 2)
    case .batch(let n): try entry.undoOf.flatMap { try journal.entry($0) }?.batch == n
    }
  }

  /// Returns whether the undo of a batch is incomplete.
  private func leavesRest(_ entries: [JournalEntry], _ journal: Journal) throws -> Bool {
    guard let undone = try entries.first?.undoOf.flatMap({ try journal.entry($0) }), let batch = undone.batch else {
      return false
    }
    if case .entry = target { return false }
    return try journal.batch(batch).contains { $0.status == .done }
  }

  private func take(_ entries: [JournalEntry], _ journal: Journal) throws -> [JournalEntry] {
    for entry in entries {
      let write = EarlierWrite(
        entry: entry.id, product: entry.product ?? 0, isCreate: entry.action == .create,
        reason: .interruption(entry.time))
      _ = try journal.take(write)
    }
    return entries
  }
}
