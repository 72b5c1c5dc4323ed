import Catalog
import Foundation
import MarketAPI
import Networking
import ServerTesting
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

/// Changes of markets that a file describes, over HTTP.
@Suite(.timeLimit(Trial.limit)) struct DescribedChangesTests {
  /// Runs `body` in a shell at a market.
  private static func with(
    _ market: KeepingMarket, description: String? = nil, _ body: (Sandbox, TinyServer) async throws -> Void
  ) async throws {
    let server = try await market.start()
    try await DescribedServer.with(server, description: description ?? market.description) { sandbox in
      try sandbox.writeFile(
        "sheet.csv",
        "id,name,price,stock\n1,Blue mug 1,21,30\n2,Oak chair 2,22.50,31\n,Linen towel,9.90,12\n,Brass bell,14,5\n")
      try sandbox.writeFile("wrong.csv", "id,name,price,stock\n1,,21,3\n2,Oak,cheap,3\n3,Clock,5,many\n")
      try await body(sandbox, server)
    }
  }

  /// Proof, patches with previews, a foreign change, a create whose response is cut, deletes, undo of each, an import.
  @Test func transcriptOfChanges() async throws {
    try await DescribedChangesTests.with(KeepingMarket()) { sandbox, _ in
      try await Transcript("Described/changes").check(in: sandbox)
    }
  }

  /// A server with a precondition: what another client wrote in between is never overwritten.
  @Test func transcriptOfPreconditions() async throws {
    try await DescribedChangesTests.with(KeepingMarket(compares: true)) { sandbox, _ in
      try await Transcript("Described/preconditions").check(in: sandbox)
    }
  }

  /// A server that answers writes and forgets them is named after the first one.
  @Test func transcriptOfForgottenWrites() async throws {
    try await DescribedChangesTests.with(KeepingMarket(keeps: false)) { sandbox, _ in
      try await Transcript("Described/forgotten").check(in: sandbox)
    }
  }

  /// An OpenAPI document of the market.
  private static let document = """
    {"openapi": "3.0.3", "info": {"title": "Keeping market"}, "servers": [{"url": "/api"}],
    "paths": {
      "/items": {
        "get": {
          "parameters": [
            {"name": "page", "in": "query", "schema": {"type": "integer"}},
            {"name": "size", "in": "query", "schema": {"type": "integer", "default": 20, "maximum": 100}}],
          "responses": {"200": {"content": {"application/json": {"schema": {"type": "object", "properties": {
            "items": {"type": "array", "items": {"$ref": "#/components/schemas/Item"}},
            "count": {"type": "integer"}}}}}}}},
        "post": {
          "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Item"}}}},
          "responses": {"201": {"$ref": "#/components/responses/One"}}}},
      "/items/{id}": {
        "get": {"responses": {"200": {"$ref": "#/components/responses/One"},
          "404": {"content": {"application/json": {"schema": {"properties": {"error": {"type": "string"}}}}}}}},
        "patch": {
          "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Item"}}}},
          "responses": {"200": {"$ref": "#/components/responses/One"}}},
        "delete": {"responses": {"204": {}}}}},
    "components": {
      "responses": {"One": {"content": {"application/json": {"schema": {"type": "object", "properties": {
        "item": {"$ref": "#/components/schemas/Item"}}}}}}},
      "schemas": {
        "Item": {"type": "object", "properties": {
          "id": {"type": "integer", "readOnly": true}, "title": {"type": "string"},
          "info": {"type": "object", "properties": {"text": {"type": "string"}}},
          "offers": {"type": "array", "items": {"$ref": "#/components/schemas/Offer"}},
          "category": {"type": "string"}, "ref": {"type": "string", "nullable": true}}},
        "Offer": {"type": "object", "required": ["sku"], "properties": {
          "sku": {"type": "string"}, "price": {"type": "string"}, "quantity": {"type": "integer"}}}}}}
    """

  /// A description that is derived from a document is proven at its market once the suggested lines are filled in, and
  /// changes its products.
  @Test func descriptionOfADocumentIsProven() async throws {
    try await DescribedChangesTests.with(KeepingMarket()) { sandbox, server in
      try sandbox.writeFile("openapi.json", DescribedChangesTests.document)
      let derived = await sandbox.data("api from ~/openapi.json").data
      let corrected = derived.replacing(
        "# values = { \"/offers/0/sku\" = \"…\" }", with: "values = { \"/offers/0/sku\" = \"{operation}\" }"
      )
      .replacing("# mark = \"/ref\"", with: "mark = \"/ref\"")
      #expect(corrected.contains("\nvalues = ") && corrected.contains("\nmark = "), "\(derived)")
      try sandbox.writeFile("derived.toml", corrected)
      _ = await sandbox.run("profile add derived url=\(server.url) api=~/derived.toml")
      _ = await sandbox.run("profile derived")
      let proof = await sandbox.run("contract writes yes")
      #expect(proof.contains("checks passed: the server follows keeping-market."), "\(proof)\(corrected)")
      let changed = await sandbox.run("patch 3 price=9.50 stock=4 description=Old yes")
      #expect(changed.contains("Updated product 3."), "\(changed)")
      let shown = await sandbox.data("show 3 description price stock as csv").data
      #expect(shown == "description,price,stock\nOld,9.5,4\n", "\(shown)")
      #expect(await sandbox.run("show 99").contains("no item 99"))
    }
  }

  /// A guess about money stops the changes of a derived description until its comment is removed.
  @Test func guessOfADerivedDescriptionWritesNothing() async throws {
    try await DescribedChangesTests.with(KeepingMarket()) { sandbox, server in
      let document = DescribedChangesTests.document.replacing(
        "\"price\": {\"type\": \"string\"}", with: "\"price\": {\"type\": [\"string\", \"number\"]}")
      try sandbox.writeFile("openapi.json", document)
      _ = await sandbox.run("api from ~/openapi.json to ~/derived.toml")
      #expect(await sandbox.run("api check ~/derived.toml").contains("a guess that nobody confirmed (# CHECK)"))
      _ = await sandbox.run("profile add derived url=\(server.url) api=~/derived.toml")
      _ = await sandbox.run("profile derived")
      for line in [
        "patch 3 stock=4 yes unproven", "new name=Cup yes unproven", "rm 3 yes unproven", "contract writes yes",
      ] {
        let said = await sandbox.run(line)
        #expect(said.contains("The description has guesses. Nothing was sent.") && said.hasSuffix("= 4\n"), "\(said)")
      }
      #expect(server.requests.allSatisfy { $0.hasPrefix("GET ") }, "\(server.requests)")
    }
  }

  /// A file isn't proven if the response to a create has no product at its place, whether the product is found or not: each
  /// create would be looked for, and without a mark it may end as a question.
  @Test(
    arguments: [
      (
        "record = \"/item\"\nmark = \"/ref\"", "record = \"/product\"\nmark = \"/ref\"",
        "product at /product in the response"
      ),
      ("record = \"/item\"\nmark = \"/ref\"", "record = \"/product\"", "product at /product in the response"),
      ("record = \"/item\"\nmark = \"/ref\"", "", "product in the response"),
    ])
  func responseWithoutTheProductIsNoProof(_ old: String, _ new: String, _ check: String) async throws {
    let market = KeepingMarket()
    #expect(market.description.contains(old))
    try await DescribedChangesTests.with(market, description: market.description.replacing(old, with: new)) {
      sandbox, server in
      let said = await sandbox.run("contract writes yes")
      let row = said.split(separator: "\n").first { $0.hasPrefix(check + " ") }
      #expect(row?.hasSuffix("no") == true && said.contains("checks failed"), "\(said)")
      #expect(said.hasSuffix("= 6\n"), "\(said)")
      // The product of the check is deleted all the same, and the file stays a claim.
      #expect(server.requests.last { !$0.hasPrefix("GET ") }?.hasPrefix("DELETE ") == true, "\(server.requests)")
      #expect(await sandbox.run("patch 3 price=5 yes").contains("The description was not proven"))
    }
  }

  /// What the file doesn't describe is refused, all of it and before anything is sent.
  @Test(
    arguments: [
      ("patch 3 discount=5 yes unproven", ["describes no field discount"], 4),
      ("patch 3 discount=5 currency=EUR price=3 yes unproven", ["field discount", "the field currency writable"], 4),
      ("sale 3 10% from 2999-01-01 to 2999-01-05 yes unproven", ["describes no field discount"], 4),
      ("patch 3 stock+=2 yes unproven", ["describes no field stock"], 4),
      ("new name=Cup price=5 stock=3 yes unproven", ["no table `[create]`", "describes no field stock"], 4),
      ("rm 3 yes unproven", ["no table `[delete]`"], 4),
      ("patch 3 price=5 yes", ["The description was not proven", "contract writes"], 4),
      ("contract writes yes", ["no table `[create]`"], 4),
    ] as [(String, [String], Int)])
  func lackingChangesAreRefused(_ line: String, _ expected: [String], _ status: Int) async throws {
    let market = KeepingMarket()
    let text = market.description
    let start = text.firstRange(of: "[create]")!.lowerBound
    let end = text.firstRange(of: "[update]")!.lowerBound
    let delete = text.firstRange(of: "[delete]")!.lowerBound
    let fields = text.firstRange(of: "[fields]")!.lowerBound
    let description =
      String(text[..<start]) + text[end..<delete]
      + text[fields...].replacing("stock = \"/offers/0/quantity\"\n", with: "")
    try await DescribedChangesTests.with(market, description: description) { sandbox, server in
      let said = await sandbox.run(line)
      for part in expected { #expect(said.contains(part), "\(said)") }
      #expect(said.hasSuffix("= \(status)\n"), "\(said)")
      #expect(server.requests.allSatisfy { $0.hasPrefix("GET ") }, "\(server.requests)")
    }
  }

  /// A description with an unconfirmed guess writes nothing, even with `yes` and `unproven`.
  @Test(arguments: ["patch 3 price=5 yes unproven", "new name=Cup price=5 yes unproven", "contract writes yes"])
  func guessNeverWrites(_ line: String) async throws {
    let market = KeepingMarket()
    let text = market.description.replacing("as = \"decimal-text\" }", with: "as = \"decimal-text\" } # CHECK")
    try await DescribedChangesTests.with(market, description: text) { sandbox, server in
      let said = await sandbox.run(line)
      #expect(said.contains("The description has guesses. Nothing was sent.") && said.hasSuffix("= 4\n"), "\(said)")
      #expect(server.requests.isEmpty)
    }
  }

  /// A plan has a new product with the fields that were given, and creates it once; the limits of the editions don't bind it.
  @Test func plannedProductIsCreatedOnce() async throws {
    try await DescribedChangesTests.with(KeepingMarket()) { sandbox, server in
      _ = await sandbox.run("plan new name=X price=4 to ~/new.plan")
      let first = await sandbox.run("apply ~/new.plan yes unproven")
      let second = await sandbox.run("apply ~/new.plan yes unproven")
      let creates = server.requests.filter { $0.hasPrefix("POST ") }
      #expect(creates.count == 1 && !first.contains("error"), "\(first)\(second)")
      #expect(creates.first?.contains("\"title\":\"X\"") == true && creates.first?.contains("quantity") == false)
    }
  }

  /// A deleted product gets its own members back, but for those that the file omits.
  @Test func deletedProductGetsItsMembersBack() async throws {
    let market = KeepingMarket()
    let text = market.description.replacing("mark = \"/ref\"", with: "mark = \"/ref\"\nomit = \"/category\"")
    try await DescribedChangesTests.with(market, description: text) { sandbox, server in
      _ = await sandbox.run("rm 5 yes unproven")
      let undone = await sandbox.run("undo yes unproven")
      let create = try #require(server.requests.last { $0.hasPrefix("POST ") }, "\(undone)")
      #expect(create.contains("\"sku\":\"S5\"") && create.contains("\"category\":\"home\""), "\(create)")
      #expect(!create.contains("\"id\""), "\(create)")
    }
  }

  /// A product with two elements where the file describes the first isn't changed.
  @Test func positionOfSeveralElementsIsRefused() async throws {
    let market = KeepingMarket()
    try await DescribedChangesTests.with(market) { sandbox, server in
      let offers = "{\"offers\":[{\"sku\":\"A\",\"price\":\"1.00\"},{\"sku\":\"B\",\"price\":\"2.00\"}]}"
      _ = await sandbox.run("raw PATCH /api/items/3 '\(offers)' yes")
      let count = server.requests.count
      let said = await sandbox.run("patch 3 price=1.5 yes unproven")
      #expect(said.contains("2 elements at /offers") && !said.contains("✓"), "\(said)")
      #expect(server.requests.dropFirst(count).allSatisfy { $0.hasPrefix("GET ") })
    }
  }

  /// A copy has the values that can be written, and neither pictures nor constants.
  @Test(arguments: ["new from 3 name='Second pot' yes unproven", "new from _ name='Second pot' yes unproven"])
  func copyHasTheValuesOfItsProduct(_ line: String) async throws {
    try await DescribedChangesTests.with(KeepingMarket()) { sandbox, server in
      _ = await sandbox.run("show 3")
      let said = await sandbox.run(line)
      #expect(said.contains("Created product 13."), "\(said)")
      let create = try #require(server.requests.last { $0.hasPrefix("POST ") }, "\(said)")
      for part in [
        "\"title\":\"Second pot\"", "\"price\":\"13.5\"", "\"quantity\":9", "\"text\":\"Number 3 of the shelf\"",
      ] {
        #expect(create.contains(part), "\(create)")
      }
      #expect(!create.contains("USD") && !create.contains("image"), "\(create)")
    }
  }

  // MARK: Pictures

  /// Runs `body` at a market whose pictures are addresses.
  private static func withPictures(
    _ images: String = "images = \"/photos\"", _ body: (Sandbox, TinyServer) async throws -> Void
  ) async throws {
    let market = KeepingMarket()
    let text = market.description.replacing("[fields]\n", with: "[fields]\n\(images)\n")
    try await with(market, description: text) { sandbox, server in try await body(sandbox, server) }
  }

  private static let two = "images=https://a.example/1.jpg,https://a.example/2.jpg"

  /// Addresses are sent as the file says, and undone.
  @Test(
    arguments: [
      ("images = \"/photos\"", "\"photos\":[\"https://a.example/1.jpg\",\"https://a.example/2.jpg\"]"),
      (
        "images = { at = \"/photos\", each = \"/src\" }",
        "\"photos\":[{\"src\":\"https://a.example/1.jpg\"},{\"src\":\"https://a.example/2.jpg\"}]"
      ),
    ])
  func addressesAreSent(_ images: String, _ expected: String) async throws {
    try await DescribedChangesTests.withPictures(images) { sandbox, server in
      let made = await sandbox.run("new name=Cup price=5 \(DescribedChangesTests.two) yes unproven")
      #expect(made.contains("images 2 https://a.example/1.jpg, https://a.example/2.jpg"), "\(made)")
      #expect(made.contains("Created product 13."), "\(made)")
      let create = server.requests.last { $0.hasPrefix("POST ") }?.replacing("\\/", with: "/")
      #expect(create?.contains(expected) == true, "\(create ?? made)")
      let changed = await sandbox.run("patch 3 \(DescribedChangesTests.two) yes unproven")
      #expect(changed.contains("Updated product 3."), "\(changed)")
      let update = server.requests.last { $0.hasPrefix("PATCH ") }?.replacing("\\/", with: "/")
      #expect(update?.contains(expected) == true, "\(update ?? changed)")
      #expect(await sandbox.run("undo yes unproven").contains("Updated product 3."))
      #expect(server.requests.last { $0.hasPrefix("PATCH ") }?.contains("\"photos\":[]") == true)
    }
  }

  /// A copy has the addresses of its product, a plan and a sheet have those that are typed.
  @Test func addressesArePlannedImportedAndCopied() async throws {
    try await DescribedChangesTests.withPictures { sandbox, server in
      _ = await sandbox.run("plan new name=One price=5 \(DescribedChangesTests.two) to ~/new.plan")
      let applied = await sandbox.run("apply ~/new.plan yes unproven")
      try sandbox.writeFile("new.csv", "name,price,images\nTwo,6,\"https://a.example/1.jpg https://a.example/2.jpg\"\n")
      let imported = await sandbox.run("import ~/new.csv yes unproven")
      let copied = await sandbox.run("new from 13 name=Three yes unproven")
      let creates = server.requests.filter { $0.hasPrefix("POST ") }.map { $0.replacing("\\/", with: "/") }
      #expect(creates.count == 3, "\(applied)\(imported)\(copied)")
      for create in creates {
        #expect(create.contains("\"photos\":[\"https://a.example/1.jpg\",\"https://a.example/2.jpg\"]"), "\(create)")
      }
    }
  }

  /// An import doesn't change pictures of existing products, and says which ones differ; a row that has those of its product
  /// isn't named.
  @Test func picturesOfExistingProductsAreNamedByAnImport() async throws {
    try await DescribedChangesTests.withPictures { sandbox, server in
      for id in [3, 4] { _ = await sandbox.run("patch \(id) \(DescribedChangesTests.two) yes unproven") }
      let count = server.requests.count
      let (same, other) = ("https://a.example/1.jpg https://a.example/2.jpg", "https://a.example/3.jpg")
      try sandbox.writeFile("sheet.csv", "id,stock,images\n3,5,\(same)\n4,6,\(other)\n")
      let said = await sandbox.run("import ~/sheet.csv yes unproven")
      #expect(said.contains("The images of 1 product differ from the file."), "\(said)")
      #expect(said.contains("reason: product 4\n") && said.contains("`patch 4 images=URL`"), "\(said)")
      let updates = server.requests.dropFirst(count).filter { $0.hasPrefix("PATCH ") }
      #expect(updates.count == 2 && updates.allSatisfy { !$0.contains("photos") }, "\(updates)")
    }
  }

  /// A folder has files of pictures: those that a file states anew are refused before anything is sent.
  @Test(
    arguments: [
      ("images = \"/photos\"", true, "takes addresses of images, and a folder has files"),
      ("images = { at = \"/photos\", writable = false }", false, "takes no images"),
    ])
  func picturesOfAFolderAreRefused(_ images: String, _ isWritable: Bool, _ expected: String) async throws {
    try await DescribedChangesTests.withPictures(images) { sandbox, server in
      let pulled = await sandbox.run("pull ~/shelf 3,4")
      #expect(!pulled.contains("error"), "\(pulled)")
      let folder = sandbox.folder + "/shelf/products/"
      let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      let first = try String(contentsOfFile: folder + names[0], encoding: .utf8)
      let changed = first.replacing(#/images = (\[\]|\[[^\]]*\])\n/#, with: "")
      let line = "images = [\"https://a.example/1.jpg\"]\n"
      for (name, text) in [(names[0], changed + line), ("new.toml", "name = \"Cup\"\nprice = 5\n" + line)] {
        try sandbox.writeFile("shelf/products/" + name, text)
        let said = await sandbox.run("push ~/shelf yes unproven")
        #expect(said.contains("products/\(name)") && said.contains(expected), "\(said)")
        #expect(said.contains("Nothing was sent or changed.") && said.hasSuffix("= 2\n"), "\(said)")
        try sandbox.writeFile("shelf/products/" + name, name == "new.toml" ? "name = \"Cup\"\nprice = 5\n" : first)
      }
      #expect(server.requests.allSatisfy { $0.hasPrefix("GET ") })
      // Without pictures, both are pushed.
      try sandbox.writeFile("shelf/products/" + names[0], first.replacing(#/stock = \d+/#, with: "stock = 10"))
      let pushed = await sandbox.run("push ~/shelf yes unproven")
      #expect(server.requests.count { $0.hasPrefix("POST ") } == 1, "\(pushed)")
      #expect(server.requests.last { $0.hasPrefix("PATCH ") }?.contains("\"quantity\":10") == true, "\(pushed)")
    }
  }

  /// A copy from another market has the addresses of its pictures, which a second copy compares.
  @Test func copyToADescribedMarketHasAddresses() async throws {
    let market = KeepingMarket()
    let text = market.description.replacing("[fields]\n", with: "[fields]\nimages = \"/photos\"\n")
      .replacing("USD", with: "KRW")
    try await DescribedChangesTests.with(market, description: text) { sandbox, server in
      try sandbox.writeFile("shop.toml", text)
      _ = await sandbox.run("profile add shop url=\(server.url.absoluteString) api=~/shop.toml")
      _ = await sandbox.run("profile demo")
      _ = await sandbox.run("show 138")
      let urls = try #require(try await sandbox.product(138)?.images).map(\.url)
      let copied = await sandbox.run("copy 138 to shop yes unproven")
      let create = try #require(server.requests.last { $0.hasPrefix("POST ") }, "\(copied)").replacing("\\/", with: "/")
      let list = urls.map { "\"\($0)\"" }.joined(separator: ",")
      #expect(create.contains("\"photos\":[\(list)]"), "\(create)\(copied)")
      #expect(await sandbox.run("copy 138 to shop yes unproven").contains("Nothing to copy."))
      // A picture that can't be read isn't replaced without a word.
      _ = await sandbox.run("profile shop")
      _ = await sandbox.run("patch 13 images=\(server.url.absoluteString)/1.jpg yes unproven")
      _ = await sandbox.run("profile demo")
      let count = server.requests.count
      let again = await sandbox.run("copy 138 to shop yes unproven")
      #expect(again.contains("product 138: its images could not be compared"), "\(again)")
      #expect(server.requests.dropFirst(count).allSatisfy { $0.hasPrefix("GET ") })
    }
  }

  /// What a market doesn't take of a copy is said before it is sent; an amount isn't copied as one of another currency.
  @Test(
    arguments: [
      ("KRW", "product 138: its images are not copied, because shop takes none", true),
      ("USD", "product 138 is not copied: it costs ₩19,000, and the prices of shop are in USD", false),
    ])
  func whatADescribedMarketDoesNotTakeIsSaid(_ currency: String, _ expected: String, _ isCopied: Bool) async throws {
    let market = KeepingMarket()
    let text = market.description.replacing("USD", with: currency)
    try await DescribedChangesTests.with(market, description: text) { sandbox, server in
      try sandbox.writeFile("shop.toml", text)
      _ = await sandbox.run("profile add shop url=\(server.url.absoluteString) api=~/shop.toml")
      _ = await sandbox.run("profile demo")
      let said = await sandbox.run("copy 138 to shop yes unproven")
      #expect(said.contains(expected), "\(said)")
      #expect(server.requests.count { $0.hasPrefix("POST ") } == (isCopied ? 1 : 0))
      #expect(isCopied ? !said.contains("\n= ") : said.hasSuffix("= 7\n"), "\(said)")
    }
  }

  /// A file is refused, and so is an address where the file of the market doesn't make pictures writable.
  @Test(
    arguments: [
      ("new name=Cup price=5 images=cup.png yes unproven", true, "takes addresses of images, and cup.png is none", 2),
      ("patch 3 images=~/cup.png yes unproven", true, "takes addresses of images, and ~/cup.png is none", 2),
      ("patch 3 images=ftp://a.example/1.jpg yes unproven", true, "takes addresses of images", 2),
      ("import ~/files.csv yes unproven", true, "takes addresses of images, and cup.png is none", 2),
      ("patch 3 \(two) yes unproven", false, "does not make the field images writable", 4),
      ("new name=Cup price=5 \(two) yes unproven", false, "does not make the field images writable", 4),
    ] as [(String, Bool, String, Int)])
  func filesAreRefused(_ line: String, _ isWritable: Bool, _ expected: String, _ status: Int) async throws {
    let images = "images = { at = \"/photos\", writable = \(isWritable) }"
    try await DescribedChangesTests.withPictures(images) { sandbox, server in
      try sandbox.writePictures()
      try sandbox.writeFile("files.csv", "name,price,images\nTwo,6,cup.png\n")
      let said = await sandbox.run(line)
      #expect(said.contains(expected) && said.hasSuffix("= \(status)\n"), "\(said)")
      #expect(server.requests.allSatisfy { $0.hasPrefix("GET ") })
    }
  }

  /// The form asks for the fields that the file makes writable, and only its required ones can't be left empty.
  @Test(
    arguments: [
      ("", ["Stone lamp", "", "7.50", "", "y"], ["\"title\":\"Stone lamp\"", "\"price\":\"7.5\""]),
      (
        "images = \"/photos\"", ["Stone lamp", "", "7.50", "", "lamp.png", "https://a.example/1.jpg", "y"],
        ["\"photos\":[\"https://a.example/1.jpg\"]"]
      ),
    ] as [(String, [String], [String])])
  func formAsksForWhatTheFileDescribes(_ images: String, _ answers: [String], _ expected: [String]) async throws {
    let market = KeepingMarket()
    let server = try await market.start()
    let path = NSTemporaryDirectory() + "openmarket-described-\(UUID().uuidString).toml"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let text = market.description.replacing("[fields]\n", with: "[fields]\n\(images)\n")
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    var options = SessionOptions()
    (options.url, options.description) = (server.url.absoluteString, path)
    try await Sandbox.with(asker: ScriptedAsker(answers), options: options) { sandbox in
      let said = await sandbox.run("new")
      #expect(said.contains("Created product 13."), "\(said)")
      let create = try #require(server.requests.last { $0.hasPrefix("POST ") }, "\(said)").replacing("\\/", with: "/")
      for part in expected { #expect(create.contains(part), "\(create)") }
      #expect(!create.contains("quantity") && !create.contains("\"text\""), "\(create)")
    }
    await server.stop()
  }

  /// What the file can't set isn't copied.
  @Test func copyLeavesOutWhatCannotBeSet() async throws {
    let market = KeepingMarket()
    let text = market.description.replacing(
      "stock = \"/offers/0/quantity\"", with: "stock = { at = \"/offers/0/quantity\", writable = false }")
    try await DescribedChangesTests.with(market, description: text) { sandbox, server in
      let said = await sandbox.run("new from 3 yes unproven")
      #expect(said.contains("Created product 13."), "\(said)")
      #expect(server.requests.last { $0.hasPrefix("POST ") }?.contains("quantity") == false)
    }
  }

  /// A deleted product is created again from a snapshot, with the values that it has there.
  @Test func snapshotRestoresADeletedProduct() async throws {
    try await DescribedChangesTests.with(KeepingMarket()) { sandbox, server in
      for line in ["snapshot one", "rm 5 yes unproven"] { _ = await sandbox.run(line) }
      let said = await sandbox.run("restore 5 from one yes unproven")
      #expect(said.contains("Product 5 no longer exists. It will be recreated with a new ID."), "\(said)")
      #expect(said.contains("Created product 13."), "\(said)")
      let create = try #require(server.requests.last { $0.hasPrefix("POST ") })
      #expect(create.contains("\"title\":\"Oak chair 5\"") && create.contains("\"quantity\":15"), "\(create)")
    }
  }

  /// A file that another home imported is not imported a second time, whatever columns it lacks.
  @Test(
    arguments: [
      "name,description,price,stock\nLinen towel,Soft.,9.90,12\n", "name,price,stock\nLinen towel,9.90,12\n",
      "name,price\nLinen towel,9.90\n", "name\nLinen towel\n",
    ])
  func fileOfAnotherHomeIsRecognized(_ sheet: String) async throws {
    let market = KeepingMarket()
    let server = try await market.start()
    let path = NSTemporaryDirectory() + "openmarket-described-\(UUID().uuidString).toml"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try market.description.write(toFile: path, atomically: true, encoding: .utf8)
    var options = SessionOptions()
    (options.url, options.description) = (server.url.absoluteString, path)
    var said: [String] = []
    for _ in 0..<2 {
      try await Sandbox.with(options: options) { sandbox in
        try sandbox.writeFile("new.csv", sheet)
        said.append(await sandbox.run("import ~/new.csv yes unproven"))
      }
    }
    #expect(said[0].contains("Created product 13."), "\(said[0])")
    #expect(said[1].contains("1 of 1 new product is there already") && said[1].hasSuffix("= 4\n"), "\(said[1])")
    #expect(server.requests.count { $0.hasPrefix("POST ") } == 1)
    await server.stop()
  }

  // MARK: A file that was changed since

  /// Runs `body` in a shell that uses the profile `shop`, whose file is `~/shop.toml`.
  private static func withProfile(_ body: (Sandbox, TinyServer) async throws -> Void) async throws {
    let market = KeepingMarket()
    try await with(market) { sandbox, server in
      try sandbox.writeFile("shop.toml", market.description)
      for line in ["profile add shop url=\(server.url.absoluteString) api=~/shop.toml", "profile shop"] {
        let said = await sandbox.run(line)
        #expect(!said.contains("error"), "\(said)")
      }
      try await body(sandbox, server)
    }
  }

  /// Writes the file of the profile with an edit, and reads it again.
  private static func edit(_ sandbox: Sandbox, _ old: String, _ new: String) async throws {
    let text = KeepingMarket().description
    #expect(old.isEmpty || text.contains(old))
    try sandbox.writeFile("shop.toml", old.isEmpty ? text + new : text.replacing(old, with: new))
    _ = await sandbox.run("profile demo")
    _ = await sandbox.run("profile shop")
  }

  /// What was written is undone, and redone, only if the file means the same by it.
  @Test(
    arguments: [
      ("at = \"/offers/0/price\"", "at = \"/offers/0/net\"", "shop.toml describes price in another way now."),
      ("as = \"decimal-text\"", "as = \"minor-units\"", "shop.toml describes price in another way now."),
      ("id = \"/id\"", "id = { at = \"/offers/0/quantity\" }", "shop.toml describes id in another way now."),
      ("stock = \"/offers/0/quantity\"", "stock = \"/offers/0/left\"", nil), ("", "# A comment.", nil),
      ("method = \"PATCH\"", "method = \"PATCH\"\nheaders = { \"X-Shop\" = \"1\" }", nil),
    ] as [(String, String, String?)])
  func changedFileUndoesWhatMeansTheSame(_ old: String, _ new: String, _ expected: String?) async throws {
    try await DescribedChangesTests.withProfile { sandbox, server in
      _ = await sandbox.run("patch 3 price=15 yes unproven")
      try await DescribedChangesTests.edit(sandbox, old, new)
      let count = server.requests.count
      let undone = await sandbox.run("undo yes unproven")
      guard let expected else {
        #expect(undone.contains("price US$15.00 -> US$13.50"), "\(undone)")
        #expect(await sandbox.run("redo yes unproven").contains("price US$13.50 -> US$15.00"))
        return
      }
      #expect(undone.contains("The description was changed since log entry 1.") && undone.contains(expected))
      #expect(undone.hasSuffix("= 4\n"), "\(undone)")
      #expect(server.requests.dropFirst(count).allSatisfy { $0.hasPrefix("GET ") })
      // With the file of then it can be undone, and is redone with that alone.
      try await DescribedChangesTests.edit(sandbox, "", "")
      #expect(await sandbox.run("undo yes unproven").contains("price US$15.00 -> US$13.50"))
      try await DescribedChangesTests.edit(sandbox, old, new)
      let redone = await sandbox.run("redo yes unproven")
      #expect(redone.contains(expected) && redone.hasSuffix("= 4\n"), "\(redone)")
    }
  }

  /// What wasn't sent yet is sent only if the file means the same by it, and can be discarded otherwise.
  @Test(
    arguments: [
      ("\"/category\" = \"home\"", "\"/category\" = \"garden\"", "[create]"),
      ("mark = \"/ref\"", "mark = \"/code\"", "mark"),
      ("name = \"/title\"", "name = \"/headline\"", "name"),
      ("stock = \"/offers/0/quantity\"", "stock = \"/offers/0/left\"", nil), ("", "# A comment.", nil),
    ] as [(String, String, String?)])
  func changedFileResumesWhatMeansTheSame(_ old: String, _ new: String, _ parts: String?) async throws {
    try await DescribedChangesTests.withProfile { sandbox, server in
      _ = await sandbox.run("new name='Busy bell' price=5 yes unproven")
      try await DescribedChangesTests.edit(sandbox, old, new)
      let count = server.requests.count
      let resumed = await sandbox.run("resume yes unproven")
      let creates = server.requests.dropFirst(count).filter { $0.hasPrefix("POST ") }.count
      guard let parts else {
        #expect(creates == 1, "\(resumed)")
        return
      }
      #expect(resumed.contains("The description was changed since log entry 1. Nothing was sent."), "\(resumed)")
      #expect(resumed.contains("shop.toml describes \(parts) in another way now."), "\(resumed)")
      #expect(resumed.contains("Use the file as it was then, or run `resume forget 1` to discard the change."))
      #expect(resumed.hasSuffix("= 4\n") && creates == 0, "\(resumed)")
      #expect(await sandbox.run("resume forget 1 yes").contains("Discarded 1."))
      #expect(await sandbox.run("status").contains("No pending changes."))
    }
  }

  /// A proof is of the text of a file, and the question says that it is another one since.
  @Test func proofEndsWithTheTextOfTheFile() async throws {
    try await DescribedChangesTests.withProfile { sandbox, _ in
      #expect(await sandbox.run("patch 3 price=15 yes").contains("shop.toml was not proven at "))
      #expect(await sandbox.run("contract writes yes").contains("checks passed"))
      #expect(await sandbox.run("patch 3 price=15 yes").contains("Updated product 3."))
      try await DescribedChangesTests.edit(sandbox, "", "# A comment.")
      let said = await sandbox.run("patch 3 price=16 yes")
      #expect(said.contains("shop.toml was changed since it was proven at ") && said.hasSuffix("= 4\n"), "\(said)")
      try await DescribedChangesTests.edit(sandbox, "", "")
      #expect(await sandbox.run("patch 3 price=16 yes").contains("Updated product 3."))
    }
  }

  /// A pointer puts a value where RFC 6901 says, and makes what is missing around it.
  @Test(arguments: [
    ("/a", "{}", "{\"a\":1}"), ("/a/b", "{}", "{\"a\":{\"b\":1}}"), ("/a/0/b", "{}", "{\"a\":[{\"b\":1}]}"),
    ("/a/0/b", "{\"a\":[{\"c\":2}]}", "{\"a\":[{\"c\":2,\"b\":1}]}"), ("/a/1", "{\"a\":[2]}", "{\"a\":[2,1]}"),
    ("", "{}", "1"), ("/a/b", "{\"a\":2}", nil), ("/a/2", "{\"a\":[2]}", nil), ("/a/x", "{\"a\":[2]}", nil),
  ])
  func pointerSetsItsValue(_ pointer: String, _ document: String, _ expected: String?) throws {
    let document = try JSON(parsing: Data(document.utf8))
    #expect(try #require(JSONPointer(pointer)).setting(.int(1), in: document)?.serialized == expected)
  }

  /// A pointer removes a member and no element.
  @Test(arguments: [
    ("/a", "{\"a\":1,\"b\":2}", "{\"b\":2}"), ("/a/0/b", "{\"a\":[{\"b\":1,\"c\":2}]}", "{\"a\":[{\"c\":2}]}"),
    ("/a/0", "{\"a\":[1]}", "{\"a\":[1]}"), ("/x/y", "{\"a\":1}", "{\"a\":1}"),
  ])
  func pointerRemovesItsMember(_ pointer: String, _ document: String, _ expected: String) throws {
    let document = try JSON(parsing: Data(document.utf8))
    #expect(try #require(JSONPointer(pointer)).removing(from: document).serialized == expected)
  }
}
