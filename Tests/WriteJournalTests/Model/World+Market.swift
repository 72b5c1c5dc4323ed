import Catalog

@testable import WriteJournal

extension World {
  /// Performs the market's side of one send, and returns the response as the shell sees it.
  mutating func serve(_ index: Int) throws -> SendOutcome {
    let usual = variant.mutant == .librarySendsAgain ? 7 : 6
    let choice = try pick(faults == 0 ? 1 : variant.isUnbounded ? 10 : usual, "serve")
    if choice > 0 { faults -= 1 }
    let isCreate = ops[index].change.kind == .create
    switch choice {
    case 0: return apply(index) ? answered(index, ops[index].made) : .refused(Rejection(status: 404, kind: .notFound))
    case 1: return isCreate ? .aborted(.noResponse) : .unsent(.noResponse)
    case 2:
      // A proxy passes an edit to computed values on all the same.
      if variant.isRelative, ops[index].change.kind == .patch, try pick(2, "passed on") == 1 {
        apply(index)
      }
      return .rateLimited(retryAfter: .seconds(1))
    case 3: return .unknown(.noResponse)
    case 4:
      apply(index)
      return .unknown(.noResponse)
    case 5:
      late.append(Late(at: now + .seconds(4), op: index))
      return .unknown(.noResponse)
    case 6 where variant.mutant == .librarySendsAgain:
      apply(index)
      return apply(index) ? .succeeded(nil) : .refused(Rejection(status: 404, kind: .notFound))
    case 6:
      // A product that is deleted late is already deleted.
      if ops[index].change.kind != .delete { late.append(Late(at: nil, op: index)) }
      if case .edit = ops[index].change { isHeldBack = true }
      return .unknown(.noResponse)
    // Wrong responses: success without an effect, or an old product instead of the new one, with or without an effect.
    case 7: return answered(index, isCreate ? nextID : ops[index].change.product?.id)
    case 8: return answered(index, isCreate ? 1 : ops[index].change.product?.id)
    default:
      apply(index)
      return answered(index, isCreate ? 1 : ops[index].change.product?.id)
    }
  }

  /// Returns the value of a response with this product.
  ///
  /// For a create, only a matching product is a success.
  private mutating func answered(_ index: Int, _ id: Product.ID?) -> SendOutcome {
    guard case .create(let draft) = ops[index].change else { return .succeeded(nil) }
    ops[index].answered = id
    let product = id.flatMap { products[$0] }
    if variant.mutant == .believesCreates {
      ops[index].before = product ?? id.map { Product(id: $0) }
      return .succeeded(nil)
    }
    let echoed = product ?? id.map { Product(id: $0, name: draft.name, price: draft.price) }
    guard let echoed, evidence(index, draft).matchesResponse(echoed) else { return .unknown(.noResponse) }
    return .succeeded(nil)
  }

  private func evidence(_ index: Int, _ draft: ProductDraft) -> CreateMatcher {
    let claimed = ops.filter { $0.change.kind == .create && $0.state == .done }.compactMap(\.before?.id)
    var earlier: [Product.ID: Product] = [:]
    for op in ops[(index + 1)...].reversed() where op.change.kind != .create {
      guard let before = op.before, op.attempt > 0, !claimed.contains(before.id) else { continue }
      earlier[before.id] = before
    }
    let all = variant.mutant == .oldIsNew ? [Int.min] : []
    return CreateMatcher(
      draft: draft, operation: "OP\(index)", known: Set(ops[index].known + all), knownProductIDs: Set(claimed),
      vendorID: nil,
      keepsMarker: variant.keepsMarker ? true : nil, respondedID: ops[index].answered,
      beforeImages: variant.mutant == .forgetsOwnEdits ? [:] : earlier)
  }

