import Catalog

extension WriteExecution {
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
      evidence = "the check before sending failed: \(WriteExecution.words(for: error))"
      isAnswered = (error as? any MarketReadError)?.isAnswered ?? false
      wasAborted = false
      return .unreadable
    }
  }

  /// Returns the time of the next read if a product that was read before sending shows what an earlier write of ours
  /// replaced, or `nil` if it doesn't or the confirmation window is over.
  ///
  /// After the window another client has set the value back.
  private mutating func nextRead(after product: Product) -> Duration? {
    let now = runner.clock.monotonicNow
    guard recent.isOutdated(product), now - (outdatedSince ?? now) < rules.settle.duration else { return nil }
    outdatedSince = outdatedSince ?? now
    return now + min(.seconds(1), rules.settle.duration)
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
