import Catalog
import Foundation
import Glibc
import Testing

@testable import WriteJournal

/// Journals that earlier builds wrote, kept as files, one of each version.
struct JournalFormatTests {
  /// By this program, on the embedded market: a patch, a create with a picture, its delete, the undo of that, and
  /// a raw request that was refused. Everything of it is read: changes, what was there before, exchanges, pictures.
  @Test func journalOfTheFirstVersionIsRead() throws {
    let bench = Bench()
    try bring("version-1", to: bench)
    let journal = try bench.journal()
    #expect(journal.readOnly == nil)
    let entries = Array(try journal.entries(limit: 9).reversed())
    #expect(entries.map(\.action.rawValue) == ["patch", "create", "delete", "create", "raw"])
    #expect(entries.map(\.state) == [.done, .done, .done, .done, .refused])
    #expect(entries.filter(\.hasInvalidChecksum).isEmpty)
    #expect(entries.map(\.undoOf) == [nil, nil, nil, 3, nil] && entries[2].undoneBy == 4)
    // The first version didn't store who decided a change.
    #expect(entries.allSatisfy { $0.actor == nil && $0.approver == nil })
    #expect(entries[0].before == ProductValues(price: Amount(19000), stock: 25))
    #expect(entries[0].after == ProductValues(price: Amount(18000), stock: 24))
    #expect(entries[2].before?.name == "Old cup" && entries[2].snapshot?.price == Amount(1200))
    #expect(try journal.pictureFiles(of: 2).count == 1)
    let exchange = try #require(try journal.exchanges(of: 1).first)
    #expect(exchange.request.method == "PATCH" && exchange.request.path == ["api", "products", "138"])
    #expect(
      exchange.response?.status == 200 && exchange.phases.keys.sorted() == ["blocked", "receive", "send", "wait"])
    guard case .text(let text, _, _) = exchange.request.body else {
      Issue.record("\(exchange.request.body)")
      return
    }
    #expect(text == #"{"price":18000,"stock":24,"secret":"__OPENMARKET_SECRET__"}"#)
  }

  /// A change that an agent planned and another person signed, and one of a line.
  @Test func journalOfTheSecondVersionHasActors() throws {
    let bench = Bench()
    try bring("version-2", to: bench)
    let entries = try bench.journal().entries(limit: 9)
    #expect(entries.map(\.actor) == [.line, .agent("bot")] && entries.map(\.approver) == [nil, "lee@example.com"])
    #expect(entries.filter(\.hasInvalidChecksum).isEmpty && entries.map(\.state) == [.done, .done])
  }

  /// At a market that a file describes: an edit of two values, a create, a delete and its undo as one script, a change of
  /// pictures by their addresses, and a batch of computed values whose program was killed.
  @Test func journalOfTheNinthVersionHasDescriptions() throws {
    let bench = Bench()
    try bring("version-9", to: bench)
    let journal = try bench.journal()
    #expect(journal.readOnly == nil)
    let entries = Array(try journal.entries(limit: 9).reversed())
    #expect(
      entries.map(\.action.rawValue) == ["patch", "create", "delete", "create"] + Array(repeating: "patch", count: 3))
    #expect(entries.prefix(5).allSatisfy { $0.state == .done })
    #expect(entries.suffix(2).map(\.state) == [.acknowledged, .acknowledged])
    #expect(entries.filter(\.hasInvalidChecksum).isEmpty && entries[2].undoneBy == 4)
    #expect(entries[0].after == ProductValues(price: Amount(30), stock: 7))
    guard case .create(let draft)? = entries[3].change, case .edit(_, _, let pictures)? = entries[4].change else {
      Issue.record("\(entries)")
      return
    }
    // A deleted product is created from the document that was read before.
    #expect(draft.document?.contains("\"warrantyInformation\"") == true)
    #expect(pictures.pictures?.map(\.address) == ["https://a.example/1.jpg"])

    let market = MarketIdentity(server: "http://127.0.0.1:18731", resource: "/products")
    let binding = MarketLogin(profile: "", baseURL: try journal.name(of: market), vendor: "")
    #expect(binding.baseURL == "http://127.0.0.1:18731 /products")
    let runs = try journal.unsettledRuns(binding)
    #expect(runs.map(\.number) == [3] && runs.first?.unit.text == "patch 5,6,7 stock+=2 jobs 1 yes unproven")
    #expect(runs.first?.life.state == .interrupted)
    let held = try journal.heldItems(ofRun: 3)
    #expect(held.keys.sorted() == ["edit 5 stock+=2", "edit 6 stock+=2", "edit 7 stock+=2"])
    // The file of another home is another place.
    #expect(try journal.runsOfAnotherPlace([3]) == [3])
    #expect(try journal.entries(ofRun: 1).map(\.id) == [1, 2, 3, 4])

    // The meaning of the stock is the one of then, or what is pending can't be read back.
    let moved = DescriptionMapping(file: "shop.toml", digest: "another", parts: ["stock": "\"/left\" as=integer"])
    let remapped = try journal.remappedWrites(in: moved, binding)
    #expect(remapped.map(\.entry) == [6, 7, 8] && remapped.allSatisfy { $0.file == "shop.toml" })
    #expect(remapped.allSatisfy { $0.parts.contains("stock") && !$0.parts.contains("price") })
  }

  /// Copies a journal and sets its modes, which Git doesn't store: a file that others can read is rejected.
  private func bring(_ name: String, to bench: Bench) throws {
    let folder = (#filePath as NSString).deletingLastPathComponent + "/Journals/" + name
    try bench.copy(of: folder)
    chmod(bench.directory + "/journal.sqlite", 0o600)
    chmod(bench.directory + "/blobs", 0o700)
    for blob in (try? FileManager.default.contentsOfDirectory(atPath: bench.directory + "/blobs")) ?? [] {
      chmod(bench.directory + "/blobs/" + blob, 0o600)
    }
  }
}
