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
    while true {
      switch try await journal.claim(
        ticket, finds: !rules.ignoresFoundCreates, within: rules.settle, runner.binding)
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
    if outcome.isUnknown {
      holder = ConflictingWrite(entry: other.entryID, process: 0, host: "", since: runner.clock.now, isUnknown: true)
    } else {
      if holder?.entry == other.entryID { holder = nil }
      runner.progress(
        .settled(index: index, RecoveredWrite(entry: other.entryID, change: other.change, outcome: outcome)))
    }
    return false
  }

  /// Reads the market directly before sending, stores the product as it is, and checks that the plan still applies.
  mutating func preflight() async -> WriteStateMachine.Preflight {
    do {
      switch ticket.change {
      case .create(let draft): return try await preflightCreate(draft)
      case .edit(let old, let from, let to):
        let now = try await runner.market.read(old.id)
        if let now, let time = nextRead(after: now) { return .stale(until: time) }
        if let now, to.pictures != nil { await savePictures(of: now) }
        return preflight(at: now, old, from, to)
      case .delete(let old):
        guard let now = try await runner.market.read(old.id) else {
          return machine.isDoubtful ? .applied : markMissing()
        }
        if let time = nextRead(after: now) { return .stale(until: time) }
        ticket.before = now
        await savePictures(of: now)
        conflictingFields = ProductValues(of: old).differing(from: ProductValues(of: now))
        return conflictingFields.isEmpty ? .ready : .conflicted
      }
    } catch {
      evidence = "the check before sending failed: \(error)"
      return .unreadable
    }
  }

  private mutating func preflight(
    at product: Product?, _ old: Product, _ from: ProductValues, _ to: ProductValues
  ) -> WriteStateMachine.Preflight {
    guard let now = product else { return markMissing() }
    let comparison = ThreeWayComparison(of: now, unchanged: from, applied: to)
    let isThere = comparison.readBack == .applied || comparison.readBack == .changed(isOurs: true)
    // The values that an earlier attempt of this write just applied aren't the previous values, which `undo` needs.
    if machine.isDoubtful, isThere, to.pictures == nil {
      if ticket.before == nil { ticket.before = now }
      answer = now
      return .applied
    }
    ticket.before = now
    // The value is a form of the wanted one and differs from the value that the plan is based on.
    let reformed = comparison.stored.filter { field in
      guard let then = from[field], let value = ProductValues(of: now, like: to)[field] else { return false }
      return !value.isSame(as: then)
    }
    let overtaken = ticket.isRelative && !machine.isDoubtful ? comparison.applied : []
    conflictingFields = (comparison.conflicting + reformed + overtaken).filter { from[$0] != nil }
    guard conflictingFields.isEmpty else { return .conflicted }
    guard to.pictures != nil || comparison.readBack != .applied || !comparison.stored.isEmpty else {
      answer = now
      return machine.isDoubtful ? .applied : .alreadyApplied
    }
    var fewer = to
    for field in comparison.applied { fewer[field] = nil }
    // Editions that receive the sale price compute it from price and discount, so both are updated to their current
    // values.
    let current = old.price == now.price && old.discount == now.discount ? old : now
    ticket.change = .edit(current, from: ProductValues(of: now, like: fewer), to: fewer)
    return .ready
  }

  private mutating func markMissing() -> WriteStateMachine.Preflight {
    refusal = Rejection(status: 404, kind: .notFound)
    evidence = "no longer exists"
    return .missing
  }

  private mutating func preflightCreate(_ draft: ProductDraft) async throws -> WriteStateMachine.Preflight {
    if machine.attempt > 0 {
      // Status 429 means "not processed"; but a duplicate would cost more than this one read.
      switch try await verdict(draft) {
      case .found(let id):
        answer = try await runner.market.read(id)
        return answer == nil ? .unreadable : .applied
      case .ambiguous(let ids):
        evidence = WriteExecution.words(for: ids)
        return .ambiguous
      case .notFound: return .ready
      }
    }
    if let seen {
      ticket.known = seen
    } else {
      ticket.known = try await runner.market.newestProducts(WriteExecution.newestCount).map(\.id)
    }
    return .ready
  }

  func savePictures(of product: Product) async {
    _ = await runner.keepPictures(of: product)
  }

  /// The number of newest products to read.
  static let newestCount = 50
}

extension WriteExecution {
  /// Records the verdict and returns the outcome.
  mutating func finish() async throws -> Outcome {
    let state = machine.state
    ticket.mayHaveLeft = machine.mayHaveLeft
    if case .needsDecision = state, ticket.state == .needsDecision {
      // It was searched for again and not found: it remains undecided.
      try? journal.touchUndecided(ticket.entryID)
      return .needsDecision(evidence)
    }
    let outcome = await outcome(state)
    var after: ProductValues?
    var product = ticket.change.product?.id
    if case .done(let now, let differences) = outcome {
      product = now?.id ?? product
      after = reading(of: answer).after
      evidence = detail(ofDone: differences)
    }
    if case .notStored(let now, _, _) = outcome { after = afterImageOfRejected(now) }
    if let earlier {
      product = earlier.product
      evidence = "created before by log entry \(earlier.entry): product \(earlier.product)"
    }
    do {
      try await journal.recordVerdict(
        ticket, as: state, product: product, after: after, detail: evidence.isEmpty ? nil : evidence, exchanges)
      return outcome
    } catch {
      // The record says that it is being sent: reading determines the outcome again, and until then earlier writes
      // can't be undone.
      return machine.attempt > 0 && !outcome.isUnknown ? .unrecorded(outcome, error) : outcome
    }
  }

