import Catalog
import EmbeddedMarket
import Foundation
import MarketAPI
import Networking
import Shell
import ShellRuntime
import ShellTesting
import Synchronization
import TestSupport
import Testing

/// A market that was emptied and filled with other products under the same numbers: what was recorded before is held back.
@Suite(.timeLimit(Trial.limit)) struct OtherProductTests {
  /// Sends requests to another market from a moment on, and hides the generations of both.
  private struct ReplacedMarket: Transport {
    final class Switch: Sendable {
      private let url = Mutex<URL?>(nil)
      func turn(to other: URL) { url.withLock { $0 = other } }
      var other: URL? { url.withLock { $0 } }
    }

    let base: any Transport
    let market: Switch

    func send(_ request: Request, to url: URL, with options: SendOptions) async throws -> Response {
      var response = try await base.send(request, to: market.other ?? url, with: options)
      response.headers.removeAll { $0.name.lowercased() == "market-generation" }
      return response
    }
  }

  /// Lines before the market is replaced, and the line afterwards.
  struct Case: Sendable, CustomTestStringConvertible {
    var before: [String]
    var line: String
    var testDescription: String { line }
  }

  private static func draft(_ name: String) -> ProductDraft {
    ProductDraft(
      name: name, description: "Made by another client.", price: Amount(5000), currency: .krw, stock: 5,
      pictures: [.onePixel])
  }

  /// Runs lines at a market with the products `Alpha 1` and `Alpha 2`, replaces it by one with `Beta 1` and `Beta 2`, and runs
  /// the last line.
  private func replaced(
    _ before: [String], products count: Int = 1, then line: String,
    _ check: (_ said: String, _ other: Client<MarketService>) async throws -> Void
  ) async throws {
    let market = ReplacedMarket.Switch()
    let folder = NSTemporaryDirectory() + "openmarket-other-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var options = MarketOptions(dataDirectory: folder, startsEmpty: true)
    options.clock = { Date(timeIntervalSince1970: 1_669_852_800) }
    let other = EmbeddedMarket(options)
    let url = try await other.start()
    let transport = HTTPTransport(version: "test")
    try await Sandbox.with(
      served: { $0.startsEmpty = true }, between: { door, _ in ReplacedMarket(base: door, market: market) }
    ) { sandbox in
      try sandbox.writePictures()
      let client = Client(
        MarketService(url, dialect: Dialect(.open), credentials: await sandbox.shell.session.credentials),
        through: transport)
      for number in 1...count {
        let made = await sandbox.run(
          "new name='Alpha \(number)' description='The first of them.' price=5000 stock=5 currency=KRW images=~/cup.png yes outliers"
        )
        #expect(made.contains("Created product \(number)"), "\(made)")
        _ = try await client.send(CreateProduct(OtherProductTests.draft("Beta \(number)"), boundary: "b\(number)"))
      }
      for line in before { _ = await sandbox.run(line) }
      market.turn(to: url)
      try await check(await sandbox.run(line), client)
    }
    await transport.shutdown()
    await other.stop()
  }

  static let cases = [
    Case(
      before: [
        "export where vendor=me columns name,stock to ~/a.csv", #"show 1 id | sed -i -e 's/,5\r*$/,6\r/' ~/a.csv"#,
      ], line: "import ~/a.csv yes"),
    Case(before: ["plan patch 1 stock=9 to ~/p.json"], line: "apply ~/p.json yes"),
    Case(before: ["plan rm 1 to ~/p.json"], line: "apply ~/p.json yes"),
    Case(before: ["patch 1 stock=7 yes"], line: "undo yes"), Case(before: [], line: "undo yes"),
    Case(before: ["patch 1 stock=7 yes", "undo yes"], line: "redo yes"),
    Case(before: ["show 1"], line: "patch _ stock=9 yes"), Case(before: ["ls"], line: "patch @1 stock=9 yes"),
    Case(before: ["ls"], line: "rm @1 yes"),
    Case(before: ["snapshot s", "patch 1 stock=7 yes"], line: "restore 1 stock from s yes"),
    Case(
      before: ["pull ~/shop", "show 1 id | sed -i -e 's/^stock = 5/stock = 9/' ~/shop/products/*.toml"],
      line: "push ~/shop yes"),
  ]

  @Test(arguments: cases) func recordOfAnotherProductIsHeldBack(_ one: Case) async throws {
    try await replaced(one.before, then: one.line) { said, other in
      #expect(said.contains("Product 1 was \"Alpha 1\"") && said.contains("is \"Beta 1\""), "\(said)")
      #expect(said.hasSuffix("= 4\n"), "\(said)")
      let product = try await other.send(GetProduct(1))
      #expect(product.name == "Beta 1" && product.stock == 5)
    }
  }

  /// If all products of a file differ, that is said once, of the market.
  @Test func marketThatWasReplacedIsSaidOnce() async throws {
    let lines = ["export where vendor=me columns name,stock to ~/a.csv", "plan patch 1,2 stock=9 to ~/p.json"]
    for line in ["import ~/a.csv yes", "apply ~/p.json yes"] {
      try await replaced(lines, products: 2, then: line) { said, _ in
        #expect(said.contains("None of the 2 products is the one that was meant"), "\(said)")
        #expect(said.contains("\"Alpha 1\"") != said.contains("\"Alpha 2\"") && said.hasSuffix("= 4\n"), "\(said)")
      }
    }
  }

  /// The discount of a sale isn't given to another product, and what is left of it isn't taken from one.
  @Test(arguments: [[], ["due apply yes"]]) func saleOfAnotherProductIsHeldBack(_ before: [String]) async throws {
    try await replaced(
      ["sale 1 10% from 2022-12-01 to 2022-12-05"] + before, then: before.isEmpty ? "due apply yes" : "sale end 1 yes"
    ) { said, other in
      #expect(said.contains("Product 1 was \"Alpha 1\"") && !said.hasSuffix("= 0\n") && said.contains("= "), "\(said)")
      let product = try await other.send(GetProduct(1))
      #expect((product.discount ?? .zero) == .zero)
    }
  }
}

