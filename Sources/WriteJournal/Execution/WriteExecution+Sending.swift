import Catalog
import Synchronization
import Text

extension WriteExecution {
  /// Records the attempt, waits for its slot, and sends it once.
  mutating func send() async throws {
    let before = machine
    machine.willSend()
    pendingWrite.attempt = machine.attempt
    do {
      try await journal.recordSending(pendingWrite, changed: pendingWrite.change != planned, after: before.state)
    } catch {
      rollBack(before)
      throw error
    }
    await batch.gate.wait(index, isWrite: true)
    do {
      try await waitForSlot()
      if let result = try await repeatPreflightIfStale(before) {
        await batch.gate.signal()
        rollBack(before)
        machine.didPreflight(result, by: rules)
        return
      }
    } catch {
      // It is recorded as being sent, and certainly wasn't sent.
      await batch.gate.signal()
      rollBack(before)
      throw error
    }
    if before.state == .notApplied {
      runner.progress(.retrying(index: index, attempt: machine.attemptOfRound, evidence: evidence))
    }
    runner.progress(.sending(index: index, attempt: machine.attempt))
    let start = runner.clock.monotonicNow
    let left = FinalBytesTimestamp()
    let sending = await runner.market.send(pendingWrite.change, operation: pendingWrite.operation) {
      [journal, pendingWrite, runner] in
      try await journal.recordSendingFinalBytes(pendingWrite)
      left.at = runner.clock.now
    }
    batch.recordSend(taking: runner.clock.monotonicNow - start)
    if left.at != nil { machine.willSendFinalBytes() }
    leftAt = left.at ?? leftAt
    var received = sending.outcome
    if case .drifted(let fields) = received {
      // Nothing was sent, because the product isn't as it was read. It may show the change itself: an earlier attempt has
      // arrived since, or another client wrote the same. So the product is read again, as before any attempt.
      let result = await preflight()
      guard result == .ready else {
        record(sending.exchanges)
        batch.endOutage()
        await batch.gate.signal()
        rollBack(before)
        machine.didPreflight(result, by: rules)
        return
      }
      received = .unsent(.changedSincePlan(fields))
    }
    let outcome = examine(received)
    isConfirmed =
      switch outcome {
      case .succeeded, .accepted: true
      case .drifted, .refused, .rateLimited, .unsent, .aborted, .unknown: false
      }
    switch outcome {
    case .succeeded, .accepted, .refused, .drifted, .rateLimited, .unknown(_, isAnswered: true): batch.endOutage()
    case .unsent, .aborted, .unknown(_, isAnswered: false): break
    }
    await applyBatchEffects(outcome)
    await batch.gate.signal()
    var rules = rules
    // A response that does not show the product is not trusted, not even where responses are.
    if case .accepted(_) = received, rules.confirmation == .never { rules.confirmation = .immediate }
    machine.didReceive(outcome, at: runner.clock.monotonicNow, by: rules)
    record(sending.exchanges)
    pendingWrite.mayHaveLeft = machine.mayHaveLeft
    // A write with a response is read at once; until then its record says `sending`, which the next start resolves.
    guard machine.acknowledgement == nil, [.unknown, .notSent, .rateLimited].contains(machine.state) else { return }
    // If this can't be recorded, the record still says `sending`. A verdict is recorded as soon as it is complete.
    try? await journal.recordState(pendingWrite, state: machine.state, evidence: evidence, exchanges: exchanges)
    exchanges = []
  }

  private mutating func rollBack(_ before: WriteStateMachine) {
    machine = before
    pendingWrite.attempt = before.attempt
  }

