import Catalog

/// The verification at the end of a batch of the writes that the server confirmed.
///
/// Lists are used if their rows show enough, otherwise single products are read, until each write is decided by the
/// rules of a single write.
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
    var reading: EffectReading?
    var now: Product?
    /// See `EffectReading.foreign`.
    var foreign: [ProductField: FieldValue] = [:]
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

  private func reading(of position: Int, _ now: Product?, seen: [ProductField: FieldValue] = [:]) -> EffectReading {
    let item = items[position]
    let change = pendingWrites[item.index].change
    return EffectReading(
      of: change, before: found[item.index] ?? change.product, replied: item.reported.product, now: now,
      seen: seen)
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
            let reading = reading(of: position, row)
            isShown[position] = reading.finding == .applied
            guard isShown[position], isOtherwise(items[position], reading) else { continue }
            otherwise.append(Pending(position: position, machine: acknowledged(position), reading: reading, now: row))
          }
        }
      }
      isWhole = whole ?? false
    }
    let pending = items.indices.filter { position in
      let index = items[position].index
      let isGone = isWhole && !isSeen[position] && pendingWrites[index].change.kind == .delete
      return !isShown[position] && !isGone
    }
    var corrected: [(index: Int, outcome: Outcome)] = []
    for one in otherwise { if let outcome = await correct(one, to: .done) { corrected.append(outcome) } }
    return (pending.map { Pending(position: $0, machine: acknowledged($0)) }, corrected)
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

  private func acknowledged(_ position: Int) -> WriteStateMachine {
    var machine = WriteStateMachine(pendingWrites[items[position].index].change.kind)
    machine.didReceive(.succeeded(nil), at: items[position].time, by: rules)
    return machine
  }

  /// Waits until the next read, and returns false if the user doesn't want to wait.
  private func pause(for pending: [Pending]) async -> Bool {
    let now = runner.clock.monotonicNow
    let pauses = pending.compactMap { one -> Duration? in
      guard case .wait(let time) = one.machine.next(at: now, by: rules) else { return nil }
      return time
    }
    let end = now + (pauses.count < pending.count ? .zero : pauses.min() ?? .zero)
    while true {
      let now = runner.clock.monotonicNow
      guard now < end else { return true }
      guard !runner.stopping(), !Task.isCancelled else { return false }
      for one in pending {
        let left = max(one.machine.remainingWindow(at: now, by: rules), end - now)
        runner.progress(
          .readingBack(
            index: items[one.position].index, left: left, evidence: evidence(of: one), isAnswered: true))
      }
      do { try await runner.clock.sleep(min(end - now, .milliseconds(250))) } catch { return false }
    }
  }

  /// Reads the products that are due.
  private func read(_ pending: inout [Pending]) async {
    let now = runner.clock.monotonicNow
    let due = pending.indices.filter { pending[$0].machine.next(at: now, by: rules) == .readBack }
    let seen = await read(Set(due.map { items[pending[$0].position].id }))
    for each in due {
      let position = pending[each].position
      guard let product = seen[items[position].id] else {
        pending[each].machine.didReadBack(.unreadable, at: runner.clock.monotonicNow, by: rules)
        continue
      }
      let reading = reading(of: position, product, seen: pending[each].foreign)
      let pendingWrite = pendingWrites[items[position].index]
      if (try? runner.isOutdated(reading, product: product, write: pendingWrite, isConfirmed: true, in: journal))
        == true
      {
        pending[each].machine.didReadBack(.unreadable, at: runner.clock.monotonicNow, by: rules)
        continue
      }
      if pendingWrites[items[position].index].change.kind == .patch {
        pending[each].foreign.merge(reading.foreign) { $1 }
      }
      (pending[each].reading, pending[each].now) = (reading, product)
      pending[each].machine.didReadBack(reading.finding, at: runner.clock.monotonicNow, by: rules)
    }
  }

  /// Returns the corrected outcome, or `nil` if the response was right.
  private func correction(of one: Pending) async -> (index: Int, outcome: Outcome)? {
    let state = one.machine.state
    if state == .done, let reading = one.reading, !isOtherwise(items[one.position], reading) { return nil }
    return await correct(one, to: state)
  }

  /// Returns whether the result of reading differs from the recorded values or the reported differences of a write that
  /// is done.
  private func isOtherwise(_ item: Item, _ reading: EffectReading) -> Bool {
    guard case .done(_, let differences) = item.reported else { return true }
    return differences != reading.differences
  }

  private func evidence(of one: Pending) -> Evidence {
    one.reading.map { .reportedSuccess($0.evidence) } ?? .reportedSuccessUnread
  }

  /// Returns the products that could be read, with `nil` for a product that doesn't exist.
  private func read(_ ids: Set<Product.ID>) async -> [Product.ID: Product?] {
    await withTaskGroup(of: (Product.ID, Product?)?.self) { group in
      var rest = ids.sorted().makeIterator()
      var seen: [Product.ID: Product?] = [:]
      func begin(_ id: Product.ID) {
        group.addTask {
          do { return (id, try await runner.market.read(id)) } catch { return nil }
        }
      }
      for _ in 0..<BatchVerifier.width { if let id = rest.next() { begin(id) } }
      for await one in group {
        if let (id, product) = one { seen[id] = .some(product) }
        if let id = rest.next() { begin(id) }
      }
      return seen
    }
  }

  /// Records a verdict that differs from the response, and returns it, or `nil` if another shell confirmed the write.
  private func correct(_ one: Pending, to state: WriteStateMachine.State) async -> (index: Int, outcome: Outcome)? {
    let item = items[one.position]
    let pendingWrite = pendingWrites[item.index]
    let evidence = evidence(of: one)
    // A create may still appear; until then nothing is undone with the id from the response.
    let mayAppear = pendingWrite.change.kind == .create && state != .done
    var (after, detail, stored) = (one.reading?.after, Optional(evidence), state)
    let outcome: Outcome
    switch state {
    case .done:
      let differences = one.reading?.differences ?? []
      detail = .joined(differences.map(\.evidence))
      let product = pendingWrite.change.kind == .delete ? item.reported.product : one.now
      outcome = .done(product, differences: differences)
    case .acknowledgedNotApplied:
      if case .edit(_, _, let to) = pendingWrite.change { after = one.now.map { ProductValues(of: $0, like: to) } }
      outcome = .notStored(one.now, one.reading?.fields ?? [], evidence: evidence)
    case .needsDecision:
      after = nil
      outcome = .needsDecision(evidence)
    case .planned, .claimed, .sending, .sendingFinalBytes, .notSent, .rateLimited, .unknown, .acknowledged, .refused,
      .notApplied, .noChange, .drifted, .abandoned:
      (after, stored) = (nil, .unknown)
      outcome = .unknown(evidence)
    }
    do {
      let isRecorded = try await journal.recordCorrection(
        pendingWrite.entryID, as: stored, after: after, detail: detail, whole: mayAppear)
      return isRecorded ? (item.index, outcome) : nil
    } catch {
      return (item.index, .unrecorded(outcome, error))
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
