import Catalog
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import WriteJournal

/// A command that was killed and run again has its effect once.
@Suite(.timeLimit(Trial.limit)) struct JournalClaimingTests {
  /// The disk and the market when the process was killed.
  struct Killed: Sendable {
    var bench: Bench
    var facts: ScriptedMarket.Facts
  }

  /// Kills a plan at its n-th send, after the market has handled it according to `fault`.
  private func kill(
    _ plan: Plan, origins: [WriteOrigin] = [], _ fault: ScriptedMarket.Fault = .fine, atSend number: Int = 1
  ) async throws -> Killed {
    let instants = Mutex<[Killed]>([])
    let bench = Bench()
    var facts = ScriptedMarket.Facts()
    facts.products[1] = Bench.product
    facts.faults = [fault]
    let market = ScriptedMarket(facts, clock: bench.clock) { facts in
      let copy = Bench()
      guard (try? copy.copy(of: bench.directory)) != nil else { return }
      instants.withLock { $0.append(Killed(bench: copy, facts: facts)) }
    }
    _ = await bench.runner(try bench.journal(), market).run(plan, origins: origins, pace: BatchOptions(concurrency: 1))
    return try #require(instants.withLock { $0.count >= number ? $0[number - 1] : nil })
  }

  private func again(_ killed: Killed) throws -> (Journal, ScriptedMarket, PlanRunner) {
    var facts = killed.facts
    facts.faults = []
    facts.sends = 0
    let journal = try killed.bench.journal()
    let market = ScriptedMarket(facts, clock: killed.bench.clock)
    return (journal, market, killed.bench.runner(journal, market))
  }

  private static let create = Plan([.create(Bench.draft)])

  @Test func createOfAKilledCommandIsReused() async throws {
    let killed = try await kill(Self.create)
    defer { withExtendedLifetime(killed) {} }
    let (journal, market, runner) = try again(killed)
    let outcome = await runner.run(Self.create)[0]
    guard case .unchanged(let product, let earlier?) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(product.id == 100 && earlier.product == 100 && earlier.entry == 1 && earlier.isCreate)
    #expect(market.sends == 0 && market.effects.count == 1)
    // After the report was shown, the same line creates another product.
    try journal.markShown()
    #expect(await runner.run(Self.create).map(\.label) == ["done"])
    #expect(market.effects.count == 2)
  }

  /// The last bytes were sent without an effect so far: the outcome is unknown, and no second one is sent.
  @Test func createThatMayStillArriveHoldsItsEqual() async throws {
    let killed = try await kill(Self.create, .lost)
    defer { withExtendedLifetime(killed) {} }
    let (_, market, runner) = try again(killed)
    guard case .locked = await runner.run(Self.create)[0] else {
      Issue.record("not held")
      return
    }
    let another = await runner.run(Self.create, origins: [WriteOrigin(isAnother: true)])
    #expect(another.map(\.label) == ["done"] && market.sends == 1)
  }

  /// The first one left whole, was not seen within the window, and arrives later: `resume` finds it, and does not send the
  /// second one too.
  @Test func resumeDoesNotSendHeldCreateAfterEqualArrivesLate() async throws {
    let bench = Bench()
    let market = bench.market([], [.late(.seconds(100))])
    let runner = bench.runner(try bench.journal(), market)
    #expect(await runner.run(Self.create).map(\.label) == ["unknown"])
    guard case .locked = await runner.run(Self.create)[0] else {
      Issue.record("not held")
      return
    }
    bench.clock.advance(by: .seconds(100))
    #expect(try await runner.recover().map(\.outcome.label) == ["done"])
    #expect(try await runner.resume().map(\.outcome.label) == ["unchanged"])
    #expect(market.effects.count == 1)
  }

  /// The second one was held back by the first, which arrived after all and was used by the next run of the line: a later
  /// create is another product.
  @Test func heldCreateIsNotReusedForALaterOne() async throws {
    let bench = Bench()
    let market = bench.market([], [.late(.seconds(100))])
    let journal = try bench.journal()
    func run() async throws -> [String] {
      let intents = Intent.of(Self.create.changes, line: "line 1")
      if case .made(let write) = try journal.priors(of: Self.create.changes, intents, Bench.binding)[0] {
        #expect(try journal.take(write))
        return ["earlier"]
      }
      return await bench.runner(journal, market).run(Self.create, origins: [WriteOrigin(intents[0])]).map(\.label)
    }
    #expect(try await run() == ["unknown"])
    #expect(try await run() == ["not-sent"])
    bench.clock.advance(by: .seconds(100))
    #expect(try await bench.runner(journal, market).recover().map(\.outcome.label) == ["done"])
    #expect(try await run() == ["earlier"])
    #expect(try journal.resumableEntries(Bench.binding).isEmpty)
    try journal.markShown()
    try journal.endRun(where: { _ in true }, hasFailed: false)
    #expect(try await run() == ["done"])
    #expect(market.effects.count == 2)
  }

  /// A create that never left, because nothing could be sent.
  private func leaveUnsent(_ bench: Bench) async throws -> (Journal, ScriptedMarket) {
    let journal = try bench.journal()
    let market = bench.market([], [.unsent, .unsent, .unsent])
    #expect(await bench.runner(journal, market).run(Self.create).map(\.label) == ["not-sent"])
    return (journal, market)
  }

  /// `resume` has taken the create and not begun it when another shell runs the same line.
  @Test func lineRepeatedBeforeItsResumeHasItsEffectOnce() async throws {
    let bench = Bench()
    let (journal, market) = try await leaveUnsent(bench)
    let tickets = try journal.claimResumable(Bench.binding, nil).map { ticket in
      var fresh = ticket
      fresh.state = .planned
      return fresh
    }
    #expect(await bench.runner(try bench.journal(), market).run(Self.create).map(\.label) == ["done"])
    let outcomes = await bench.runner(journal, market).run(tickets, in: journal, pace: BatchOptions())
    #expect(outcomes.map(\.label) == ["unchanged"] && market.effects.count == 1)
  }

  /// `resume` is just sending the create when another shell runs the same line.
  @Test func lineRepeatedDuringItsResumeHasItsEffectOnce() async throws {
    let bench = Bench()
    let (journal, market) = try await leaveUnsent(bench)
    let other = try bench.journal()
    let held = Mutex<[String]>([])
    let slow = ScriptedMarket(market.facts.withLock { $0 }, clock: bench.clock) { _ in
      let outcomes = await bench.runner(other, market).run(Self.create)
      held.withLock { $0 = outcomes.map(\.label) }
    }
    #expect(try await bench.runner(journal, slow).resume().map(\.outcome.label) == ["done"])
    #expect(held.withLock { $0 } == ["not-sent"])
    let truth = bench.market([], [])
    slow.facts.withLock { facts in truth.edit { $0 = facts } }
    let outcome = try await bench.runner(other, truth).resume()[0].outcome
    guard case .unchanged(_, let earlier?) = outcome, case .interruption = earlier.reason else {
      Issue.record("\(outcome)")
      return
    }
    #expect(earlier.entry == 1 && truth.effects.count == 1)
  }

  /// Two shells that run the same line at the same time, none of them interrupted, want two.
  @Test func equalCreatesOfTwoShellsAreTwoProducts() async throws {
    let bench = Bench()
    let market = bench.market([])
    let other = try bench.journal()
    let tickets = try await other.insert(Self.create, for: Bench.binding, note: nil, identify: { ULID.make() })
    #expect(await bench.runner(try bench.journal(), market).run(Self.create).map(\.label) == ["done"])
    let outcomes = await bench.runner(other, market).run(tickets, in: other, pace: BatchOptions())
    #expect(outcomes.map(\.label) == ["done"] && market.effects.count == 2)
  }

  @Test func lineCanAskForAnotherEqualCreate() async throws {
    let killed = try await kill(Self.create)
    defer { withExtendedLifetime(killed) {} }
    let (_, market, runner) = try again(killed)
    let outcomes = await runner.run(Self.create, origins: [WriteOrigin(isAnother: true)])
    #expect(outcomes.map(\.label) == ["done"] && market.effects.count == 2)
  }

  @Test func aChangeFromNeitherAFileNorALineHasNoIntent() {
    #expect(Intent.of(Self.create.changes, line: nil) == [nil])
    #expect(Intent.of(Self.create.changes, source: "plan 1", line: nil) != [nil])
    #expect(Intent.of(Self.create.changes, line: "line 1") != [nil])
  }

  @Test func equalCreatesOfOnePlanAreTwoProducts() async throws {
    let bench = Bench()
    let market = bench.market([])
    let plan = Plan([.create(Bench.draft), .create(Bench.draft)])
    #expect(await bench.runner(try bench.journal(), market).run(plan).map(\.label) == ["done", "done"])
    #expect(market.effects.count == 2)
  }

  /// A plan with two equal creates is killed at the first or second one, and applied again until it is complete.
  @Test(arguments: [1, 2]) func interruptedPlanOfEqualCreatesIsCompleted(_ send: Int) async throws {
    let plan = Plan([.create(Bench.draft), .create(Bench.draft)])
    let intents = Intent.of(plan.changes, source: "plan 1", line: nil, digests: ["a", "a"])
    let killed = try await kill(plan, origins: intents.map { WriteOrigin($0) }, atSend: send)
    defer { withExtendedLifetime(killed) {} }
    let (journal, market, runner) = try again(killed)
    let settled = try await runner.settle(source: "plan 1")
    #expect(settled.map(\.outcome.label) == ["done"])
    let matches = try journal.priors(of: plan.changes, intents, Bench.binding)
    let rest = plan.changes.indices.filter { matches[$0] == .none }
    #expect(rest == Array(send..<2))
    let left = Plan(rest.map { plan.changes[$0] })
    let outcomes = await runner.run(left, origins: rest.map { WriteOrigin(intents[$0]) })
    #expect(outcomes.allSatisfy { $0.label == "done" } && market.effects.count == 2)
    // Writes that were planned before and never sent were replaced: `resume` finds nothing.
    #expect(try journal.resumableEntries(Bench.binding).isEmpty)
    #expect(try journal.priors(of: plan.changes, intents, Bench.binding).allSatisfy { $0 != .none })
  }

  @Test func undoneOrDeletedChangeIsMadeAgain() async throws {
    let bench = Bench()
    let (journal, market) = (try bench.journal(), bench.market([]))
    let runner = bench.runner(journal, market)
    let intents = Intent.of(Self.create.changes, source: "plan 1", line: nil, digests: ["a"])
    func match() throws -> PriorMatch {
      try journal.priors(of: Self.create.changes, intents, Bench.binding)[0]
    }
    _ = await runner.run(Self.create, origins: [WriteOrigin(intents[0])])
    #expect(try match() == .made(EarlierWrite(entry: 1, product: 100, isCreate: true, reason: .plan)))
    _ = await runner.run(try await runner.undoPlan(.last))
    #expect(try match() == .none)
    _ = await runner.run(try await runner.undoPlan(.lastUndo))
    #expect(try match() == .made(EarlierWrite(entry: 1, product: 101, isCreate: true, reason: .plan)))
    _ = await runner.run(Plan([.delete(try #require(market.product(101)))]))
    #expect(try match() == .none)
  }

  /// Only a dead session leaves creates unshown, and creates of another vendor don't count.
  @Test func equalCreateOfAKilledCommandIsQuestioned() async throws {
    let killed = try await kill(Plan([.create(Bench.draft), Bench.price(10, 12)]), atSend: 2)
    defer { withExtendedLifetime(killed) {} }
    let (journal, _, _) = try again(killed)
    func match(_ binding: WriteScope = Bench.binding) throws -> PriorMatch {
      try journal.priors(of: Self.create.changes, [nil], binding)[0]
    }
    guard case .equal(let write) = try match() else {
      Issue.record("\(try match())")
      return
    }
    #expect(write.product == 100)
    #expect(try match(WriteScope(profile: "demo", baseURL: Bench.binding.baseURL, vendor: "x")) == .none)
    killed.bench.clock.advance(by: .seconds(86_401))
    #expect(try match() == .none, "it lapses")
    killed.bench.clock.advance(by: .seconds(-86_401))
    try journal.markShown([write.entry])
    #expect(try match() == .none)
  }

  @Test func killedUndoIsNotMadeTwice() async throws {
    let bench = Bench()
    let (journal, market) = (try bench.journal(), bench.market())
    market.edit {
      $0.pictures["http://m/1.jpg"] = PictureFile(name: "1.jpg", type: "image/jpeg", bytes: Data("one".utf8))
    }
    let runner = bench.runner(journal, market)
    _ = await runner.run(Plan([Bench.price(10, 12)]))
    _ = await runner.run(Plan([.delete(try #require(market.product(1)))]))
    market.edit { $0.faults = [.cut] }
    let copies = Mutex<[Killed]>([])
    let dying = ScriptedMarket(market.facts.withLock { $0 }, clock: bench.clock) { facts in
      let copy = Bench()
      guard (try? copy.copy(of: bench.directory)) != nil else { return }
      copies.withLock { $0.append(Killed(bench: copy, facts: facts)) }
    }
    let undo = try await runner.undoPlan(.last)
    _ = await bench.runner(journal, dying).run(undo)
    let killed = try #require(copies.withLock { $0.first })
    defer { withExtendedLifetime(killed) {} }
    let (later, truth, next) = try again(killed)
    let settled = try await next.settle(undos: true)
    #expect(settled.map(\.outcome.label) == ["done"] && truth.sends == 0)
    #expect(try later.entry(2)?.status == .undone)
    #expect(try later.identity(of: 1, Bench.binding) == settled[0].outcome.product?.id)
  }

  /// The outcome of an undo was recorded, and its command killed before showing it.
  @Test func unshownUndoIsKnown() async throws {
    let bench = Bench()
    let (journal, market) = (try bench.journal(), bench.market())
    let runner = bench.runner(journal, market)
    _ = await runner.run(Plan([Bench.price(10, 12)]))
    _ = await runner.run(try await runner.undoPlan(.last))
    #expect(try journal.unshownUndo(Bench.binding, isRedo: false).isEmpty, "this shell lives")
    let copy = Bench()
    defer { withExtendedLifetime(copy) {} }
    try copy.copy(of: bench.directory)
    let later = try copy.journal()
    #expect(try later.unshownUndo(Bench.binding, isRedo: false).map(\.id) == [2])
    #expect(try later.unshownUndo(Bench.binding, isRedo: true).isEmpty)
    try later.markShown([2])
    #expect(try later.unshownUndo(Bench.binding, isRedo: false).isEmpty)
  }

  /// A proxy holds a create that it answered with 429, and passes it on before another command sends an equal one.
  @Test func createRejectedWith429IsLookedForByTheNextCommand() async throws {
    let bench = Bench()
    let journal = try bench.journal()
    let market = bench.market([], [.tooMany(.seconds(90))])
    let runner = bench.runner(journal, market)
    #expect(await runner.run(Self.create).map(\.label) == ["refused"])
    try journal.markShown()
    let sent = try #require(try journal.entries(limit: 1).first)
    market.edit { _ = $0.apply(.create(Bench.draft), sent.operation) }
    #expect(await bench.runner(try bench.journal(), market).run(Self.create).map(\.label) == ["unchanged"])
    #expect(market.effects.count == 1 && market.sends == 1)
  }

  /// Two products could be the one that was answered with 429: the create is a question, and its equals are held back.
  @Test func doubtfulCreateAfter429HoldsBackItsEquals() async throws {
    let bench = Bench()
    let journal = try bench.journal()
    let market = bench.market([], [.tooMany(.seconds(1))])
    market.edit { facts in
      facts.keepsMarker = false
      for name in ["other 1", "other 2"] { facts.late.append((.milliseconds(500), .create(Bench.draft), name)) }
    }
    #expect(await bench.runner(journal, market).run(Self.create).map(\.label) == ["unknown"])
    try journal.markShown()
    for _ in 1...2 {
      #expect(await bench.runner(try bench.journal(), market).run(Self.create).map(\.label) == ["not-sent"])
    }
    #expect(market.sends == 1)
  }

  /// An edit to a stated value is decided by reading the product, whatever the journal knows.
  @Test func statedEditsAreNeverRemembered() async throws {
    let bench = Bench()
    let (journal, market) = (try bench.journal(), bench.market())
    let plan = Plan([Bench.price(10, 12)])
    for source in [nil, "plan 1", "import /a.csv"] {
      let intents = Intent.of(plan.changes, source: source, line: "line 1")
      _ = await bench.runner(journal, market).run(plan, origins: [WriteOrigin(intents[0])])
      #expect(try journal.priors(of: plan.changes, intents, Bench.binding) == [.none])
    }
  }

  /// Version 0.2 recorded the line of every edit, and left it there when a run failed.
  @Test func editsOfOldHomesAreNotRemembered() async throws {
    let bench = Bench()
    let (journal, market) = (try bench.journal(), bench.market())
    var plan = Plan([Bench.price(10, 12)])
    plan.dependsOnObservedState = true
    let old = Intent(line: "line 1", part: "edit 1#0")
    _ = await bench.runner(journal, market).run(plan, origins: [WriteOrigin(old)])
    for formulas in [[:], [1: "price+=2"]] {
      let intents = Intent.of(plan.changes, line: "line 1", formulas: formulas)
      #expect(try journal.priors(of: plan.changes, intents, Bench.binding) == [.none])
    }
  }

  /// A computed edit is remembered while its run did not end, by its line and its formula.
  @Test func computedEditIsRememberedUntilItsRunEnds() async throws {
    let bench = Bench()
    let (journal, market) = (try bench.journal(), bench.market())
    let plan = Plan([Bench.price(10, 12)])
    func intents(_ formula: String, _ line: String = "line 1") -> [Intent?] {
      Intent.of(plan.changes, line: line, formulas: [1: formula])
    }
    _ = await bench.runner(journal, market).run(plan, origins: [WriteOrigin(intents("price+=2")[0])])
    func match(_ formula: String = "price+=2", _ line: String = "line 1", _ other: Journal? = nil) throws -> PriorMatch
    {
      try (other ?? journal).priors(of: plan.changes, intents(formula, line), Bench.binding)[0]
    }
    try journal.endRun(where: { _ in true }, hasFailed: false)
    guard case .made(let write) = try match() else {
      Issue.record("a run whose report was not written did not end")
      return
    }
    #expect(write.entry == 1 && write.product == 1 && !write.isCreate)
    #expect(try match("price+=3") == .none && match("price+=2", "line 2") == .none)
    #expect(try match("price+=2", "line 1", bench.journal()) == .none, "that shell lives, and its run is another")
    bench.clock.advance(by: .seconds(86_401))
    #expect(try match() == .none, "it lapses")
    bench.clock.advance(by: .seconds(-86_401))
    try journal.markShown()
    try journal.endRun(where: { $0 == "line 2" }, hasFailed: false)
    #expect(try match() == .made(write))
    try journal.endRun(where: { $0 == "line 1" }, hasFailed: true)
    #expect(try match() == .none, "a run ends whatever its exit status")
  }

  /// Equal creates of a run that failed are questioned until a run of the same line succeeds.
  @Test func createOfAFailedRunIsQuestioned() async throws {
    let bench = Bench()
    let (journal, market) = (try bench.journal(), bench.market())
    let intents = Intent.of(Self.create.changes, line: "line 1")
    _ = await bench.runner(journal, market).run(Self.create, origins: [WriteOrigin(intents[0])])
    func match() throws -> PriorMatch { try journal.priors(of: Self.create.changes, intents, Bench.binding)[0] }
    try journal.markShown()
    guard case .made = try match() else {
      Issue.record("the run did not end")
      return
    }
    for _ in 1...2 {
      try journal.endRun(where: { $0 == "line 1" }, hasFailed: true)
      guard case .equal(let write) = try match(), case .failure = write.reason else {
        Issue.record("\(try match())")
        return
      }
    }
    try journal.endRun(where: { $0 == "line 1" }, hasFailed: false)
    #expect(try match() == .none)
  }

  /// A run that left a change open is continued by the same line, until `resume` has completed it.
  @Test func runWithAnOpenChangeEndsWithItsResume() async throws {
    let bench = Bench()
    let (journal, market) = (try bench.journal(), bench.market([], [.unsent, .unsent, .unsent]))
    market.edit { $0.products[1] = Bench.product }
    let plan = Plan([Bench.price(10, 12)])
    let intents = Intent.of(plan.changes, line: "line 1", formulas: [1: "price+=2"])
    let runner = bench.runner(journal, market)
    #expect(await runner.run(plan, origins: [WriteOrigin(intents[0])]).map(\.label) == ["not-sent"])
    try journal.markShown()
    try journal.endRun(where: { _ in true }, hasFailed: true)
    let resumed = try await runner.resume()
    #expect(resumed.map(\.outcome.label) == ["done"])
    func match() throws -> PriorMatch { try journal.priors(of: plan.changes, intents, Bench.binding)[0] }
    guard case .made = try match() else {
      Issue.record("\(try match())")
      return
    }
    try journal.endRuns(ofResumed: resumed.map(\.entry)) { _ in false }
    guard case .made = try match() else {
      Issue.record("a line of a script that is longer than it")
      return
    }
    try journal.endRuns(ofResumed: resumed.map(\.entry)) { _ in true }
    #expect(try match() == .none)
  }
}