/// What an earlier line created is read before it is told.
@Suite(.timeLimit(Trial.limit)) struct EarlierCreateTests {
  private static let file = "name,description,price,currency,stock,images\nNew cup,A cup of clay.,5000,KRW,5,cup.png\n"

  /// Runs a body with another client of the market.
  private func elsewhere<Value: Sendable>(
    _ sandbox: Sandbox, _ body: (Client<MarketService>) async throws -> Value
  ) async throws -> Value {
    let transport = HTTPTransport(version: "test")
    let credentials = await sandbox.shell.session.credentials
    let value = try await body(
      Client(MarketService(sandbox.url, dialect: Dialect(.open), credentials: credentials), through: transport))
    await transport.shutdown()
    return value
  }

  /// Creates the product of the file by another client.
  private func equal(_ sandbox: Sandbox, _ boundary: String = "b") async throws -> Product.ID {
    let draft = ProductDraft(
      name: "New cup", description: "A cup of clay.", price: Amount(5000), currency: .krw, stock: 3,
      pictures: [.onePixel])
    return try await elsewhere(sandbox) { try await $0.send(CreateProduct(draft, boundary: boundary)).id }
  }

  /// Somebody else deleted the product of a row: it isn't "created before", and its number isn't written into the file.
  @Test func vanishedProductIsNotDone() async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writePictures()
      try sandbox.writeFile("n.csv", EarlierCreateTests.file)
      let made = await sandbox.run("import ~/n.csv yes")
      #expect(made.contains("Created product 142"), "\(made)")
      _ = try await elsewhere(sandbox) { try await $0.delete(142) }
      let again = await sandbox.run("import ~/n.csv ids yes")
      #expect(again.contains("as product 142, which does not exist any more") && again.hasSuffix("= 7\n"), "\(again)")
      #expect(try String(contentsOfFile: sandbox.folder + "/n.csv", encoding: .utf8) == EarlierCreateTests.file)
      #expect(await sandbox.run("import ~/n.csv again yes").contains("Created product 143"))
    }
  }

  /// The product of a row whose id was written back isn't that of an equal row that was added since, also after that one
  /// has its id and if the first one is edited.
  @Test func equalRowAddedBelowOneWithAnIDIsNew() async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writePictures()
      let values = "New cup,A cup of clay.,5000,KRW,5,cup.png\n"
      let heading = "id,name,description,price,currency,stock,images\n"
      try sandbox.writeFile("n.csv", heading + "," + values)
      _ = await sandbox.run("import ~/n.csv ids yes")
      func ids() throws -> [String] {
        let lines = try String(contentsOfFile: sandbox.folder + "/n.csv", encoding: .utf8).split(separator: "\n")
        return lines.dropFirst().map { String($0.prefix { $0 != "," }) }
      }
      #expect(try ids() == ["142"])
      func add(_ stock: Int) throws {
        let text = try String(contentsOfFile: sandbox.folder + "/n.csv", encoding: .utf8)
        let edited = text.replacing(
          "142,New cup,A cup of clay.,5000,KRW,5", with: "142,New cup,A cup of clay.,5000,KRW,\(stock)")
        try sandbox.writeFile("n.csv", edited + "," + values)
      }
      try add(5)
      let second = await sandbox.run("import ~/n.csv ids yes")
      #expect(second.contains("143") && !second.contains("created before"), "\(second)")
      #expect(try ids() == ["142", "143"])
      try add(6)
      let third = await sandbox.run("import ~/n.csv ids yes")
      #expect(third.contains("144") && !third.contains("created before"), "\(third)")
      #expect(try ids() == ["142", "143", "144"])
      // A row that lost its id is that of its product.
      let text = try String(contentsOfFile: sandbox.folder + "/n.csv", encoding: .utf8)
      try sandbox.writeFile("n.csv", text.replacing("143,", with: ","))
      _ = await sandbox.run("import ~/n.csv ids yes")
      #expect(try ids() == ["142", "143", "144"])
      #expect(try await sandbox.product(145) == nil)
    }
  }

  /// Two machines execute one plan, file or folder: the second one finds the product of the first.
  @Test(arguments: ["apply ~/p.json", "import ~/n.csv", "push ~/shop"])
  func productOfAnotherHomeIsFound(_ line: String) async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writePictures()
      try sandbox.writeFile("n.csv", EarlierCreateTests.file)
      let values = "name='New cup' description='A cup of clay.' price=5000 currency=KRW stock=5 images=~/cup.png"
      _ = await sandbox.run("plan new \(values) to ~/p.json")
      _ = await sandbox.run("pull ~/shop 138; show 138 id | cp ~/cup.png ~/shop/pictures/cup.png")
      try sandbox.writeFile(
        "shop/products/new.toml",
        "name = \"New cup\"\ndescription = \"A cup of clay.\"\nprice = 5000\ncurrency = \"KRW\"\nstock = 5\nimages = [\"pictures/cup.png\"]\n"
      )
      let id = try await equal(sandbox)
      let held = await sandbox.run("\(line) yes")
      #expect(held.contains("is there already") && held.contains("product \(id) New cup"), "\(held)")
      #expect(held.hasSuffix("= 4\n"), "\(held)")
      let again = await sandbox.run("\(line) again yes")
      #expect(again.contains("Created product \(id + 1)"), "\(again)")
    }
  }

  /// Of three equal rows and two equal products, one row is left.
  @Test func equalProductsAreCounted() async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writePictures()
      let row = EarlierCreateTests.file.split(separator: "\n")[1]
      try sandbox.writeFile("n.csv", EarlierCreateTests.file + "\(row)\n\(row)\n")
      for number in 1...2 { _ = try await equal(sandbox, "b\(number)") }
      let held = await sandbox.run("import ~/n.csv yes")
      #expect(held.contains("2 of 3 new products are there already") && held.hasSuffix("= 4\n"), "\(held)")
    }
  }
}
