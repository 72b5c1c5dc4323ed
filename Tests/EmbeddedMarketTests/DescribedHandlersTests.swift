import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EmbeddedMarket

/// The requests to an API that a file describes, which come from unknown clients.
@Suite(.serialized, .timeLimit(Trial.limit)) struct DescribedHandlersTests {
  /// Returns the pointer of a text.
  private static func at(_ text: String) -> WirePointer {
    WirePointer(text.split(separator: "/").map(String.init))
  }

  /// An API that differs from all known ones: nested members, prices in minor units, times in seconds.
  private static var shop: ServedDescription {
    var list = ServedDescription.List(path: ["shop", "items"])
    list.records = at("/data/items")
    list.isNewestFirst = true
    list.page.kind = .page
    list.page.parameter = "page"
    list.page.limit = "size"
    list.page.size = 4
    list.page.maximumSize = 6
    list.page.total = .body(at("/data/total"))
    list.search = .init(parameter: "text")
    var read = ServedDescription.Call(["GET"], ["shop", "items", "{id}"])
    read.record = at("/item")
    var shop = ServedDescription(name: "shop", file: "shop.toml", id: at("/key"), list: list, read: read)
    shop.fields = [
      .name: .init(at: at("/name"), .text), .description: .init(at: at("/info/text"), .text),
      .price: .init(at: at("/offers/0/price"), .minorUnits), .stock: .init(at: at("/offers/0/quantity"), .integer),
      .currency: .init(at: at("/offers/0/currency"), .text), .created: .init(at: at("/created"), .seconds),
      .vendor: .init(at: at("/maker"), .text),
    ]
    var create = ServedDescription.Call(["POST"], ["shop", "items"])
    (create.body, create.record, create.mark, create.required) = (
      at("/item"), at("/item"), at("/ref"), [.name, .price]
    )
    shop.create = create
    var update = ServedDescription.Call(["PATCH", "PUT"], ["shop", "items", "{id}"])
    (update.body, update.record, update.along) = (at("/item"), at("/item"), [at("/offers/0/sku")])
    shop.update = update
    shop.delete = ServedDescription.Call(["DELETE"], ["shop", "items", "{id}"])
    shop.deleteResponse = .nothing
    shop.createValues = [.init(.body(at("/offers/0/sku")), json: "\"{operation}\"")]
    shop.extra = [.init(.body(at("/rating")), json: "4.5"), .init(.body(at("/slug")), json: "\"item-{id}\"")]
    shop.messages = [at("/errors/0/text")]
    return shop
  }

  /// Runs `body` with a market that speaks the API, which is empty at first.
  private static func with(
    _ api: ServedDescription = shop, in directory: String? = nil, faults: FaultPlan = FaultPlan(),
    adjust: (inout MarketOptions) -> Void = { _ in }, log: (@Sendable (String) -> Void)? = nil,
    _ body: (Market) async throws -> Void
  ) async throws {
    let folder = directory ?? NSTemporaryDirectory() + "market-" + UUID().uuidString
    defer { if directory == nil { try? FileManager.default.removeItem(atPath: folder) } }
    try await Market.with(
      in: folder, faults: faults,
      adjust: { options in
        options.api = .described(api)
        adjust(&options)
      }, log: log, body)
  }

  private static func send(
    _ market: Market, _ method: String, _ path: String, _ text: String = "", headers: [String] = []
  ) async throws -> Conversation.Answer {
    try await market.ask(method, path, headers: headers, body: Data(text.utf8))
  }

  private static let lamp =
    #"{"item":{"name":"Lamp","offers":[{"price":1250,"quantity":3,"currency":"USD"}],"color":"red"}}"#
  /// The lamp as it is read, whose sample members and sku the server adds.
  private static let madeLamp =
    #"{"item":{"key":1,"name":"Lamp","info":{"text":""},"offers":[{"price":1250,"currency":"USD","quantity":3,"sku":"openmarket-1"}],"maker":"구름상점","created":1679540400,"rating":4.5,"ref":"openmarket-1","slug":"item-1","color":"red"}}"#

  // MARK: Requests

  /// Create, read, update, list, search and delete, with every byte of the responses.
  @Test func productHasItsMembersAtTheirPlaces() async throws {
    try await Self.with { market in
      #expect(try await Self.send(market, "POST", "/shop/items", Self.lamp).line == "201 " + Self.madeLamp)
      #expect(try await market.get("/shop/items/1").line == "200 " + Self.madeLamp)
      let change = #"{"item":{"info":{"text":"New"},"offers":[{"price":999,"sku":"s"}],"tags":["a"]}}"#
      let changed = Self.madeLamp.replacing(#""text":"""#, with: #""text":"New""#)
        .replacing("1250", with: "999").replacing(#""sku":"openmarket-1""#, with: #""sku":"s""#)
        .replacing(#""color":"red""#, with: #""color":"red","tags":["a"]"#)
      for method in ["PATCH", "PUT"] {
        #expect(try await Self.send(market, method, "/shop/items/1", change).line == "200 " + changed)
      }
      let row = changed.dropFirst(#"{"item":"#.utf8.count).dropLast()
      for path in ["/shop/items", "/shop/items?text=LAM", "/shop/items/?page=1&size=0"] {
        #expect(try await market.get(path).line == "200 {\"data\":{\"items\":[\(row)],\"total\":1}}")
      }
      #expect(try await market.get("/shop/items?text=chair").line == #"200 {"data":{"items":[],"total":0}}"#)
      let deleted = try await Self.send(market, "DELETE", "/shop/items/1")
      #expect(deleted.line == "204 ")
      #expect(
        try await market.get("/shop/items/1").line == #"404 {"errors":[{"text":"Product with id '1' not found"}]}"#)
      let (list, head) = (try await market.get("/shop/items"), try await Self.send(market, "HEAD", "/shop/items"))
      #expect(head.status == 200 && head.headers["content-length"] == String(list.body.count), "\(head)")
      let effects = try await market.server.auditLog().map(\.kind)
      #expect(effects == [.create, .edit, .edit, .delete])
    }
  }

  /// A client may name the members that it wants of a product; the id is always there, and a write returns all.
  @Test func requestNamesTheMembersItWants() async throws {
    var api = Self.shop
    api.select = "select"
    try await Self.with(api) { market in
      let made = try await Self.send(market, "POST", "/shop/items?select=name", Self.lamp)
      #expect(made.line == "201 " + Self.madeLamp)
      for (query, members) in [
        ("select=name,rating", #""key":1,"name":"Lamp","rating":4.5"#),
        ("select=%20name%20,nothing", #""key":1,"name":"Lamp""#),
        ("select=,", #""key":1"#),
      ] {
        #expect(try await market.get("/shop/items/1?" + query).line == "200 {\"item\":{\(members)}}")
        #expect(
          try await market.get("/shop/items?" + query).line == "200 {\"data\":{\"items\":[{\(members)}],\"total\":1}}")
      }
      for query in ["", "?select=", "?other=name"] {
        #expect(try await market.get("/shop/items/1" + query).line == "200 " + Self.madeLamp)
      }
    }
  }

  /// A body that can't be used is refused, and nothing is stored.
  @Test(
    arguments: [
      ("", "The body is not JSON: Unexpected end-of-input at byte 0"), ("{}", "/item must be an object"),
      (#"{"item":[]}"#, "/item must be an object"), (#"{"item":{}} x"#, "at byte 12"),
      (#"{"item":{"offers":[{"price":1}]}}"#, "/name is missing"),
      (#"{"item":{"name":"A"}}"#, "/offers/0/price is missing"),
      (#"{"item":{"name":7,"offers":[{"price":1}]}}"#, "/name must be a text"),
      (#"{"item":{"name":"A\u0000","offers":[{"price":1}]}}"#, "must not contain the character U+0000"),
      (#"{"item":{"name":"A","offers":[{"price":1.5}]}}"#, "/offers/0/price must be a whole number"),
      (#"{"item":{"name":"A","offers":[{"price":-1}]}}"#, "/offers/0/price must not be negative"),
      (#"{"item":{"name":"A","offers":[{"price":1e30}]}}"#, "/offers/0/price must be a whole number"),
      (#"{"item":{"name":"A","offers":[{"price":99999999999999999999}]}}"#, "/offers/0/price must be a whole number"),
      (#"{"item":{"name":"A","offers":[{"price":1,"quantity":"3"}]}}"#, "/offers/0/quantity must be a whole number"),
      (#"{"item":{"name":"A","offers":[{"price":1},{"price":2}]}}"#, "/offers must have one element"),
      (#"{"item":{"name":"A","offers":[{"price":1}],"rating":"good"}}"#, "/rating must be a number"),
      (
        #"{"item":{"name":"A","offers":[{"price":1}],"rating":1e999}}"#, "/rating must be a number of at most 34 digits"
      ),
      (#"{"item":{"name":"A","offers":[{"price":1}],"maker":["x"]}}"#, "/maker must be a text"),
      (#"{"item":{"name":"A","offers":[{"price":1}],"slug":{"x":1}}}"#, "/slug must be a text"),
    ])
  func unusableBodyIsRefused(_ body: String, _ reason: String) async throws {
    try await Self.with { market in
      let answer = try await Self.send(market, "POST", "/shop/items", body)
      #expect(answer.status == 400 && answer.text.contains(reason), "\(answer.line)")
      #expect(try await market.get("/shop/items").text.contains("\"total\":0"))
    }
  }

  /// Bodies that are too large, too deep or have too many values, alone or one after the other.
  @Test func largeBodiesAreRefused() async throws {
    try await Self.with { market in
      func create(_ members: String) async throws -> Conversation.Answer {
        try await Self.send(market, "POST", "/shop/items", #"{"item":{"name":"A","offers":[{"price":1}],\#(members)}}"#)
      }
      #expect(try await create("\"x\":\"" + String(repeating: "a", count: 70_000) + "\"").status == 413)
      let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
      #expect(try await create("\"x\":" + deep).text.contains("Nested too deeply"))
      #expect(
        try await create("\"x\":[" + String(repeating: "1,", count: 1000) + "1]").text.contains("Too many values"))
      #expect(try await create("\"x\":1").status == 201)
      var statuses: [Int] = []
      for name in ["a", "b", "c"] {
        let text = String(repeating: "a", count: 30_000)
        let body = #"{"item":{"\#(name)":"\#(text)"}}"#
        statuses.append(try await Self.send(market, "PATCH", "/shop/items/1", body).status)
      }
      #expect(statuses == [200, 200, 413])
    }
  }

  /// An address that names no product, and a method that the API lacks.
  @Test(arguments: [
    ("GET", "/shop/items/x", 404), ("GET", "/shop/items/99999999999999999999", 404), ("GET", "/shop/items/-1", 404),
    ("GET", "/shop/items/1%00", 400), ("PATCH", "/shop/items/9", 404), ("DELETE", "/shop/items/9", 404),
    ("DELETE", "/shop/items", 405), ("POST", "/shop/items/1", 405), ("GET", "/shop", 404),
    ("GET", "/shop/items?page=0", 400), ("GET", "/shop/items?page=x", 400), ("GET", "/shop/items?size=-1", 400),
    ("GET", "/shop/items?page=9223372036854775807&size=6", 200), ("GET", "/shop/items?page=99999999999999999999", 400),
  ])
  func addressIsChecked(_ method: String, _ path: String, _ status: Int) async throws {
    try await Self.with { market in
      let body = method == "PATCH" ? #"{"item":{"name":"A"}}"# : ""
      let answer = try await Self.send(market, method, path, body)
      #expect(answer.status == status, "\(answer.line)")
      if status == 405 { #expect(answer.headers["allow"]?.isEmpty == false) }
    }
  }

  /// A change needs the members that go along, and a member that no two products have is refused the second time.
  @Test func membersOfTheDescriptionAreEnforced() async throws {
    try await Self.with { market in
      _ = try await Self.send(market, "POST", "/shop/items", Self.lamp)
      let lacking = try await Self.send(market, "PATCH", "/shop/items/1", #"{"item":{"offers":[{"price":5}]}}"#)
      #expect(lacking.status == 400 && lacking.text.contains("/offers/0/sku is missing"), "\(lacking.line)")
      #expect(try await Self.send(market, "PATCH", "/shop/items/1", #"{"item":{"name":"B"}}"#).status == 200)
      let marked = #"{"item":{"name":"C","offers":[{"price":1}],"ref":"r1"}}"#
      #expect(try await Self.send(market, "POST", "/shop/items", marked).status == 201)
      let second = try await Self.send(market, "POST", "/shop/items", marked)
      #expect(second.status == 409 && second.text.contains("/ref is that of another product"), "\(second.line)")
      #expect(try await Self.send(market, "DELETE", "/shop/items/2").status == 204)
      #expect(try await Self.send(market, "POST", "/shop/items", marked).status == 201)
    }
  }

  /// The state of a product that a request names is compared in the transaction of the change.
  @Test func preconditionIsCompared() async throws {
    var api = Self.shop
    api.update?.usesETag = true
    api.delete?.usesETag = true
    try await Self.with(api) { market in
      let created = try await Self.send(market, "POST", "/shop/items", Self.lamp)
      let first = try #require(created.headers["etag"])
      #expect(try await market.get("/shop/items/1").headers["etag"] == first)
      func change(_ name: String, _ tag: String?) async throws -> Conversation.Answer {
        let headers = tag.map { ["If-Match: \($0)"] } ?? []
        return try await Self.send(market, "PATCH", "/shop/items/1", #"{"item":{"name":"\#(name)"}}"#, headers: headers)
      }
      let second = try #require(try await change("A", first).headers["etag"])
      #expect(second != first)
      #expect(try await change("B", first).status == 412)
      #expect(try await change("B", "W/" + second).status == 412)
      #expect(try await change("B", "\"x\", \(second)").status == 200)
      #expect(try await change("C", "*").status == 200)
      #expect(try await change("D", nil).status == 200)
      #expect(try await Self.send(market, "DELETE", "/shop/items/1", headers: ["If-Match: \(second)"]).status == 412)
      let last = try #require(try await market.get("/shop/items/1").headers["etag"])
      #expect(try await Self.send(market, "DELETE", "/shop/items/1", headers: ["If-Match: \(last)"]).status == 204)
    }
  }

  // MARK: Pages

  /// Every kind of page leads through the whole list once.
  @Test(arguments: [
    ServedDescription.Page.Kind.page, .offset, .cursor, .link,
  ])
  func pagesLeadThroughTheWholeList(_ kind: ServedDescription.Page.Kind) async throws {
    var api = Self.shop
    api.list.page.kind = kind
    api.list.page.parameter = kind == .link ? nil : "from"
    api.list.page.next = kind == .link ? .header("Link") : .body(Self.at("/data/next"))
    api.list.page.total = .header("Content-Range")
    api.list.members = [
      .init(.body(Self.at("/data/pages")), json: "\"{pages}\""),
      .init(.header("X-Page"), json: "\"{page} of {pages}\""),
    ]
    try await Self.with(api) { market in
      for number in 1...11 {
        let body = #"{"item":{"name":"Lamp \#(number)","offers":[{"price":1}]}}"#
        _ = try await Self.send(market, "POST", "/shop/items", body)
      }
      var ids: [Int64] = []
      var path: String? = "/shop/items"
      var page = 0
      while let current = path, page < 9 {
        let answer = try await market.get(current)
        let json = try WireJSON(answer)
        guard case .list(let items)? = json.value(at: Self.at("/data/items")) else { break }
        let found = items.compactMap { $0["key"].flatMap { Int64($0.plain) } }
        let range = found.isEmpty ? "*" : "\(ids.count)-\(ids.count + found.count - 1)"
        #expect(answer.headers["content-range"] == "\(range)/11", "\(answer)")
        #expect(json.value(at: Self.at("/data/pages")) == .number(3))
        ids += found
        page += 1
        switch kind {
        case .none: path = nil
        case .page: path = found.isEmpty ? nil : "/shop/items?from=\(page + 1)"
        case .offset: path = found.isEmpty ? nil : "/shop/items?from=\(ids.count)"
        case .cursor:
          path = json.value(at: Self.at("/data/next")).flatMap { $0 == .null ? nil : "/shop/items?from=\($0.plain)" }
        case .link:
          let link = answer.headers["link"]?.firstMatch(of: #/^<http://127\.0\.0\.1:\d+(/[^>]*)>; rel="next"$/#)
          path = link.map { String($0.1) }
        }
      }
      #expect(ids == Array((1...11).reversed()), "\(ids)")
      #expect(try await market.get("/shop/items?size=2").headers["x-page"] == "1 of 6")
    }
  }

  // MARK: Products that don't exist

  @Test(
    arguments: [
      (ServedDescription.Gone(status: 404), #"404 {"errors":[{"text":"Product with id '7' not found"}]}"#),
      (
        ServedDescription.Gone(status: 400, at: WirePointer(["name"]), text: "EntityNotFoundError"),
        #"400 {"errors":[{"text":"Product with id '7' not found"}],"name":"EntityNotFoundError"}"#
      ),
    ])
  func missingProductHasTheDescribedResponse(_ gone: ServedDescription.Gone, _ line: String) async throws {
    var api = Self.shop
    api.gone = gone
    try await Self.with(api) { market in
      let (read, deleted) = (
        try await market.get("/shop/items/7"), try await Self.send(market, "DELETE", "/shop/items/7")
      )
      #expect(read.line == line && deleted.line == line)
    }
  }

  /// Products that are named in the query: a read, the list and changes have one path, and none means all.
  @Test func queryNamesTheProduct() async throws {
    var api = Self.shop
    api.read.path = ["shop", "items"]
    api.read.query = ["key": "eq.{id}"]
    api.read.record = Self.at("/0")
    api.update?.path = ["shop", "items"]
    api.update?.query = ["key": "eq.{id}"]
    api.delete?.path = ["shop", "items"]
    api.delete?.query = ["key": "eq.{id}"]
    try await Self.with(api) { market in
      for _ in 0..<2 { _ = try await Self.send(market, "POST", "/shop/items", Self.lamp) }
      #expect(try await market.get("/shop/items?key=eq.1").text.hasPrefix(#"[{"key":1,"#))
      #expect(try await market.get("/shop/items?key=eq.9").line == "200 []")
      #expect(try await market.get("/shop/items?key=1").line == "200 []")
      #expect(try await market.get("/shop/items").text.hasPrefix(#"{"data":"#))
      for method in ["PATCH", "DELETE"] {
        let answer = try await Self.send(market, method, "/shop/items", #"{"item":{"name":"X"}}"#)
        #expect(answer.status == 400 && answer.text.contains("key is missing"), "\(answer.line)")
      }
      #expect(try await Self.send(market, "DELETE", "/shop/items?key=eq.1").status == 204)
      #expect(try await market.get("/shop/items").text.contains("\"total\":1"))
    }
  }

  // MARK: Logins

  private static let demo = EmbeddedMarket.demoVendor

  private static func basic(_ identifier: String, _ secret: String) -> String {
    "Authorization: Basic " + Data("\(identifier):\(secret)".utf8).base64EncodedString()
  }

  @Test(
    arguments: [
      (ServedDescription.Login.basic, basic(demo.identifier, demo.secret), basic(demo.identifier, "wrong")),
      (.bearer, "Authorization: Bearer " + demo.secret, "Authorization: Bearer wrong"),
      (.header(name: "X-Key", prefix: "Token "), "X-Key: Token " + demo.secret, "X-Key: " + demo.secret),
      (.query(name: "key"), "?key=" + demo.secret, "?key=wrong"),
    ])
  func writeNeedsTheLogin(_ login: ServedDescription.Login, _ right: String, _ wrong: String) async throws {
    var api = Self.shop
    api.login = login
    let lines = Mutex<[String]>([])
    try await Self.with(api, log: { line in lines.withLock { $0.append(line) } }) { market in
      func create(_ login: String) async throws -> Int {
        let isQuery = login.hasPrefix("?")
        return try await Self.send(
          market, "POST", "/shop/items" + (isQuery ? login : ""), Self.lamp,
          headers: isQuery || login.isEmpty ? [] : [login]
        ).status
      }
      #expect(try await create(right) == 201)
      #expect(try await create("") == 401)
      #expect(try await create(wrong) == 401)
      // Reading needs no login.
      #expect(try await market.get("/shop/items").status == 200)
      if login != .header(name: "X-Key", prefix: "Token ") {
        for _ in 0..<12 { _ = try await create(wrong) }
        #expect(try await create(wrong) == 429)
      }
    }
    let log = lines.withLock { $0.joined(separator: "\n") }
    #expect(!log.contains(Self.demo.secret) && !log.contains("=wrong"), "\(log)")
    #expect(log.contains("POST /shop/items") && log.contains("vendor=15 name=\"구름상점\""), "\(log)")
  }

  /// A vendor who is no longer on the list of the class may not write.
  @Test func removedVendorIsRefused() async throws {
    var api = Self.shop
    api.login = .basic
    let directory = NSTemporaryDirectory() + "market-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: directory) }
    for (names, status) in [(["Kim", "Lee"], 201), (["Kim"], 403)] {
      let vendors = names.map { VendorRequest(name: $0, identifier: $0.lowercased() + "-1", secret: "s") }
      try await Self.with(api, in: directory, adjust: { $0.vendors = vendors }) { market in
        let answer = try await Self.send(market, "POST", "/shop/items", Self.lamp, headers: [Self.basic("lee-1", "s")])
        #expect(answer.status == status, "\(answer.line)")
      }
    }
  }

  // MARK: What a class needs

  /// A product and its members are there after a restart, at another port of the same market.
  @Test func restartStoresProducts() async throws {
    let directory = NSTemporaryDirectory() + "market-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: directory) }
    var generations: Set<String> = []
    for start in 0..<2 {
      try await Self.with(in: directory) { market in
        if start == 0 { _ = try await Self.send(market, "POST", "/shop/items", Self.lamp) }
        let answer = try await market.get("/shop/items/1")
        #expect(answer.line == "200 " + Self.madeLamp)
        generations.insert(try #require(answer.headers["market-generation"]))
      }
    }
    #expect(generations.count == 1 && generations.allSatisfy { $0.contains("-shop.") }, "\(generations)")
  }

  /// The members of a vendor's products count for its quota, and are free again after a change and a deletion.
  @Test func vendorHasAQuota() async throws {
    try await Self.with(adjust: { $0.storage.vendorBytes = 50_000 }) { market in
      func change(_ name: String, _ count: Int) async throws -> Int {
        let text = String(repeating: "a", count: count)
        return try await Self.send(market, "PATCH", "/shop/items/1", #"{"item":{"\#(name)":"\#(text)"}}"#).status
      }
      _ = try await Self.send(market, "POST", "/shop/items", Self.lamp)
      #expect(try await change("a", 30_000) == 200)
      #expect(try await change("b", 30_000) == 507)
      #expect(try await change("a", 10) == 200)
      #expect(try await change("b", 30_000) == 200)
      #expect(try await change("a", 30_000) == 507)
      #expect(try await Self.send(market, "DELETE", "/shop/items/1").status == 204)
      #expect(try await Self.send(market, "POST", "/shop/items", Self.lamp).status == 201)
    }
  }

  /// The members of a product return with it to a checkpoint, and are gone with a deleted one.
  @Test func checkpointHasTheMembers() async throws {
    try await Self.with(adjust: { $0.copiesBeginning = true }) { market in
      _ = try await Self.send(market, "POST", "/shop/items", Self.lamp)
      #expect(try await market.server.saveCheckpoint() == 1)
      _ = try await Self.send(market, "PATCH", "/shop/items/1", #"{"item":{"color":"blue"}}"#)
      #expect(try await market.get("/shop/items/1").text.contains("\"color\":\"blue\""))
      #expect(try await market.server.returnToCheckpoint() == 1)
      #expect(try await market.get("/shop/items/1").line == "200 " + Self.madeLamp)
      #expect(try await market.server.returnToBeginning() == 0)
      // The number is that of a new product, which has nothing of the old one.
      let plain = #"{"item":{"name":"A","offers":[{"price":1}]}}"#
      #expect(try await !Self.send(market, "POST", "/shop/items", plain).text.contains("color"))
    }
  }

  /// Rules for faults name the paths of the description, and count vendors where there are logins.
  @Test func faultsHitTheDescribedRequests() async throws {
    var rule = try #require(FaultRule("PUT /shop/items/*"))
    rule.sequence = [Fault(.status(503), retryAfter: 2), Fault(.none)]
    let faults = FaultPlan(rules: [rule], seed: 1)
    var api = Self.shop
    api.login = .bearer
    try await Self.with(api, faults: faults) { market in
      let login = ["Authorization: Bearer " + Self.demo.secret]
      _ = try await Self.send(market, "POST", "/shop/items", Self.lamp, headers: login)
      var statuses: [Int] = []
      for _ in 0..<2 {
        let answer = try await Self.send(
          market, "PUT", "/shop/items/1", #"{"item":{"name":"B"}}"#, headers: login)
        statuses.append(answer.status)
        if answer.status == 503 {
          #expect(answer.text == #"{"errors":[{"text":"Service Unavailable (a deliberate fault)"}]}"#)
        }
      }
      #expect(statuses == [503, 200])
      // Another client has a sequence of its own.
      #expect(try await Self.send(market, "PUT", "/shop/items/1", "{}").status == 503)
    }
    var wrong = try #require(FaultRule("POST /api/products"))
    wrong.sequence = [Fault(.status(500))]
    await #expect(throws: MarketStartError.self) {
      try await Self.with(faults: FaultPlan(rules: [wrong], seed: 1)) { _ in }
    }
  }

  /// The sample market has one currency where the file says so, its pictures are there, and its members are the sample's.
  @Test func sampleMarketHasTheCurrencyAndTheSample() async throws {
    var api = Self.shop
    var currency = ServedDescription.Rule(at: .root, .text)
    currency.constant = "USD"
    api.fields[.currency] = currency
    api.fields[.images] = .init(at: Self.at("/photos"), .addresses)
    api.fields[.images]?.each = Self.at("/url")
    api.fields[.thumbnail] = .init(at: Self.at("/thumb"), .text)
    api.sample = #"{"kind":"home","photos":[{"alt":"A photo","url":""}],"name":"","key":0}"#
    try await Self.with(api, adjust: { $0.products = .sample }) { market in
      let page = try WireJSON(try await market.get("/shop/items?size=6"))
      guard case .list(let items)? = page.value(at: Self.at("/data/items")) else { throw Missing() }
      #expect(items.count == 6)
      for item in items {
        #expect(item.keys.prefix(4) == ["kind", "photos", "name", "key"] && item["kind"] == .text("home"))
        let name = item["name"]?.plain ?? ""
        #expect(!name.isEmpty && name.unicodeScalars.allSatisfy { $0.isASCII }, "\(name)")
        #expect(item.value(at: Self.at("/photos/0/alt")) == .text("A photo"))
      }
      let addresses = [items[0]["thumb"], items[0].value(at: Self.at("/photos/0/url"))].compactMap { $0?.plain }
      for address in addresses {
        let path = try #require(address.firstMatch(of: #/^http://127\.0\.0\.1:\d+(/media/.*)$/#)).1
        let picture = try await market.get(String(path))
        #expect(picture.status == 200 && picture.headers["content-type"] == "image/jpeg")
      }
      #expect(addresses.count == 2)
    }
  }

  private struct Missing: Error {}

  // MARK: Notations

  /// A discount in percent and a sale price stay what they are when the price changes.
  @Test(arguments: [
    ("percent", #"{"price":20}"#, #""price":20,"percent":12.5"#),
    ("percent", #"{"percent":7.17}"#, #""price":8,"percent":7.17"#),
    ("sale", #"{"price":20}"#, #""price":20,"sale":7"#), ("sale", #"{"sale":null}"#, #""price":8,"sale":"""#),
    ("sale", #"{"price":6}"#, #""price":6,"sale":"""#), ("sale", #"{"price":9,"sale":8.5}"#, #""price":9,"sale":8.5"#),
  ])
  func discountFollowsItsNotation(_ kind: String, _ change: String, _ members: String) async throws {
    var api = Self.shop
    api.fields = [.name: .init(at: Self.at("/name"), .text), .price: .init(at: Self.at("/price"), .decimal)]
    if kind == "percent" {
      api.fields[.discount] = .init(at: Self.at("/percent"), .percentOfPrice)
    } else {
      api.fields[.sale] = .init(at: Self.at("/sale"), .salePrice)
      api.fields[.sale]?.removal = ""
    }
    api.create = ServedDescription.Call(["POST"], ["shop", "items"])
    api.update = ServedDescription.Call(["PATCH"], ["shop", "items", "{id}"])
    (api.createValues, api.extra) = ([], [])
    try await Self.with(api) { market in
      let value = kind == "percent" ? #""percent":12.5"# : #""sale":7"#
      let made = try await Self.send(market, "POST", "/shop/items", #"{"name":"A","price":8,\#(value)}"#)
      #expect(made.line == #"201 {"key":1,"name":"A","price":8,\#(value)}"#)
      let changed = try await Self.send(market, "PATCH", "/shop/items/1", change)
      #expect(changed.line == #"200 {"key":1,"name":"A",\#(members)}"#)
      let over = try await Self.send(
        market, "PATCH", "/shop/items/1", kind == "percent" ? #"{"percent":101}"# : #"{"sale":99}"#)
      #expect(over.status == 400, "\(over.line)")
    }
  }
}
