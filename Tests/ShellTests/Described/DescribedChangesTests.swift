import Foundation
import MarketAPI
import Networking
import ServerTesting
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
      #expect(changed.contains("✓") || changed.contains("Updated 3"), "\(changed)")
      #expect(
        await sandbox.data("show 3 description,price,stock as csv").data == "description,price,stock\nOld,9.5,4\n")
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
