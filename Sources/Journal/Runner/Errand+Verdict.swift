import Catalog

extension Errand {
  /// Writes the verdict down and says it.
  mutating func rest() async throws -> Outcome {
    let state = machine.state
    ticket.mayHaveLeft = machine.mayHaveLeft
    if case .asked = state, ticket.state == .asked {
      // Looked for once more, and not found: the question stays as it is.
      try? journal.looked(ticket.entry)
      return .asked(evidence)
    }
    let outcome = await outcome(state)
    var after: Fields?
    var product = ticket.change.product?.id
    if case .done(let now, let differences) = outcome {
      product = now?.id ?? product
      after = stored(now)
      if !differences.isEmpty {
        evidence = "stored otherwise: " + differences.map(\.rawValue).joined(separator: ", ")
      } else if machine.attempt > 0 && evidence.isEmpty == false && refusal == nil {
        evidence += "; read back as done"
      }
    }
    if case .notStored(let now, _, _) = outcome { after = truth(now) }
    // The verdict counts whether or not it can be written: without it the next start reads back again.
    try? await journal.leave(
      ticket, as: state, product: product, after: after, detail: evidence.isEmpty ? nil : evidence, exchanges)
    return outcome
  }

  private mutating func outcome(_ state: StateMachine.State) async -> Outcome {
    switch state {
    case .done: return await done()
    case .unchanged: return answer.map(Outcome.unchanged) ?? .skipped
    case .refused: return .refused(refusal ?? Refusal(status: 0, kind: .other))
    case .unsent: return isCut ? .cutShort(evidence) : .notSent(evidence)
    case .deferred: return .refused(Refusal(status: 429, kind: .busy))
    case .notApplied: return .notApplied
    case .notStored: return .notStored(answer, moved, evidence: evidence)
    case .asked:
      evidence = question()
      return .asked(evidence)
    case .drifted:
      evidence = "changed since the plan was made: " + moved.map(\.rawValue).joined(separator: ", ")
      return .drifted(moved)
    case .planned, .ready, .sending, .leaving, .unknown, .dismissed: return .unknown(evidence)
    }
  }

  /// Compares what the server answered with what was sent; where they differ, one read tells what it really stored.
  private mutating func done() async -> Outcome {
    let sent: Fields
    switch ticket.change {
    case .delete: return .done(ticket.before ?? answer ?? ticket.change.product, differences: [])
    case .create(let draft): sent = Fields(of: draft)
    case .edit(_, _, let to): sent = to
    }
    guard var now = answer else { return .done(nil, differences: []) }
    if runner.verification == .never, !sent.differing(from: Fields(of: now)).isEmpty,
      let read = try? await runner.market.read(now.id)
    {
      now = read
      answer = read
    }
    learnMarker(from: now)
    return .done(now, differences: sent.differing(from: Fields(of: now)))
  }

  private func learnMarker(from product: Product) {
    guard case .create(let draft) = ticket.change, !draft.pictures.isEmpty else { return }
    let keeps = CreateEvidence.shows(ticket.operation, product)
    guard keeps || product.images?.isEmpty == false || product.thumbnail != nil else { return }
    guard (try? journal.keepsMarker(at: runner.binding.baseURL)) != keeps else { return }
    try? journal.remember(keepsMarker: keeps, at: runner.binding.baseURL)
  }

  /// What the server keeps now of the fields that were sent: that is what an undo later looks for.
  private func stored(_ product: Product?) -> Fields? {
    switch ticket.change {
    case .delete: return nil
    case .create(let draft): return product.map { Fields(of: $0) } ?? Fields(of: draft)
    case .edit(_, _, var to):
      // Their bytes lie with the change itself; where they now are tells an undo whether others took their place.
      to.pictures = to.pictures.flatMap { _ in product?.images?.map { PictureFile(standingAt: $0.url) } }
      return to.overlaid(with: product.map { Fields(of: $0, like: to) })
    }
  }

  /// What the product is now in the fields that were sent: the after-image of a write that was not stored.
  private func truth(_ now: Product?) -> Fields? {
    guard let now, case .edit(_, _, let to) = ticket.change else { return nil }
    return Fields(of: now, like: to)
  }

  private func question() -> String {
    if ticket.change.kind == .create, machine.mayHaveLeft {
      let until = "not seen until \(runner.clock.wall)"
      let seen = evidence.hasPrefix("could be") ? "" : until + (evidence.isEmpty ? "" : "; ")
      let sent = leftAt.map { "sent whole at \($0), " } ?? ""
      return seen.isEmpty ? evidence : sent + seen + evidence
    }
    guard case .edit(_, let from, let to) = ticket.change else {
      return evidence.isEmpty ? "no answer, and reading does not tell" : evidence
    }
    guard let answer else { return "the product is gone" }
    let now = Fields(of: answer, like: to)
    return to.set.map { field in
      let values = [from[field], to[field], now[field]].map { $0?.description ?? "-" }
      return "\(field) was \(values[0]), wanted \(values[1]), is \(values[2])"
    }.joined(separator: "; ")
  }
}

extension Fields {
  func overlaid(with other: Fields?) -> Fields {
    var result = self
    for field in other?.set ?? [] { result[field] = other?[field] }
    return result
  }
}