  /// Reads the product again if the write had to wait or is a repetition, so that changes made by others in the
  /// meantime aren't overwritten.
  ///
  /// - Returns: `nil` if the write can be sent, otherwise the reason against it.
  private mutating func repeatPreflightIfStale(_ before: WriteStateMachine) async throws -> WriteStateMachine.Preflight?
  {
    guard pendingWrite.change.action != .create,
      before.state == .notApplied || batch.isStale(runner.clock.monotonicNow - preflightTime)
    else { return nil }
    let (change, image) = (pendingWrite.change, pendingWrite.before)
    preflightTime = runner.clock.monotonicNow
    let result = await preflight()
    guard result == .ready else { return result }
    if pendingWrite.change != change || pendingWrite.before != image { try await journal.recordSending(pendingWrite) }
    return nil
  }

  private func waitForSlot() async throws {
    let end = runner.clock.monotonicNow + (await batch.gate.reserveSlot(at: runner.clock.monotonicNow))
    try stopUnlessWanted()
    try await runner.wait(until: end, checking: stopUnlessWanted)
  }

  /// Applies the consequences of a response for the batch before the next write is sent.
  private func applyBatchEffects(_ outcome: SendOutcome) async {
    if let refusal { batch.stopIfNeeded(after: refusal) }
    guard case .rateLimited(let wait) = outcome else { return }
    let time = wait ?? .seconds(1)
    if time > rules.longestWait {
      batch.stop()
    } else {
      await batch.gate.pause(until: runner.clock.monotonicNow + time)
    }
  }

  /// Stores the result of an attempt, and returns it; a response of success that doesn't show what was sent is none.
  private mutating func examine(_ outcome: SendOutcome) -> SendOutcome {
    (evidence, observed, verification.replied, isAnswered) = (nil, nil, nil, false)
    switch outcome {
    case .succeeded(let product):
      switch pendingWrite.change {
      case .delete: observed = product
      case .create(let draft):
        respondedID = product?.id
        // The id existed before, or the product belongs to another vendor or has other values: reading determines what
        // was created, if anything.
        guard let product, (try? self.evidence(of: draft).matchesResponse(product)) == true else {
          let reason: Evidence = product.map { .respondedWithOther($0.id) } ?? .respondedWithoutProduct
          evidence = reason
          return .unknown(reason)
        }
        (observed, verification.replied) = (product, product)
      case .edit(let old, _, _):
        if let product, product.id == old.id {
          (observed, verification.replied) = (product, product)
          return outcome
        }
        let reason: Evidence = product == nil ? .respondedWithoutProduct : .respondedWithOther(nil)
        evidence = reason
        if runner.verification == .never { return .unknown(reason) }
      }
    case .refused(let refusal):
      self.refusal = refusal
      evidence = .status(refusal.status, message: refusal.message)
    case .drifted(let fields): (conflictingFields, isAnswered) = (fields, true)
    case .unsent(let reason): (evidence, wasAborted) = (reason, false)
    case .aborted(let reason): (evidence, wasAborted) = (reason, true)
    case .rateLimited: evidence = .status(429, message: nil)
    case .accepted(let reason):
      (evidence, isAnswered) = (reason, true)
      if pendingWrite.change.action == .create { return .unknown(reason) }
    case .unknown(let reason, let isAnswered): (evidence, self.isAnswered) = (reason, isAnswered)
    }
    return outcome
  }

  private mutating func record(_ sent: [StoredExchange]) {
    for var exchange in sent {
      exchange.attempt = machine.attempt
      exchanges.append(exchange.json)
    }
  }
}

/// The time when the last bytes of a create were sent, set during the transfer.
private final class FinalBytesTimestamp: Sendable {
  private let moment = Mutex<Timestamp?>(nil)
  var at: Timestamp? {
    get { moment.withLock { $0 } }
    set { moment.withLock { $0 = newValue } }
  }
}