  /// Returns the detail for the log of a write that is done: how that was determined without a response, and the
  /// differences.
  private func detail(ofDone differences: [Difference]) -> String {
    let isAnswered = machine.reply == .yes || machine.attempt == 0 || evidence.isEmpty
    let isRefused = refusal != nil && machine.reply == nil
    let first = isAnswered || isRefused ? [] : [evidence + "; checked, applied"]
    return (first + differences.map(\.words)).joined(separator: "; ")
  }

  private mutating func outcome(_ state: WriteStateMachine.State) async -> Outcome {
    switch state {
    case .done, .acknowledged: return await finishDone()
    case .noChange: return answer.map { .unchanged($0, earlier: earlier) } ?? .notStarted
    case .refused: return .refused(refusal ?? Rejection(status: 0, kind: .other))
    case .notSent: return wasAborted ? .aborted(evidence) : .notSent(evidence)
    case .rateLimited: return .refused(Rejection(status: 429, kind: .busy))
    case .notApplied: return .notApplied
    case .acknowledgedNotApplied: return .notStored(answer, conflictingFields, evidence: evidence)
    case .needsDecision:
      evidence = decisionText()
      return .needsDecision(evidence)
    case .conflicted:
      evidence = "changed since the plan was made: " + conflictingFields.map(\.rawValue).joined(separator: ", ")
      return .conflicted(conflictingFields)
    case .planned, .claimed, .sending, .sendingFinalBytes, .unknown, .abandoned: return .unknown(evidence)
    }
  }

  /// Compares the product that was read, or the one in the response, with what was sent.
  private mutating func finishDone() async -> Outcome {
    if case .delete = ticket.change {
      return .done(ticket.before ?? answer ?? ticket.change.product, differences: [])
    }
    // Nothing was read: if the response differs from what was sent, the product is read once.
    if runner.verification == .never, let answer, !reading(of: answer).differences.isEmpty,
      let read = try? await runner.market.read(answer.id)
    {
      self.answer = read
    }
    guard let now = answer else {
      let isGone = machine.reply == .yes && ticket.change.kind == .patch
      return .done(nil, differences: isGone ? reading(of: nil).differences : [])
    }
    recordMarkerSupport(from: now)
    return .done(now, differences: reading(of: now).differences)
  }

  private func recordMarkerSupport(from product: Product) {
    guard case .create(let draft) = ticket.change, !draft.pictures.isEmpty else { return }
    let keeps = CreateMatcher.containsMarker(ticket.operation, product)
    guard keeps || product.images?.isEmpty == false || product.thumbnailURL != nil else { return }
    guard (try? journal.keepsMarker(at: runner.binding.baseURL)) != keeps else { return }
    try? journal.remember(keepsMarker: keeps, at: runner.binding.baseURL)
  }

  /// Returns the current values of the sent fields, which are the after-image of a write that wasn't stored.
  private func afterImageOfRejected(_ now: Product?) -> ProductValues? {
    guard let now, case .edit(_, _, let to) = ticket.change else { return nil }
    return ProductValues(of: now, like: to)
  }

  private func decisionText() -> String {
    if ticket.change.kind == .create, machine.mayHaveLeft {
      let until = "not found as of \(runner.clock.now)"
      let seen = evidence.hasPrefix("could be") ? "" : until + (evidence.isEmpty ? "" : "; ")
      let sent = leftAt.map { "sent completely at \($0), " } ?? ""
      return seen.isEmpty ? evidence : sent + seen + evidence
    }
    guard case .edit(_, let from, let to) = ticket.change else {
      return evidence.isEmpty ? "no response, and reading is inconclusive" : evidence
    }
    guard let answer else { return "the product no longer exists" }
    let now = ProductValues(of: answer, like: to)
    let values = to.assignedFields.map { field in
      let values = [from[field], to[field], now[field]].map { $0?.description ?? "-" }
      return "\(field) was \(values[0]), wanted \(values[1]), is \(values[2])"
    }
    let isRestored = reading(of: answer).finding == .restored
    let modified = isRestored ? ["modified since, at \(answer.modified?.description ?? "-")"] : []
    return (values + modified).joined(separator: "; ")
  }
}

extension ProductValues {
  func overlaid(with other: ProductValues?) -> ProductValues {
    var result = self
    for field in other?.assignedFields ?? [] { result[field] = other?[field] }
    return result
  }
}
