import Catalog

extension WriteExecution {
  /// What came of asking for the product, or for being the only equal create.
  enum Claim {
    case granted
    /// An earlier write is the one that is wanted; nothing is sent.
    case made
    /// Another write holds it.
    case held
  }

  /// Waits for a write that holds the product, and settles what an interrupted command has left open.
  ///
  /// An equal create that is found done on the way, and that no user was told of, is the one that is wanted now: this one
  /// ends as unchanged, with that product.
  mutating func claim() async throws -> Claim {
    let end = runner.clock.elapsed + rules.settle.window + rules.settle.agreement * 3
    while true {
      switch try await journal.claim(ticket.entry, isAnother: ticket.isAnother) {
      case .granted: return .granted
      case .made(let write):
        earlier = write
        let now = try? await runner.market.read(write.product)
        answer = if let now { now } else { try journal.recordedProduct(write) }
        return .made
      case .stuck(let entry):
        let owner = try journal.owner(of: entry)
        guard let stuck = try journal.adopt(runner.binding, only: entry).first else {
          // Another shell has taken it, or it has just become a question.
          holder = Holder(entry: entry, process: 0, host: "", since: runner.clock.wall, isUnknown: true)
          guard runner.clock.elapsed < end else { return .held }
          try await runner.clock.pause(.milliseconds(200))
          try stopUnlessWanted()
          continue
        }
        if try await settle(stuck, of: owner) { return .made }
        if holder?.entry == entry { return .held }
      case .question(let holder):
        self.holder = holder
        let owner = try journal.owner(of: holder.entry)
        guard let question = try journal.questions(runner.binding, only: holder.entry).first else { return .held }
        if try await settle(question, of: owner, rereads: true) { return .made }
        if self.holder?.entry == holder.entry { return .held }
      case .held(let holder):
        self.holder = holder
        guard runner.clock.elapsed < end else { return .held }
        runner.progress(.waiting(index: index, holder))
        try await runner.clock.pause(.milliseconds(250))
        try stopUnlessWanted()
      }
    }
  }

  /// Finds out how a write ended that stands in the way; where that is not known, it becomes the holder.
  ///
  /// - Parameters:
  ///   - owner: the session that had planned it.
  ///   - rereads: it is a question, which is read once more.
  /// - Returns: true where it is the create that is wanted.
  private mutating func settle(_ other: Ticket, of owner: String, rereads: Bool = false) async throws -> Bool {
    var execution = WriteExecution(runner, journal, other, index: index, in: batch, rereads: rereads)
    let outcome = await execution.run(resends: false) ?? .unknown(execution.evidence)
    try stopUnlessWanted()
    if case .done(let product?, _) = outcome, !ticket.isAnother,
      try journal.isSameIntent(ticket.entry, as: other.entry, of: owner)
    {
      let write = EarlierWrite(
        entry: other.entry, product: product.id, isCreate: true,
        reason: .interruption(try journal.time(of: other.entry)))
      _ = try journal.take(write)
      (earlier, answer) = (write, product)
      return true
    }
    if outcome.isUnknown {
      holder = Holder(entry: other.entry, process: 0, host: "", since: runner.clock.wall, isUnknown: true)
    } else {
      if holder?.entry == other.entry { holder = nil }
      runner.progress(
        .settled(index: index, Recovered(entry: other.entry, change: other.change, outcome: outcome)))
    }
    return false
  }

  /// The market just before the send: the before-image, and whether the plan still fits it.
  mutating func look() async -> StateMachine.Preflight {
    do {
      switch ticket.change {
      case .create(let draft): return try await lookAround(draft)
      case .edit(let old, let from, let to):
        let now = try await runner.market.read(old.id)
        if let now, to.pictures != nil { await savePictures(of: now) }
        return look(at: now, old, from, to)
      case .delete(let old):
        guard let now = try await runner.market.read(old.id) else { return machine.isDoubtful ? .landed : gone() }
        ticket.before = now
        await savePictures(of: now)
        moved = Fields(of: old).differing(from: Fields(of: now))
        return moved.isEmpty ? .clear : .drifted
      }
    } catch {
      evidence = "the look before sending failed: \(error)"
      return .unreadable
    }
  }

