import Catalog
import Foundation
import GRDB
import Glibc
import TestSupport
import Testing
import Text

@testable import WriteJournal

/// The durable log: reading, corruption, space, sessions and retention.
struct JournalTests {
  let bench = Bench()

  private func mode(_ path: String) -> Int {
    var facts = stat()
    return lstat(path, &facts) == 0 ? Int(facts.st_mode & 0o777) : -1
  }

  private func refusal(_ directory: String) -> JournalError? {
    do {
      return try Journal(at: directory, clock: bench.clock).readOnly
    } catch {
      return error
    }
  }

  private func written() async throws {
    let journal = try bench.journal()
    let market = bench.market()
    let runner = bench.runner(journal, market)
    _ = await runner.outcomes(of: Plan([Bench.price(10, 12)]))
    _ = await runner.outcomes(of: Plan([.create(Bench.draft)]))
  }

  @Test func filesArePrivateFromTheirCreation() async throws {
    let journal = try bench.journal()
    _ = await bench.runner(journal, bench.market()).outcomes(of: Plan([.create(Bench.draft)]))
    let files = try #require(FileManager.default.enumerator(atPath: bench.directory)).compactMap { $0 as? String }
    #expect(mode(bench.directory) == 0o700)
    for file in files {
      let isDirectory = ["sessions", "blobs"].contains(file)
      #expect(mode(bench.directory + "/" + file) == (isDirectory ? 0o700 : 0o600), "\(file)")
    }
    #expect(files.contains("journal.sqlite-wal") && files.count >= 6)
  }

  @Test func readableDirectoryIsRefused() throws {
    mkdir(bench.directory, 0o700)
    chmod(bench.directory, 0o755)
    #expect(refusal(bench.directory) == .insecurePermissions(path: bench.directory, mode: 0o755))
  }

  @Test func symbolicLinkInPlaceOfTheJournalIsRefused() throws {
    mkdir(bench.directory, 0o700)
    symlink("/etc/hostname", bench.directory + "/journal.sqlite")
    #expect(refusal(bench.directory) == .wrongOwner(path: bench.directory + "/journal.sqlite"))
  }

  @Test func uncreatableJournalIsExplained() {
    #expect(refusal("/proc/nowhere/journal") != nil)
    #expect(refusal("/dev/null/journal") == .unwritable(path: "/dev/null/journal", reason: .system("Not a directory")))
  }

  @Test func newerJournalIsReadOnly() async throws {
    try await written()
    let queue = try DatabaseQueue(path: bench.directory + "/journal.sqlite")
    try await queue.write { try $0.execute(sql: "PRAGMA user_version = 10") }
    try queue.close()
    let journal = try bench.journal()
    #expect(journal.readOnly == .newerSchema(version: 10))
    #expect(try journal.entries(limit: 9).map(\.id) == [2, 1])
    let market = bench.market()
    let outcomes = await bench.runner(journal, market).outcomes(of: Plan([Bench.price(10, 12)]))
    #expect(outcomes == [.journalUnavailable(.newerSchema(version: 10))] && market.sends == 0)
  }

