import Catalog
import EmbeddedMarket
import Foundation
import GRDB
import MarketAPI
import MarketOperations
import Networking
import Platform
import Shell
import ShellRuntime
import ShellTesting
import Synchronization
import TestSupport
import Testing
import WriteJournal

/// A line that would repeat a part of a run that did not end is asked about or held back, and a create of the same plan or
/// file isn't made twice.
@Suite(.timeLimit(Trial.limit)) struct RunAdmissionTests {
  private static let rows = """
    id,name,description,price,currency,stock,images
    ,되풀이 상품,두 번 가져와도 하나입니다,1000,KRW,1,cup.png
    ,되풀이 상품,두 번 가져와도 하나입니다,1000,KRW,1,cup.png
    132,,,,,33,

    """
  private static let lines = """
    {"name":"줄 상품","description":"한 줄에 하나씩입니다","price":2000,"currency":"KRW","stock":1,"images":["cup.png"]}
    {"id":null,"name":"줄 상품 2","description":"한 줄에 하나씩입니다","price":2000,"currency":"KRW","stock":1,"images":["cup.png"]}

    """
  private static let bare = "name,description,price,currency,images\r\n새 상품,열 글자가 넘는 설명입니다,100,KRW,cup.png\r\n"
  private static let script = """
    new name="대본 상품" description="대본이 만든 상품입니다" price=1000 currency=KRW images=~/cup.png yes
    patch 138 stock+=1 yes
    new name="대본 상품" description="대본이 만든 상품입니다" price=1000 currency=KRW images=~/cup.png yes
    show $wanted id
    undo yes

    """

  private static let failing = """
    patch 138 stock+=1 yes
    new name="실패한 상품" description="대본이 만든 상품입니다" price=1000 currency=KRW images=~/cup.png yes
    show $wanted id

    """

  @Test(arguments: ["plans", "imports", "restoring", "undoing", "scripts"])
  func transcriptOfRepeatedCommands(_ name: String) async throws {
    try await Sandbox.with(
      clock: LeapingClock(at: 1_669_852_800), between: { transport, _ in InterruptingTransport(inner: transport) }
    ) { sandbox in
      try sandbox.writePictures()
      try sandbox.writeFile("rows.csv", Self.rows)
      try sandbox.writeFile("rows.jsonl", Self.lines)
      try sandbox.writeFile("bare.csv", Self.bare)
      try sandbox.writeFile("cut.market", Self.script)
      try sandbox.writeFile("failing.market", Self.failing)
      try sandbox.writeFile("stated.market", "patch $1 stock=$2 yes\nshow $3 name\n")
      try await Transcript("Again/" + name).check(in: sandbox)
    }
  }

  /// The ids are added to the file, and the rest of it is unchanged.
  @Test func idsOfNewProductsAreWrittenIntoTheFile() async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writePictures()
      try sandbox.writeFile("rows.csv", Self.rows)
      try sandbox.writeFile("rows.jsonl", Self.lines)
      try sandbox.writeFile("bare.csv", "\u{FEFF}" + Self.bare)
      for name in ["rows.csv", "rows.jsonl", "bare.csv"] { _ = await sandbox.run("import ~/\(name) yes ids jobs 1") }
      func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: sandbox.folder + "/" + name)), as: UTF8.self)
      }
      #expect(
        try text("rows.csv")
          == Self.rows.replacing(/\n,되/, with: "\n142,되", maxReplacements: 1)
          .replacing("\n,되", with: "\n143,되"))
      #expect(
        try text("rows.jsonl")
          == Self.lines.replacing("{\"name\"", with: "{\"id\":144,\"name\"")
          .replacing("\"id\":null", with: "\"id\":145"))
      #expect(try text("bare.csv") == "\u{FEFF}id," + Self.bare.replacing("\r\n새", with: "\r\n146,새"))
    }
  }

  private static let new =
    #"new name="같은 상품" description="중단된 명령의 상품입니다" price=1000 currency=KRW images=~/cup.png"#

  /// Simulates that the program was killed before it recorded the end of its last line.
  private func forgetEnd(_ sandbox: Sandbox, formula: String = "stock+=5") async throws {
    let queue = try DatabaseQueue(path: sandbox.home.journalFolder + "/journal.sqlite")
    try await queue.write { database in
      let run = try Int.fetchOne(database, sql: "SELECT max(n) FROM run") ?? 0
      try database.execute(sql: "UPDATE run SET state = 'open', session = 'killed' WHERE n = ?", arguments: [run])
      try database.execute(sql: "UPDATE op SET session = 'killed'")
      let rows = try Row.fetchAll(
        database, sql: "SELECT n, product, fingerprint, undo_of FROM op WHERE run = ?", arguments: [run])
      for row in rows {
        let item =
          (row["fingerprint"] as String?).map { "create " + $0 } ?? (row["undo_of"] as Int?).map { "undo \($0)" }
        try database.execute(
          sql: "INSERT INTO hold VALUES(?, ?, ?)",
          arguments: [run, row["n"] as Int, item ?? HeldItem.edit(row["product"] ?? 0, formula)])
      }
    }
    try queue.close()
  }

  /// Without a person a line that a killed run has made is held back, counted, and freed by `again` or `forget`.
  @Test(arguments: [new, "patch 138 stock+=5"]) func lineOfAKilledRunIsHeldBack(_ line: String) async throws {
    try await Sandbox.with(clock: LeapingClock(at: 1_669_852_800)) { sandbox in
      try sandbox.writePictures()
      _ = await sandbox.run(line + " yes")
      try await forgetEnd(sandbox)
      for held in ["", " One repetition was not sent.", " 2 repetitions were not sent."] {
        let said = await sandbox.run(line + " yes")
        #expect(
          said == """
            ! error: Nothing was sent. The line would repeat a part of r1, which was interrupted.
            !   reason: r1, just now: `\(line) yes`: 1 done.\(held)
            !   hint: `resume r1` completes it; `undo r1` undoes the 1; `forget r1` leaves it as it is.
            !   hint: To make all of it anew, add `again` to the command.
            = 4

            """, "\(said)")
      }
      for other in ["trace \(line)", "\(line) note x", "\(line) jobs 1", "dry \(line)"] {
        #expect(await sandbox.run(other + " yes").hasSuffix("= 4\n"), "\(other)")
      }
      #expect(!(await sandbox.run(line + " yes again")).contains("= "))
      #expect(!(await sandbox.run(line + " yes")).contains("= "), "that run was replaced")
    }
  }

  /// A line with other values, a stated value and another login are new intents.
  @Test func otherLinesAreNotHeldBack() async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("patch 138 stock+=5 yes")
      try await forgetEnd(sandbox)
      for line in [
        "patch 138 stock-=1 yes", "patch 138 stock+=6 yes", "patch 132 stock+=5 yes", "patch 138 stock=9 yes",
      ] {
        #expect(!(await sandbox.run(line)).contains("= "), "\(line)")
      }
      #expect(await sandbox.run("patch 138,132 stock+=5 yes").hasSuffix("= 4\n"), "one of its changes is held")
      #expect(!(await sandbox.run("resume yes")).contains("= "))
      #expect(!(await sandbox.run("patch 138 stock+=5 yes")).contains("= "))
    }
  }

  /// The person at a terminal is asked with digits, which `yes` doesn't answer; Enter sends nothing.
  @Test(arguments: [("", 30), ("1", 30), ("2", 35), ("3", 30), ("x", 30)])
  func personIsAskedAboutTheLineOfAKilledRun(_ answer: String, _ stock: Int) async throws {
    let asker = ScriptedAsker([answer, answer == "3" ? "y" : "", "y"])
    try await Sandbox.with(asker: asker, clock: LeapingClock(at: 1_669_852_800)) { sandbox in
      _ = await sandbox.run("patch 138 stock+=5 yes")
      try await forgetEnd(sandbox)
      let said = await sandbox.run("patch 138 stock+=5 yes")
      #expect(asker.questions.first == "1, 2, 3, or Enter to send nothing: ", "\(asker.questions)")
      for line in [
        "! warning: The same change is a part of a run that was interrupted.",
        "!   reason: r1, just now: `patch 138 stock+=5 yes`: 1 done.", "1  check and complete r1",
        "2  all of the line, so that the 1 get it twice", "3  undo the 1 first, then all of the line",
      ] { #expect(said.contains(line), "\(line) is not in \(said)") }
      #expect(await sandbox.run("show 138 stock as tsv") == "stock\n\(stock)\n", "\(said)")
      #expect(said.contains("r1 is complete") == (answer == "1"), "\(said)")
    }
  }

  /// A corrected line is asked about, and elsewhere held back: the old change is undone first, or both are made.
  @Test(arguments: [("1", "18810", "y"), ("2", "16929", "y"), ("", "17100", "")])
  func correctedLineIsAsked(_ answer: String, _ price: String, _ consent: String) async throws {
    let asker = ScriptedAsker([answer, consent, "y"])
    try await Sandbox.with(asker: asker, clock: LeapingClock(at: 1_669_852_800)) { sandbox in
      _ = await sandbox.run("patch 138 price-=10% yes")
      try await forgetEnd(sandbox, formula: "price-=10%")
      let said = await sandbox.run("patch 138 price-=1% yes")
      #expect(asker.questions.first == "1, 2, or Enter to send nothing: ", "\(asker.questions) \(said)")
      for line in ["1  undo the 1 first, then all of the line", "2  all of the line, so that the 1 get it twice"] {
        #expect(said.contains(line), "\(line) is not in \(said)")
      }
      #expect(await sandbox.run("show 138 price as tsv") == "price\n\(price)\n", "\(said)")
    }
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("patch 138 price-=10% yes")
      try await forgetEnd(sandbox, formula: "price-=10%")
      #expect(await sandbox.run("patch 138 price-=1% yes").hasSuffix("= 4\n"))
      #expect(!(await sandbox.run("patch 138 price+=1% yes")).contains("= "))
    }
  }

  /// The same key is the same intent, and another key is another one.
  @Test func keyNamesTheIntent() async throws {
    try await Sandbox.with(clock: LeapingClock(at: 1_669_852_800)) { sandbox in
      let line = "patch 138 stock+=5 yes once order-1"
      #expect(await sandbox.run(line).contains("stock        30\n"))
      #expect(
        await sandbox.run(line) == "! note: r1 has the same key and ended: just now, 1 done. Nothing was sent.\n")
      #expect(await sandbox.run("patch 138 stock+=5 yes once order-2").contains("stock        35\n"))
      try await forgetEnd(sandbox)
      let resumed = await sandbox.run("patch 138 stock+=5 yes once order-2")
      #expect(resumed.contains("r2 is complete"), "\(resumed)")
      #expect(await sandbox.run("show 138 stock as tsv") == "stock\n35\n")
      _ = await sandbox.run("undo r2 yes")
      #expect(await sandbox.run("show 138 stock as tsv") == "stock\n30\n")
    }
  }

  /// A repetition says what the first execution did, however often it is repeated.
  @Test func repetitionsNameTheRunThatDidIt() async throws {
    try await Sandbox.with(clock: LeapingClock(at: 1_669_852_800)) { sandbox in
      let line = "patch 138 stock+=5 yes once order-1"
      _ = await sandbox.run(line)
      for _ in 1...3 {
        #expect(
          await sandbox.run(line) == "! note: r1 has the same key and ended: just now, 1 done. Nothing was sent.\n")
      }
    }
  }

  /// A server that refuses the first change.
  private final class RefusingOnce: Transport {
    private let inner: any Transport
    private let hasRefused = Mutex(false)

    init(_ inner: any Transport) { self.inner = inner }

    func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
      let isFirst =
        request.method == .patch
        && hasRefused.withLock { hasRefused in
          defer { hasRefused = true }
          return !hasRefused
        }
      return isFirst ? Response(status: 400) : try await inner.send(request, to: base, with: options)
    }
  }

  /// A line whose change was refused is executed again under its key, and a success ends it.
  @Test func refusedChangeIsTriedAgainUnderItsKey() async throws {
    try await Sandbox.with(
      clock: LeapingClock(at: 1_669_852_800), between: { transport, _ in RefusingOnce(transport) }
    ) { sandbox in
      let line = "patch 138 stock+=5 yes once order-1"
      let refused = await sandbox.run(line)
      #expect(refused.hasSuffix("= 1\n"), "\(refused)")
      let made = await sandbox.run(line)
      #expect(made.contains("stock        30\n"), "\(made)")
      let note = "! note: r2 has the same key and ended: just now, 1 done. Nothing was sent.\n"
      #expect(await sandbox.run(line) == note)
    }
  }

  /// A batch of which a part was refused isn't made again under its key, and is no success.
  @Test func partOfABatchIsNoSuccessUnderItsKey() async throws {
    try await Sandbox.with(between: { transport, _ in RefusingOnce(transport) }) { sandbox in
      func stock() async -> Int {
        let rows = await sandbox.run("ls where id in (138, 132) columns stock as tsv")
        return rows.split(separator: "\n").compactMap { Int($0) }.reduce(0, +)
      }
      let before = await stock()
      for _ in 1...2 {
        let said = await sandbox.run("patch 138,132 stock+=5 yes once order-1")
        #expect(said.hasSuffix("= 7\n"), "\(said)")
      }
      #expect(await stock() == before + 5)
    }
  }

  /// A script that stopped is met as a whole, before its first line, however it is started, and in its market only.
  @Test func scriptIsMetBeforeItsFirstLine() async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writeFile(
        "s.market", "patch 138 stock=5 yes\npatch 138 stock+=2 yes\nshow 999999\npatch 132 stock=1 yes\n")
      #expect(await sandbox.run("source ~/s.market").hasSuffix("= 1\n"))
      let held = await sandbox.run("source ~/s.market")
      #expect(
        held.contains("r1, ") && held.contains("~/s.market:3 show 999999`: 2 done.") && held.hasSuffix("= 4\n"),
        "\(held)")
      #expect(!held.contains("Updated product"), "\(held)")
      #expect(await sandbox.run("show 138 stock as tsv") == "stock\n7\n")
      try sandbox.writeFile(
        "s.market", "patch 138 stock=5 yes\npatch 138 stock+=2 yes\nshow 138\npatch 132 stock=1 yes\n")
      let changed = await sandbox.run("resume r1 yes")
      #expect(changed.contains("2 lines of ~/s.market after the interruption were not run."), "\(changed)")
      #expect(
        !changed.contains("is complete") && changed.contains("forget r1") && changed.hasSuffix("= 7\n"), "\(changed)")
      // Its lines are left, so another start of the script would make the first ones again.
      #expect(await sandbox.run("source ~/s.market").hasSuffix("= 4\n"))
      #expect(await sandbox.run("forget r1 yes").contains("r1 is given up"))
      #expect(await sandbox.run("show 132 stock as tsv") == "stock\n41\n")
    }
  }

  /// A script that was interrupted is named by `status` until it is given up.
  @Test func interruptedScriptIsNamedUntilItIsForgotten() async throws {
    try await Sandbox.with(between: { transport, _ in InterruptingTransport(inner: transport) }) { sandbox in
      try sandbox.writeFile(
        "s.market", "patch 138 stock+=2 yes\nshow \(InterruptingTransport.product)\npatch 132 stock=1 yes\n")
      #expect(await sandbox.run("source ~/s.market").hasSuffix("= 130\n"))
      #expect(await sandbox.run("status").contains("1 run was interrupted."))
      try sandbox.writeFile(
        "s.market", "patch 138 stock+=2 yes\nshow \(InterruptingTransport.product)\npatch 132 stock=1 yes\n")
      _ = await sandbox.run("forget r1 yes")
      #expect(await sandbox.run("status").contains("No pending changes."))
    }
  }

  /// The changes of a run are one row of `log` on a terminal, `log rN` lists them, and a part of them can be undone.
  @Test func changesOfARunAreListedAndUndoneInPart() async throws {
    try await Sandbox.with(width: 100, clock: LeapingClock(at: 1_669_852_800)) { sandbox in
      _ = await sandbox.run("patch 138,132 stock=3 yes")
      _ = await sandbox.run("patch 126 stock=4 yes")
      let log = await sandbox.run("log")
      let rows = log.split(separator: "\n")
      #expect(rows.contains { $0.contains("r1") && $0.contains("2 products") && $0.contains("done") }, "\(log)")
      #expect(rows.contains { $0.contains("126 ") } && !rows.contains { $0.contains("138 ") }, "\(log)")
      let run = await sandbox.run("log r1 as csv")
      #expect(run.contains("\n2,") && run.contains("\n1,") && !run.contains("\n3,"), "\(run)")
      #expect(await sandbox.run("log r1 where product=138 as csv").split(separator: "\n").count == 2)
      #expect(await sandbox.run("log r9").hasSuffix("= 1\n"))
      _ = await sandbox.run("undo r1 where product=138 yes")
      #expect(await sandbox.run("show 138 stock as tsv") == "stock\n25\n")
      #expect(await sandbox.run("show 132 stock as tsv") == "stock\n3\n")
      _ = await sandbox.run("undo r1 yes")
      #expect(await sandbox.run("show 132 stock as tsv") == "stock\n41\n")
      #expect(await sandbox.run("undo 3 where product=138 yes").hasSuffix("= 2\n"))
    }
  }

  /// `undo` without a number isn't guessed while an interrupted run is another one than that of the last change.
  @Test func undoWithoutANumberNamesBoth() async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("patch 138 stock+=5 yes")
      try await forgetEnd(sandbox)
      _ = await sandbox.run("patch 132 stock=7 yes")
      let said = await sandbox.run("undo yes")
      for part in ["r1 was interrupted, and the last change is another one.", "`undo r1`", "`undo 2`", "= 4\n"] {
        #expect(said.contains(part), "\(said)")
      }
      #expect(!(await sandbox.run("undo r1 yes")).contains("= "))
      #expect(!(await sandbox.run("undo 2 yes")).contains("= "))
      #expect(await sandbox.run("show 138 stock as tsv") == "stock\n25\n")
    }
  }

  /// An earlier create of the same file whose product somebody else deleted isn't done, and its id isn't told.
  @Test func createOfAFileIsCheckedByARead() async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writePictures()
      try sandbox.writeFile("bare.csv", Self.bare)
      #expect(await sandbox.run("import ~/bare.csv yes").contains("Created product 142."))
      let queue = try DatabaseQueue(path: sandbox.home.journalFolder + "/journal.sqlite")
      _ = await sandbox.run("rm 142 yes")
      // As if another home had deleted it.
      try await queue.write { try $0.execute(sql: "UPDATE op SET base_url = 'elsewhere' WHERE kind = 'delete'") }
      try queue.close()
      let again = await sandbox.run("import ~/bare.csv yes ids")
      #expect(again.contains("It was created before, as product 142, which does not exist any more."), "\(again)")
      #expect(again.hasSuffix("= 7\n") && !again.contains("Saved 1 ID"), "\(again)")
      #expect(await sandbox.run("import ~/bare.csv yes again").contains("Created product 143."))
    }
  }

  /// A product that this home has deleted and that is gone is no error when it is deleted again.
  @Test func deletedProductIsUnchanged() async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("rm 138 yes")
      let again = await sandbox.run("rm 138 yes")
      #expect(again.contains("log entry 1 deleted it. Nothing was sent.") && !again.contains("= "), "\(again)")
      let both = await sandbox.run("rm 138,132 yes")
      #expect(both.contains("1 was deleted before: 138.") && !both.contains("= "), "\(both)")
      #expect(await sandbox.run("rm 999999 yes").hasSuffix("= 1\n"))
    }
  }

  /// A new product that was sold or changed by another vendor is deleted only if the line says so.
  @Test func undoKeepsANewProductChangedByOthers() async throws {
    let door = Mutex<(any Transport)?>(nil)
    try await Sandbox.with(between: { transport, _ in
      door.withLock { $0 = transport }
      return transport
    }) { sandbox in
      try sandbox.writePictures()
      _ = await sandbox.run(Self.new + " stock=5 yes")
      let vendor = EmbeddedMarket.demoVendor
      let credentials = Credentials(identifier: vendor.identifier, secret: Secret(vendor.secret))
      let market = Client(
        MarketService(sandbox.url, dialect: Dialect(.open), credentials: credentials),
        through: try #require(door.withLock { $0 }))
      let now = try await market.send(GetProduct(142))
      _ = try await market.send(EditProduct(142, ProductValues(stock: 3), pictures: nil, current: now, boundary: "-"))
      let said = await sandbox.run("undo yes")
      for line in [
        "Product 142 has changed since it was created.", "stock: 5 when created, 3 now",
        "To delete it anyway, add `changed` to the command.", "= 4",
      ] { #expect(said.contains(line), "\(said)") }
      #expect(await sandbox.run("undo yes changed").contains("Deleted product 142."))
    }
  }

  /// A case of a recurring line: files, runs of scripts, and what a product shows at the end.
  struct Recurring: Sendable, CustomTestStringConvertible {
    /// One step of a case.
    enum Step: Sendable {
      case file(String, String)
      case line(String)
      /// The lines of one script that fails at its end.
      case failing(String)
      /// The lines of one script that succeeds.
      case script(String)
      /// Sets the stock of every row of a CSV file, or of the product in a file of a folder.
      case stock(String, Int)
    }

    var name: String
    var steps: [Step]
    var product = 138
    var stock: Int
    var testDescription: String { name }
  }

  private static let where10 = "patch where vendor=me and stock<10 stock=20 yes"

  static let recurring: [Recurring] = [
    Recurring(
      name: "an own newer write between",
      steps: [
        .failing("patch 138 stock=31 yes"), .script("patch 138 stock=50 yes"), .script("patch 138 stock=31 yes"),
      ], stock: 31),
    Recurring(
      name: "an import of one file name",
      steps: [
        .file("v.csv", "id,stock\n138,21\n132,21\n"), .failing("import ~/v.csv yes"),
        .file("v.csv", "id,stock\n138,31\n132,31\n"), .script("import ~/v.csv yes"),
      ], stock: 31),
    Recurring(
      name: "products that are low again",
      steps: [
        .failing(where10), .line("patch 6 stock=3 yes"), .line("patch 42 stock=2 yes"), .script(where10),
      ], product: 42, stock: 20),
    Recurring(
      name: "undo of another write",
      steps: [
        .line("patch 138 stock=30 yes"), .failing("undo yes"), .line("patch 132 stock=77 yes"), .script("undo yes"),
      ], product: 132, stock: 41),
    Recurring(
      name: "a restore of what changed again",
      steps: [
        .line("snapshot a"), .line("patch 138 stock=99 yes"), .failing("restore 138 stock from a yes"),
        .line("patch 138 stock=88 yes"), .script("restore 138 stock from a yes"),
      ], stock: 25),
    Recurring(
      name: "a plan of one name",
      steps: [
        .line("plan patch 138 stock=40 to ~/v.plan replace"), .failing("apply ~/v.plan yes"),
        .line("plan patch 138 stock=60 to ~/v.plan replace"), .script("apply ~/v.plan yes"),
      ], stock: 60),
    Recurring(
      name: "a plan with a conflict in the week before",
      steps: [
        .line("plan patch 60,138 stock=30 to ~/v.plan replace"),
        .line("patch 60 stock=7 yes"), .failing("apply ~/v.plan yes"),
        .line("plan patch 60,138 stock=40 to ~/v.plan replace"), .script("apply ~/v.plan yes"),
      ], stock: 40),
    Recurring(
      name: "an import with a conflict in the week before",
      steps: [
        .line("export where id=60 or id=54 to ~/q.csv"), .stock("q.csv", 30), .line("patch 54 stock=7 yes"),
        .script("import ~/q.csv yes"), .line("export where id=60 or id=54 to ~/q.csv replace"), .stock("q.csv", 40),
        .script("import ~/q.csv yes"),
      ], product: 60, stock: 40),
    Recurring(
      name: "a folder that is pushed twice",
      steps: [
        .line("pull ~/shop 138"), .stock("shop/products/000138-먹색-요리책.toml", 40), .failing("push ~/shop yes"),
        .stock("shop/products/000138-먹색-요리책.toml", 60), .script("push ~/shop yes"),
      ], stock: 60),
    Recurring(
      name: "a computed edit of a run that ended with a failure",
      steps: [.failing("patch 138 stock+=5 yes"), .script("patch 138 stock+=5 yes")], stock: 35),
    Recurring(
      name: "a computed edit for each product",
      steps: [.failing("each 138: patch _ stock+=5 yes"), .script("each 138: patch _ stock+=5 yes")], stock: 35),
    Recurring(
      name: "a script with other arguments",
      steps: [
        .file("v.market", "patch 138 stock=$1 yes\nshow $2 name\n"), .line("source ~/v.market 40 999999"),
        .line("source ~/v.market 60 138"),
      ], stock: 60),
  ]

  /// What an earlier run of a line did says nothing about what the line says now.
  @Test(arguments: recurring) func recurringLineHasTheEffectOfItsCurrentText(_ each: Recurring) async throws {
    try await Sandbox.with { sandbox in
      var said = ""
      for step in each.steps {
        switch step {
        case .file(let name, let text): try sandbox.writeFile(name, text)
        case .line(let line): said += await sandbox.run(line)
        case .failing(let lines):
          try sandbox.writeFile("run.market", lines + "\nshow 999999\n")
          said += await sandbox.run("source ~/run.market")
          // A person who has seen the failure begins anew.
          let login = await sandbox.shell.session.marketLogin
          let runs = try await sandbox.shell.context.stores.journal().unsettledRuns(login)
          for run in runs { said += await sandbox.run("forget \(run.name) yes") }
        case .stock(let name, let value):
          let text = String(
            decoding: try Data(contentsOf: URL(fileURLWithPath: sandbox.folder + "/" + name)), as: UTF8.self)
          try sandbox.writeFile(
            name,
            text.replacing(/,KRW,\d+,/, with: ",KRW,\(value),")
              .replacing(/(?m)^stock = \d+/.anchorsMatchLineEndings(), with: "stock = \(value)"))
        case .script(let lines):
          try sandbox.writeFile("run.market", lines + "\n")
          said += await sandbox.run("source ~/run.market")
        }
      }
      #expect(await sandbox.run("show \(each.product) stock as tsv") == "stock\n\(each.stock)\n", "\(said)")
    }
  }
}
