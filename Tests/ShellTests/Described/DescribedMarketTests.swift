import Catalog
import Foundation
import MarketAPI
import Networking
import ServerTesting
import Shell
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

/// Markets that a file describes, over HTTP.
@Suite(.timeLimit(Trial.limit)) struct DescribedMarketTests {
  /// The folder of the descriptions that come with the program.
  static let examples: String = {
    var place = URL(filePath: #filePath)
    for _ in 0..<4 { place.deleteLastPathComponent() }
    return place.path + "/Examples/markets"
  }()

  static let names = ((try? FileManager.default.contentsOfDirectory(atPath: examples)) ?? [])
    .filter { $0.hasSuffix(".toml") }.sorted()

  static func text(_ name: String) throws -> String {
    try String(contentsOfFile: examples + "/" + name, encoding: .utf8)
  }

  /// A description of a list whose pages are linked.
  static let linked = """
    format = 1
    name = "linked"
    id = "/id"
    [auth]
    type = "http"
    scheme = "bearer"
    [list]
    path = "/products"
    order = "newest-first"
    [list.page]
    type = "link"
    limit = "per_page"
    size = 10
    [read]
    path = "/products/{id}"
    [fields]
    name = "/name"
    price = "/price"
    stock = "/stock"

    """

  /// Runs `body` in a shell at a market that a file describes.
  static func with(
    _ market: PracticeMarket, description: String? = nil, environment: [String: String] = [:],
    _ body: (Sandbox, TinyServer) async throws -> Void
  ) async throws {
    let description = try description ?? text(market.shape.rawValue + ".toml")
    let server = try await market.start()
    try await DescribedServer.with(server, description: description, environment: environment) {
      try await body($0, server)
    }
  }

  /// Lists, pages, single products, searches, conditions, export, chart, snapshots and refusals.
  @Test(arguments: [PracticeMarket.Shape.dummyjson, .fakestore, .platzi, .datasette, .jsonServer])
  func transcriptOfEachShape(_ shape: PracticeMarket.Shape) async throws {
    try await DescribedMarketTests.with(PracticeMarket(shape: shape)) { sandbox, _ in
      try await Transcript("Described/" + shape.rawValue).check(in: sandbox)
    }
  }

  /// Every page of a linked list is read once and in its order.
  @Test func linkedPagesAreFollowed() async throws {
    try await DescribedMarketTests.with(PracticeMarket(shape: .linked), description: DescribedMarketTests.linked) {
      sandbox, server in
      let ids = await sandbox.exactly("ls where id>0 columns id as csv")
      let expected = (1...25).reversed().map { "\($0)\n" }.joined()
      #expect(ids.hasSuffix("id\n" + expected))
      let targets = server.requests.map { String($0.split(separator: " ")[1]) }
      #expect(targets.first == "/products?per_page=100")
    }
  }

  /// A page is found by following the links before it.
  @Test func laterPageOfLinkedListIsReadInSequence() async throws {
    try await DescribedMarketTests.with(PracticeMarket(shape: .linked), description: DescribedMarketTests.linked) {
      sandbox, server in
      let ids = await sandbox.exactly("ls page 3 size 10 columns id as csv")
      #expect(ids == "id\n5\n4\n3\n2\n1\n")
      #expect(server.requests.count == 3)
    }
  }

  /// A description of the edition `open`.
  private static let open = """
    format = 1
    name = "own"
    base = "/api"
    id = "/id"
    [list]
    path = "/products"
    records = "/pages"
    order = "newest-first"
    [list.page]
    type = "page"
    page = "page_no"
    limit = "items_per_page"
    max-size = 100
    total = "/totalCount"
    [read]
    path = "/products/{id}"
    [fields]
    name = "/name"
    description = "/description"
    price = "/price"
    discount = "/discounted_price"
    currency = "/currency"
    stock = "/stock"
    vendor_id = "/vendor_id"
    created = "/created_at"
    modified = "/issued_at"
    thumbnail = "/thumbnail"
    images = { at = "/images", each = "/url", in-list = false }

    """

  /// The built-in market read as a file describes it has the products that its own codec reads.
  @Test func describedEditionIsReadAsTheBuiltIn() async throws {
    try await Sandbox.with { sandbox in
      let description = try DescriptionReader.read(DescribedMarketTests.open, named: "own.toml")
      try sandbox.writeFile("own.toml", DescribedMarketTests.open)
      var options = SessionOptions()
      options.url = sandbox.url.absoluteString
      options.description = "~/own.toml"
      #expect(try sandbox.reopened(options).server.dialect?.value == Dialect(description))
      let context = await sandbox.shell.context
      func products(_ dialect: Dialect) async throws -> [String] {
        let client = Client(MarketService(sandbox.url, dialect: dialect), through: context.network.transport)
        let (products, result) = try await ProductScan(client).collect()
        #expect(result.isComplete && result.total == products.count)
        let fields: [ProductField] = [
          .id, .name, .description, .price, .discount, .sale, .currency, .stock, .vendorID, .created, .modified,
          .thumbnail,
        ]
        return products.map { product in fields.map { product.text(of: $0) ?? "-" }.joined(separator: " | ") }
      }
      let (described, builtIn) = (try await products(Dialect(description)), try await products(Dialect(.open)))
      #expect(described.count > 100)
      for (one, other) in zip(described, builtIn) { #expect(one == other) }
      #expect(described.count == builtIn.count)
    }
  }

  /// A description that is derived from two responses of a market reads all of it.
  @Test(arguments: [PracticeMarket.Shape.dummyjson, .fakestore])
  func descriptionOfSavedResponsesReadsTheMarket(_ shape: PracticeMarket.Shape) async throws {
    try await DescribedMarketTests.with(PracticeMarket(shape: shape)) { sandbox, server in
      let shown = "name,price\nTea pot 3,26.5\n"
      #expect(await sandbox.data("show 3 name price as csv").data == shown)
      _ = await sandbox.run("get /products to ~/page.json")
      _ = await sandbox.run("get /products/3 to ~/product.json")
      let derived = await sandbox.run("api from ~/page.json ~/product.json to ~/derived.toml")
      _ = await sandbox.run("profile add derived url=\(server.url) api=~/derived.toml")
      _ = await sandbox.run("profile derived")
      let ids = await sandbox.data("ls where id>0 sort id columns id as csv").data
      #expect(ids.hasPrefix("id\n" + (1...25).map { "\($0)\n" }.joined()), "\(derived) \(ids)")
      #expect(await sandbox.data("show 3 name price as csv").data == shown, "\(derived)")
      // A guess about money is one of DummyJSON's discounts; saved responses describe no changes.
      let refused = await sandbox.run("patch 3 price=5 yes unproven")
      let reason = shape == .dummyjson ? "has the comment `# CHECK`" : "has no table `[update]`"
      #expect(refused.contains(reason) && refused.hasSuffix("= 4\n"), "\(refused)")
    }
  }

  // MARK: Secrets

  /// The secret goes where the file says, once, and is shown nowhere.
  @Test(arguments: [
    ("type = \"http\"\nscheme = \"bearer\"", "Authorization: Bearer s3cr3t-t0ken"),
    ("type = \"http\"\nscheme = \"basic\"", "Authorization: Basic bWU6czNjcjN0LXQwa2Vu"),
    ("type = \"apiKey\"\nin = \"header\"\nname = \"X-Auth-Token\"", "X-Auth-Token: s3cr3t-t0ken"),
    (
      "type = \"apiKey\"\nin = \"header\"\nname = \"Authorization\"\nprefix = \"Token \"",
      "Authorization: Token s3cr3t-t0ken"
    ),
    ("type = \"apiKey\"\nin = \"query\"\nname = \"key\"", "&key=s3cr3t-t0ken "),
    ("type = \"none\"", ""),
  ])
  func secretGoesWhereTheFileSays(_ auth: String, _ expected: String) async throws {
    let description = DescribedMarketTests.linked
      .replacing("type = \"http\"\nscheme = \"bearer\"", with: auth)
      .replacing("type = \"link\"", with: "type = \"page\"\npage = \"page\"")
    try await DescribedMarketTests.with(
      PracticeMarket(shape: .linked), description: description,
      environment: ["OPENMARKET_SECRET": "s3cr3t-t0ken", "OPENMARKET_IDENTIFIER": "me"]
    ) { sandbox, server in
      var shown = await sandbox.run("ls")
      shown += await sandbox.run("curl ls")
      shown += await sandbox.run("trace show 3")
      shown += await sandbox.run("calls show")
      let sent = server.requests.joined()
      let spelled = ["s3cr3t-t0ken", "bWU6czNjcjN0LXQwa2Vu"]
      #expect(spelled.allSatisfy { !shown.contains($0) }, "\(shown)")
      #expect(expected.isEmpty ? spelled.allSatisfy { !sent.contains($0) } : sent.contains(expected), "\(sent)")
      for request in server.requests where !expected.isEmpty {
        #expect(spelled.map { request.ranges(of: $0).count }.reduce(0, +) == 1, "\(request)")
      }
    }
  }

  /// Without a login a request has no credentials, and the refusal of a market that wants some says to log in.
  @Test func missingLoginIsNamed() async throws {
    let market = PracticeMarket(shape: .linked, needsLogin: true)
    try await DescribedMarketTests.with(market, description: DescribedMarketTests.linked) { sandbox, _ in
      let said = await sandbox.run("ls")
      #expect(said.contains("Status 401") && said.contains("Run `login` to set the secret."), "\(said)")
    }
  }

  /// A link to another server, or out of the API, is not followed, and the secret isn't sent there.
  @Test(arguments: [
    "http://127.0.0.1:PORT/products?page=2", "//127.0.0.1:PORT/products?page=2", "/../admin", "/%2e%2e/admin",
  ])
  func foreignLinkIsNotFollowed(_ link: String) async throws {
    let other = try await PracticeMarket(shape: .linked).start()
    let link = link.replacing("PORT", with: String(other.port))
    let description = DescribedMarketTests.linked.replacing("id = \"/id\"", with: "id = \"/id\"\nbase = \"/products\"")
      .replacing("path = \"/products\"", with: "path = \"/\"").replacing("/products/{id}", with: "/{id}")
    try await DescribedMarketTests.with(
      PracticeMarket(shape: .linked, foreignLink: link), description: description,
      environment: ["OPENMARKET_SECRET": "s3cr3t-t0ken"]
    ) { sandbox, server in
      let said = await sandbox.run("ls size 10")
      #expect(said.contains("The next page is on another server or outside of the API"), "\(said)")
      #expect(server.requests.count == 1 && other.requests.isEmpty)
    }
    await other.stop()
  }

  /// A redirection to another server is not followed: neither the secret nor a change is sent there.
  @Test(arguments: [("GET", "ls"), ("GET", "show 3"), ("PATCH", "raw PATCH /api/items/3 '{\"title\":\"Cup\"}' yes")])
  func redirectionIsNotFollowed(_ method: String, _ line: String) async throws {
    let other = try await KeepingMarket().start()
    let market = KeepingMarket()
    let target = "\(other.url.absoluteString)/api/items"
    let server = try await TinyServer { _, request in
      guard request.hasPrefix(method + " ") else { return market.answer(request) }
      return .say(
        "HTTP/1.1 307 Temporary Redirect\r\nLocation: \(target)\r\nContent-Length: 2\r\nContent-Type: application/json\r\n\r\n{}"
      )
    }
    let description = market.description.replacing(
      "[list]", with: "[auth]\ntype = \"http\"\nscheme = \"bearer\"\n\n[list]")
    try await DescribedServer.with(
      server, description: description, environment: ["OPENMARKET_SECRET": "s3cr3t-t0ken"]
    ) { sandbox in
      let said = await sandbox.run(line)
      #expect(said.contains("307") && !said.contains("s3cr3t-t0ken"), "\(said)")
      let sent = server.requests.filter { $0.hasPrefix(method + " ") }
      #expect(!sent.isEmpty && (method != "GET" || sent[0].contains("Bearer s3cr3t-t0ken")), "\(sent)")
      #expect(other.requests.isEmpty)
    }
    await other.stop()
  }

  /// A secret in the query is in the logs of servers and proxies, which `api check` says.
  @Test func secretInTheQueryIsWarnedAbout() async throws {
    try await Sandbox.with { sandbox in
      let query = "type = \"apiKey\"\nin = \"query\"\nname = \"key\""
      for (auth, isWarned) in [(query, true), ("type = \"http\"\nscheme = \"bearer\"", false)] {
        try sandbox.writeFile(
          "shop.toml",
          DescribedMarketTests.linked.replacing("type = \"http\"\nscheme = \"bearer\"", with: auth)
            .replacing("type = \"link\"", with: "type = \"page\"\npage = \"page\""))
        let said = await sandbox.run("api check ~/shop.toml")
        #expect(said.contains("The secret is a part of the URL, which servers and proxies log.") == isWarned, "\(said)")
      }
    }
  }

  /// A place of the file that the response lacks is an error, and never an empty list.
  @Test(arguments: [
    ("records = \"/products\"", "records = \"/items\"", "The response has no list at /items."),
    ("total = \"/total\"", "total = \"/count\"", "The response has no /count."),
    ("total = \"/total\"", "total = \"$response.header.X-Total\"", "The response has no $response.header.X-Total."),
  ])
  func missingPlaceIsAnError(_ old: String, _ new: String, _ expected: String) async throws {
    let text = try DescribedMarketTests.text("dummyjson.toml").replacing(old, with: new)
    try await DescribedMarketTests.with(PracticeMarket(shape: .dummyjson), description: text) { sandbox, _ in
      let said = await sandbox.run("ls")
      #expect(said.contains(expected) && said.hasSuffix("= 1\n"), "\(said)")
    }
  }

  /// A server that sends fewer rows than were requested loses none of them: the file is wrong.
  @Test func cappedPagesAreAnError() async throws {
    try await DescribedMarketTests.with(PracticeMarket(shape: .platzi, cap: 10)) { sandbox, _ in
      let said = await sandbox.run("ls where id>0")
      #expect(said.contains("The server sends 10 rows where 100 were requested."), "\(said)")
    }
  }

  /// A description needs the URL of a server: the built-in market is none that a file describes.
  @Test func descriptionWithoutURLIsRefused() async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writeFile("shop.toml", DescribedMarketTests.linked)
      var options = SessionOptions()
      options.description = "~/shop.toml"
      #expect(throws: CommandError.self) { try sandbox.reopened(options) }
      options.url = "https://shop.example"
      #expect(try sandbox.reopened(options).server.dialect?.value.name == "linked")
      let added = await sandbox.run("profile add shop url=https://shop.example api=~/shop.toml")
      #expect(!added.contains("= "), "\(added)")
      options = SessionOptions()
      options.profile = "shop"
      #expect(try sandbox.reopened(options).server.dialect?.value.name == "linked")
    }
  }
}
