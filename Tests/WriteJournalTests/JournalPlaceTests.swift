import Catalog
import Foundation
import GRDB
import TestSupport
import Testing

@testable import WriteJournal

/// A copy of a home is recognized by the file of its journal, so that a run isn't finished in both.
@Suite(.timeLimit(Trial.limit)) struct JournalPlaceTests {
  private static func beginRun(in directory: String, _ text: String) async throws {
    let journal = try Journal(at: directory, clock: VirtualClock())
    let plan = Plan([.edit(Bench.product, from: ProductValues(stock: 1), to: ProductValues(stock: 2))])
    _ = try await journal.insert(
      plan, for: Bench.binding, by: Attribution(), in: RunInProgress(RunUnit(.line, text, identity: text)), note: nil,
      identify: { ULID.make() })
  }

  @Test func runOfACopiedHomeIsOfAnotherPlace() async throws {
    let bench = Bench()
    let copy = bench.directory + "-copy"
    let moved = bench.directory + "-moved"
    defer { for path in [copy, moved] { try? FileManager.default.removeItem(atPath: path) } }
    try await Self.beginRun(in: bench.directory, "patch 1 stock+=1")
    try FileManager.default.copyItem(atPath: bench.directory, toPath: copy)
    #expect(try bench.journal().runsOfAnotherPlace([1]) == [])
    try await Self.beginRun(in: copy, "patch 1 stock+=2")
    let journal = try Journal(at: copy, clock: VirtualClock())
    #expect(try journal.runsOfAnotherPlace([1, 2, 3]) == [1])
    // A run that was taken over is of the place that took it over.
    #expect(try journal.takeOver(1))
    #expect(try journal.runsOfAnotherPlace([1, 2]) == [])
    // A home that is renamed is the same.
    try FileManager.default.moveItem(atPath: bench.directory, toPath: moved)
    #expect(try Journal(at: moved, clock: VirtualClock()).runsOfAnotherPlace([1]) == [])
  }

  /// A run of an older version has no place, and is as it was.
  @Test func runOfAnOlderVersionIsOfThisPlace() async throws {
    let bench = Bench()
    try await Self.beginRun(in: bench.directory, "patch 1 stock+=1")
    let journal = try bench.journal()
    try journal.write(durable: false) { try $0.execute(sql: "UPDATE session SET place = NULL") }
    #expect(try journal.runsOfAnotherPlace([1]) == [])
  }
}
