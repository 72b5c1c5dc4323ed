import Catalog

extension Errand {
  /// Waits for whoever holds the product, and settles what a dead or absent one has left open; false when it stays held.
  mutating func claim() async throws -> Bool {
    let end = runner.clock.elapsed + rules.settle.window + rules.settle.agreement * 3
    while true {
      switch try await journal.claim(ticket.entry) {
      case .granted: return true
      case .stuck(let entry):
        guard let stuck = try journal.adopt(runner.binding, only: entry).first else {
          // Another shell has taken it, or it has just become a question.
          holder = Holder(entry: entry, process: 0, host: "", since: runner.clock.wall, isUnknown: true)
          guard runner.clock.elapsed < end else { return false }
          try await runner.clock.pause(.milliseconds(200))
          try stopUnlessWanted()
          continue
        }
        var other = Errand(runner, journal, stuck, index: index, in: batch)
        let outcome = await other.run(resends: false)
        try stopUnlessWanted()
        if case .unknown = outcome {
          holder = Holder(
            entry: entry, process: 0, host: "", since: runner.clock.wall, isUnknown: true)
          return false
        }
      case .question(let holder):
        self.holder = holder
        let question = try journal.questions(runner.binding, only: holder.entry).first
        guard let question, try await reread(question) else { return false }
      case .held(let holder):
        self.holder = holder
        guard runner.clock.elapsed < end else { return false }
        runner.progress(.waiting(index: index, holder))
        try await runner.clock.pause(.milliseconds(250))
        try stopUnlessWanted()
      }
    }
  }

  /// Looks once more for a create that is a question; true when it is found.
  private func reread(_ question: Ticket) async throws -> Bool {
    var other = Errand(runner, journal, question, index: index, in: batch, rereads: true)
    guard case .done = await other.run(resends: false) else { return false }
    try stopUnlessWanted()
    return true
  }

  /// The market just before the send: the before-image, and whether the plan still fits it.
  mutating func look() async -> StateMachine.Sight {
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
  ) -> StateMachine.Sight {
    guard let now = product else { return gone() }
    ticket.before = now
    let comparison = Comparison(of: now, before: from, wanted: to)
    let overtaken = ticket.isRelative && !machine.isDoubtful ? comparison.wanted : []
    moved = (comparison.moved + overtaken).filter { from[$0] != nil }
    guard moved.isEmpty else { return .drifted }
    guard comparison.finding != .landed || to.pictures != nil else {
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

  private mutating func gone() -> StateMachine.Sight {
    refusal = Refusal(status: 404, kind: .notFound)
    evidence = "not there any more"
    return .gone
  }

  private mutating func lookAround(_ draft: Draft) async throws -> StateMachine.Sight {
    if machine.attempt > 0 {
      // Not processed, says 429; a duplicate would cost more than this one read.
      switch try await verdict(draft) {
      case .landed(let id):
        answer = try await runner.market.read(id)
        return answer == nil ? .unreadable : .landed
      case .unclear(let ids):
        evidence = Errand.words(for: ids)
        return .unclear
      case .untouched: return .clear
      }
    }
    if let seen {
      ticket.known = seen
    } else {
      ticket.known = try await runner.market.newest(Errand.reach).map(\.id)
    }
    return .clear
  }

  func savePictures(of product: Product) async {
    _ = await runner.keepPictures(of: product)
  }

  /// How many of the newest products are looked at.
  static let reach = 50
}
