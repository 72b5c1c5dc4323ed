import Catalog
import Foundation
import Glibc
import Testing

@testable import Journal

/// Journals written by earlier versions, stored as files.
struct OldJournalTests {
  private static let cup = Product(
    id: 1, name: "Old cup", description: "something to be counted", price: Amount(1200), discount: .zero,
    currency: .krw, stock: 5)

  /// The journals of versions 1 and 2, which sent creates again if reading didn't find them.
  ///
  /// They contain a completed create, two completed patches, a create that was abandoned after three sends, a patch and
  /// a create that were killed while being sent, and a create that was never sent. Version 1 has no exchanges.
  @Test(arguments: ["version-1", "version-2"])
  func createsThatMayHaveLeftAreQuestionsAndTheRestGoesOn(_ version: String) async throws {
    let bench = Bench()
    try bring(version, to: bench)
    let journal = try bench.journal()
    #expect(journal.readOnly == nil)
    #expect(try journal.entries(limit: 9).map(\.action.rawValue).reversed() == Self.actions)
    #expect(try journal.entries(limit: 9).filter(\.isAltered).isEmpty)
    #expect(try journal.exchanges(of: 2).isEmpty == (version == "version-1"))
    let market = bench.market([Self.cup])
    let runner = bench.runner(journal, market)

    let undo = try await runner.undoPlan(.entry(3))
    #expect(undo.plan.changes.map { $0.product?.id } == [1])

    _ = try await runner.recover()
    #expect(market.sends == 0)
    let states = try journal.entries(limit: 9).map(\.state).reversed()
    #expect(Array(states) == [.done, .done, .done, .asked, .notApplied, .asked, .unsent])

    // Only the patch and the create that was never sent are sent, once each.
    #expect(try await runner.resume().map(\.entry) == [5, 7])
    #expect(market.sends == 2)
    #expect(market.product(1)?.stock == 8)
    #expect(try journal.entries(limit: 9).filter { $0.state == .asked }.map(\.n) == [6, 4])

    // A product that arrives afterwards is recognized by its fields.
    let late = Product(
      id: 900, name: "Cut off", description: "something to be counted", price: Amount(1000), discount: .zero,
      currency: .krw, stock: 3)
    #expect(try journal.lateArrivals(in: [late], Bench.binding).map(\.entry) == [6])
  }

  private static let actions = ["create", "patch", "patch", "create", "patch", "create", "create"]

  /// The journal of version 3 from the embedded market: a patch, a create with a picture, its delete, the undo of that,
  /// and a rejected raw request.
  ///
  /// Changes, previous values, exchanges and pictures are all read.
  @Test func aJournalOfThisVersionIsReadWhole() throws {
    let bench = Bench()
    try bring("version-3", to: bench)
    let journal = try bench.journal()
    #expect(journal.readOnly == nil)
    let entries = Array(try journal.entries(limit: 9).reversed())
    #expect(entries.map(\.action.rawValue) == ["patch", "create", "delete", "create", "raw"])
    #expect(entries.map(\.state) == [.done, .done, .done, .done, .refused])
    #expect(entries.filter(\.isAltered).isEmpty)
    #expect(entries.map(\.undoOf) == [nil, nil, nil, 3, nil] && entries[2].undoneBy == 4)
    #expect(entries[0].before == Fields(price: Amount(19000), stock: 25))
    #expect(entries[0].after == Fields(price: Amount(18000), stock: 24))
    #expect(entries[2].before?.name == "Old cup" && entries[2].snapshot?.price == Amount(1200))
    #expect(try journal.pictureFiles(of: 2).count == 1)
    let exchange = try #require(try journal.exchanges(of: 1).first)
    #expect(exchange.request.method == "PATCH" && exchange.request.path == ["api", "products", "138"])
    #expect(exchange.reply?.status == 200 && exchange.phases.keys.sorted() == ["blocked", "receive", "send", "wait"])
    guard case .text(let text, _, _) = exchange.request.body else {
      Issue.record("\(exchange.request.body)")
      return
    }
    #expect(text == #"{"price":18000,"stock":24,"secret":"__OPENMARKET_SECRET__"}"#)
  }

  /// Copies a journal and sets its modes, which Git doesn't store: a file that others can read is rejected.
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
