import Catalog
import Foundation
import TestSupport
import Testing

@testable import WriteJournal

/// A run holds what would have a further effect when it is repeated, until it ends or the user decides.
@Suite(.timeLimit(Trial.limit)) struct RunTests {
  private static let line = RunUnit(.line, "patch 1 price+=2", identity: "line 1")
  private static let formulas = ["price+=2"]
  private static let item = HeldItem.edit(1, "price+=2")
  private static let otherBinding = MarketLogin(profile: "busan", baseURL: "http://busan", vendor: Bench.binding.vendor)

  /// A computed edit of product 1, executed by a line.
  private static func computed(_ from: Int = 10, _ to: Int = 12) -> Plan {
    var plan = Plan([Bench.price(from, to)])
    plan.dependsOnObservedState = true
    return plan
  }

  private func execute(
    _ unit: RunUnit = line, _ plan: Plan = computed(), formulas: [String] = formulas, on bench: Bench,
    _ journal: Journal, _ market: ScriptedMarket, _ binding: MarketLogin = Bench.binding
  ) async -> (RunInProgress, [Outcome]) {
    let current = RunInProgress(unit)
    var runner = bench.runner(journal, market)
    runner = PlanRunner(
      journal: journal, market: market, binding: binding, run: current, window: runner.rules.window)
    let origins = plan.changes.map { _ in WriteOrigin(formulas: formulas) }
    return (current, await runner.outcomes(of: plan, origins: origins))
  }

  private func numbers(
    _ journal: Journal, unit: RunUnit = line, items: Set<String> = [item], current: RunInProgress? = nil,
    _ binding: MarketLogin = Bench.binding
  ) throws -> [Int] {
    try journal.conflicts(of: unit, items: items, current: current, binding).map(\.run.number)
  }

  @Test func runThatReportedItsFinalOutcomesHoldsNothing() async throws {
    let bench = Bench()
    let (journal, market) = (try bench.journal(), bench.market())
    let (current, outcomes) = await execute(on: bench, journal, market)
    #expect(outcomes.map(\.label) == ["done"] && current.numbers == [1])
    #expect(try journal.run(1)?.life.state == .interrupted, "its line has returned without a word")
    #expect(try numbers(journal) == [1])
    #expect(try journal.finish(current, isStopped: false) == [])
    #expect(try journal.run(1)?.life.state == .ended && numbers(journal) == [])
  }

  @Test func killedRunIsMetByItsLineAndByItsChange() async throws {
    let bench = Bench()
    _ = await execute(on: bench, try bench.journal(), bench.market())
    let copy = Bench()
    defer { withExtendedLifetime(copy) {} }
    try copy.copy(of: bench.directory)
    let later = try copy.journal()
    #expect(try later.run(1)?.life.state == .interrupted)
    let conflicts = try later.conflicts(of: Self.line, items: [], current: nil, Bench.binding)
    #expect(conflicts.map(\.isSameUnit) == [true] && conflicts[0].run.counts == Run.Counts(done: 1))
    #expect(try numbers(later, unit: RunUnit(.line, "patch mine price+=2", identity: "line 2")) == [1])
    #expect(
      try numbers(later, unit: RunUnit(.line, "", identity: "line 2"), items: [HeldItem.edit(1, "price-=2")]) == [])
    #expect(try numbers(later, items: [Self.item], Self.otherBinding) == [], "another market")
    #expect(
      try numbers(later, MarketLogin(profile: "demo", baseURL: Bench.binding.baseURL, vendor: "x")) == [],
      "another login")
    copy.clock.advance(by: .seconds(90 * 86_400))
    #expect(try numbers(later) == [1], "it has no lifetime")
  }

  /// A shell that lives on executes one line at a time, and another shell meets what it executes.
  @Test func openRunIsMetByAnotherShell() async throws {
    let bench = Bench()
    let (journal, market) = (try bench.journal(), bench.market())
    let (current, _) = await execute(on: bench, journal, market)
    let other = try bench.journal()
    let conflicts = try other.conflicts(of: Self.line, items: [Self.item], current: nil, Bench.binding)
    #expect(conflicts.map(\.run.life.state) == [.open])
    #expect(try numbers(journal, current: current) == [], "a run doesn't meet itself")
    let (_, outcomes) = await execute(on: bench, other, market)
    #expect(outcomes == [.journalUnavailable(.interruptedRun(1, isOpen: true))] && market.effects.count == 1)
    #expect(try !other.takeOver(1) && other.settle(1) == false)
  }

  @Test func runsOfOtherMarketsAreNotTouched() async throws {
    let bench = Bench()
    let (journal, market) = (try bench.journal(), bench.market())
    _ = await execute(on: bench, journal, market)
    let (current, outcomes) = await execute(
      Self.line, Self.computed(12, 14), on: bench, journal, market, Self.otherBinding)
    #expect(outcomes.map(\.label) == ["done"])
    try journal.finish(current, isStopped: false)
    #expect(try journal.run(1)?.life.state == .interrupted && journal.run(2)?.life.state == .ended)
  }

  @Test func statedEditsAndDeletesHoldNothing() async throws {
    let bench = Bench()
    let (journal, market) = (try bench.journal(), bench.market())
    _ = await execute(Self.line, Plan([Bench.price(10, 12)]), formulas: [], on: bench, journal, market)
    #expect(try numbers(journal) == [] && journal.unsettledRuns(Bench.binding).isEmpty)
    #expect(try journal.settleEmptiedRuns(Bench.binding) == [1] && journal.run(1)?.life.state == .settled)
  }

  /// What was never sent is held, too.
  @Test func unsentChangeIsHeldAndResumed() async throws {
    let bench = Bench()
    let (journal, market) = (try bench.journal(), bench.market([], [.unsent, .unsent, .unsent]))
    market.edit { $0.products[1] = Bench.product }
    let (current, outcomes) = await execute(on: bench, journal, market)
    #expect(outcomes.map(\.label) == ["not-sent"])
    #expect(try journal.finish(current, isStopped: false) == [1])
    #expect(try numbers(journal) == [1] && journal.run(1)?.counts == Run.Counts(left: 1))
    #expect(try journal.takeOver(1) && !bench.journal().takeOver(1))
    #expect(try await bench.runner(journal, market).resume().map(\.outcome.label) == ["done"])
    let run = try #require(try journal.run(1))
    #expect(try journal.finish(RunInProgress(resuming: run, Bench.binding), isStopped: false) == [])
    #expect(try numbers(journal) == [] && market.effects.count == 1)
  }

  @Test func refusedChangeIsNotHeld() async throws {
    let bench = Bench()
    let (journal, market) = (try bench.journal(), bench.market([], [.refused(400, .other)]))
    market.edit { $0.products[1] = Bench.product }
    let (current, outcomes) = await execute(on: bench, journal, market)
    #expect(outcomes.map(\.label) == ["refused"])
    #expect(try journal.finish(current, isStopped: true) == [] && numbers(journal) == [])
  }

  @Test func undoneChangeIsNotHeld() async throws {
    let bench = Bench()
    let (journal, market) = (try bench.journal(), bench.market())
    _ = await execute(on: bench, journal, market)
    let runner = bench.runner(journal, market)
    _ = await runner.outcomes(of: try await runner.undoPlan(.run(1)))
    #expect(try numbers(journal) == [] && journal.settleEmptiedRuns(Bench.binding) == [1])
  }

  /// A script that stopped before its last line is interrupted if it has made something.
  @Test func stoppedScriptIsInterrupted() async throws {
    let bench = Bench()
    let (journal, market) = (try bench.journal(), bench.market())
    let script = RunUnit(.script, "nightly.market", identity: "script 1", path: "/srv/nightly.market")
    let current = RunInProgress(script)
    current.begin(Run.ScriptLine(number: 3, text: "patch 1 price+=2"))
    let runner = PlanRunner(
      journal: journal, market: market, binding: Bench.binding, run: current,
      window: bench.runner(journal, market).rules.window)
    _ = await runner.outcomes(of: Self.computed(), origins: [WriteOrigin(formulas: Self.formulas)])
    current.begin(Run.ScriptLine(number: 4, text: "frobnicate"))
    #expect(try journal.finish(current, isStopped: true) == [1])
    let run = try #require(try journal.run(1))
    #expect(run.line == Run.ScriptLine(number: 4, text: "frobnicate") && run.content == current.content)
    #expect(try journal.entries(ofRun: 1, line: 3).count == 1 && journal.entries(ofRun: 1, line: 4).isEmpty)
    #expect(try journal.settle(1) && numbers(journal, unit: script) == [])
  }

  /// Another operand corrects a price, and an amount of stock counts something that happens again.
  @Test(arguments: [
    ("price-=10%", "price-=1%", true), ("price+=1000", "price+=100", true), ("price-=10%", "price+=10%", false),
    ("stock+=5", "stock+=6", false), ("stock+=5", "stock+=5", true), ("stock*=2", "stock*=3", true),
    ("stock-=10%", "stock-=5%", true), ("price=price*2", "price=price*3", false), ("price-=5", "discount-=5", false),
  ]) func correctedEditIsTheSameOne(_ old: String, _ new: String, _ isSame: Bool) {
    #expect((HeldItem.edit(1, old) == HeldItem.edit(1, new)) == isSame)
    #expect(HeldItem.edit(1, old) != HeldItem.edit(2, old))
  }

  /// A sale or a snapshot is no write of the log, and a script that made one would make it again.
  @Test func stepOfAScriptIsHeld() async throws {
    let bench = Bench()
    let journal = try bench.journal()
    let script = RunUnit(.script, "nightly.market", identity: "script 1", path: "/srv/nightly.market")
    let current = RunInProgress(script)
    current.begin(Run.ScriptLine(number: 2, text: "snapshot before"))
    try journal.recordStep("snapshot", of: current, Bench.binding)
    #expect(try journal.finish(current, isStopped: true) == [1])
    #expect(try numbers(journal, unit: script, items: []) == [1] && journal.stepLines(ofRun: 1) == [2])
    #expect(try journal.run(1)?.counts.steps == 1 && journal.settleEmptiedRuns(Bench.binding).isEmpty)
    #expect(try journal.settle(1) && numbers(journal, unit: script, items: []).isEmpty)
    let next = RunInProgress(script)
    next.begin(Run.ScriptLine(number: 2, text: "snapshot before"))
    try journal.recordStep("snapshot", of: next, Bench.binding)
    #expect(try journal.finish(next, isStopped: false).isEmpty && numbers(journal, unit: script, items: []).isEmpty)
  }

  /// What `resume` needs of a script that is in no file is recorded, but for secrets.
  @Test func linesOfAScriptAreRecordedWithoutSecrets() async throws {
    let bench = Bench()
    let journal = try Journal(at: bench.directory, clock: bench.clock, mask: { $0.replacing("hunter22", with: "***") })
    let current = RunInProgress(RunUnit(.script, "-c", identity: "lines 1"))
    let lines = ["snapshot a", "echo hunter22"].enumerated().map { Run.ScriptLine(number: $0 + 1, text: $1) }
    current.script = RunScript(lines, isWhole: true)
    var values = RunValues()
    values.variables = ["n": .json("4"), "p": .product(ProductReference(id: 3))]
    current.begin(lines[0], values: values)
    try journal.recordStep("snapshot", of: current, Bench.binding)
    let run = try #require(try journal.run(1))
    #expect(run.values == values && run.script?.isWhole == true)
    #expect(run.script?.lines.map(\.isComplete) == [true, false] && run.script?.lines[1].text == "echo ***")
    values.variables["n"] = .json("\"hunter22\"")
    current.begin(lines[1], values: values)
    try journal.finish(current, isStopped: true)
    #expect(try journal.run(1)?.values == nil)
  }

  /// Products are recorded with what they were. An earlier version recorded their numbers.
  @Test func valuesOfEarlierVersionsAreRead() throws {
    var values = RunValues()
    var product = ProductReference(
      id: 3, name: "Cup", created: Timestamp("2026-11-28T09:30:01"), vendorID: 15, pictures: ["http://127.0.0.1/a"])
    product = product.named("Mug")
    (values.variables, values.last) = (["n": .json("4"), "p": .product(product)], product)
    (values.rows, values.arguments) = ([product, ProductReference(id: 4)], ["x"])
    let json = try JSONEncoder().encode(values)
    #expect(try JSONDecoder().decode(RunValues.self, from: json) == values)
    let earlier = #"""
      {"arguments":["x"],"last":3,"rows":[3,4],"variables":{"n":{"json":{"_0":"4"}},"p":{"product":{"_0":3}}}}
      """#
    (values.variables["p"], values.last) = (.product(ProductReference(id: 3)), ProductReference(id: 3))
    values.rows = [ProductReference(id: 3), ProductReference(id: 4)]
    #expect(try JSONDecoder().decode(RunValues.self, from: Data(earlier.utf8)) == values)
  }

  /// A key is the intent: another one meets nothing, and of two shells with one key the second is held back.
  @Test func keyMeetsOnlyItself() async throws {
    let bench = Bench()
    let (journal, market) = (try bench.journal(), bench.market())
    let first = RunUnit(.line, "patch 1 price+=2", identity: "line 1", key: "order-1")
    _ = await execute(first, on: bench, journal, market)
    let second = RunInProgress(RunUnit(.line, "patch 1 price+=2", identity: "line 1", key: "order-2"))
    #expect(try numbers(journal, current: second) == [])
    #expect(try numbers(journal) == [1], "a line without a key meets it")
    let (_, outcomes) = await execute(first, on: bench, try bench.journal(), market)
    #expect(outcomes == [.journalUnavailable(.interruptedRun(1, isOpen: true))] && market.effects.count == 1)
  }

  /// A run goes with the last of its writes.
  /// A line whose key another shell used while the user was asked isn't begun.
  @Test func keyThatWasUsedInTheMeantimeIsNotBegun() async throws {
    let unit = RunUnit(.line, "new", identity: "new", key: "order-1")
    let bench = Bench()
    let journal = try bench.journal()
    let plan = Plan([Bench.price(10, 11)])
    func insert(_ run: RunInProgress) async throws {
      _ = try await journal.insert(
        plan, for: Bench.binding, by: Attribution(), in: run, note: nil, identify: { ULID.make() })
    }
    let (first, second) = (RunInProgress(unit), RunInProgress(unit))
    try await insert(first)
    await #expect(throws: JournalError.sameKey(1)) { try await insert(second) }
    // With `again` it is wanted anyway.
    second.admit([1], Bench.binding)
    try await insert(second)
    #expect(try journal.runs(ofKey: "order-1").map(\.number) == [1, 2])
  }

  @Test func runsArePrunedWithTheirWrites() async throws {
    let bench = Bench()
    let (journal, market) = (try bench.journal(), bench.market())
    for (from, to) in [(10, 12), (12, 14)] {
      let (current, _) = await execute(Self.line, Self.computed(from, to), on: bench, journal, market)
      try journal.finish(current, isStopped: false)
    }
    try journal.prune(entries: 1)
    #expect(try journal.run(1) == nil && journal.run(2)?.life.state == .ended)
  }

  /// The answer of the user is on disk with the first record of the new run.
  @Test func runThatIsWantedAnewReplacesTheOldOne() async throws {
    let bench = Bench()
    let (journal, market) = (try bench.journal(), bench.market([], [.unsent, .unsent, .unsent]))
    market.edit { $0.products[1] = Bench.product }
    let (first, _) = await execute(on: bench, journal, market)
    try journal.finish(first, isStopped: false)
    let current = RunInProgress(Self.line)
    current.admit([1], replacing: [1], Bench.binding)
    #expect(try journal.run(1)?.life.state == .interrupted, "nothing is recorded before the first write")
    let runner = PlanRunner(
      journal: journal, market: market, binding: Bench.binding, run: current,
      window: bench.runner(journal, market).rules.window)
    #expect(
      await runner.outcomes(of: Self.computed(), origins: [WriteOrigin(formulas: Self.formulas)]).map(\.label) == [
        "done"
      ])
    #expect(try journal.run(1)?.life.state == .settled && journal.entry(1)?.state == .abandoned)
    #expect(try journal.resumableEntries(Bench.binding).isEmpty)
  }

  @Test func heldBackLinesAreCounted() async throws {
    let bench = Bench()
    let (journal, market) = (try bench.journal(), bench.market())
    _ = await execute(on: bench, journal, market)
    for _ in 1...3 { try journal.countHeldBack([1]) }
    #expect(try journal.run(1)?.heldBack == 3)
  }

  /// Nothing is sent over a newer intent: a later line that states the same fields supersedes a pending edit.
  @Test func laterStatedEditSupersedesAPendingOne() async throws {
    let bench = Bench()
    let (journal, market) = (try bench.journal(), bench.market([], [.unsent, .unsent, .unsent]))
    market.edit { $0.products[1] = Bench.product }
    _ = await execute(Self.line, Plan([Bench.price(10, 40)]), formulas: [], on: bench, journal, market)
    #expect(try journal.resumableEntries(Bench.binding).map(\.id) == [1])
    _ = await execute(Self.line, Plan([Bench.price(10, 20)]), formulas: [], on: bench, journal, market)
    #expect(try journal.resumableEntries(Bench.binding).isEmpty)
    #expect(try await bench.runner(journal, market).resume().isEmpty && market.product(1)?.price == 20)
  }

  /// A line that has nothing to change states its values all the same.
  @Test func statedValuesThatAreThereSupersedeAPendingEdit() async throws {
    let bench = Bench()
    let (journal, market) = (try bench.journal(), bench.market([], [.unsent, .unsent, .unsent]))
    market.edit { $0.products[1] = Bench.product }
    _ = await execute(Self.line, Plan([Bench.price(10, 40)]), formulas: [], on: bench, journal, market)
    try journal.supersede([.stock], of: 1, Bench.binding)
    #expect(try journal.resumableEntries(Bench.binding).map(\.id) == [1])
    try journal.supersede([.price], of: 1, Bench.binding)
    #expect(try journal.resumableEntries(Bench.binding).isEmpty)
  }

  /// The transitions that are possible, all others change nothing.
  @Test func lifeOfARun() {
    let events: [RunLife.Event] = [
      .programVanished, .takenOver, .givenUp, .emptied, .returned(isOpen: false, isStopped: false, holds: true),
      .returned(isOpen: true, isStopped: false, holds: false), .returned(isOpen: false, isStopped: true, holds: true),
      .returned(isOpen: false, isStopped: true, holds: false),
    ]
    var table: [String] = []
    for state in RunLife.State.allCases {
      for event in events {
        var life = RunLife(state)
        let isPossible = life.handle(event)
        #expect(isPossible || life.state == state)
        if isPossible { table.append("\(state) \(event) -> \(life.state)") }
      }
    }
    #expect(
      table == [
        "open programVanished -> interrupted",
        "open returned(isOpen: false, isStopped: false, holds: true) -> ended",
        "open returned(isOpen: true, isStopped: false, holds: false) -> interrupted",
        "open returned(isOpen: false, isStopped: true, holds: true) -> interrupted",
        "open returned(isOpen: false, isStopped: true, holds: false) -> ended",
        "interrupted takenOver -> open", "interrupted givenUp -> settled", "interrupted emptied -> settled",
      ])
  }
}