  @discardableResult
  mutating func apply(_ index: Int) -> Bool {
    switch ops[index].change {
    case .create(let draft):
      products[nextID] = twin(draft, marker: variant.keepsMarker ? "OP\(index)" : "photo")
      ops[index].made = nextID
      nextID += 1
    case .edit(let product, _, let to):
      guard products[product.id] != nil else { return false }
      products[product.id]?.apply(to)
    case .delete(let product):
      guard products.removeValue(forKey: product.id) != nil else { return false }
    }
    ops[index].effects += 1
    return true
  }

  private func twin(_ draft: ProductDraft, marker: String) -> Product {
    Product(
      id: nextID, name: draft.name, price: draft.price,
      images: [Picture(url: "http://market/\(marker).jpg")])
  }

  /// Performs a foreign write, if the search chooses one here.
  mutating func meddle() throws {
    if edits > 0, products[1] != nil, try pick(2, "edit") == 1 {
      edits -= 1
      products[1]?.price = Amount(77)
    }
    guard twins > 0, try pick(2, "twin") == 1 else { return }
    for case .create(let draft) in ops.map(\.change) {
      twins -= 1
      products[nextID] = twin(draft, marker: "theirs")
      nextID += 1
      return
    }
  }

  /// The result of a preflight check without a difference.
  ///
  /// After an unknown outcome, the values may come from this write.
  private var same: WriteStateMachine.Preflight { machine.isDoubtful ? .applied : .alreadyApplied }

  mutating func look(_ index: Int) throws -> WriteStateMachine.Preflight {
    switch ops[index].change {
    case .create:
      guard ops[index].attempt > 0 else {
        ops[index].known = Array(products.keys.sorted(by: >).prefix(variant.reach))
        return .ready
      }
      switch try read(index) {
      case .applied: return .applied
      case .changed, .partial, .restored, .gone, .unclear, .hidden: return .ambiguous
      case .notApplied: return .ready
      case .unreadable: return .unreadable
      }
    case .edit(let product, let from, let to):
      guard let now = variant.mutant == .staleBeforeImage ? product : products[product.id] else { return .missing }
      let comparison = ThreeWayComparison(of: now, unchanged: from, applied: to)
      if comparison.readBack != .applied || !machine.isDoubtful { ops[index].before = now }
      if machine.mayBePassedOn, !machine.isDoubtful || comparison.readBack != .applied,
        ops[index].isFollowed && variant.mutant != .forgetsLaterEdits || ProductValues(of: now, like: to) != from
      {
        return .ambiguous
      }
      if variant.isRelative, !machine.isDoubtful, !comparison.applied.isEmpty { return .drifted }
      return !comparison.conflicting.isEmpty ? .drifted : comparison.readBack == .applied ? same : .ready
    case .delete(let product): return products[product.id] != nil ? .ready : machine.isDoubtful ? .applied : .missing
    }
  }

  mutating func read(_ index: Int) throws -> WriteStateMachine.ReadBack {
    // A response comes from the server of the write. A later read may come from a replica that lags.
    let mayLag = machine.acknowledgement == .success && variant.lags && now < answeredAt + .seconds(4)
    if faults > 0 {
      switch try pick(mayLag ? 3 : 2, "read") {
      case 1:
        faults -= 1
        return .unreadable
      case 2:
        faults -= 1
        return .notApplied
      default: break
      }
    }
    switch ops[index].change {
    case .create(let draft):
      let evidence = evidence(index, draft)
      if machine.acknowledgement == .success, let answered = ops[index].answered, let product = products[answered],
        evidence.matchesResponse(product)
      {
        ops[index].before = product
        return .applied
      }
      switch evidence.verdict(from: products.values.sorted { $0.id > $1.id }) {
      case .found(let id):
        ops[index].before = products[id] ?? evidence.beforeImages[id]
        return .applied
      case .notFound: return .notApplied
      case .ambiguous: return .unclear
      }
    case .edit(let product, _, _), .delete(let product):
      let before = ops[index].before
      return EffectReading(of: ops[index].change, before: before, replied: nil, now: products[product.id]).finding
    }
  }

