import Catalog
import Foundation
import GRDB
import Testing

@testable import WriteJournal

/// Servers whose responses are wrong never lead to "done", nor to an undo of another product.
struct EffectReadingTests {
  let bench = Bench()
  private static let old = Product(
    id: 2, name: "old mug", description: "stands here", price: Amount(7), discount: .zero, currency: .krw, stock: 2,
    vendorID: 7)

  struct Lie: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var answer: Product
  }

  private static let lies = [
    Lie(testDescription: "an old id and nothing else", answer: Product(id: 2)),
    Lie(testDescription: "an old product", answer: old),
    Lie(
      testDescription: "an old id with the values that were sent",
      answer: Product(id: 2, name: "mug", description: "a mug for coffee", price: Amount(5), currency: .krw, stock: 1)),
    Lie(
      testDescription: "a new id with an old product's values",
      answer: Product(id: 100, name: "old mug", price: Amount(7), currency: .krw, stock: 2)),
    Lie(
      testDescription: "another vendor's product",
      answer: Product(id: 100, name: "mug", price: Amount(5), currency: .krw, stock: 1, vendorID: 8)),
    Lie(testDescription: "an id that is not there", answer: Product(id: 999)),
  ]

  @Test(arguments: lies, [false, true])
  func createAnsweredWithAnotherProductIsReadBack(_ lie: Lie, applies: Bool) async throws {
    let journal = try bench.journal()
    let market = bench.market([Bench.product, Self.old], [.lie(lie.answer, applies: applies)])
    let runner = bench.runner(journal, market)
    let outcomes = await runner.outcomes(of: Plan([.create(Bench.draft)]))
    #expect(outcomes.map(\.label) == [applies ? "done" : "unknown"])
    #expect(market.sends == 1)
    if applies {
      let undo = try await runner.undoPlan(.last)
      #expect(undo.plan.changes.map { $0.product?.id } == [100])
    } else {
      await #expect(throws: UndoError.nothingToUndo) { try await runner.undoPlan(.last) }
      await #expect(throws: UndoError.notDone(1, .unknown)) { try await runner.undoPlan(.entry(1)) }
    }
    #expect(market.product(2) == Self.old)
  }

  /// Writes of a batch are read back at its end, by lists or one by one; with `never` the responses are trusted.
  @Test(arguments: [Verification.always, .batchEnd, .never], [3, 40])
  func responsesOfABatchAreReadBack(_ verification: Verification, count: Int) async throws {
    let journal = try bench.journal()
    let products = (1...count).map { Product(id: $0, name: "p\($0)", price: Amount(10)) }
    let market = bench.market(products, [.fine, .echo, .fine])
    let runner = PlanRunner(
      journal: journal, market: market, binding: Bench.binding, window: .loopback,
      verification: verification)
    let outcomes = await runner.outcomes(of: Plan(products.map { Bench.price(10, 12, of: $0) }))
    let second = verification == .never ? "done" : "not-applied"
    #expect(outcomes.map(\.label) == ["done", second] + Array(repeating: "done", count: count - 2))
    let entry = try #require(try journal.entry(2))
    #expect(entry.status.rawValue == second)
    guard verification != .never else { return }
    #expect(entry.after == ProductValues(price: Amount(10)))
    #expect(entry.detail == .reportedSuccess(.otherValue(.price, now: "10", wanted: "12")))
    let undo = try await runner.undoPlan(.last)
    #expect(undo.plan.changes.count == count - 1 && !undo.entries.contains(2))
    #expect(try journal.resumableEntries(Bench.binding).isEmpty)
  }

  @Test func missingCreateOfABatchIsUndecided() async throws {
    let journal = try bench.journal()
    let market = bench.market([Bench.product], [.echo, .fine])
    let runner = bench.runner(journal, market)
    let outcomes = await runner.outcomes(of: Plan([.create(Bench.draft), Bench.price(10, 12)]))
    #expect(outcomes.map(\.label) == ["unknown", "done"])
    #expect(try journal.entry(1)?.product == nil)
    #expect(try journal.undecidedEntries(Bench.binding).map(\.id) == [1])
  }

  /// More products arrive than are remembered.
  ///
  /// A product older than all of them isn't taken for the new one, even if it is equal.
  @Test func oldProductIsNeverTakenForTheNewOne() async throws {
    let journal = try bench.journal()
    var old = Bench.product
    (old.id, old.name, old.description, old.price, old.stock) = (1, "mug", "a mug for coffee", Amount(5), 1)
    let others = (200..<300).map { Product(id: $0, name: "p\($0)", price: Amount(1), vendorID: 8) }
    let market = bench.market([old] + others, [.lost])
    market.edit { facts in
      facts.keepsMarker = false
      facts.nextID = 300
    }
    let meddler = Meddler(market: market) { _ in }
    let outcomes = await bench.runner(journal, Crowd(meddler, 120)).outcomes(of: Plan([.create(Bench.draft)]))
    #expect(outcomes.map(\.label) == ["unknown"])
    await #expect(throws: UndoError.nothingToUndo) { try await bench.runner(journal, market).undoPlan(.last) }
    #expect(market.product(1) == old)
  }

  /// A later edit or delete of the new product by this home doesn't prevent its recognition.
  @Test(arguments: ["patch", "delete"]) func ownLaterWriteDoesNotHideTheNewProduct(_ kind: String) async throws {
    let journal = try bench.journal()
    let market = bench.market([Bench.product], [.late(.seconds(30)), .fine])
    market.edit { $0.keepsMarker = false }
    let runner = bench.runner(journal, market)
    #expect(await runner.outcomes(of: Plan([.create(Bench.draft)])).map(\.label) == ["unknown"])
    market.edit { $0.arrive(at: .seconds(1_000)) }
    let made = try #require(market.product(100))
    let change: Change = kind == "patch" ? Bench.price(5, 9, of: made) : .delete(made)
    #expect(await runner.outcomes(of: Plan([change])).map(\.label) == ["done"])
    #expect(try await runner.recover().map(\.outcome.label) == ["done"])
    #expect(try journal.entry(1)?.product == 100)
    #expect(market.sends == 2)
  }

  /// `stock+=1` is lost, then `stock+=1` is sent again: two writes, one effect, and both can be undone.
  @Test func outcomeNotAppliedIsFinal() async throws {
    let market = bench.market([Bench.product], [.lost, .lost, .lost])
    let journal = try bench.journal()
    let runner = bench.runner(journal, market)
    var plan = Plan([.edit(Bench.product, from: ProductValues(stock: 3), to: ProductValues(stock: 4))])
    plan.dependsOnObservedState = true
    #expect(await runner.outcomes(of: plan).map(\.label) == ["not-applied"])
    #expect(await runner.outcomes(of: plan).map(\.label) == ["done"])
    #expect(try await runner.resume().map(\.outcome) == [.drifted([.stock])])
    #expect(try journal.entries(limit: 9).map(\.status) == [.done, .notApplied])
    #expect(await runner.outcomes(of: try await runner.undoPlan(.last)).map(\.label) == ["done"])
    #expect(market.product(1)?.stock == 3)
    await #expect(throws: UndoError.nothingToUndo) { try await runner.undoPlan(.last) }
  }

  /// A write whose value was already reverted doesn't prevent the undo of the one before it.
  @Test func undoContinuesBehindARevertedWrite() async throws {
    let market = bench.market()
    let runner = bench.runner(try bench.journal(), market)
    #expect(
      await runner.outcomes(
        of: Plan([.edit(Bench.product, from: ProductValues(stock: 3), to: ProductValues(stock: 4))])
      ).count
        == 1)
    #expect(await runner.outcomes(of: Plan([Bench.price(10, 12)])).map(\.label) == ["done"])
    market.edit { $0.products[1]?.price = Amount(10) }
    #expect(try await runner.undoPlan(.last).entries == [1])
  }

  /// An altered record is reported, and neither undone nor resumed.
  @Test(arguments: ["change", "before", "after", "product", "state"])
  func alteredRecordIsNeitherUndoneNorResumed(_ column: String) async throws {
    let products = (1...3).map { Product(id: $0, name: "p", price: Amount(10)) }
    let market = bench.market(products, [.fine, .refused(401, .wrongSecret)])
    do {
      let runner = bench.runner(try bench.journal(), market)
      _ = await runner.outcomes(of: Plan(products.map { Bench.price(10, 12, of: $0) }))
    }
    let queue = try DatabaseQueue(path: bench.directory + "/journal.sqlite")
    try await queue.write { database in
      let value = column == "product" ? "product + 1" : column == "state" ? "'done '" : "replace(\(column), '1', '2')"
      try database.execute(sql: "UPDATE op SET \(column) = \(value) WHERE n IN (1, 3)")
    }
    try queue.close()
    let journal = try bench.journal()
    let runner = bench.runner(journal, market)
    // A write that was never sent has no values before and after.
    let isAltered = [true, false, !["before", "after"].contains(column)]
    #expect(try (1...3).compactMap { try journal.entry($0)?.hasInvalidChecksum } == isAltered)
    await #expect(throws: UndoError.altered(1)) { try await runner.undoPlan(.entry(1)) }
    let sends = market.sends
    if column == "change" { #expect(try await runner.resume().isEmpty && market.sends == sends) }
  }

  @Test func lostJournalIsReported() async throws {
    #expect(!Journal.isLost(in: bench.directory))
    do {
      let journal = try bench.journal()
      _ = await bench.runner(journal, bench.market()).outcomes(of: Plan([.create(Bench.draft)]))
    }
    #expect(!Journal.isLost(in: bench.directory))
    for suffix in ["", "-wal", "-shm"] { unlink(bench.directory + "/journal.sqlite" + suffix) }
    #expect(Journal.isLost(in: bench.directory))
    let missing = JournalError.missing(path: bench.directory + "/journal.sqlite")
    #expect(throws: missing) { try bench.journal() }
    let path = bench.directory + "/journal.sqlite"
    #expect(FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]))
    #expect(throws: missing) { try bench.journal() }
    for folder in ["sessions", "blobs"] { try FileManager.default.removeItem(atPath: bench.directory + "/" + folder) }
    #expect(try bench.journal().readOnly == nil)
  }

  /// If the journal is deleted or replaced during a batch, the remaining writes aren't sent.
  @Test(arguments: [false, true]) func removedJournalStopsTheBatch(isReplaced: Bool) async throws {
    let path = bench.directory + "/journal.sqlite"
    var facts = ScriptedMarket.Facts()
    for id in 1...40 { facts.products[id] = Product(id: id, name: "p\(id)", price: Amount(10)) }
    let products = facts.products.values.sorted { $0.id < $1.id }
    let market = ScriptedMarket(facts, clock: bench.clock) { facts in
      guard facts.sends == 3 else { return }
      unlink(path)
      if isReplaced { _ = FileManager.default.createFile(atPath: path, contents: Data()) }
    }
    let outcomes = await bench.runner(try bench.journal(), market).outcomes(
      of:
        Plan(products.map { Bench.price(10, 12, of: $0) }))
    #expect(market.sends == 3)
    #expect(outcomes.contains(.journalUnavailable(.missing(path: path), isPending: true)))
  }

  /// A server may reuse the id of a deleted product for the next one.
  @Test func reusedProductIDIsDecided() async throws {
    let market = bench.market([Bench.product])
    market.edit { $0.keepsMarker = false }
    let runner = bench.runner(try bench.journal(), market)
    for _ in 1...2 {
      #expect(await runner.outcomes(of: Plan([.create(Bench.draft)])).map(\.label) == ["done"])
      let made = try #require(market.product(100))
      #expect(await runner.outcomes(of: Plan([.delete(made)])).map(\.label) == ["done"])
      market.edit { $0.nextID = 100 }
    }
  }

  /// A file of another program is left unchanged byte for byte.
  @Test(arguments: ["CREATE TABLE notes(text)", "PRAGMA application_id = 7"])
  func fileOfAnotherProgramIsUnchanged(_ sql: String) async throws {
    try FileManager.default.createDirectory(
      atPath: bench.directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    let path = bench.directory + "/journal.sqlite"
    #expect(FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]))
    let queue = try DatabaseQueue(path: path)
    try await queue.write { try $0.execute(sql: sql) }
    try queue.close()
    let before = FileManager.default.contents(atPath: path)
    #expect(throws: JournalError.foreign(path: path)) { try bench.journal() }
    #expect(FileManager.default.contents(atPath: path) == before)
  }

  @Test(
    arguments: [
      (0x6969, true), (0xFF53_4D42, true), (-0xAC_B2BE, true), (0x6573_5546, true), (0xEF53, false),
      (0x0102_1994, false),
      (0x794C_7630, false), (0x9123_683E, false),
    ] as [(Int64, Bool)])
  func networkFileSystemIsRecognizedByItsType(kind: Int64, isNetwork: Bool) {
    #expect(PrivateFiles.isNetwork(kind: kind) == isNetwork)
    #expect(!PrivateFiles.isNetwork("/proc") && !PrivateFiles.isNetwork("/not there"))
  }

  /// A delete that was proven not applied is sent again, and rejected with 404 by a server that still has the product.
  @Test(arguments: [false, true]) func deleteIsDecidedByReading(isThere: Bool) async throws {
    let market = bench.market([Bench.product], [.lost, .refused(404, .notFound)])
    let meddler = Meddler(market: market) { facts in
      if facts.sends == 2, !isThere { facts.products[1] = nil }
    }
    let runner = bench.runner(try bench.journal(), meddler)
    #expect(await runner.outcomes(of: Plan([.delete(Bench.product)])).map(\.label) == [isThere ? "refused" : "done"])
    if isThere { await #expect(throws: UndoError.nothingToUndo) { try await runner.undoPlan(.last) } }
  }

  /// A raw request with an unknown outcome isn't a create, so no list is searched for its product.
  @Test func unknownRawRequestCausesNoSearch() async throws {
    let journal = try bench.journal()
    let runner = bench.runner(journal, bench.market())
    _ = await runner.raw("POST /x") { _ in SendResult(.unknown(.text("cut"))) }
    #expect(!Journal.hasMarker(in: bench.directory))
  }
}

/// A market in which other vendors create many products with the first send.
private struct Crowd: MarketAccess {
  let market: Meddler
  let count: Int

  init(_ market: Meddler, _ count: Int) { (self.market, self.count) = (market, count) }

  var vendorID: Int? { market.vendorID }
  func send(
    _ change: Change, operation: String, leaving: @escaping @Sendable () async throws -> Void
  ) async -> SendResult {
    market.market.edit { facts in
      for _ in 0..<count {
        facts.products[facts.nextID] = Product(id: facts.nextID, name: "x", price: Amount(1), vendorID: 8)
        facts.nextID += 1
      }
    }
    return await market.send(change, operation: operation, leaving: leaving)
  }
  func read(_ id: Product.ID) async throws -> Product? { try await market.read(id) }
  func newestProducts(_ count: Int) async throws -> [Product] { try await market.newestProducts(count) }
  func picture(at address: String) async throws -> PictureFile { try await market.picture(at: address) }
}
