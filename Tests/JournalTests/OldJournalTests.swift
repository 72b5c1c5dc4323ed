import Catalog
import Foundation
import Glibc
import Testing

@testable import Journal

/// Journals that earlier programs wrote, kept as files.
struct OldJournalTests {
  private static let cup = Product(
    id: 1, name: "Old cup", description: "something to be counted", price: Amount(1200), discount: .zero,
    currency: .krw, stock: 5)

  /// By the last program of version 2, which sent creates again when reading did not show them: one made, two patches
  /// done, one create given up after three sends, a patch and a create killed on their way, and a create that never left.
  @Test func createsThatMayHaveLeftAreQuestionsAndTheRestGoesOn() async throws {
    let bench = Bench()
    try bring("version-2", to: bench)
    let journal = try bench.journal()
    #expect(journal.readOnly == nil)
    #expect(try journal.entries(limit: 9).map(\.action.rawValue).reversed() == Self.actions)
    #expect(try journal.entries(limit: 9).filter(\.isAltered).isEmpty)
    let market = bench.market([Self.cup])
    let runner = bench.runner(journal, market)

    let undo = try await runner.undoPlan(.entry(3))
    #expect(undo.plan.changes.map { $0.product?.id } == [1])

    _ = try await runner.recover()
    #expect(market.sends == 0)
    let states = try journal.entries(limit: 9).map(\.state).reversed()
    #expect(Array(states) == [.done, .done, .done, .asked, .notApplied, .asked, .unsent])

    // Only the patch and the create that never left are sent, once each.
    #expect(try await runner.resume().map(\.entry) == [5, 7])
    #expect(market.sends == 2)
    #expect(market.product(1)?.stock == 8)
    #expect(try journal.entries(limit: 9).filter { $0.state == .asked }.map(\.n) == [6, 4])

    // What then arrives is recognised by its fields.
    let late = Product(
      id: 900, name: "Cut off", description: "something to be counted", price: Amount(1000), discount: .zero,
      currency: .krw, stock: 3)
    #expect(try journal.lateArrivals(in: [late], Bench.binding).map(\.entry) == [6])
  }

  private static let actions = ["create", "patch", "patch", "create", "patch", "create", "create"]

  /// Git keeps no modes: what others may read is refused.
  private func bring(_ name: String, to bench: Bench) throws {
    let folder = (#filePath as NSString).deletingLastPathComponent + "/Journals/" + name
    try bench.copy(of: folder)
    chmod(bench.directory + "/journal.sqlite", 0o600)
    chmod(bench.directory + "/blobs", 0o700)
    for blob in try FileManager.default.contentsOfDirectory(atPath: bench.directory + "/blobs") {
      chmod(bench.directory + "/blobs/" + blob, 0o600)
    }
  }
}
