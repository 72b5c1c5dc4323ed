import Catalog

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
    case .notSent: return wasAborted ? .aborted(evidence) : .notSent(evidence, isAnswered: isAnswered)
    case .rateLimited: return .refused(Rejection(status: 429, kind: .busy))
    case .notApplied: return .notApplied(evidence, isAnswered: isAnswered)
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
