import Catalog
import Text

@testable import WriteJournal

/// A market, a disk and a shell as one value.
///
/// Only the market and the disk outlast a crash.
struct World {
  struct Crash: Error {}
  struct Op: Hashable {
    var change: Change
    var state = WriteStateMachine.State.planned
    var attempt = 0
    var isDoubtful = false
    var mayHaveLeft = false
    var mayBePassedOn = false
    /// A Boolean value that indicates that another write was sent to the product after an attempt was answered with 429.
    var isFollowed = false
    /// The id in a response that wasn't trusted, which is lost in a crash.
    var answered: Product.ID?
    var known: [Product.ID] = []
    var before: Product?
    var effects = 0
    var made: Product.ID?
  }

  /// A request that arrives later.
  struct Late: Hashable {
    /// The time of arrival, or `nil` for a request that may arrive at any step.
    var at: Duration?
    var op: Int
  }

  var variant: Variant
  var choices: Choices
  var now = Duration.zero
  var products: [Product.ID: Product] = [
    1: Product(id: 1, name: "one", price: Amount(10), images: []),
    2: Product(id: 2, name: "two", price: Amount(10), images: []),
  ]
  var ops: [Op]
  var late: [Late] = []
  var nextID = 100
  var crashes: Int
  var faults: Int
  var edits: Int
  var twins: Int
  var violations: [String] = []
  /// A Boolean value that indicates that a patch was delayed and may be applied after later writes.
  var isHeldBack = false
  /// The writes in the order of their last report.
  var verdicts: [Int] = []
  /// The position in the run, which would otherwise be hidden in local variables.
  private var place: [Int] = []
  private var driven = 0
  private var resends = true
  private var hasCrashed = false
  /// The time of the last successful response.
  var answeredAt = Duration.zero
  var machine = WriteStateMachine(.patch)

  init(_ script: [Change], _ variant: Variant, _ choices: Choices) {
    ops = script.map { Op(change: $0) }
    self.variant = variant
    self.choices = choices
    crashes = variant.crashes
    faults = variant.faults
    edits = variant.foreignEdits
    twins = variant.foreignTwins
  }

  /// Runs one complete course: script, crashes, restarts and the last recovery.
  ///
  /// Then effects and verdicts are compared.
  mutating func live() throws(Choices.Seen) {
    while true {
      do {
        try recover(as: 0)
        let order = variant.laterFirst && hasCrashed ? Array(ops.indices.reversed()) : Array(ops.indices)
        for index in order where isOpen(index) { try work(index) }
        try recover(as: 1)
        break
      } catch let seen as Choices.Seen {
        throw seen
      } catch {
        now += .seconds(1)
        hasCrashed = true
        for index in ops.indices { ops[index].answered = nil }
      }
    }
    advance(by: .seconds(1_000))
    // A late request arrives now or never; then the user asks once more.
    (crashes, faults) = (0, 0)
    do {
      _ = try mayArrive("at last")
      late = []
      try recover(as: 3)
    } catch let seen as Choices.Seen {
      throw seen
    } catch {
      violations.append("crashed without a crash")
    }
    judge()
  }

  private func isOpen(_ index: Int) -> Bool {
    switch ops[index].state {
    case .planned, .claimed, .notSent, .rateLimited, .notApplied: true
    case .sending, .sendingFinalBytes, .unknown, .acknowledged, .done, .refused, .acknowledgedNotApplied,
      .needsDecision,
      .noChange, .drifted, .abandoned:
      false
    }
  }

  private mutating func recover(as stage: Int) throws {
    place = [stage]
    for index in ops.indices {
      // Its last bytes wait for a record that doesn't exist, so it wasn't applied.
      if ops[index].change.product == nil, ops[index].state == .sending {
        ops[index].state = ops[index].mayHaveLeft ? .needsDecision : .notSent
      }
      let isQuestion = ops[index].state == .needsDecision && ops[index].mayHaveLeft
      guard isQuestion || WriteStateMachine.State.inDoubt.contains(ops[index].state) else { continue }
      try drive(index, resends: false, rereads: isQuestion)
    }
  }

  private mutating func work(_ index: Int) throws {
    place = [2, index, 0]
    if variant.mutant != .noHold {
      // A write to a held product resolves the pending write first. A create with an unknown outcome holds no product,
      // only equal creates.
      for other in ops.indices
      where ops[other].state == .unknown && ops[other].change.product?.id == ops[index].change.product?.id {
        try drive(other, resends: false)
      }
    }
    place = [2, index, 1]
    // A verdict resolves an unknown outcome.
    if variant.mutant != .forgetsVerdicts { ops[index].isDoubtful = false }
    ops[index].state = .planned
    try drive(index, resends: true)
  }

