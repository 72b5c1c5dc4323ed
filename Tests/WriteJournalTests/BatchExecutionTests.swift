import Catalog
import Foundation
import GRDB
import SQLiteSupport
import Synchronization
import TestSupport
import Testing

@testable import WriteJournal

/// Parallel writes: no two to the same product at a time, and no more than the user or the server allows.
struct BatchExecutionTests {
  private static func products(_ count: Int) -> [Product] {
    (1...count).map { Product(id: $0, name: "p\($0)", price: Amount(10), stock: 5) }
  }

  private static func plan(_ products: [Product]) -> Plan { Plan(products.map { Bench.price(10, 12, of: $0) }) }

  /// Counts events, and requests a stop after a number of sends.
  final class Watch: Sendable {
    let events = Mutex<[RunnerEvent]>([])
    let stopsAfter: Int
    init(stopsAfter: Int = .max) { self.stopsAfter = stopsAfter }
    var sends: Int { events.withLock { $0.count { if case .sending = $0 { true } else { false } } } }
    var mustStop: Bool { sends >= stopsAfter }
    /// The times left of each report of a wait for the server.
    var outages: [Duration] {
      events.withLock { $0.compactMap { if case .waitingForServer(let left, _) = $0 { left } else { nil } } }
    }
    var hasRefusal: Bool {
      events.withLock { $0.contains { if case .finished(_, .refused) = $0 { true } else { false } } }
    }
  }

  private func runner(_ bench: Bench, _ journal: Journal, _ market: any MarketAccess, _ watch: Watch) -> PlanRunner {
    PlanRunner(
      journal: journal, market: market, binding: Bench.binding, window: .loopback,
      stopping: { watch.mustStop }, progress: { event in watch.events.withLock { $0.append(event) } })
  }

  @Test(arguments: [1, 2, 8]) func everyProductIsWrittenOnceAtAnyConcurrency(jobs: Int) async throws {
    let bench = Bench()
    let products = Self.products(100)
    let market = bench.market(products)
    let outcomes = await bench.runner(try bench.journal(), market).outcomes(
      of:
        Self.plan(products), pace: BatchOptions(concurrency: jobs))
    #expect(outcomes.allSatisfy { $0.label == "done" })
    #expect(market.effects.count == 100 && Set(market.effects).count == 100)
  }

  /// The description of a market limits what the user asks for, and not the other way round.
  @Test(arguments: [(nil, 4, 4), (1, 4, 1), (2, 4, 2), (8, 2, 2)] as [(Int?, Int, Int)])
  func descriptionLimitsTheConcurrency(_ limit: Int?, _ jobs: Int, _ expected: Int) async throws {
    let bench = Bench()
    let active = Mutex((now: 0, peak: 0))
    var facts = ScriptedMarket.Facts()
    for product in Self.products(24) { facts.products[product.id] = product }
    facts.limit = limit
    let market = ScriptedMarket(facts, clock: bench.clock) { _ in
      active.withLock { $0 = ($0.now + 1, max($0.peak, $0.now + 1)) }
      // Long enough for the others to be sent, on a busy machine too.
      for _ in 0..<200 where active.withLock({ $0.peak < expected }) { try? await Task.sleep(for: .milliseconds(10)) }
      active.withLock { $0.now -= 1 }
    }
    let outcomes = await bench.runner(try bench.journal(), market).outcomes(
      of: Self.plan(Self.products(24)), pace: BatchOptions(concurrency: jobs))
    #expect(outcomes.allSatisfy { $0.label == "done" })
    #expect(active.withLock { $0.peak } == expected)
  }