  /// Compares the verdicts with the effects.
  mutating func judge() {
    let meddled = edits < variant.foreignEdits || twins < variant.foreignTwins
    for (index, op) in ops.enumerated() {
      // Applying the same patch twice has the same result as once. What its copy reverts is checked below.
      if op.effects > 1, !isHeldBack || op.change.kind != .patch { violations.append("\(index) doubled") }
      switch op.state {
      case .done:
        if op.effects == 0 { violations.append("\(index) said done, was not") }
        if op.change.product == nil, let claimed = op.before?.id, claimed != op.made {
          violations.append("\(index) claims a stranger's product")
        }
      case .notSent, .rateLimited, .notApplied, .acknowledgedNotApplied, .refused, .drifted, .noChange, .planned,
        .claimed, .abandoned:
        if op.effects > 0, !isUndoneOrTold(index) { violations.append("\(index) said not done, was") }
      // The outcome of a complete send that isn't visible can't be determined. A visible one can be read.
      case .needsDecision where op.mayHaveLeft && op.effects == 0: break
      // Whether a computed edit that was answered with 429 was passed on can't be told from another client's write.
      case .needsDecision where op.mayBePassedOn: break
      case .needsDecision: if !meddled { violations.append("\(index) asks without need") }
      case .unknown, .sending, .sendingFinalBytes, .acknowledged: violations.append("\(index) without verdict")
      }
    }
    guard !meddled else { return }
    // What was passed on may have its effect after a later write, and the user decides.
    guard !ops.contains(where: { $0.state == .needsDecision && $0.mayBePassedOn && $0.effects > 0 }) else { return }
    // A write that was resumed after a later one of the script is the newer one: it was sent when the product had the
    // values it was planned from, and reported last.
    let order = ops.indices.filter { !verdicts.contains($0) } + verdicts
    var price = Amount(10)
    for op in order.map({ ops[$0] }) where op.state == .done || isHeldBack && op.state == .noChange {
      if case .edit(let product, _, let to) = op.change, product.id == 1 { price = to.price ?? price }
    }
    if let now = products[1]?.price, now != price, !ops.indices.contains(where: isTold) {
      violations.append("a later write was undone by an earlier one")
    }
  }

  /// Returns whether a delayed patch, or one that was passed on, has no lasting effect, or a list of the product reports it.
  private func isUndoneOrTold(_ index: Int) -> Bool {
    guard isHeldBack || ops[index].mayBePassedOn, case .edit(let product, _, let to) = ops[index].change else {
      return false
    }
    // Resuming it reports that the product already has the wanted values.
    if ops[index].state == .noChange { return true }
    return products[product.id]?.price != to.price || isTold(index)
  }

  /// Returns whether a list reports the arrival of a copy of this patch.
  private func isTold(_ index: Int) -> Bool {
    guard variant.mutant != .looksAwayFromPatches, ops[index].attempt > 0,
      case .edit(let old, let from, let to) = ops[index].change, let product = products[old.id]
    else { return false }
    let isDone = [.done, .noChange].contains(ops[index].state)
    guard !isDone || ops[index].attempt > 1, ops[index].state != .needsDecision else { return false }
    let since = verdicts.lastIndex(of: index).map { verdicts[($0 + 1)...] } ?? []
    let later = since.compactMap { place -> DuplicateDelivery.Written? in
      guard ops[place].state == .done, case .edit(let other, _, let to) = ops[place].change, other.id == old.id else {
        return nil
      }
      return DuplicateDelivery.Written(entry: place, fields: to)
    }
    let before = ops[index].before.map { ProductValues(of: $0, like: to) } ?? from
    return !DuplicateDelivery(sent: to, before: before, isDone: isDone, later: later).overwrittenValues(on: product)
      .isEmpty
  }
}