  private mutating func look(
    at product: Product?, _ old: Product, _ from: Fields, _ to: Fields
  ) -> StateMachine.Preflight {
    guard let now = product else { return gone() }
    let comparison = Comparison(of: now, before: from, wanted: to)
    let isThere = comparison.finding == .landed || comparison.finding == .changed(isOurs: true)
    // What an earlier send of this write has just brought is not what was there before it: `undo` needs that.
    if machine.isDoubtful, isThere, to.pictures == nil {
      if ticket.before == nil { ticket.before = now }
      answer = now
      return .landed
    }
    ticket.before = now
    // In a form of what is wanted, and not as it was seen.
    let reformed = comparison.stored.filter { field in
      guard let then = from[field], let value = Fields(of: now, like: to)[field] else { return false }
      return !value.isSame(as: then)
    }
    let overtaken = ticket.isRelative && !machine.isDoubtful ? comparison.wanted : []
    moved = (comparison.moved + reformed + overtaken).filter { from[$0] != nil }
    guard moved.isEmpty else { return .drifted }
    guard to.pictures != nil || comparison.finding != .landed || !comparison.stored.isEmpty else {
      answer = now
      return machine.isDoubtful ? .landed : .same
    }
    var fewer = to
    for field in comparison.wanted { fewer[field] = nil }
    // Editions that are sent the sale price compute it from both: each as it is now.
    let current = old.price == now.price && old.discount == now.discount ? old : now
    ticket.change = .edit(current, from: Fields(of: now, like: fewer), to: fewer)
    return .clear
  }

  private mutating func gone() -> StateMachine.Preflight {
    refusal = Refusal(status: 404, kind: .notFound)
    evidence = "not there any more"
    return .gone
  }

  private mutating func lookAround(_ draft: Draft) async throws -> StateMachine.Preflight {
    if machine.attempt > 0 {
      // Not processed, says 429; a duplicate would cost more than this one read.
      switch try await verdict(draft) {
      case .landed(let id):
        answer = try await runner.market.read(id)
        return answer == nil ? .unreadable : .landed
      case .unclear(let ids):
        evidence = WriteExecution.words(for: ids)
        return .unclear
      case .untouched: return .clear
      }
    }
    if let seen {
      ticket.known = seen
    } else {
      ticket.known = try await runner.market.newest(WriteExecution.reach).map(\.id)
    }
    return .clear
  }

  func savePictures(of product: Product) async {
    _ = await runner.keepPictures(of: product)
  }

  /// How many of the newest products are looked at.
  static let reach = 50
}

extension WriteExecution {
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
      after = reading(of: answer).after
      evidence = detail(ofDone: differences)
    }
    if case .notStored(let now, _, _) = outcome { after = truth(now) }
    if let earlier {
      product = earlier.product
      evidence = "made before by entry \(earlier.entry): product \(earlier.product)"
    }
    do {
      try await journal.leave(
        ticket, as: state, product: product, after: after, detail: evidence.isEmpty ? nil : evidence, exchanges)
      return outcome
    } catch {
      // The record says that it is on its way: reading back finds the outcome again, and until then nothing is undone past
      // it.
      return machine.attempt > 0 && !outcome.isUnknown ? .unrecorded(outcome, error) : outcome
    }
  }

  /// What the log says of a write that is done: how that was found out where no answer said so, and what differs.
  private func detail(ofDone differences: [Difference]) -> String {
    let isTold = machine.reply == .yes || machine.attempt == 0 || evidence.isEmpty
    let isRefused = refusal != nil && machine.reply == nil
    let first = isTold || isRefused ? [] : [evidence + "; read back as done"]
    return (first + differences.map(\.words)).joined(separator: "; ")
  }

  private mutating func outcome(_ state: StateMachine.State) async -> Outcome {
    switch state {
    case .done: return await done()
    case .unchanged: return answer.map { .unchanged($0, earlier: earlier) } ?? .skipped
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

  /// Compares what was read, or else what the server answered, with what was sent.
  private mutating func done() async -> Outcome {
    if case .delete = ticket.change {
      return .done(ticket.before ?? answer ?? ticket.change.product, differences: [])
    }
    // Nothing was read: an answer of another form is looked at once.
    if runner.verification == .never, let answer, !reading(of: answer).differences.isEmpty,
      let read = try? await runner.market.read(answer.id)
    {
      self.answer = read
    }
    guard let now = answer else {
      let isGone = machine.reply == .yes && ticket.change.kind == .patch
      return .done(nil, differences: isGone ? reading(of: nil).differences : [])
    }
    learnMarker(from: now)
    return .done(now, differences: reading(of: now).differences)
  }

  private func learnMarker(from product: Product) {
    guard case .create(let draft) = ticket.change, !draft.pictures.isEmpty else { return }
    let keeps = CreateEvidence.shows(ticket.operation, product)
    guard keeps || product.images?.isEmpty == false || product.thumbnail != nil else { return }
    guard (try? journal.keepsMarker(at: runner.binding.baseURL)) != keeps else { return }
    try? journal.remember(keepsMarker: keeps, at: runner.binding.baseURL)
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
    let values = to.set.map { field in
      let values = [from[field], to[field], now[field]].map { $0?.description ?? "-" }
      return "\(field) was \(values[0]), wanted \(values[1]), is \(values[2])"
    }
    let isRestored = reading(of: answer).finding == .restored
    let modified = isRestored ? ["modified since, at \(answer.modified?.description ?? "-")"] : []
    return (values + modified).joined(separator: "; ")
  }
}

extension Fields {
  func overlaid(with other: Fields?) -> Fields {
    var result = self
    for field in other?.set ?? [] { result[field] = other?[field] }
    return result
  }
}