extension WriteExecution {
  /// Reads the market to find out whether a write was applied.
  mutating func readBack() async -> WriteStateMachine.ReadBack {
    do {
      if case .create(let draft) = pendingWrite.change { return try await readBack(draft) }
      guard let id = pendingWrite.change.product?.id else { return .unreadable }
      let isConfirmed = machine.acknowledgement == .success
      let finding = try await verification.read(
        id, for: pendingWrite, isConfirmed: isConfirmed, with: runner, in: journal)
      guard finding != .unreadable, let reading = verification.reading else { return .unreadable }
      observed = verification.product
      conflictingFields = reading.fields
      ambiguity = finding == .applied ? reasonForDoubt : nil
      if ambiguity != nil { return .unclear }
      if isConfirmed, finding != .applied { evidence = .reportedSuccess(reading.evidence) }
      return finding
    } catch {
      evidence = .joined(evidence, .checkFailed(WriteExecution.evidence(of: error)))
      return .unreadable
    }
  }

  /// The reason why wanted values that are read don't show that a computed edit of an ended program was applied, if it had no
  /// response.
  ///
  /// If it lowers the stock, the product looks the same if a buyer took as many. If another client has changed products of the
  /// same run, it may have repeated the line.
  private var reasonForDoubt: Evidence? {
    guard pendingWrite.isRelativeEdit, pendingWrite.isOutcomeUnknown, machine.acknowledgement == nil,
      case .edit(_, let from, let to) = pendingWrite.change
    else { return nil }
    if pendingWrite.isRunChangedByOthers { return .mayBeMadeElsewhere }
    guard to.assignedFields == [.stock], to.pictures == nil, let before = from.stock, let after = to.stock else {
      return nil
    }
    return after < before ? .likePurchase : nil
  }

  /// Returns the interpretation of a product for this write.
  func reading(of now: Product?) -> EffectReading { verification.reading(of: now, for: pendingWrite) }

  private mutating func readBack(_ draft: ProductDraft) async throws -> WriteStateMachine.ReadBack {
    // A product named by the server costs one read instead of a list.
    if machine.acknowledgement == .success, let respondedID, let product = try await runner.market.read(respondedID),
      try evidence(of: draft).matchesResponse(product)
    {
      observed = product
      return .applied
    }
    switch try await verdict(draft) {
    case .found(let id):
      guard let product = try await runner.market.read(id) else {
        // It was deleted by this program since; the journal's own record shows that it existed.
        observed = try evidence(of: draft).beforeImages[id]
        return observed == nil ? .unreadable : .applied
      }
      observed = product
      return .applied
    case .notFound:
      observed = nil
      // A list in no order may have the product on a page that wasn't read.
      guard runner.market.listsNewest || machine.acknowledgement == .success else {
        evidence = .joined(evidence, .inconclusive)
        return .unclear
      }
      if machine.acknowledgement == .success {
        evidence = .reportedSuccessOfMissing
      }
      return .notApplied
    case .ambiguous(let ids):
      observed = nil
      evidence = WriteExecution.evidence(of: ids)
      return .unclear
    }
  }

  /// Returns the reason why the market or the journal could not be read.
  static func evidence(of error: any Error) -> Evidence {
    if let error = error as? any MarketReadError { return error.evidence }
    return ErrorDescription.text(of: error).map { .text($0) } ?? .marketUnreadable
  }

  /// Returns which products could be the created one, or that others are also creating some.
  static func evidence(of ids: [Product.ID]) -> Evidence { ids.isEmpty ? .changesByOthers : .candidates(ids) }

  /// Reads the newest products, and single ones if a row doesn't show the sent fields, and decides whether the create
  /// was applied.
  func verdict(_ draft: ProductDraft) async throws -> CreateMatcher.Verdict {
    let evidence = try evidence(of: draft)
    let oldest = pendingWrite.known.min() ?? .min
    var limit = WriteExecution.newestCount
    var rows = try await runner.market.newestProducts(limit)
    // Only a list that reaches an older product shows that it contains nothing new.
    while rows.count >= limit, rows.allSatisfy({ $0.id > oldest }), limit < 10_000 {
      limit = min(limit * 4, 10_000)
      rows = try await runner.market.newestProducts(limit)
    }
    var whole: [Product] = []
    for row in rows where evidence.isNew(row.id) {
      let wantsDetail =
        evidence.isAlike(row) || row.id == evidence.respondedID
        || CreateMatcher.containsMarker(evidence.operation, row)
      guard wantsDetail, evidence.beforeImages[row.id] == nil else {
        whole.append(row)
        continue
      }
      if let product = try await runner.market.read(row.id) { whole.append(product) }
    }
    return evidence.verdict(from: whole)
  }

