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
    // They hold no line back, and `undo` without a number doesn't mean them.
    let binding = WriteScope(profile: "shop", baseURL: Self.address, vendor: "15")
    #expect(try journal.unsettledRuns(binding).isEmpty && journal.lastUndoableEntry(binding) == nil)
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

  @Test(
    arguments: [
      { $0.id = "../A" }, { $0.state = "sending" }, { $0.state = "done!" }, { $0.kind = "raw" }, { $0.kind = "delete" },
      { $0.change = nil }, { $0.change = "{}" }, { $0.before = "{}" }, { $0.after = "[]" }, { $0.product = 0 },
      { $0.depth = -1 }, { $0.attempt = .max }, { $0.started = "today" }, { $0.address = "https://SHOP.example" },
      { $0.address += "#1" }, { $0.generation = "a b" }, { $0.undoOf = "a/b" }, { $0.run = 0 },
      { $0.note = String(repeating: "x", count: 5 << 20) },
    ] as [@Sendable (inout HandedOverWrite) -> Void])
  func recordOfAnotherProgramIsNotUsable(_ alter: @Sendable (inout HandedOverWrite) -> Void) {
    var write = Self.write("A")
    #expect(write.isUsable)
    alter(&write)
    #expect(!write.isUsable)
  }
}
