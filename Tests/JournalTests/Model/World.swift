import Catalog

@testable import Journal

/// A market, a disk and a shell in one value: the disk is what outlives a crash.
struct World {
  struct Crash: Error {}
  struct Op {
    var change: Change
    var state = StateMachine.State.planned
    var attempt = 0
    var known: [Product.ID] = []
    var before: Product?
    var effects = 0
    var made: Product.ID?
  }

  var variant: Variant
  var choices: Choices
  var now = Duration.zero
  var products: [Product.ID: Product] = [1: Product(id: 1, name: "one", price: Amount(10), images: [])]
  var ops: [Op]
  var late: [(at: Duration, op: Int)] = []
  var nextID = 100
  var crashes: Int
  var faults: Int
  var edits: Int
  var twins: Int
  var violations: [String] = []

  init(_ script: [Change], _ variant: Variant, _ choices: Choices) {
    ops = script.map { Op(change: $0) }
    self.variant = variant
    self.choices = choices
    crashes = variant.crashes
    faults = variant.faults
    edits = variant.foreignEdits
    twins = variant.foreignTwins
  }

  /// One whole life: script, crashes, restarts, the last recovery; then the truth is compared with the verdicts.
  mutating func live() {
    while true {
      do {
        try recover()
        for index in ops.indices where isOpen(index) { try work(index) }
        try recover()
        break
      } catch {
        now += .seconds(1)
      }
    }
    advance(by: .seconds(1_000))
    judge()
  }

  private func isOpen(_ index: Int) -> Bool {
    switch ops[index].state {
    case .planned, .ready, .unsent, .notApplied: true
    case .sending, .unknown, .done, .refused, .asked, .unchanged, .drifted: false
    }
  }

  private mutating func recover() throws {
    for index in ops.indices where ops[index].state == .sending || ops[index].state == .unknown {
      try drive(index, resends: false)
    }
  }

  private mutating func work(_ index: Int) throws {
    if variant.mutant != .noHold {
      // Whoever wants a held product settles what holds it first.
      for other in ops.indices where ops[other].state == .unknown { try drive(other, resends: false) }
    }
    ops[index].state = .planned
    ops[index].attempt = 0
    try drive(index, resends: true)
  }

  private mutating func drive(_ index: Int, resends: Bool) throws {
    let rules = variant.rules(isCreate: ops[index].change.product == nil)
    var machine = StateMachine(
      isDelete: ops[index].change.action == .delete, state: ops[index].state, attempt: ops[index].attempt)
    if ops[index].state == .sending || ops[index].state == .unknown { machine.doubts(at: now) }
    while true {
      switch machine.next(at: now, by: rules) {
      case .look:
        meddle()
        try mayCrash()
        machine.looked(look(index), by: rules)
      case .send:
        guard resends || machine.state == .ready else { return keep(index, machine) }
        try send(index, &machine, rules)
      case .read:
        meddle()
        try mayCrash()
        if resends, mayAbandon() { return keep(index, machine) }
        machine.found(read(index), at: now, by: rules)
      case .pause(let time): advance(by: time)
      case .rest: return keep(index, machine)
      }
    }
  }

  private mutating func keep(_ index: Int, _ machine: StateMachine) {
    ops[index].state = machine.state
    ops[index].attempt = machine.attempt
  }

  private mutating func send(_ index: Int, _ machine: inout StateMachine, _ rules: StateMachine.Rules) throws {
    try mayCrash()
    machine.sends()
    if variant.mutant != .journalledAfterSend { keep(index, machine) }
    try mayCrash()
    if case .edit(let product, let from, let to) = ops[index].change, let now = products[product.id],
      Fields(of: now, like: to) != from, Fields(of: now, like: to) != to
    {
      violations.append("a change of someone else was overwritten unseen")
    }
    let answer = serve(index)
    try mayCrash()
    machine.answered(answer, at: now, by: rules)
    keep(index, machine)
  }

  private mutating func mayCrash() throws {
    guard crashes > 0, choices.pick(2) == 1 else { return }
    crashes -= 1
    throw Crash()
  }

  /// Ctrl-C while settling, or a second shell that comes along: the next write starts with this one in doubt.
  private mutating func mayAbandon() -> Bool {
    guard crashes > 0, choices.pick(2) == 1 else { return false }
    crashes -= 1
    return true
  }

  mutating func advance(by time: Duration) {
    now += time
    let due = late.filter { $0.at <= now }
    late.removeAll { $0.at <= now }
    for request in due { apply(request.op) }
  }
}