  private mutating func drive(_ index: Int, resends: Bool, rereads: Bool = false) throws {
    let rules = variant.rules(isCreate: ops[index].change.product == nil)
    driven = index
    self.resends = resends
    machine = WriteStateMachine(
      ops[index].change.kind, isRelative: variant.isRelative, state: ops[index].state, attempt: ops[index].attempt,
      isDoubtful: ops[index].isDoubtful, mayHaveLeft: ops[index].mayHaveLeft,
      mayBePassedOn: ops[index].mayBePassedOn, rereads: rereads)
    if WriteStateMachine.State.inDoubt.contains(ops[index].state) { machine.didLoseOutcome(at: now) }
    while true {
      _ = try mayArrive("step")
      switch machine.next(at: now, by: rules) {
      case .preflight:
        try meddle()
        try mayCrash("look")
        machine.didPreflight(try look(index), by: rules)
      case .send:
        guard resends || machine.state == .claimed else { return keep(index) }
        if machine.state == .notApplied, ops[index].change.product != nil {
          let sight = try look(index)
          guard sight == .ready else {
            machine.didPreflight(sight, by: rules)
            continue
          }
        }
        try send(index, rules)
        if machine.state == .planned { return keep(index) }
      case .readBack:
        try meddle()
        try mayCrash("read")
        if resends, try mayAbandon("leave") { return keep(index) }
        machine.didReadBack(try read(index), at: now, by: rules)
      case .wait(let time): advance(by: time)
      case .finished: return keep(index)
      }
    }
  }

  private mutating func keep(_ index: Int) {
    // A resumed write that finds the wanted value may see its own late copy, which isn't a new report.
    let isNews = machine.state == .noChange ? machine.attempt == 0 : [.done, .notApplied].contains(machine.state)
    if isNews, isHeldBack, verdicts.last != index {
      verdicts.removeAll { $0 == index }
      verdicts.append(index)
    }
    ops[index].state = machine.state
    ops[index].attempt = machine.attempt
    ops[index].isDoubtful = machine.isDoubtful
    ops[index].mayHaveLeft = machine.mayHaveLeft
    ops[index].mayBePassedOn = machine.mayBePassedOn
  }

  private mutating func send(_ index: Int, _ rules: WriteStateMachine.Rules) throws {
    try mayCrash("before the record")
    machine.willSend()
    if variant.mutant != .journalledAfterSend { keep(index) }
    for other in ops.indices where other != index && ops[other].mayBePassedOn {
      if ops[other].change.product?.id == ops[index].change.product?.id { ops[other].isFollowed = true }
    }
    try mayCrash("after the record")
    // A batch writes many records before it sends. Those that it doesn't send are planned again.
    if machine.attempt == 1, try mayAbandon("stop") {
      machine = WriteStateMachine(machine.kind)
      return
    }
    if case .edit(let product, let from, let to) = ops[index].change, let now = products[product.id],
      ProductValues(of: now, like: to) != from, ProductValues(of: now, like: to) != to
    {
      violations.append("a change of someone else was overwritten unseen")
    }
    if machine.kind == .create, variant.mutant != .leavesUnwritten {
      machine.willSendFinalBytes()
      keep(index)
      try mayCrash("leaving")
    }
    let answer = try serve(index)
    try mayCrash("answered")
    answeredAt = now
    machine.didReceive(answer, at: now, by: rules)
    keep(index)
  }

  private mutating func mayCrash(_ label: String) throws {
    guard crashes > 0, try pick(2, label) == 1 else { return }
    crashes -= 1
    throw Crash()
  }

  /// Chooses whether the write is abandoned by Ctrl-C or a second shell, so that the next write starts from this state.
  private mutating func mayAbandon(_ label: String) throws -> Bool {
    guard crashes > 0, try pick(2, label) == 1 else { return false }
    crashes -= 1
    return true
  }

  /// Chooses whether a late request is applied now.
  private mutating func mayArrive(_ label: String) throws -> Bool {
    guard let place = late.firstIndex(where: { $0.at == nil }), try pick(2, "arrives " + label) == 1 else {
      return false
    }
    apply(late.remove(at: place).op)
    return true
  }

  /// Makes one choice, identified by every value that can still matter.
  func pick(_ width: Int, _ label: String) throws -> Int {
    try choices.pick(width) {
      Fingerprint { hasher in
        hasher.combine(label)
        hasher.combine(place)
        hasher.combine(driven)
        hasher.combine(resends)
        hasher.combine(machine)
        hasher.combine(now)
        hasher.combine(answeredAt)
        hasher.combine(products)
        hasher.combine(ops)
        hasher.combine(late)
        hasher.combine(nextID)
        hasher.combine([crashes, faults, edits, twins])
        hasher.combine(hasCrashed)
        hasher.combine(violations)
        hasher.combine(isHeldBack)
        hasher.combine(verdicts)
      }
    }
  }

  mutating func advance(by time: Duration) {
    now += time
    let due = late.filter { $0.at.map { $0 <= now } ?? false }
    late.removeAll { $0.at.map { $0 <= now } ?? false }
    for request in due { apply(request.op) }
  }
}
