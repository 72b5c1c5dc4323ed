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
