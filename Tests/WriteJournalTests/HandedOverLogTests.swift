import Catalog
import Foundation
import TestSupport
import Testing

@testable import WriteJournal

/// The finished writes of another home, which may have been written by anyone.
@Suite(.timeLimit(Trial.limit)) struct HandedOverLogTests {
  private static let address = "https://shop.example"

  private static func write(_ id: String, generation: String? = nil, product: Int = 138) -> HandedOverWrite {
    HandedOverWrite(
      id: id, profile: "shop", address: address, generation: generation, vendor: "15", run: 3, kind: "patch",
      product: product, state: "done", attempt: 1,
      change:
        #"{"change":{"edit":{"_0":{"id":\#(product)},"from":{"price":8},"to":{"price":9}}},"pictures":[]}"#,
      after: #"{"price":9}"#, depth: 0, started: "2022-12-01T00:00:00Z")
  }

  private static func log(_ writes: [HandedOverWrite]) -> HandedOverLog {
    var log = HandedOverLog()
    log.writes = writes
    return log
  }

  @Test func writesAreTakenOnce() throws {
    let journalBench = Bench()
    defer { withExtendedLifetime(journalBench) {} }
    let journal = try journalBench.journal()
    let log = Self.log([Self.write("A"), Self.write("B", product: 132)])
    var taken = try journal.takeOver(log)
    #expect(taken.added == 2 && taken.known == 0)
    taken = try journal.takeOver(log)
    #expect(taken.added == 0 && taken.known == 2)
    let entries = try journal.entries(limit: 10)
    #expect(entries.map(\.product) == [132, 138] && Set(entries.map(\.run)).count == 1)
    #expect(entries.allSatisfy { !$0.hasInvalidChecksum && $0.status == .done && $0.after?.price == 9 })
    let begin = try #require(Timestamp("2022-12-01T00:00:00Z"))
    #expect(try journal.entries(since: begin, at: Self.address).count == 2)
    #expect(try journal.entries(since: begin, at: Self.address, includesHandedOver: false).isEmpty)
    // They hold no line back, and `undo` without a number doesn't mean them.
    let binding = MarketLogin(profile: "shop", baseURL: Self.address, vendor: "15")
    #expect(try journal.unsettledRuns(binding).isEmpty && journal.lastUndoableEntry(binding) == nil)
  }

  /// The times of a taken log are compared with each other, not with those of the log that takes it.
  @Test func writesOfAClockThatWasSetBackAreFound() async throws {
    let bench = Bench()
    defer { withExtendedLifetime(bench) {} }
    let journal = try bench.journal()
    let own = try #require(Timestamp("2022-12-05T00:00:00Z"))
    bench.clock.setTimeOfDay(by: own.seconds - bench.clock.now.seconds)
    let binding = MarketLogin(profile: "shop", baseURL: Self.address, vendor: "15")
    let runner = PlanRunner(journal: journal, market: bench.market(), binding: binding, window: .loopback)
    _ = await runner.outcomes(of: Plan([Bench.price(10, 11)]))
    bench.clock.setTimeOfDay(by: 20 * 86_400)
    let days = [("A", 1), ("B", 9), ("C", 2), ("D", 10)]
    _ = try journal.takeOver(
      Self.log(
        days.map { id, day in
          var write = Self.write(id)
          write.started = "2022-12-\(day < 10 ? "0" : "")\(day)T00:00:00Z"
          write.ended = write.started
          return write
        }))
    let begin = try #require(Timestamp("2022-12-08T00:00:00Z"))
    let found = try journal.entries(since: begin, at: Self.address)
    #expect(found.map { $0.time.description.prefix(10) } == ["2022-12-10", "2022-12-02", "2022-12-09"])
    #expect(found.map { $0.uncertainTime != nil } == [false, true, false])
  }

  @Test func takenLogIsHandedOn() throws {
    let firstBench = Bench()
    defer { withExtendedLifetime(firstBench) {} }
    let first = try firstBench.journal()
    var undo = Self.write("B")
    (undo.undoOf, undo.depth) = ("A", 1)
    var undone = Self.write("A")
    undone.undoneBy = "B"
    _ = try first.takeOver(Self.log([undone, undo]))
    let secondBench = Bench()
    defer { withExtendedLifetime(secondBench) {} }
    let second = try secondBench.journal()
    _ = try second.takeOver(Self.log([Self.write("A")]))
    #expect(try second.entries(limit: 10).map(\.status) == [.done])
    let taken = try second.takeOver(first.handedOver(maximumPictureBytes: 1 << 20))
    #expect(taken.added == 1 && taken.known == 1)
    #expect(try second.entries(limit: 10).map(\.status) == [.done, .undone])
  }

  /// The generation in a file doesn't become that of the writes of this home.
  @Test func foreignGenerationIsNotThatOfOwnWrites() throws {
    let journalBench = Bench()
    defer { withExtendedLifetime(journalBench) {} }
    let journal = try journalBench.journal()
    let own = MarketIdentity(address: Self.address, generation: MarketGeneration("own.1-a"))
    #expect(try journal.name(of: own) == Self.address)
    _ = try journal.takeOver(Self.log([Self.write("A", generation: "evil.1-a")]))
    #expect(try journal.name(of: MarketIdentity(address: Self.address)) == Self.address)
    #expect(try journal.name(of: own) == Self.address)
    #expect(try journal.entries(limit: 1).first?.baseURL == Self.address + "#evil.1-a")
    // In a home that knows nothing of the address, it is the market of the writes.
    let otherBench = Bench()
    defer { withExtendedLifetime(otherBench) {} }
    let other = try otherBench.journal()
    _ = try other.takeOver(Self.log([Self.write("A", generation: "own.1-a")]))
    #expect(try other.name(of: own) == other.entries(limit: 1).first?.baseURL)
  }

  /// A picture of another home doesn't stand for one that this home has to save before it deletes a product.
  @Test func foreignPictureIsNotTheOwnBackup() throws {
    let journalBench = Bench()
    defer { withExtendedLifetime(journalBench) {} }
    let journal = try journalBench.journal()
    let address = Self.address + "/1.png"
    var log = HandedOverLog()
    log.pictures = [HandedOverPicture(data: Data([1]), address: address, name: "1.png", type: "image/png")]
    _ = try journal.takeOver(log)
    #expect(try !journal.touch(address))
    #expect(try journal.backup(address)?.bytes == Data([1]))
    try journal.backUp(PictureFile(name: "1.png", type: "image/png", bytes: Data([2])), from: address)
    #expect(try journal.backup(address)?.bytes == Data([2]))
    #expect(try journal.handedOver(maximumPictureBytes: 1 << 20).pictures.allSatisfy { $0.address == address })
  }

  /// A pending change of this home is not given up because a file claims a later one.
  @Test func claimedWriteDoesNotSupersedeThatOfThisHome() async throws {
    let bench = Bench()
    defer { withExtendedLifetime(bench) {} }
    let journal = try bench.journal()
    let binding = MarketLogin(profile: "shop", baseURL: Self.address, vendor: "15")
    let product = Product(id: 138, name: "cup", price: Amount(8), stock: 1)
    let plan = Plan([
      .edit(product, from: ProductValues(price: Amount(8)), to: ProductValues(price: Amount(7))), .delete(product),
    ])
    let run = RunInProgress(RunUnit(.line, "patch 138 price=7", identity: nil))
    _ = try await journal.insert(plan, for: binding, in: run, note: nil, identify: { ULID.make() })
    var delete = Self.write("B")
    (delete.kind, delete.change, delete.after) = (
      "delete", #"{"change":{"delete":{"_0":{"id":138}}},"pictures":[]}"#, nil
    )
    let other = try Journal(sharing: journal, clock: VirtualClock())
    #expect(try other.takeOver(Self.log([Self.write("A"), delete])).added == 2)
    try other.discardSuperseded(binding)
    let own = try other.entries(ofRun: 1)
    #expect(own.count == 2 && own.allSatisfy { $0.state == .planned }, "\(own)")
  }

  /// A file doesn't say which product a number means that this home has written to.
  @Test func claimedReturnIsNotThatOfOwnProduct() async throws {
    let bench = Bench()
    defer { withExtendedLifetime(bench) {} }
    let journal = try bench.journal()
    let binding = MarketLogin(profile: "shop", baseURL: Self.address, vendor: "15")
    let edit = Change.edit(
      Product(id: 138, name: "cup"), from: ProductValues(price: Amount(8)), to: ProductValues(price: Amount(7)))
    _ = try await journal.insert(
      Plan([edit]), for: binding, in: RunInProgress(RunUnit(.line, "patch", identity: nil)), note: nil,
      identify: { ULID.make() })
    var writes: [HandedOverWrite] = []
    for product in [138, 60] {
      var delete = Self.write("D\(product)", product: product)
      (delete.kind, delete.after) = ("delete", nil)
      delete.change = #"{"change":{"delete":{"_0":{"id":\#(product)}}},"pictures":[]}"#
      var create = Self.write("C\(product)", product: product + 1_000)
      (create.kind, create.after, create.undoOf, create.depth) = ("create", nil, "D\(product)", 1)
      create.change =
        #"{"change":{"create":{"_0":{"name":"a","description":"b","price":1,"discount":0,"currency":"KRW","stock":1,"pictures":[]}}},"pictures":[]}"#
      writes += [delete, create]
    }
    #expect(writes.allSatisfy { $0.isUsable })
    #expect(try journal.takeOver(Self.log(writes)).added == 4)
    #expect(try journal.identity(of: 138, binding) == 138)
    #expect(try journal.identity(of: 60, binding) == 1_060)
  }

  /// A pending write has in the other home the state, the run and the hold that it had.
  @Test func pendingWritesAreTakenWithTheirRun() async throws {
    let bench = Bench()
    defer { withExtendedLifetime(bench) {} }
    let own = try bench.journal()
    let binding = MarketLogin(profile: "shop", baseURL: Self.address, vendor: "15")
    let run = RunInProgress(RunUnit(.line, "patch 138 stock+=1; new …", identity: "x"))
    let product = Product(id: 138, name: "cup", stock: 1)
    let edit = Change.edit(product, from: ProductValues(stock: 1), to: ProductValues(stock: 2))
    _ = try await own.insert(
      Plan([edit, .create(Bench.draft)]), for: binding, in: run, note: nil, identify: { ULID.make() })
    try own.finish(run, isStopped: false)
    var log = try own.handedOver(maximumPictureBytes: 1 << 20)
    #expect(log.pending.map(\.write.kind) == ["patch", "create"] && log.writes.isEmpty && log.pictures.count == 1)
    #expect(log.pending.allSatisfy { $0.isUsable && $0.isInterrupted })
    #expect(try own.runsOfAnotherPlace([1]).isEmpty)
    let sessions = try own.handOver(runsOf: log.pending.map(\.write.id))
    #expect(try own.runsOfAnotherPlace([1]) == [1])
    #expect(try own.handedOverRuns([1]) == [1])
    try own.undoHandover(sessions)
    #expect(try own.runsOfAnotherPlace([1]).isEmpty)

    let otherBench = Bench()
    defer { withExtendedLifetime(otherBench) {} }
    let other = try otherBench.journal()
    for pending in log.pending { log.members[1, default: []].append(pending.write.id) }
    #expect(try other.takeOver(log).added == 2)
    #expect(try other.takeOver(log).known == 2)
    let runs = try other.unsettledRuns(binding)
    #expect(runs.map(\.counts.left) == [2] && runs.first?.unit.text == "patch 138 stock+=1; new …")
    #expect(try other.handedOverRuns(runs.map(\.number)) == runs.map(\.number))
    #expect(try other.resumableEntries(binding).map(\.action) == [.patch, .create])
    let (held, taken) = (try own.heldItems(ofRun: 1), try other.heldItems(ofRun: runs[0].number))
    #expect(!held.isEmpty && Set(taken.keys) == Set(held.keys))
  }

  @Test(
    arguments: [
      { $0.id = "../A" }, { $0.state = "sending" }, { $0.state = "done!" }, { $0.kind = "raw" }, { $0.kind = "delete" },
      { $0.change = nil }, { $0.change = "{}" }, { $0.before = "{}" }, { $0.after = "[]" }, { $0.product = 0 },
      { $0.depth = -1 }, { $0.attempt = .max }, { $0.started = "today" }, { $0.address = "https://SHOP.example" },
      { $0.address += "#1" }, { $0.generation = "a b" }, { $0.undoOf = "a/b" }, { $0.run = 0 },
      { $0.note = String(repeating: "x", count: 5 << 20) }, { $0.profile = "a\u{1B}[2J" }, { $0.vendor = "1\n5" },
      { $0.state = "notApplied" }, { $0.state = "planned" },
    ] as [@Sendable (inout HandedOverWrite) -> Void])
  func recordOfAnotherProgramIsNotUsable(_ alter: @Sendable (inout HandedOverWrite) -> Void) {
    var write = Self.write("A")
    #expect(write.isUsable)
    alter(&write)
    #expect(!write.isUsable)
  }
}
