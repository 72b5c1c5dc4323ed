import Catalog
import Text

/// The verification at the end of a batch of the writes that the server confirmed.
///
/// Lists are used if their rows show enough, otherwise single products are read: each write by `WriteVerification`, as a
/// single write, until its state machine decides.
struct BatchVerifier {
  /// A write that the server confirmed.
  ///
  /// Change and response are shared with the plan and its outcomes.
  private struct Item {
    var index: Int
    var id: Product.ID
    var reported: Outcome
    /// The time of the response, at which the confirmation window begins.
    var time: Duration
  }

  /// A write that is verified by reading its product.
  private struct Pending {
    var position: Int
    var machine: WriteStateMachine
    var verification: WriteVerification

    /// The evidence of a write that isn't done.
    var evidence: Evidence { verification.reading.map { .reportedSuccess($0.evidence) } ?? .reportedSuccessUnread }
  }

  /// The number of writes below which products are read one by one, because reading the list costs more.
  private static let minimumCount = 20
  /// The number of concurrent reads.
  private static let width = 8
  /// The number of confirmed writes in a transaction, so that other shells don't wait for all of a long batch.
  private static let shared = 500

  private let runner: PlanRunner
  private let journal: Journal
  private let pendingWrites: [PendingWrite]
  private let rules: WriteStateMachine.Rules
  private var items: [Item] = []
  /// The products that differed from the plan, by the index of their write.
  ///
  /// An edit is compared with what it found.
  private var found: [Int: Product] = [:]

  init(_ runner: PlanRunner, journal: Journal, writes pendingWrites: [PendingWrite]) {
    self.runner = runner
    self.journal = journal
    self.pendingWrites = pendingWrites
    rules = runner.rules
  }

  /// Adds a write if the server confirmed it.
  mutating func add(_ index: Int, _ outcome: Outcome, before: Product?) {
    let change = pendingWrites[index].change
    guard case .done(let reported, _) = outcome, let id = change.product?.id ?? reported?.id else { return }
    items.append(Item(index: index, id: id, reported: outcome, time: runner.clock.monotonicNow))
    guard case .edit(let old, let from, let to) = change, let before else { return }
    if to.pictures != nil || before.modified != old.modified || ProductValues(of: before, like: to) != from {
      found[index] = before
    }
  }

  /// Returns the outcomes that differ from the responses, by index in the plan.
  ///
  /// All verdicts are recorded in the journal then.
  func corrections() async -> [(index: Int, outcome: Outcome)] {
    guard !items.isEmpty else { return [] }
    let corrected = await differences()
    let differing = Set(corrected.map(\.index))
    return corrected + (await confirm(items.filter { !differing.contains($0.index) }))
  }

  /// Records that writes were read as the server confirmed them, and returns those that couldn't be recorded.
  private func confirm(_ items: [Item]) async -> [(index: Int, outcome: Outcome)] {
    var failed: [(index: Int, outcome: Outcome)] = []
    for start in stride(from: 0, to: items.count, by: BatchVerifier.shared) {
      let part = items[start..<min(start + BatchVerifier.shared, items.count)]
      do {
        try await journal.confirm(part.map { pendingWrites[$0.index].entryID })
      } catch {
        failed += part.map { ($0.index, .unrecorded($0.reported, error)) }
      }
    }
    return failed
  }

  private func differences() async -> [(index: Int, outcome: Outcome)] {
    let positions = Dictionary(grouping: items.indices) { items[$0].id }
    var (pending, corrected) = await unlisted(positions)
    var isFirst = true
    while !pending.isEmpty {
      if !isFirst, await !pause(for: pending) {
        // The user doesn't want to wait: undecided writes are left for later.
        for one in pending { if let outcome = await correct(one, to: .unknown) { corrected.append(outcome) } }
        break
      }
      isFirst = false
      removeConfirmed(from: &pending)
      await read(&pending)
      for one in pending where one.machine.next(at: runner.clock.monotonicNow, by: rules) == .finished {
        if let outcome = await correction(of: one) { corrected.append(outcome) }
      }
      pending.removeAll { $0.machine.next(at: runner.clock.monotonicNow, by: rules) == .finished }
    }
    return corrected
  }

  /// Removes the writes that another shell confirmed before it wrote to their products.
  private func removeConfirmed(from pending: inout [Pending]) {
    let entries = pending.map { pendingWrites[items[$0.position].index].entryID }
    guard let open = try? journal.acknowledged(among: entries), open.count < pending.count else { return }
    pending.removeAll { !open.contains(pendingWrites[items[$0.position].index].entryID) }
  }

  /// Returns a write with the product directly before it.
  private func write(of position: Int) -> PendingWrite {
    let item = items[position]
    var write = pendingWrites[item.index]
    write.before = write.change.kind == .delete ? item.reported.product : found[item.index] ?? write.change.product
    return write
  }

  private func pending(_ position: Int) -> Pending {
    let item = items[position]
    var machine = WriteStateMachine(pendingWrites[item.index].change.kind)
    machine.didReceive(.succeeded(nil), at: item.time, by: rules)
    return Pending(
      position: position, machine: machine, verification: WriteVerification(replied: item.reported.product))
  }

