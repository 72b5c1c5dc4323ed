import Catalog

extension WriteExecution {
  /// The result of claiming the product, or of claiming to be the only equal create.
  enum Claim {
    case granted
    /// An earlier write already made the change; nothing is sent.
    case made
    /// Another write has claimed it.
    case held
  }

  /// Waits for a conflicting write, and resolves writes that an interrupted command left pending.
  ///
  /// If that shows that an equal create was applied whose outcome wasn't shown to a user, it is used instead: this
  /// write ends as unchanged, with that product.
  mutating func claim() async throws -> Claim {
    let end = runner.clock.monotonicNow + rules.settle.duration + rules.settle.agreementInterval * 3
    var searched: Set<Int> = []
    while true {
      switch try await journal.claim(
        ticket, finds: !rules.ignoresFoundCreates, searched: searched, within: rules.settle, runner.binding)
      {
      case .granted(let writes):
        recent = writes
        return .granted
      case .made(let write):
        earlier = write
        if case .interruption = write.reason { _ = try journal.take(write) }
        let now = try? await runner.market.read(write.product)
        answer = if let now { now } else { try journal.recordedProduct(write) }
        return .made
      case .orphaned(let entry):
        let owner = try journal.owner(of: entry)
        guard let stuck = try journal.adoptOrphans(runner.binding, only: entry).first else {
          // Another shell has claimed it, or it has just become undecided.
          holder = ConflictingWrite(entry: entry, process: 0, host: "", since: runner.clock.now, isUnknown: true)
          guard runner.clock.monotonicNow < end else { return .held }
          try await runner.clock.sleep(.milliseconds(200))
          try stopUnlessWanted()
          continue
        }
        if try await settle(stuck, of: owner) { return .made }
        if holder?.entry == entry { return .held }
      case .rejected(let entry):
        let owner = try journal.owner(of: entry)
        guard let rejected = try journal.adoptRejected(entry) else { continue }
        if try await settle(rejected, of: owner) { return .made }
        if holder?.entry == entry { return .held }
        searched.insert(entry)
        // Two equal creates of one plan are different: each is left for `resume`.
        if try entry < ticket.entryID && journal.isSameIntent(ticket.entryID, as: entry, of: owner) {
          try journal.replaceRejected(entry, by: ticket.entryID)
        }
      case .undecided(let holder):
        self.holder = holder
        let owner = try journal.owner(of: holder.entry)
        guard let question = try journal.undecidedCreates(runner.binding, only: holder.entry).first else {
          return .held
        }
        if try await settle(question, of: owner, rereads: true) { return .made }
        if self.holder?.entry == holder.entry { return .held }
      case .acknowledged(let holder):
        if try await confirm(holder.entry) { continue }
        guard try await wait(for: holder, until: end) else { return .held }
      case .locked(let holder):
        guard try await wait(for: holder, until: end) else { return .held }
      }
    }
  }

  /// Waits a moment for a write of a live session, and returns false if it has been waited for long enough.
  private mutating func wait(for holder: ConflictingWrite, until end: Duration) async throws -> Bool {
    self.holder = holder
    guard runner.clock.monotonicNow < end else { return false }
    runner.progress(.waitingForLock(index: index, holder))
    try await runner.clock.sleep(.milliseconds(250))
    try stopUnlessWanted()
    return true
  }

  /// Reads the product of a patch of a running batch of another shell, and ends that patch if it shows its values.
  ///
  /// The batch reads only at its end, and a write to one of its products can't wait for that.
  ///
  /// - Returns: Whether the patch doesn't hold the product any more.
  private func confirm(_ entry: Int) async throws -> Bool {
    guard let other = try journal.entry(entry), case .edit(let product, _, _)? = other.change else { return false }
    await batch.gate.wait(index, isWrite: false)
    let now = try? await runner.market.read(product.id)
    await batch.gate.signal()
    guard let now, let change = other.change else { return false }
    let reading = EffectReading(of: change, before: other.snapshot, replied: nil, now: now)
    guard reading.finding == .applied, reading.differences.isEmpty else { return false }
    try await journal.confirm([entry])
    return true
  }

  /// Determines the outcome of a conflicting write.
  ///
  /// If it remains unknown, that write becomes the holder.
  ///
  /// - Parameters:
  ///   - other: The conflicting write.
  ///   - owner: The session that planned it.
  ///   - rereads: Whether it is undecided and read once more.
  /// - Returns: Whether it is the wanted create.
  /// - Throws: `JournalError`, or `CancelledByBatch` if the user or the batch has stopped.
  private mutating func settle(_ other: PendingWrite, of owner: String, rereads: Bool = false) async throws -> Bool {
    var execution = WriteExecution(runner, journal, other, index: index, in: batch, rereads: rereads)
    let outcome = await execution.run(resends: false) ?? .unknown(execution.evidence)
    try stopUnlessWanted()
    if case .done(let product?, _) = outcome, !ticket.isAnother, !rules.ignoresFoundCreates,
      try journal.isSameIntent(ticket.entryID, as: other.entryID, of: owner)
    {
      let write = EarlierWrite(
        entry: other.entryID, product: product.id, isCreate: true,
        reason: .interruption(try journal.time(of: other.entryID)))
      _ = try journal.take(write)
      (earlier, answer) = (write, product)
      return true
    }
    if outcome.isUnknown || execution.machine.isUnchecked {
      holder = ConflictingWrite(entry: other.entryID, process: 0, host: "", since: runner.clock.now, isUnknown: true)
    } else {
      if holder?.entry == other.entryID { holder = nil }
      runner.progress(
        .settled(index: index, RecoveredWrite(entry: other.entryID, change: other.change, outcome: outcome)))
    }
    return false
  }
}
