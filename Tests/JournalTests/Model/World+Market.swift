import Catalog

@testable import Journal

extension World {
  /// The market's side of one send: what it does and what of it comes back.
  mutating func serve(_ index: Int) throws -> StateMachine.Answer {
    let width = faults == 0 ? 1 : variant.mutant == .librarySendsAgain ? 7 : 6
    let choice = try pick(width, "serve")
    if choice > 0 { faults -= 1 }
    switch choice {
    case 0: return apply(index) ? .applied : .refused(isNotFound: true)
    case 1: return .unsent
    case 2: return .tooMany(.seconds(1))
    case 3: return .unknown
    case 4:
      apply(index)
      return .unknown
    case 5:
      late.append(Late(at: now + .seconds(4), op: index))
      return .unknown
    default:
      apply(index)
      return apply(index) ? .applied : .refused(isNotFound: true)
    }
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

  private func twin(_ draft: Draft, marker: String) -> Product {
    Product(
      id: nextID, name: draft.name, price: draft.price,
      images: [Picture(url: "http://market/\(marker).jpg")])
  }

  /// Someone else writes, now or never.
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

  /// What was in doubt once may be our own doing.
  private var same: StateMachine.Sight { machine.isDoubtful ? .landed : .same }

  mutating func look(_ index: Int) throws -> StateMachine.Sight {
    switch ops[index].change {
    case .create:
      guard ops[index].attempt > 0 else {
        ops[index].known = Array(products.keys)
        return .clear
      }
      switch try read(index) {
      case .landed: return .landed
      case .foreign: return .unclear
      case .untouched: return .clear
      case .unreadable: return .unreadable
      }
    case .edit(let product, let from, let to):
      guard let now = variant.mutant == .staleBeforeImage ? product : products[product.id] else { return .gone }
      ops[index].before = now
      let comparison = Comparison(of: now, before: from, wanted: to)
      return !comparison.moved.isEmpty ? .drifted : comparison.finding == .landed ? same : .clear
    case .delete(let product): return products[product.id] != nil ? .clear : machine.isDoubtful ? .landed : .gone
    }
  }

  mutating func read(_ index: Int) throws -> StateMachine.Finding {
    if faults > 0, try pick(2, "blank") == 1 {
      faults -= 1
      return .unreadable
    }
    switch ops[index].change {
    case .create(let draft):
      let evidence = CreateEvidence(
        draft: draft, operation: "OP\(index)", known: Set(ops[index].known), claimed: [], vendorID: nil,
        keepsMarker: variant.keepsMarker ? true : nil)
      switch evidence.verdict(from: products.values.sorted { $0.id > $1.id }) {
      case .landed(let id):
        ops[index].before = products[id]
        return .landed
      case .untouched: return .untouched
      case .unclear: return .foreign
      }
    case .edit(let product, let from, let to):
      guard let now = products[product.id] else { return .foreign }
      return Comparison(of: now, before: from, wanted: to).finding
    case .delete(let product): return products[product.id] == nil ? .landed : .untouched
    }
  }

  /// The truth against the verdicts.
  mutating func judge() {
    let meddled = edits < variant.foreignEdits || twins < variant.foreignTwins
    for (index, op) in ops.enumerated() {
      if op.effects > 1 { violations.append("\(index) doubled") }
      switch op.state {
      case .done:
        if op.effects == 0 { violations.append("\(index) said done, was not") }
        if op.change.product == nil, let claimed = op.before?.id, claimed != op.made {
          violations.append("\(index) claims a stranger's product")
        }
      case .unsent, .notApplied, .refused, .drifted, .unchanged, .planned, .ready:
        if op.effects > 0 { violations.append("\(index) said not done, was") }
      case .asked: if !meddled { violations.append("\(index) asks without need") }
      case .unknown, .sending: violations.append("\(index) without verdict")
      }
    }
    guard !meddled else { return }
    var price = Amount(10)
    for op in ops where op.state == .done {
      if case .edit(_, _, let to) = op.change { price = to.price ?? price }
    }
    if let now = products[1]?.price, now != price { violations.append("a later write was undone by an earlier one") }
  }
}
