import Catalog
import EmbeddedMarket
import Foundation
import GRDB
import MarketAPI
import Networking
import Platform
import ShellTesting
import Synchronization
import TestSupport
import Testing

/// Commands that are run again don't repeat their completed writes.
@Suite(.timeLimit(Trial.limit)) struct EarlierWriteFilterTests {
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

  /// Simulates a session that was killed before it showed its results.
  private func forgetShown(_ sandbox: Sandbox) async throws {
    let queue = try DatabaseQueue(path: sandbox.home.journalFolder + "/journal.sqlite")
    try await queue.write { try $0.execute(sql: "UPDATE op SET shown = 0, session = 'killed'") }
    try queue.close()
  }

  @Test func unshownEqualCreateIsRefusedWithoutAPerson() async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writePictures()
      _ = await sandbox.run(Self.new + " yes")
      try await forgetShown(sandbox)
      let said = await sandbox.run(Self.new + " yes")
      #expect(said.contains("Product 142 equals 같은 상품 in every field. Nothing was sent."), "\(said)")
      #expect(said.contains("`again`") && said.hasSuffix("= 4\n"), "\(said)")
      #expect(await sandbox.run(Self.new + " yes").hasSuffix("= 4\n"), "a refusal shows nothing")
      let another = await sandbox.run(Self.new + " yes again")
      #expect(another.contains("Created product 143"), "\(another)")
    }
  }

  @Test(arguments: ["y", "n"]) func unshownEqualCreateIsAskedAbout(_ answer: String) async throws {
    let asker = ScriptedAsker([answer])
    try await Sandbox.with(asker: asker) { sandbox in
      try sandbox.writePictures()
      _ = await sandbox.run(Self.new + " yes")
      try await forgetShown(sandbox)
      let said = await sandbox.run(Self.new + " yes")
      #expect(asker.questions == ["Create another one? [y/N] "])
      let end = answer == "y" ? "Created product 143" : "interrupted at"
      #expect(said.contains(end) && !said.contains("= "), "\(said)")
      #expect(await sandbox.run("show _ id as json").contains(answer == "y" ? "143" : "142"))
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
        MarketService(sandbox.url, edition: .open, credentials: credentials),
        through: try #require(door.withLock { $0 }))
      let now = try await market.send(GetProduct(142))
      _ = try await market.send(EditProduct(142, ProductValues(stock: 3), pictures: nil, current: now, boundary: "-"))
      let said = await sandbox.run("undo yes")
      for line in [
        "Product 142 has been changed by someone else since it was created.", "stock: 5 when created, 3 now",
        "To delete it anyway, add `changed` to the command.", "= 4",
      ] { #expect(said.contains(line), "\(said)") }
      #expect(await sandbox.run("undo yes changed").contains("Deleted product 142."))
    }
  }

  /// The lines after a change of the profile belong to the same run of the script.
  @Test func scriptWithAProfileChangeIsOneRun() async throws {
    let script = """
      profile demo
      new name="대본 상품" description="대본이 만든 상품입니다" price=1000 currency=KRW images=~/cup.png yes
      show $wanted id

      """
    try await Sandbox.with(between: { transport, _ in InterruptingTransport(inner: transport) }) { sandbox in
      try sandbox.writePictures()
      try sandbox.writeFile("moving.market", script)
      _ = await sandbox.run("let wanted = \(InterruptingTransport.product)")
      let first = await sandbox.run("source ~/moving.market")
      #expect(first.contains("Created product 142."), "\(first)")
      _ = await sandbox.run("let wanted = 138")
      let second = await sandbox.run("source ~/moving.market")
      #expect(second.contains("142") && !second.contains("Created product"), "\(second)")
      #expect(await sandbox.run("ls where name~대본 as jsonl").contains("\"id\":142"))
      #expect(!(await sandbox.run("show 143 yes").contains("대본 상품")))
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

  /// A computed batch that left a product undone: the same line asks whether to go on, or to do all of it again.
  @Test(arguments: [("", [26, 42, 53]), ("a", [27, 43, 53]), ("n", [26, 42, 52])])
  func computedBatchIsContinued(_ answer: String, _ stocks: [Int]) async throws {
    let asker = ScriptedAsker([answer, "y"])
    let isDown = Mutex(true)
    try await Sandbox.with(
      asker: asker, clock: LeapingClock(at: 1_669_852_800),
      between: { transport, _ in UnreachableProduct(inner: transport, isDown: { isDown.withLock { $0 } }) }
    ) { sandbox in
      let line = "patch 138,132,126 stock+=1"
      _ = await sandbox.run(line + " yes jobs 1")
      isDown.withLock { $0 = false }
      let said = await sandbox.run(line + " jobs 1")
      #expect(said.contains("2 of 3 were done at 00:00 by a run that was interrupted."), "\(said)")
      #expect(asker.questions.first == "Continue with the other 1? [Y/n, a = all 3 again] ")
      if answer.isEmpty {
        #expect(said.contains("1 of 1 change applied.") && said.contains("2 were already done at 00:00"), "\(said)")
      }
      for (id, stock) in zip([138, 132, 126], stocks) {
        #expect(await sandbox.run("show \(id) stock as tsv") == "stock\n\(stock)\n", "\(id): \(said)")
      }
    }
  }

  /// Refuses every change of product 126 while it is down.
  private struct UnreachableProduct: Transport {
    let inner: any Transport
    let isDown: @Sendable () -> Bool

    func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
      if request.method == .patch, request.target.hasSuffix("/126"), isDown() {
        throw TransportError(.connectionRefused, extent: .none)
      }
      return try await inner.send(request, to: base, with: options)
    }
  }

  /// The response to a computed edit is lost, and so is the connection: the same line first reads what became of it.
  @Test func lostEditIsReadBeforeItsLineRunsAgain() async throws {
    let isDown = Mutex(false)
    try await Sandbox.with(
      clock: LeapingClock(at: 1_669_852_800),
      between: { transport, _ in
        BreakingTransport(
          inner: transport, isDown: { isDown.withLock { $0 } }, goDown: { isDown.withLock { $0 = true } })
      }
    ) { sandbox in
      let first = await sandbox.run("patch 138 stock+=5 yes")
      #expect(first.hasSuffix("= 5\n"), "\(first)")
      isDown.withLock { $0 = false }
      let second = await sandbox.run("patch 138 stock+=5 yes")
      #expect(
        second.hasPrefix(
          """
          ! note: Product 138 "먹색 요리책" was updated by the interrupted command (log entry 1).
          ! note: It was done at 00:00 by a run that was interrupted (log entry 1). Nothing was sent.

          """), "\(second)")
      #expect(!second.contains("= ") && second.contains("stock        30\n"), "\(second)")
      #expect(await sandbox.run("patch 138 stock+=5 yes").contains("stock        35\n"), "that run ended")
    }
  }

  /// Loses the response to the first edit, which the market applied, and is unreachable from then on.
  private struct BreakingTransport: Transport {
    let inner: any Transport
    let edits = Counter()
    let isDown: @Sendable () -> Bool
    let goDown: @Sendable () -> Void

    func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
      if isDown() { throw TransportError(.connectionRefused, extent: .none) }
      let reply = try await inner.send(request, to: base, with: options)
      guard request.method == .patch, edits.next() == 1 else { return reply }
      goDown()
      throw TransportError(.connectionClosed, extent: .complete)
    }
  }

  /// A delete of a script that was interrupted isn't an error when the script is run again.
  @Test func interruptedScriptDoesNotFailAtItsDelete() async throws {
    try await Sandbox.with(between: { transport, _ in InterruptingTransport(inner: transport) }) { sandbox in
      try sandbox.writeFile("cut.market", "rm 138 yes\nshow $wanted name\n")
      _ = await sandbox.run("let wanted = \(InterruptingTransport.product)")
      #expect(await sandbox.run("source ~/cut.market").hasSuffix("= 130\n"))
      _ = await sandbox.run("let wanted = 132")
      let second = await sandbox.run("source ~/cut.market")
      #expect(second.contains("by a run that was interrupted (log entry 1)") && !second.contains("= "), "\(second)")
      #expect(await sandbox.run("source ~/cut.market").hasSuffix("= 1\n"), "that run ended")
    }
  }

  /// `undo` that is repeated after a kill undoes nothing more.
  @Test func unshownUndoIsNotMadeTwice() async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("patch 138 stock=7 yes")
      _ = await sandbox.run("patch 132 stock=7 yes")
      _ = await sandbox.run("undo yes")
      try await forgetShown(sandbox)
      let said = await sandbox.run("undo yes")
      #expect(said.contains("by a run that was interrupted (log entry 3). Nothing was sent."), "\(said)")
      #expect(await sandbox.run("show 138 stock as tsv").contains("7"))
      #expect(await sandbox.run("undo yes").contains("Updated product 138."))
    }
  }
}
