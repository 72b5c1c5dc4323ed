import Catalog
import EmbeddedMarket
import Foundation
import GRDB
import MarketAPI
import Networking
import Pacing
import Platform
import Synchronization
import Testing

/// Commands that are run again don't repeat their completed writes.
@Suite(.timeLimit(Trial.limit)) struct RepeatedCommandTests {
  private static let rows = """
    id,name,description,price,currency,stock,images
    ,되풀이 상품,두 번 가져와도 하나입니다,1000,KRW,1,~/cup.png
    ,되풀이 상품,두 번 가져와도 하나입니다,1000,KRW,1,~/cup.png
    132,,,,,33,

    """
  private static let lines = """
    {"name":"줄 상품","description":"한 줄에 하나씩입니다","price":2000,"currency":"KRW","stock":1,"images":["~/cup.png"]}
    {"id":null,"name":"줄 상품 2","description":"한 줄에 하나씩입니다","price":2000,"currency":"KRW","stock":1,"images":["~/cup.png"]}

    """
  private static let bare = "name,description,price,currency,images\r\n새 상품,열 글자가 넘는 설명입니다,100,KRW,~/cup.png\r\n"
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
  func conversation(_ name: String) async throws {
    try await House.visit(
      clock: LeapingClock(at: 1_669_852_800), between: { transport, _ in InterruptingTransport(inner: transport) }
    ) { house in
      try house.bringPictures()
      try house.bring("rows.csv", Self.rows)
      try house.bring("rows.jsonl", Self.lines)
      try house.bring("bare.csv", Self.bare)
      try house.bring("cut.market", Self.script)
      try house.bring("failing.market", Self.failing)
      try house.bring("stated.market", "patch $1 stock=$2 yes\nshow $3 name\n")
      try await Transcript("Again/" + name).check(in: house)
    }
  }

  /// The ids are added to the file, and the rest of it is unchanged.
  @Test func idsAreWrittenIntoTheFile() async throws {
    try await House.visit { house in
      try house.bringPictures()
      try house.bring("rows.csv", Self.rows)
      try house.bring("rows.jsonl", Self.lines)
      try house.bring("bare.csv", "\u{FEFF}" + Self.bare)
      for name in ["rows.csv", "rows.jsonl", "bare.csv"] { _ = await house.say("import ~/\(name) yes ids jobs 1") }
      func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: house.folder + "/" + name)), as: UTF8.self)
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
  private func forgetShown(_ house: House) async throws {
    let queue = try DatabaseQueue(path: house.home.journalFolder + "/journal.sqlite")
    try await queue.write { try $0.execute(sql: "UPDATE op SET shown = 0, session = 'killed'") }
    try queue.close()
  }

  @Test func anEqualCreateThatWasNeverShownIsRefusedWhereNobodyCanBeAsked() async throws {
    try await House.visit { house in
      try house.bringPictures()
      _ = await house.say(Self.new + " yes")
      try await forgetShown(house)
      let said = await house.say(Self.new + " yes")
      #expect(said.contains("Product 142 equals 같은 상품 in every field. Nothing was sent."), "\(said)")
      #expect(said.contains("`again`") && said.hasSuffix("= 4\n"), "\(said)")
      #expect(await house.say(Self.new + " yes").hasSuffix("= 4\n"), "a refusal shows nothing")
      let another = await house.say(Self.new + " yes again")
      #expect(another.contains("Created product 143"), "\(another)")
    }
  }

  @Test(arguments: ["y", "n"]) func anEqualCreateThatWasNeverShownIsAskedAbout(_ answer: String) async throws {
    let asker = ScriptedAsker([answer])
    try await House.visit(asker: asker) { house in
      try house.bringPictures()
      _ = await house.say(Self.new + " yes")
      try await forgetShown(house)
      let said = await house.say(Self.new + " yes")
      #expect(asker.questions == ["Create another one? [y/N] "])
      let end = answer == "y" ? "Created product 143" : "interrupted at"
      #expect(said.contains(end) && !said.contains("= "), "\(said)")
      #expect(await house.say("show _ id as json").contains(answer == "y" ? "143" : "142"))
    }
  }

  /// A new product that was sold or changed by another vendor is deleted only if the line says so.
  @Test func aNewProductThatOthersHaveChangedIsNotDeletedByUndo() async throws {
    let door = Mutex<(any Transport)?>(nil)
    try await House.visit(between: { transport, _ in
      door.withLock { $0 = transport }
      return transport
    }) { house in
      try house.bringPictures()
      _ = await house.say(Self.new + " stock=5 yes")
      let vendor = EmbeddedMarket.demoVendor
      let credentials = Credentials(identifier: vendor.identifier, secret: Secret(vendor.secret))
      let market = Client(
        MarketService(house.url, edition: .open, credentials: credentials), through: try #require(door.withLock { $0 }))
      let now = try await market.send(GetProduct(142))
      _ = try await market.send(EditProduct(142, ProductValues(stock: 3), pictures: nil, current: now, boundary: "-"))
      let said = await house.say("undo yes")
      for line in [
        "Product 142 has been changed by someone else since it was created.", "stock: 5 when created, 3 now",
        "To delete it anyway, add `changed` to the command.", "= 4",
      ] { #expect(said.contains(line), "\(said)") }
      #expect(await house.say("undo yes changed").contains("Deleted product 142."))
    }
  }

  /// The lines after a change of the profile belong to the same run of the script.
  @Test func aScriptThatChangesTheProfileIsStillTheSameScript() async throws {
    let script = """
      profile demo
      new name="대본 상품" description="대본이 만든 상품입니다" price=1000 currency=KRW images=~/cup.png yes
      show $wanted id

      """
    try await House.visit(between: { transport, _ in InterruptingTransport(inner: transport) }) { house in
      try house.bringPictures()
      try house.bring("moving.market", script)
      _ = await house.say("let wanted = \(InterruptingTransport.product)")
      let first = await house.say("source ~/moving.market")
      #expect(first.contains("Created product 142."), "\(first)")
      _ = await house.say("let wanted = 138")
      let second = await house.say("source ~/moving.market")
      #expect(second.contains("142") && !second.contains("Created product"), "\(second)")
      #expect(await house.say("ls where name~대본 as jsonl").contains("\"id\":142"))
      #expect(!(await house.say("show 143 yes").contains("대본 상품")))
    }
  }

  /// `undo` that is repeated after a kill undoes nothing more.
  @Test func anUndoThatWasNotShownIsNotMadeTwice() async throws {
    try await House.visit { house in
      _ = await house.say("patch 138 stock=7 yes")
      _ = await house.say("patch 132 stock=7 yes")
      _ = await house.say("undo yes")
      try await forgetShown(house)
      let said = await house.say("undo yes")
      #expect(said.contains("by a run that was interrupted (log entry 3). Nothing was sent."), "\(said)")
      #expect(await house.say("show 138 stock as tsv").contains("7"))
      #expect(await house.say("undo yes").contains("Updated product 138."))
    }
  }
}