  /// Returns the criteria by which the created product is recognized.
  func evidence(of draft: ProductDraft) throws -> CreateMatcher {
    var claimed = try journal.claimed(runner.binding)
    if pendingWrite.state == .acknowledged, let respondedID { claimed.remove(respondedID) }
    return CreateMatcher(
      draft: draft, operation: draft.mark ?? pendingWrite.operation, known: Set(pendingWrite.known),
      knownProductIDs: claimed,
      vendorID: runner.market.vendorID, idsGrow: runner.market.idsGrow,
      keepsMarker: runner.market.keepsMark ? true : try journal.keepsMarker(at: runner.binding.baseURL),
      respondedID: respondedID,
      beforeImages: try journal.beforeImages(
        after: pendingWrite.entryID, than: claimed, above: pendingWrite.known.min() ?? .min, runner.binding),
      competingCreates: try journal.competingCreates(of: pendingWrite.entryID, runner.binding))
  }
}

extension WriteExecution {
  /// Records the verdict and returns the outcome.
  mutating func finish() async throws -> Outcome {
    let state = machine.state
    pendingWrite.mayHaveLeft = machine.mayHaveLeft
    if case .needsDecision = state, pendingWrite.state == .needsDecision {
      // It was searched for again and not found: it remains undecided.
      try? journal.touchUndecided(pendingWrite.entryID)
      return .needsDecision(evidence ?? .inconclusive)
    }
    let outcome = await outcome(state)
    let after = verification.afterImage(of: pendingWrite, outcome)
    var product = pendingWrite.change.product?.id
    if case .done(let now, let differences) = outcome {
      product = now?.id ?? product
      evidence = detail(ofDone: differences)
    }
    if let earlier {
      product = earlier.product
      evidence = .createdBefore(entry: earlier.entry, product: earlier.product)
    }
    do {
      try await journal.recordVerdict(
        pendingWrite, as: state, product: product, after: after, made: outcome.product,
        detail: evidence, exchanges)
      return outcome
    } catch {
      // The record says that it is being sent: reading determines the outcome again, and until then earlier writes
      // can't be undone.
      return machine.attempt > 0 && !outcome.isUnknown ? .unrecorded(outcome, error) : outcome
    }
  }

  /// Returns the detail for the log of a write that is done: how that was determined without a response, and the
  /// differences.
  private func detail(ofDone differences: [FieldDifference]) -> Evidence? {
    let isAnswered = machine.acknowledgement == .success || machine.attempt == 0
    let isRefused = refusal != nil && machine.acknowledgement == nil
    let isUnconfirmed = differences.contains { $0.kind == .unconfirmed }
    let reasons =
      isAnswered || isRefused ? [] : evidence.map { $0.parts + (isUnconfirmed ? [] : [.checkedApplied]) } ?? []
    return .joined(reasons + differences.map(\.evidence))
  }

  private mutating func outcome(_ state: WriteStateMachine.State) async -> Outcome {
    switch state {
    case .done, .acknowledged: return await finishDone()
    case .noChange:
      if let vanished { return .createdAndGone(vanished, mismatch) }
      return observed.map { .unchanged($0, earlier: earlier) } ?? .notStarted
    case .refused: return .refused(refusal ?? Rejection(status: 0, kind: .other))
    case .notSent:
      let reason = evidence ?? .noResponse
      return wasAborted ? .aborted(reason) : .notSent(reason, isAnswered: isAnswered)
    case .rateLimited: return .refused(Rejection(status: 429, kind: .busy))
    case .notApplied: return .notApplied(evidence, isAnswered: isAnswered)
    case .acknowledgedNotApplied:
      return .notStored(observed, conflictingFields, evidence: evidence ?? .reportedSuccess(nil))
    case .needsDecision:
      let reason = reasonForDecision()
      evidence = reason
      return .needsDecision(reason)
    case .drifted:
      if let mismatch {
        evidence = .otherProduct(mismatch.found.names.first)
        return .otherProduct(mismatch)
      }
      evidence = .changedSincePlan(conflictingFields)
      return .drifted(conflictingFields)
    case .planned, .claimed, .sending, .sendingFinalBytes, .unknown, .abandoned:
      return .unknown(evidence ?? .noResponse)
    }
  }