  /// The confirmation window is waited for once: nothing is read back while writes remain to be sent.
  @Test func unknownOutcomesAreResolvedTogetherAtTheEnd() async throws {
    let bench = Bench()
    let products = Self.products(30)
    let market = bench.market(products, [.fine, .lost, .fine, .cut, .late(.seconds(4))])
    let watch = Watch()
    let outcomes = await runner(bench, try bench.journal(), market, watch).outcomes(
      of:
        Self.plan(products), pace: BatchOptions(concurrency: 4))
    #expect(outcomes.allSatisfy { $0.label == "done" })
    let events = watch.events.withLock { $0 }
    let firstSettling = try #require(
      events.firstIndex { if case .readingBack = $0 { true } else { false } })
    let lastFirstSend = try #require(
      events.lastIndex { if case .sending(_, attempt: 1) = $0 { true } else { false } })
    #expect(lastFirstSend < firstSettling)
    #expect(events.count { if case .outcomeUnknown = $0 { true } else { false } } == 3)
    #expect(events.count { if case .retrying = $0 { true } else { false } } == 1)
    #expect(events.last == .ended)
  }

  /// After the computer slept for a quarter of an hour nothing more of the batch is sent, and a short nap stops nothing.
  @Test(arguments: [(840, 6), (3_600, 2)]) func longSleepStopsTheBatch(_ seconds: Int, _ sent: Int) async throws {
    let bench = Bench()
    let products = Self.products(6)
    let (journal, market, watch) = (try bench.journal(), bench.market(products), Watch())
    let clock = bench.clock
    let runner = PlanRunner(
      journal: journal, market: market, binding: Bench.binding, window: .loopback,
      progress: { event in
        watch.events.withLock { $0.append(event) }
        if case .finished(1, _) = event { clock.suspend(for: .seconds(seconds)) }
      })
    let outcomes = await runner.outcomes(of: Self.plan(products), pace: BatchOptions(concurrency: 1))
    #expect(market.effects.count == sent && outcomes.count { $0.label == "done" } == sent, "\(outcomes)")
    let events = watch.events.withLock { $0 }
    #expect(events.contains(.suspended(.seconds(seconds))) == (sent < 6))
  }

  /// Two writes to one product in one batch: the second waits for the verdict on the first.
  @Test func secondWriteToAProductWaitsForTheFirstOutcome() async throws {
    let bench = Bench()
    let market = bench.market([Bench.product], [.late(.seconds(3))])
    var later = Bench.product
    later.price = Amount(12)
    let plan = Plan([Bench.price(10, 12), Bench.price(12, 14, of: later)])
    let outcomes = await bench.runner(try bench.journal(), market).outcomes(
      of: plan, pace: BatchOptions(concurrency: 4))
    #expect(outcomes.map(\.label) == ["done", "done"])
    #expect(market.product(1)?.price == Amount(14))
  }

  @Test func wrongSecretStopsTheBatch() async throws {
    let bench = Bench()
    let journal = try bench.journal()
    let products = Self.products(60)
    var facts = ScriptedMarket.Facts()
    for product in products { facts.products[product.id] = product }
    facts.faults = [.fine, .fine, .refused(401, .wrongSecret)]
    let watch = Watch()
    // Writes in flight complete after the rejected one has ended, so that none of them starts another.
    let market = ScriptedMarket(facts, clock: bench.clock) { facts in
      if facts.sends > 3 { try? await Waiting.until("the refusal") { watch.hasRefusal } }
    }
    let runner = runner(bench, journal, market, watch)
    let outcomes = await runner.outcomes(of: Self.plan(products), pace: BatchOptions(concurrency: 4))
    #expect(market.sends <= 3 + 3)
    #expect(outcomes.count { $0.label == "refused" } == 1)
    let skipped = outcomes.count { $0.label == "skipped" }
    #expect(skipped == 60 - market.sends)
    #expect(try journal.resumableEntries(Bench.binding).count == skipped)
    let before = market.sends
    #expect(try await runner.resume(pace: BatchOptions(concurrency: 4)).allSatisfy { $0.outcome.label == "done" })
    #expect(market.sends == before + skipped && market.effects.count == 59)
  }

  /// The first Ctrl-C: writes in flight complete, no other starts, and `resume` makes exactly the rest.
  @Test(arguments: [1, 4]) func stoppedBatchIsResumed(jobs: Int) async throws {
    let bench = Bench()
    let journal = try bench.journal()
    let products = Self.products(50)
    let market = bench.market(products)
    let outcomes = await runner(bench, journal, market, Watch(stopsAfter: 10)).outcomes(
      of:
        Self.plan(products), pace: BatchOptions(concurrency: jobs))
    let done = outcomes.count { $0.label == "done" }
    #expect((10..<10 + jobs).contains(done) && market.sends == done)
    #expect(outcomes.count { $0.label == "skipped" } == 50 - done)
    #expect(try journal.resumableEntries(Bench.binding).count == 50 - done)
    let rest = try await bench.runner(journal, market).resume(pace: BatchOptions(concurrency: jobs))
    #expect(rest.count == 50 - done && rest.allSatisfy { $0.outcome.label == "done" })
    #expect(market.effects.count == 50 && Set(market.effects).count == 50)
  }

  /// The first Ctrl-C while a write is in flight: its response is read once, so that it ends as done.
  @Test func stoppedBatchReadsTheAnsweredWriteOnce() async throws {
    let bench = Bench()
    let market = bench.market()
    let outcomes = await runner(bench, try bench.journal(), market, Watch(stopsAfter: 1)).outcomes(
      of:
        Plan([Bench.price(10, 12)]))
    #expect(outcomes.map(\.label) == ["done"])
  }

  /// Ctrl-C while reading back: the write stays pending and is resolved by the next look.
  @Test func unknownOutcomeCanStayPending() async throws {
    let bench = Bench()
    let journal = try bench.journal()
    let market = bench.market([Bench.product], [.late(.seconds(30))])
    let outcomes = await runner(bench, journal, market, Watch(stopsAfter: 1)).outcomes(of: Plan([Bench.price(10, 12)]))
    #expect(outcomes == [.unknown(.text("time-out"))])
    #expect(try journal.undecidedEntries(Bench.binding).map(\.id) == [1])
    market.edit { $0.arrive(at: .seconds(100)) }
    #expect(try await bench.runner(journal, market).recover().map(\.outcome.label) == ["done"])
    #expect(market.sends == 1)
  }

  /// Another vendor writes during the batch: an edit of the same field is not overwritten, other fields are merged.
  @Test(arguments: [1, 4]) func noForeignChangeIsOverwritten(jobs: Int) async throws {
    let bench = Bench()
    let journal = try bench.journal()
    var facts = ScriptedMarket.Facts()
    let products = Self.products(40)
    for product in products { facts.products[product.id] = product }
    let holder = PlanRunnerTests.Late()
    let market = ScriptedMarket(facts, clock: bench.clock) { facts in
      guard facts.sends == 5 else { return }
      // Everything that was read before is now outdated.
      bench.clock.advance(by: .seconds(1))
      holder.market?.edit { facts in
        for id in 31...35 { facts.products[id]?.price = Amount(77) }
        for id in 36...40 { facts.products[id]?.stock = 99 }
      }
    }
    holder.market = market
    let outcomes = await bench.runner(journal, market).outcomes(
      of:
        Self.plan(products), pace: BatchOptions(concurrency: jobs, failureLimit: 99))
    #expect(outcomes[30..<35].map { $0 } == Array(repeating: .drifted([.price]), count: 5))
    #expect(outcomes[..<30].allSatisfy { $0.label == "done" } && outcomes[35...].allSatisfy { $0.label == "done" })
    for id in 31...35 { #expect(market.product(id)?.price == Amount(77)) }
    for id in 36...40 { #expect(market.product(id)?.stock == 99 && market.product(id)?.price == Amount(12)) }
    #expect(market.sends == 35)
  }

  /// The network is gone for a minute: the batch waits for it and then makes all of its changes.
  @Test(arguments: [1, 4]) func batchWaitsForTheNetwork(jobs: Int) async throws {
    let bench = Bench()
    let products = Self.products(10)
    let market = bench.market(products)
    let away = AwayMarket(market, clock: bench.clock, afterSends: 3, for: .seconds(60))
    let watch = Watch()
    var runner = runner(bench, try bench.journal(), away, watch)
    runner.outageLimit = .seconds(120)
    let outcomes = await runner.outcomes(of: Self.plan(products), pace: BatchOptions(concurrency: jobs))
    #expect(outcomes.allSatisfy { $0.label == "done" })
    #expect(market.effects.count == 10)
    #expect(watch.outages.first == .seconds(120))
    #expect(watch.outages.allSatisfy { $0 > .seconds(50) })
  }

  /// It doesn't come back: the batch stops after two minutes, and nothing is lost.
  @Test(arguments: [1, 4]) func batchStopsIfTheNetworkStaysAway(jobs: Int) async throws {
    let bench = Bench()
    let journal = try bench.journal()
    let products = Self.products(100)
    let market = bench.market(products)
    let away = AwayMarket(market, clock: bench.clock, afterSends: 3, for: .seconds(100_000))
    let watch = Watch()
    var runner = runner(bench, journal, away, watch)
    runner.outageLimit = .seconds(120)
    let start = bench.clock.monotonicNow
    let outcomes = await runner.outcomes(of: Self.plan(products), pace: BatchOptions(concurrency: jobs))
    let time = bench.clock.monotonicNow - start
    #expect(time >= .seconds(120) && time < .seconds(200), "\(time)")
    #expect(outcomes.contains(.notSent(.preflightFailed(.networkUnreachable))))
    #expect(outcomes.count { $0.label == "skipped" } > 0)
    #expect(market.sends < 20)
    away.isBack.withLock { $0 = true }
    #expect(try await bench.runner(journal, market).resume().allSatisfy { $0.outcome.label == "done" })
    #expect(market.effects.count == 100 && Set(market.effects).count == 100)
  }

  /// The user needn't wait, and a single write doesn't.
  @Test(arguments: [(10, true), (1, false)])
  func waitForTheNetworkEndsAtOnce(count: Int, isStopped: Bool) async throws {
    let bench = Bench()
    let journal = try bench.journal()
    let products = Self.products(count)
    let market = bench.market(products)
    let away = AwayMarket(market, clock: bench.clock, afterSends: 0, for: .seconds(100_000))
    let watch = Watch()
    var runner = PlanRunner(
      journal: journal, market: away, binding: Bench.binding, window: .loopback,
      stopping: { isStopped && !watch.outages.isEmpty },
      progress: { event in watch.events.withLock { $0.append(event) } })
    runner.outageLimit = .seconds(120)
    let start = bench.clock.monotonicNow
    let outcomes = await runner.outcomes(of: Self.plan(products))
    #expect(bench.clock.monotonicNow - start < .seconds(10))
    #expect(outcomes.allSatisfy { $0.label == (isStopped ? "skipped" : "not-sent") })
    #expect(watch.outages.isEmpty != isStopped)
    #expect(try journal.resumableEntries(Bench.binding).count == count)
  }

  /// Records that are written at the same time share one commit.
  @Test func simultaneousIntentsShareOneCommit() async throws {
    let bench = Bench()
    let journal = try bench.journal()
    let tickets = try await journal.insert(
      Self.plan(Self.products(64)), for: Bench.binding, note: nil, identify: { ULID.make() })
    let counter = Counter()
    journal.queue.add(transactionObserver: counter, extent: .databaseLifetime)
    let gate = DispatchSemaphore(value: 0)
    let isBusy = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      _ = try? journal.read { _ in
        isBusy.signal()
        gate.wait()
      }
    }
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        isBusy.wait()
        continuation.resume()
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for ticket in tickets { group.addTask { try await journal.recordSending(ticket) } }
      group.addTask {
        defer { gate.signal() }
        try await Waiting.until("the crowd at the disk") { journal.commits.count >= 64 }
      }
      try await group.waitForAll()
    }
    #expect(counter.commits.withLock { $0 } <= 2)
    #expect(try journal.undecidedEntries(Bench.binding).count == 64)
  }

  final class Counter: TransactionObserver {
    let commits = Mutex(0)
    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ database: Database) { commits.withLock { $0 += 1 } }
    func databaseDidRollback(_ database: Database) {}
  }

  @Test func prioritySemaphorePrefersWritesAndPausesForRetryAfter() async throws {
    let gate = PrioritySemaphore(1, spacing: .milliseconds(200))
    #expect(await gate.reserveSlot(at: .seconds(1)) == .zero)
    #expect(await gate.reserveSlot(at: .seconds(1)) == .milliseconds(200))
    #expect(await gate.reserveSlot(at: .seconds(1)) == .milliseconds(400))
    await gate.pause(until: .seconds(31))
    #expect(await gate.reserveSlot(at: .seconds(2)) == .seconds(29))
    #expect(await gate.reserveSlot(at: .seconds(2)) == .seconds(29) + .milliseconds(200))
    await gate.wait(0, isWrite: false)
    let order = Order()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, isWrite) in [(7, false), (9, true), (3, false), (8, true)] {
        group.addTask {
          await gate.wait(index, isWrite: isWrite)
          order.all.withLock { $0.append(index) }
          await gate.signal()
        }
      }
      try await Waiting.until("the crowd at the gate") { await gate.waiterCount >= 4 }
      await gate.signal()
    }
    #expect(order.all.withLock { $0 } == [8, 9, 3, 7])
  }

  final class Order: Sendable { let all = Mutex<[Int]>([]) }

  @Test func writesOfALaneAreSequential() {
    var queue = SerializedQueue(["a", "a", "b", "a", "c"])
    #expect([queue.pop(), queue.pop(), queue.pop(), queue.pop()] == [0, 2, 4, nil])
    queue.finish(2)
    #expect(queue.pop() == nil)
    queue.finish(0)
    #expect([queue.pop(), queue.pop()] == [1, nil])
    queue.finish(1)
    #expect([queue.pop(), queue.pop()] == [3, nil])
  }

  @Test func writesInFlightAreLimitedByTheSendTime() {
    let slow = SharedBatchState(BatchOptions(concurrency: 4), at: .zero)
    #expect(slow.maximumInFlight(at: .seconds(1)) == 8)
    for _ in 1...100 { slow.recordSend(taking: .milliseconds(20)) }
    #expect(slow.maximumInFlight(at: .seconds(20)) == 8)
    #expect(slow.maximumInFlight(at: .seconds(1)) == 10)
    #expect(slow.maximumInFlight(at: .milliseconds(50)) == 64)
    #expect(!slow.isStale(.milliseconds(249)) && slow.isStale(.milliseconds(251)))
    #expect(SharedBatchState(BatchOptions(concurrency: 1), at: .zero).maximumInFlight(at: .seconds(1)) == 1)
  }
}