  /// Returns the writes that the list doesn't decide, and corrections for those that differ from their response.
  ///
  /// Pages are compared one by one and not stored.
  private func unlisted(
    _ positions: [Product.ID: [Int]]
  ) async -> (pending: [Pending], corrected: [(index: Int, outcome: Outcome)]) {
    var isShown = [Bool](repeating: false, count: items.count)
    var isSeen = isShown
    var otherwise: [Pending] = []
    var isWhole = false
    if positions.count >= BatchVerifier.minimumCount {
      let whole = try? await runner.market.list(for: positions.count) { page in
        for row in page {
          for position in positions[row.id] ?? [] {
            isSeen[position] = true
            guard isComplete(position, by: row) else { continue }
            var one = pending(position)
            isShown[position] = one.verification.show(row, for: write(of: position)) == .applied
            if isShown[position], isOtherwise(one) { otherwise.append(one) }
          }
        }
      }
      isWhole = whole ?? false
    }
    let undecided = items.indices.filter { position in
      let index = items[position].index
      let isGone = isWhole && !isSeen[position] && pendingWrites[index].change.kind == .delete
      return !isShown[position] && !isGone
    }
    var corrected: [(index: Int, outcome: Outcome)] = []
    for one in otherwise { if let outcome = await correct(one, to: .done) { corrected.append(outcome) } }
    return (undecided.map(pending), corrected)
  }

  /// Returns whether a row of a list shows every field that was sent.
  private func isComplete(_ position: Int, by row: Product) -> Bool {
    switch pendingWrites[items[position].index].change {
    case .delete: true
    case .create(let draft): ProductValues(of: draft).assignedFields.allSatisfy { ProductValues(of: row)[$0] != nil }
    case .edit(_, _, let to):
      to.assignedFields.allSatisfy { ProductValues(of: row)[$0] != nil } && (to.pictures == nil || row.images != nil)
    }
  }

  /// Waits until the next read, and returns false if the user doesn't want to wait.
  private func pause(for pending: [Pending]) async -> Bool {
    let now = runner.clock.monotonicNow
    let pauses = pending.compactMap { one -> Duration? in
      guard case .wait(let time) = one.machine.next(at: now, by: rules) else { return nil }
      return time
    }
    let end = now + (pauses.count < pending.count ? .zero : pauses.min() ?? .zero)
    guard now < end else { return true }
    do {
      try runner.checkStopped()
      try await runner.wait(until: end) { rest in
        for one in pending {
          let left = max(one.machine.remainingWindow(at: end - rest, by: rules), rest)
          runner.progress(
            .readingBack(index: items[one.position].index, left: left, evidence: one.evidence, isAnswered: true))
        }
      } checking: {
        try runner.checkStopped()
      }
      return true
    } catch {
      return false
    }
  }

  /// Reads the products that are due.
  private func read(_ pending: inout [Pending]) async {
    let now = runner.clock.monotonicNow
    let due = pending.indices.filter { pending[$0].machine.next(at: now, by: rules) == .readBack }
      .sorted { items[pending[$0].position].id < items[pending[$1].position].id }
    var read: [(index: Int, verification: WriteVerification, finding: WriteStateMachine.ReadBack)] = []
    // Neither of the closures throws.
    try? await BoundedTaskGroup.forEachConcurrently(of: due.map { ($0, pending[$0]) }, atOnce: BatchVerifier.width) {
      index, one in
      var verification = one.verification
      let finding = try? await verification.read(
        items[one.position].id, for: write(of: one.position), isConfirmed: true, with: runner, in: journal)
      return (index, verification, finding ?? .unreadable)
    } take: {
      read.append($0)
    }
    for (index, verification, finding) in read {
      pending[index].verification = verification
      pending[index].machine.didReadBack(finding, at: runner.clock.monotonicNow, by: rules)
    }
  }

  /// Returns the corrected outcome, or `nil` if the response was right.
  private func correction(of one: Pending) async -> (index: Int, outcome: Outcome)? {
    one.machine.state == .done && !isOtherwise(one) ? nil : await correct(one, to: one.machine.state)
  }

  /// Returns whether the result of reading differs from the reported differences of a write that is done.
  private func isOtherwise(_ one: Pending) -> Bool {
    guard case .done(_, let differences) = items[one.position].reported else { return true }
    return differences != one.verification.reading?.differences
  }

  /// Records a verdict that differs from the response, and returns it, or `nil` if another shell confirmed the write.
  private func correct(_ one: Pending, to state: WriteStateMachine.State) async -> (index: Int, outcome: Outcome)? {
    let (index, write, verification) = (items[one.position].index, write(of: one.position), one.verification)
    let outcome: Outcome =
      switch state {
      case .done: verification.done(write, verification.product, isConfirmed: true)
      case .acknowledgedNotApplied:
        .notStored(verification.product, verification.reading?.fields ?? [], evidence: one.evidence)
      case .needsDecision: .needsDecision(one.evidence)
      case .planned, .claimed, .sending, .sendingFinalBytes, .notSent, .rateLimited, .unknown, .acknowledged, .refused,
        .notApplied, .noChange, .drifted, .abandoned:
        .unknown(one.evidence)
      }
    var (stored, detail) = (state, Optional(one.evidence))
    if case .done(_, let differences) = outcome { detail = .joined(differences.map(\.evidence)) }
    if case .unknown = outcome { stored = .unknown }
    // A create may still appear; until then nothing is undone with the id from the response.
    let mayAppear = write.change.kind == .create && state != .done
    do {
      let isRecorded = try await journal.recordCorrection(
        write.entryID, as: stored, after: verification.afterImage(of: write, outcome), detail: detail, whole: mayAppear)
      return isRecorded ? (index, outcome) : nil
    } catch {
      return (index, .unrecorded(outcome, error))
    }
  }
}

/// The way to verify that a write confirmed by the server was applied, because a server may return what was sent and
/// store nothing.
///
/// The raw values are the words users type.
package enum Verification: String, Hashable, Sendable, CaseIterable {
  /// Every write is read after its response.
  case always
  /// A single write is read after its response.
  ///
  /// The writes of a batch are read together at its end, through lists if their rows show enough.
  case batchEnd = "batch-end"
  /// Responses are trusted.
  case never
}