  @Test func invalidJournalFileIsDamage() throws {
    mkdir(bench.directory, 0o700)
    let path = bench.directory + "/journal.sqlite"
    #expect(
      FileManager.default.createFile(
        atPath: path, contents: Data(repeating: 7, count: 9_000), attributes: [.posixPermissions: 0o600]))
    guard case .damaged = refusal(bench.directory) else {
      Issue.record("taken for a journal")
      return
    }
  }

  /// After a power loss, the committed entries are there whatever the end of the WAL contains.
  @Test(arguments: [0, 1, 31, 32, 100, 4_000, 4_119]) func damagedEndOfTheWALIsIgnored(cut: Int) async throws {
    let journal = try bench.journal()
    _ = await bench.runner(journal, bench.market()).outcomes(of: Plan([Bench.price(10, 12)]))
    let wal = bench.directory + "/journal.sqlite-wal"
    let size = try #require(FileManager.default.contents(atPath: wal)).count
    _ = await bench.runner(journal, bench.market()).outcomes(of: Plan([Bench.price(10, 12)]))
    let copy = Bench()
    try copy.copy(of: bench.directory)
    let whole = try #require(FileManager.default.contents(atPath: wal))
    for tail in [Data(), Data(repeating: 0, count: 5_000), Data(repeating: 0xA5, count: 5_000)] {
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: copy.directory + "/journal.sqlite-wal"))
      try file.truncate(atOffset: 0)
      try file.write(contentsOf: whole.prefix(size + cut) + tail)
      try file.close()
      let torn = Bench()
      try torn.copy(of: copy.directory)
      #expect(try torn.journal().entries(limit: 9).last?.status == .done)
    }
  }

  @Test func truncatedDatabaseIsReadOrRefused() async throws {
    try await written()
    let whole = try #require(FileManager.default.contents(atPath: bench.directory + "/journal.sqlite"))
    for part in stride(from: 0, to: whole.count, by: 3_500) {
      let copy = Bench()
      mkdir(copy.directory, 0o700)
      #expect(
        FileManager.default.createFile(
          atPath: copy.directory + "/journal.sqlite", contents: whole.prefix(part),
          attributes: [.posixPermissions: 0o600]))
      // An empty file is a new journal, as SQLite makes one before the first write. Of no other part are entries lost.
      let entries = try? copy.journal().entries(limit: 9).count
      #expect(entries == nil || entries == (part == 0 ? 0 : 2), "\(part) of \(whole.count) bytes")
    }
  }

  /// Mounting requires privileges. Without them, the quota test below still covers a full store.
  private static let canMount: Bool = {
    let place = NSTemporaryDirectory() + "openmarket-mount-" + UUID().uuidString
    mkdir(place, 0o700)
    defer { rmdir(place) }
    guard mount("tmpfs", place, "tmpfs", 0, "size=512k") == 0 else { return false }
    return umount2(place, 2) == 0
  }()

  @Test(.enabled(if: canMount, "a file system is mounted by root only"))
  func fullDiskStopsTheWriteButNotTheLog() async throws {
    let place = bench.directory
    mkdir(place, 0o700)
    try #require(mount("tmpfs", place, "tmpfs", 0, "size=512k,mode=0700") == 0)
    defer { umount2(place, 2) }
    let journal = try bench.journal()
    let market = bench.market()
    let runner = bench.runner(journal, market)
    #expect(await runner.outcomes(of: Plan([Bench.price(10, 12)])).map(\.label) == ["done"])
    var filler = Data(repeating: 1, count: 4_096)
    while FileManager.default.createFile(atPath: place + "/filler-\(ULID.make())", contents: filler) {
      filler[0] &+= 1
    }
    let outcomes = await runner.outcomes(of: Plan([.create(Bench.draft)]))
    #expect(outcomes == [.journalUnavailable(.diskFull)])
    #expect(market.sends == 1)
    #expect(try journal.entries(limit: 9).map(\.status) == [.done])
  }

  /// The intent was recorded and the rest couldn't be: the write is given up, so that a corrected one isn't made twice.
  @Test func singleWriteThatCannotBeRecordedIsGivenUp() async throws {
    let journal = try bench.journal()
    var product = Bench.product
    let market = bench.market([product])
    product.description = String(repeating: "long ", count: 8_000)
    let now = product
    let meddler = Meddler(market: market) { facts in
      // The product that is recorded before it is sent doesn't fit any more.
      try? journal.queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1") }
      facts.products[1] = now
    }
    let outcomes = await bench.runner(journal, meddler).outcomes(of: Plan([Bench.price(10, 12)]))
    #expect(outcomes == [.journalUnavailable(.diskFull)])
    try await journal.queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 100000") }
    #expect(try journal.resumableEntries(Bench.binding).isEmpty)
    #expect(try journal.events(of: 1).last?.evidence == .notRecorded)
    #expect(try await bench.runner(journal, market).resume().isEmpty)
    #expect(market.sends == 0)
  }

  /// Not even that can be recorded: the outcome says that the write stays pending. So does the rest of a batch.
  @Test(arguments: [1, 2]) func writeThatCannotBeGivenUpIsPending(count: Int) async throws {
    let journal = try bench.journal()
    let products = (1...count).map { Product(id: $0, name: "p\($0)", price: Amount(10)) }
    let market = bench.market(products)
    try await journal.queue.write {
      try $0.execute(
        sql: """
          CREATE TEMP TRIGGER full BEFORE UPDATE OF state ON main.op WHEN new.state = 'sending'
            BEGIN SELECT RAISE(ABORT, 'no room'); END
          """)
    }
    let outcomes = await bench.runner(journal, market).outcomes(of: Plan(products.map { Bench.price(10, 12, of: $0) }))
    guard case .journalUnavailable(.damaged, isPending: true)? = outcomes.first else {
      return #expect(Bool(false), "\(outcomes)")
    }
    for number in 1...count {
      let entry = try #require(try bench.journal().entry(number))
      #expect(WriteStateMachine.State.unfinished.contains(entry.state))
    }
    #expect(market.sends == 0)
  }

  @Test func picturesBeyondTheQuotaStopTheWrite() async throws {
    let journal = try Journal(at: bench.directory, clock: bench.clock, quota: 3)
    let market = bench.market()
    #expect(
      await bench.runner(journal, market).outcomes(of: Plan([.create(Bench.draft)])) == [
        .journalUnavailable(.quota(bytes: 3))
      ])
    #expect(market.sends == 0)
  }

  /// Pictures of completed writes are deleted for new ones, the oldest first; those of pending writes never are.
  @Test func oldestPicturesAreDeletedForNewOnes() async throws {
    let journal = try Journal(at: bench.directory, clock: bench.clock, quota: 40)
    let market = bench.market([], [.fine, .fine, .refused(500, .other)])
    let runner = bench.runner(journal, market)
    func draft(_ text: String) -> Plan {
      var draft = Bench.draft
      draft.name = text
      draft.pictures[0].bytes = Data(text.utf8)
      return Plan([.create(draft)])
    }
    for name in ["first picture", "other picture"] {
      #expect(await runner.outcomes(of: draft(name)).map(\.label) == ["done"])
    }
    let old = journal.blobs.names().map { journal.blobs.directory + "/" + $0 }
    for path in old { utimes(path, [timeval(), timeval()]) }
    #expect(await runner.outcomes(of: draft("third picture, longer")).map(\.label) == ["refused"])
    #expect(old.filter { access($0, F_OK) == 0 }.isEmpty)
    #expect(journal.blobs.used() == 21)
  }

  @Test func replacedPictureFileIsRefused() throws {
    let journal = try bench.journal()
    let name = try journal.blobs.store(Data("abc".utf8))
    #expect(name == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(journal.blobs.bytes(name) == Data("abc".utf8))
    #expect(FileManager.default.createFile(atPath: bench.directory + "/blobs/" + name, contents: Data("xyz".utf8)))
    #expect(journal.blobs.bytes(name) == nil)
    #expect(journal.blobs.bytes("../journal.sqlite") == nil)
  }

  @Test(arguments: [55, 56, 63, 64, 65, 1_000]) func sha256OfLongTextsIsRight(count: Int) throws {
    let expected = [
      55: "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318",
      56: "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a",
      63: "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34",
      64: "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb",
      65: "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0",
      1_000: "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3",
    ]
    #expect(SHA256.hex(Data(repeating: UInt8(ascii: "a"), count: count)) == expected[count])
  }

  @Test func twoShellsShareOneJournalAndItsLocks() async throws {
    let first = try bench.journal()
    let second = try bench.journal()
    let market = bench.market([Bench.product], [.stalled])
    let task = Task { await bench.runner(first, market).outcomes(of: Plan([Bench.price(10, 12)])) }
    try await Waiting.until("the send") { market.sends > 0 }
    let outcomes = await bench.runner(second, market).outcomes(of: Plan([Bench.price(10, 15)]))
    guard case .locked(let holder) = outcomes.first else {
      Issue.record("went past the other shell: \(outcomes)")
      return
    }
    #expect(holder.entry == 1 && holder.process == Int(getpid()))
    #expect(market.sends == 1)
    #expect(try await bench.runner(second, market).recover().isEmpty)
    task.cancel()
    _ = await task.value
    // The write that the first session left is resolved by the next one, whose own change then starts from it.
    #expect(await bench.runner(second, market).outcomes(of: Plan([Bench.price(12, 15)])).map(\.label) == ["done"])
    #expect(try first.entries(limit: 9).map(\.status.rawValue) == ["done", "not-sent", "done"])
  }

  /// A session that can't test the lock, for example out of descriptors, must not take a living session for dead.
  @Test func untestableLockCountsAsHeld() {
    mkdir(bench.directory, 0o700)
    mkdir(bench.directory + "/odd.lock", 0o700)
    #expect(SessionLock.isHeld(directory: bench.directory, session: "odd"))
    #expect(!SessionLock.isHeld(directory: bench.directory, session: "gone"))
  }

  @Test func rawRequestsOfOthersAreOpenOnlyWhileUnknown() async throws {
    let journal = try bench.journal()
    let runner = bench.runner(journal, bench.market())
    _ = await runner.raw("POST /x") { _ in SendResult(.unsent(.text("refused"))) }
    _ = await runner.raw("POST /y") { _ in SendResult(.rateLimited(retryAfter: nil)) }
    let other = MarketLogin(profile: "demo", baseURL: Bench.binding.baseURL, vendor: "other")
    #expect(try journal.openCountOfOtherVendors(other) == 0)
    _ = await runner.raw("POST /z") { _ in SendResult(.unknown(.text("cut"))) }
    #expect(try journal.openCountOfOtherVendors(other) == 1)
  }

  @Test func secretIsInNoFileOfTheJournal() async throws {
    let canary = "CANARY-5f3b"
    let journal = try Journal(at: bench.directory, clock: bench.clock) {
      $0.replacingOccurrences(of: canary, with: "***")
    }
    let market = bench.market([Bench.product], [.refused(400, .invalid)])
    let runner = bench.runner(journal, market)
    _ = await runner.outcomes(of: Plan([Bench.price(10, 12)]), note: "my \(canary)")
    _ = await runner.raw("DELETE /\(canary)", note: canary) { _ in SendResult(.unknown(.text("cut at \(canary)"))) }
    #expect(try journal.entries(limit: 9).map(\.note) == ["***", "my ***"])
    for file in try #require(FileManager.default.enumerator(atPath: bench.directory)).compactMap({ $0 as? String }) {
      let bytes = FileManager.default.contents(atPath: bench.directory + "/" + file) ?? Data()
      #expect(bytes.range(of: Data(canary.utf8)) == nil, "\(file)")
    }
  }

  /// Retention follows the order of the journal, so a wrong clock deletes nothing.
  @Test func oldEntriesAreDeletedAndUndecidedOnesKept() async throws {
    let journal = try bench.journal()
    let market = bench.market()
    let runner = bench.runner(journal, market)
    _ = await runner.outcomes(of: Plan([.create(Bench.draft)]))
    _ = await runner.raw("POST /x") { _ in SendResult(.unknown(.text("cut"))) }
    try await bench.clock.sleep(.seconds(91 * 86_400))
    _ = await runner.outcomes(of: Plan([Bench.price(10, 12)]))
    for _ in 0..<3 { try journal.prune() }
    #expect(try journal.entries(limit: 9).map(\.id) == [3, 2, 1] && journal.blobs.names().count == 1)
    try journal.prune(entries: 1)
    // The picture may belong to a write that another session is about to plan. The next sweep deletes it.
    #expect(journal.blobs.names().count == 1)
    try journal.prune(entries: 1)
    #expect(try journal.entries(limit: 9).map(\.id) == [3, 2])
    #expect(journal.blobs.names().isEmpty)
  }

  /// Entries beyond the size limit are deleted, the oldest first, and once: free pages don't count.
  @Test func entriesBeyondTheSizeLimitAreDeletedAndUndecidedOnesKept() async throws {
    let journal = try bench.journal()
    let runner = bench.runner(journal, bench.market())
    _ = await runner.raw("POST /x") { _ in SendResult(.unknown(.text("cut"))) }
    let note = String(repeating: "a note ", count: 1_000)
    for number in 1...60 { _ = await runner.outcomes(of: Plan([Bench.price(10, 10 + number)]), note: note) }
    func size() throws -> Int {
      try journal.read { database in
        let pages = try ["page_count", "freelist_count", "page_size"].map { name in
          try Int.fetchOne(database, sql: "PRAGMA " + name) ?? 0
        }
        return (pages[0] - pages[1]) * pages[2]
      }
    }
    let whole = try size()
    try journal.prune(bytes: whole)
    #expect(try journal.entries(limit: 99).count == 61)
    try journal.prune(bytes: whole / 2)
    let kept = try journal.entries(limit: 99).map(\.id)
    #expect(kept.last == 1 && kept.dropLast() == Array(((62 - kept.count + 1)...61).reversed())[...])
    #expect((15...30).contains(kept.count), "\(kept)")
    #expect(try size() <= whole / 2)
    try journal.prune(bytes: whole / 2)
    #expect(try journal.entries(limit: 99).map(\.id) == kept)
  }

  @Test func abandonedCreateIsRecognizedWhenItArrives() async throws {
    let journal = try bench.journal()
    let market = bench.market([], [.lost, .lost, .lost])
    let runner = bench.runner(journal, market)
    #expect(await runner.outcomes(of: Plan([.create(Bench.draft)])).map(\.label) == ["unknown"])
    #expect(market.sends == 1)
    let late = Product(id: 5, name: "mug", price: Amount(5), currency: .krw, stock: 1)
    #expect(
      try journal.lateArrivals(in: [Bench.product, late], Bench.binding)
        == [LateDelivery(entry: 1, product: 5, standing: .undecided)])
  }

  @Test func firstSendThatArrivesAfterTheSecondIsRecognized() async throws {
    let journal = try bench.journal()
    let runner = bench.runner(journal, bench.market([], [.lost, .fine]))
    #expect(await runner.outcomes(of: Plan([.create(Bench.draft)])).map(\.label) == ["unknown"])
    guard case .done(let made?, _)? = try await runner.resend(1)?.outcome else {
      Issue.record("not made")
      return
    }
    #expect(Journal.hasMarker(in: bench.directory))
    var late = made
    late.id += 1
    #expect(
      try journal.lateArrivals(in: [made, late], Bench.binding) == [
        LateDelivery(entry: 1, product: late.id, standing: .recreated)
      ])
  }

  /// Lists query the journal only while it has creates to look for, however they were abandoned.
  @Test(arguments: [false, true]) func watchForLateCreatesEndsByJournalOrder(isForgotten: Bool) async throws {
    let journal = try bench.journal()
    let runner = bench.runner(journal, bench.market([], [.fine, .lost, .lost, .lost]))
    _ = await runner.outcomes(of: Plan([.create(Bench.draft), Bench.price(10, 12)]))
    #expect(!Journal.hasMarker(in: bench.directory))
    _ = await runner.outcomes(of: Plan([.create(Bench.draft)]))
    #expect(Journal.hasMarker(in: bench.directory))
    if isForgotten { try journal.recordDecision(3, wasApplied: false) }
    try journal.prune()
    #expect(Journal.hasMarker(in: bench.directory))
    let late = Product(id: 500, name: "mug", price: Amount(5), currency: .krw, stock: 1)
    #expect(try journal.lateArrivals(in: [late], Bench.binding).map(\.entry) == [3])
    try await bench.clock.sleep(.seconds(91 * 86_400))
    #expect(try journal.lateArrivals(in: [late], Bench.binding).map(\.entry) == [3])
    try journal.write(durable: false) { try $0.execute(sql: "UPDATE op SET n = 2000 WHERE n = 2") }
    #expect(try journal.lateArrivals(in: [late], Bench.binding) == [])
    try journal.prune()
    #expect(!Journal.hasMarker(in: bench.directory))
  }

  @Test func ulidsSortByTime() {
    var random = SplitMix64(Trial.seed)
    let names = [1, 2, 1_700_000_000_000].map { ULID.make(milliseconds: $0, using: &random) }
    #expect(names == names.sorted() && names.allSatisfy { $0.utf8.count == 26 })
  }
}