  /// Compares the product that was read, or the one in the response, with what was sent.
  private mutating func finishDone() async -> Outcome {
    // A response that shows nothing but the id doesn't say what an undo has to compare.
    if case .create = pendingWrite.change, let observed, observed.name == nil,
      let read = try? await runner.market.read(observed.id)
    {
      self.observed = read
    }
    // Nothing was read: if the response differs from what was sent, the product is read once.
    if runner.verification == .never, pendingWrite.change.kind != .delete, let observed,
      !reading(of: observed).differences.isEmpty, let read = try? await runner.market.read(observed.id)
    {
      self.observed = read
    }
    let outcome = verification.done(pendingWrite, observed, isConfirmed: machine.acknowledgement == .success)
    guard case .done(let now?, let differences) = outcome, pendingWrite.change.kind != .delete else { return outcome }
    recordMarkerSupport(from: now)
    return .done(now, differences: differences + unconfirmed(in: now, but: differences))
  }

  /// Returns the fields with computed values that another client may have set, because no success response says that this
  /// write did.
  private func unconfirmed(in now: Product, but differences: [FieldDifference]) -> [FieldDifference] {
    guard pendingWrite.isRelativeEdit, !isConfirmed, machine.attempt > 0, case .edit(_, _, let to) = planned else {
      return []
    }
    let values = ProductValues(of: now, like: to)
    return to.assignedFields.compactMap { field in
      if differences.contains(where: { $0.field == field }) { return nil }
      return values[field].map { FieldDifference(field, .unconfirmed, now: $0) }
    }
  }

  private func recordMarkerSupport(from product: Product) {
    guard case .create(let draft) = pendingWrite.change, draft.pictures.contains(where: { $0.address == nil }) else {
      return
    }
    let keeps = CreateMatcher.containsMarker(pendingWrite.operation, product)
    guard keeps || product.images?.isEmpty == false || product.thumbnailURL != nil else { return }
    guard (try? journal.keepsMarker(at: runner.binding.baseURL)) != keeps else { return }
    try? journal.remember(keepsMarker: keeps, at: runner.binding.baseURL)
  }

  private func reasonForDecision() -> Evidence {
    if pendingWrite.change.kind == .create, machine.mayHaveLeft {
      if let evidence, case .candidates? = evidence.parts.first { return evidence }
      let unseen = Evidence.notFound(sentAt: leftAt?.description, until: runner.clock.now.description)
      return .all([unseen] + (evidence?.parts ?? []))
    }
    guard case .edit(_, let from, let to) = pendingWrite.change else { return evidence ?? .inconclusive }
    guard let observed else { return .noLongerExists(nil) }
    let now = ProductValues(of: observed, like: to)
    let values = to.assignedFields.map { field in
      Evidence.values(
        field, before: from[field]?.description, wanted: to[field]?.description, now: now[field]?.description)
    }
    let isRestored = reading(of: observed).finding == .restored
    let modified = isRestored ? [Evidence.modified(at: observed.modified?.description)] : []
    let confirmed: Evidence? = machine.acknowledgement == .success ? .reportedSuccess(nil) : nil
    let doubt = ambiguity ?? (machine.mayBePassedOn ? .mayBePassedOn : nil)
    return .joined([confirmed, doubt].compactMap(\.self) + values + modified) ?? .inconclusive
  }
}
