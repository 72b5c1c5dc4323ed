import EmbeddedMarket
import Foundation
import Glibc
import TerminalTesting
import TestSupport
import Testing

@testable import openmarket

/// `serve --api FILE`: the files that come with the program, what is refused, and the responses byte for byte.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct DescribedAPITests {
  /// The folder of the descriptions that come with the program.
  static let examples: String = {
    var place = URL(filePath: #filePath)
    for _ in 0..<3 { place.deleteLastPathComponent() }
    return place.path + "/Examples/markets"
  }()

  /// The descriptions that can be served, and whether they describe updates and deletes.
  private static let served = [
    ("bigcommerce", true), ("datasette", true), ("directus", true), ("dummyjson", true), ("fakestore", false),
    ("json-server", true), ("oscar", true), ("piccolo", true), ("platzi", true), ("supabase", true),
    ("woocommerce", true),
  ]

  /// Copies a description and its sample into a folder, and returns the path.
  ///
  /// The copy says that writes are stored, as they are by this server.
  private static func copy(_ name: String, to home: TemporaryHome) throws -> String {
    let sample = "\(name)-product.json"
    if FileManager.default.fileExists(atPath: examples + "/" + sample) {
      _ = try home.file(sample, String(contentsOfFile: examples + "/" + sample, encoding: .utf8))
    }
    let text = try String(contentsOfFile: "\(examples)/\(name).toml", encoding: .utf8)
    return try home.file("\(name).toml", text.replacing("keeps-writes = false\n", with: ""))
  }

  // MARK: The program's own client

  /// The shell reads and writes each market: `contract` finds every field, page, total and refusal as the file says, and a
  /// product is created, changed, deleted and brought back.
  @Test(arguments: served) func shellReadsAndWritesTheServedAPI(_ name: String, _ isWhole: Bool) throws {
    let home = try TemporaryHome()
    let file = try Self.copy(name, to: home)
    let market = try ServedProgram(["--port", "0", "--api", file], home)
    #expect(market.lines[0] == "openmarket serving \(name) at \(market.url)")
    func shell(_ lines: String...) throws -> PipedProgram.Result {
      try openmarket(
        ["--home", home.path + "/home", "--url", market.url, "--api", file] + lines.flatMap { ["-c", $0] },
        environment: market.login)
    }
    let reads = try shell("contract")
    #expect(reads.code == 0 && reads.err.contains("checks passed"), "\(reads)")
    let count = try shell("ls all columns id as csv").out.split(separator: "\n").count - 1
    #expect(count > 100)
    guard isWhole else { return }
    let writes = try shell("contract writes yes")
    #expect(writes.code == 0 && writes.err.contains("checks passed"), "\(writes)")
    let life = try shell(
      "new name='Test cup' description='For a test.' price=12\(name == "piccolo" ? " stock=3" : "") yes",
      "patch _ price=15 yes", "rm _ yes", "undo yes")
    #expect(life.code == 0, "\(life)")
    let left = try shell("ls where name='Test cup' columns name,price,description as csv")
    #expect(
      left.out.replacing("15.0\n", with: "15\n") == "name,price,description\nTest cup,15,For a test.\n", "\(left)")
    _ = try market.end()
  }

  // MARK: Responses

  /// The responses of DummyJSON's list, single product, search, add, update and delete.
  ///
  /// Their shape is that of its documentation, `views/docs-products.ejs` of Ovi/DummyJSON at 17a2b7b: each is decoded with
  /// types that need every documented member.
  @Test func dummyJSONIsServedAsItIsDocumented() throws {
    let home = try TemporaryHome()
    _ = try Self.copy("dummyjson", to: home)
    _ = try home.file(
      "products.csv",
      "id,name,description,price,discount,currency,stock\n3,Paper lamp,It folds.,12.50,1.25,USD,7\n5,Oak chair,,80,0,USD,2\n"
    )
    let lesson = try home.file(
      "lesson.toml", "api = \"dummyjson.toml\"\nproducts = \"products.csv\"\nclock = \"2022-03-01T00:00:00Z\"\n")
    let market = try ServedProgram(["--port", "0", "--lesson", lesson], home)
    func product(_ id: Int, _ start: String, stock: Int, isAfter: String = "") -> String {
      #"{"id":\#(id),\#(start),"rating":4.5,"stock":\#(stock),"tags":["home","sample"],"brand":"구름상점","sku":"SAMPLE01","#
        + #""weight":2,"dimensions":{"width":23.17,"height":14.43,"depth":28.01},"warrantyInformation":"1 month warranty","#
        + #""shippingInformation":"Ships in 1 month","availabilityStatus":"In Stock","reviews":[{"rating":4,"#
        + #""comment":"As described.","date":"2024-05-23T08:56:21.618Z","reviewerName":"Min Kim","#
        + #""reviewerEmail":"min.kim@example.com"}],"returnPolicy":"30 days return policy","minimumOrderQuantity":1,"#
        + #""meta":{"createdAt":"TIME","updatedAt":"TIME","barcode":"4006381333931","qrCode":"https://example.com/qr.png"},"#
        + #""thumbnail":"http://market/media/thumbnail/HEX.jpg","images":["http://market/media/original/HEX.jpg"]\#(isAfter)}"#
    }
    func members(_ title: String, _ text: String, _ category: String, _ price: String, _ percent: String) -> String {
      #""title":"\#(title)","description":"\#(text)","category":"\#(category)","price":\#(price),"discountPercentage":\#(percent)"#
    }
    let lamp = product(3, members("Paper lamp", "It folds.", "home", "12.5", "10"), stock: 7)
    let phone = product(3, members("iPhone Galaxy +1", "It folds.", "home", "12.5", "10"), stock: 7)
    let pencil = product(6, members("BMW Pencil", "", "office", "0", "0"), stock: 0)
    let gone = product(
      3, members("iPhone Galaxy +1", "It folds.", "home", "12.5", "10"), stock: 7,
      isAfter: #","deletedOn":"TIME","isDeleted":true"#)
    let steps: [(request: String, line: String)] = [
      ("/products?limit=1", #"200 {"products":[\#(lamp)],"total":2,"limit":1,"skip":0}"#),
      ("/products?limit=1&skip=7", #"200 {"products":[],"total":2,"limit":0,"skip":7}"#),
      ("/products/search?q=LAMP", #"200 {"products":[\#(lamp)],"total":1,"limit":1,"skip":0}"#),
      ("/products/3", "200 " + lamp),
      (#"-X POST /products/add -d '{"title":"BMW Pencil","category":"office"}'"#, "201 " + pencil),
      (#"-X PUT /products/3 -d '{"title":"iPhone Galaxy +1"}'"#, "200 " + phone),
      (#"-X PATCH /products/3 -d '{"title":"iPhone Galaxy +1"}'"#, "200 " + phone),
      ("-X DELETE /products/3", "200 " + gone),
      ("/products/3", #"404 {"message":"Product with id '3' not found"}"#),
      (#"-X PATCH /products/5 -d '{"price":"cheap"}'"#, #"400 {"message":"/price must be a number"}"#),
      ("/products/abc", #"404 {"message":"No product has such an id"}"#),
    ]
    for (request, line) in steps {
      let options = request.contains("-d ") ? "-H 'Content-Type: application/json'" : ""
      let path = request.replacing(" /products", with: " \(market.url)/products")
      let words = path.hasPrefix("/") ? "'\(market.url)\(path)'" : path
      let said = try run("curl -s -w '\\n%{http_code}' \(options) \(words)")
      let parts = said.split(separator: "\n")
      let seen = "\(parts.last ?? "") \(parts.first ?? "")".replacing(market.url, with: "http://market")
        .replacing(#/[0-9a-f]{32}/#, with: "HEX").replacing(#/2022-0[23]-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/#, with: "TIME")
      #expect(seen == line, "\(request)")
      let body = Data((parts.first ?? "").utf8)
      guard line.hasPrefix("2") else { continue }
      if request.contains("limit=") || request.contains("q=") {
        _ = try JSONDecoder().decode(DummyJSONClient.Page.self, from: body)
      } else {
        _ = try JSONDecoder().decode(DummyJSONClient.Product.self, from: body)
      }
      if request.contains("DELETE") { _ = try JSONDecoder().decode(DummyJSONClient.Deletion.self, from: body) }
    }
    _ = try market.end()
  }

  // MARK: What serve prints

  /// The lines for the teacher, the page with requests that run, and the report of the class.
  @Test(arguments: ["dummyjson", "oscar", "bigcommerce", "supabase"]) func examplesOfThePageRun(_ name: String) throws {
    let home = try TemporaryHome()
    let file = Self.examples + "/\(name).toml"
    let market = try ServedProgram(["--port", "0", "--api", file], home)
    let hasLogin = name != "dummyjson"
    #expect(market.lines.contains { $0.hasPrefix("vendor_id=15 ") } == hasLogin)
    #expect(!market.lines.contains { $0.hasPrefix("openapi ") })
    let remark = "writes are stored here; dummyjson.toml says that its own server forgets them"
    #expect(market.lines.contains(remark) == (name == "dummyjson"), "\(market.lines)")
    let page = try run("curl -fsS -H 'Accept-Language: en' \(market.url)/")
    let exports = market.lines.filter { $0.hasPrefix("export ") }.joined(separator: "\n")
    let written = page.matches(of: #/<pre>(curl[^<]*)<\/pre>/#).map { plain($0.1) }
    #expect(written.count == 4, "\(page)")
    for line in written + market.lines.filter({ $0.hasPrefix("curl ") }) {
      let quiet = line.replacing("curl", with: "curl -fsS -w '%{http_code}'", maxReplacements: 1)
      let said = try run(exports + "\n" + quiet)
      #expect(said.hasSuffix("200") || said.hasSuffix("201") || said.hasSuffix("204"), "\(line)\n\(said)")
    }
    let pages = market.lines.filter { $0.hasPrefix("teacher ") || $0.hasPrefix("class ") }
    #expect(pages.count == 2, "\(market.lines)")
    for address in pages {
      let url = address.split(separator: " ").last ?? ""
      #expect(try run("curl -fsS '\(url)'").hasPrefix("<!doctype html>\n"))
    }
    _ = try market.end()
  }

  /// The list of Piccolo is at `/`: a browser gets the page there, and a client the list. The teacher's page has a key.
  @Test func listAtTheRootIsForClients() throws {
    let home = try TemporaryHome()
    let market = try ServedProgram(["--port", "0", "--api", Self.examples + "/piccolo.toml"], home)
    let url = market.url
    for accept in ["-H 'Accept: application/json'", ""] {
      let list = try run("curl -fsS \(accept) '\(url)/?__page=2&__page_size=5'")
      #expect(list.hasPrefix("{\"rows\":[{\"id\":"), "\(list)")
    }
    let browser = "-H 'Accept: text/html,application/xhtml+xml,*/*;q=0.8' -H 'Accept-Language: en'"
    let page = try run("curl -fsS \(browser) \(url)/")
    #expect(page.hasPrefix("<!doctype html>\n") && !page.contains("{\"rows\""), "\(page)")
    for address in market.lines.filter({ $0.hasPrefix("teacher ") || $0.hasPrefix("class ") }) {
      let address = address.split(separator: " ").last ?? ""
      #expect(try run("curl -fsS '\(address)'").hasPrefix("<!doctype html>\n"))
    }
    let made = try run(
      "curl -fsS -X POST -H 'Content-Type: application/json' \(url)/ -d '{\"name\":\"Cup\",\"description\":\"A cup\",\"price\":\"5.00\",\"stock\":2}'"
    )
    #expect(made.hasPrefix("[{\"id\":"), "\(made)")
    _ = try market.end()
  }

  /// Pages of this machine and of the named origins may use a described API; those of an edition only if they are named.
  @Test(
    arguments: [
      (["--api", examples + "/dummyjson.toml"], "/products/1", "http://localhost:5173", true),
      (["--api", examples + "/dummyjson.toml"], "/products/1", "https://app.example", false),
      (
        ["--api", examples + "/dummyjson.toml", "--origin", "https://app.example"], "/products/1",
        "https://app.example", true
      ),
      ([], "/api/products/138", "http://localhost:5173", false),
      (["--origin", "http://localhost:5173"], "/api/products/138", "http://localhost:5173", true),
    ] as [([String], String, String, Bool)])
  func pagesOfAllowedOriginsUseTheAPI(_ options: [String], _ path: String, _ origin: String, _ isAllowed: Bool) throws {
    let home = try TemporaryHome()
    let market = try ServedProgram(["--port", "0"] + options, home)
    let curl = "curl -sS -i -H 'Origin: \(origin)'"
    let read = try run("\(curl) \(market.url)\(path)").lowercased()
    #expect(read.hasPrefix("http/1.1 200"))
    #expect(read.contains("access-control-allow-origin: \(origin)\r\n") == isAllowed, "\(read)")
    let asked = try run(
      "\(curl) -X OPTIONS -H 'Access-Control-Request-Method: PATCH' -H 'Access-Control-Request-Headers: content-type' \(market.url)\(path)"
    )
    #expect(asked.hasPrefix(isAllowed ? "HTTP/1.1 204" : "HTTP/1.1 403"), "\(asked)")
    let methods = asked.lowercased().firstMatch(of: #/access-control-allow-methods: ([^\r\n]*)/#)?.1
    #expect((methods?.contains("patch") == true) == isAllowed, "\(asked)")
    _ = try market.end()
  }

  @Test(arguments: ["*", "null", "app.example", "https://app.example/", "https://app.example/x"])
  func textThatIsNoOriginIsRefused(_ origin: String) throws {
    let home = try TemporaryHome()
    let result = try openmarket(["serve", "--port", "0", "--home", home.path, "--origin", origin])
    #expect(result.code == 2 && result.err.contains("Invalid value for `--origin`: \(origin)."), "\(result)")
  }

  // MARK: Refusals

  @Test(arguments: [
    ("id = \"/id\"", "id = { at = \"/id\", as = \"text\" }", "Ids that are texts are not supported."),
    ("dummyjson-product.json", "none.json", "No such file"),
    ("dummyjson-product.json", "../outside.json", "A file can only name files below its own folder"),
    ("dummyjson-product.json", "/etc/hostname", "A file can only name files below its own folder"),
    ("dummyjson-product.json", "link.json", "It is a link"),
    ("dummyjson-product.json", "list.json", "The sample list.json is not one JSON object."),
    ("dummyjson-product.json", "large.json", "large.json"),
    ("path = \"/products\"\nrecords", "path = \"/class\"\nrecords", "The path /class is that of a page of the server."),
    ("\"/total\"", "\"$response.header.Content-Length\"", "The header field Content-Length frames a response"),
    ("\"/limit\" =", "\"$response.header.Set-Cookie\" =", "The header field Set-Cookie frames a response"),
    ("{count}", "{secret}", "{secret} has an unknown placeholder."),
    ("update = [\"PATCH\", \"PUT\"]", "update = [\"PATCH\", \"GET\"]", "There is no update GET."),
  ])
  func unusableDescriptionIsRefused(_ old: String, _ new: String, _ reason: String) throws {
    let home = try TemporaryHome()
    let folder = home.path + "/in"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let outside = try home.file("outside.json", "{}")
    symlink(outside, folder + "/link.json")
    _ = try home.file("in/list.json", "[]")
    _ = try home.file("in/large.json", "{\"a\":\"" + String(repeating: "a", count: 70_000) + "\"}")
    for name in ["dummyjson.toml", "dummyjson-product.json"] {
      var text = try String(contentsOfFile: Self.examples + "/" + name, encoding: .utf8)
      if name == "dummyjson.toml" {
        #expect(text.contains(old), "\(old)")
        text = text.replacing(old, with: new)
      }
      _ = try home.file("in/" + name, text)
    }
    let result = try openmarket(
      ["serve", "--port", "0", "--lang", "en", "--home", home.path + "/home", "--api", folder + "/dummyjson.toml"])
    #expect(result.code == 2 && result.out.isEmpty && result.err.contains(reason), "\(result)")
    #expect(!FileManager.default.fileExists(atPath: home.path + "/home/data"), "a market was created")
  }

  /// Options that are for the editions, and vendors where there are no logins.
  @Test(arguments: [
    (["--strict"], "`--strict` cannot be used with dummyjson"),
    (["--quirks"], "`--quirks` cannot be used with dummyjson"),
    (["--vendors", "3"], "`--vendors` cannot be used with dummyjson: everybody may write there, without a login."),
  ])
  func optionsOfEditionsAreRefused(_ options: [String], _ message: String) throws {
    let home = try TemporaryHome()
    let result = try openmarket(
      ["serve", "--port", "0", "--home", home.path, "--api", Self.examples + "/dummyjson.toml"] + options)
    #expect(result.code == 2 && result.err.hasPrefix("error: \(message)"), "\(result)")
  }

  // MARK: Lessons

  /// A lesson names the file, its faults hit the described requests, and its market is its own.
  @Test func lessonServesADescription() throws {
    let home = try TemporaryHome()
    _ = try Self.copy("dummyjson", to: home)
    let lesson = try home.file(
      "lesson.toml",
      """
      api = "dummyjson.toml"
      seed = 7

      [faults."POST /products/add"]
      sequence = [503, 201]

      [faults."PUT /products/*"]
      sequence = ["429 retry-after=2", 200]

      """)
    let market = try ServedProgram(["--port", "0", "--log", "--lesson", lesson], home)
    func status(_ words: String) throws -> String {
      try run("curl -s -o /dev/null -w '%{http_code}' -H 'Content-Type: application/json' \(words)")
    }
    let add = "-d '{\"title\":\"A\"}' \(market.url)/products/add"
    #expect(try [status(add), status(add)] == ["503", "201"])
    let put = "-X PUT -d '{\"title\":\"A\"}' \(market.url)/products/3"
    #expect(try [status(put), status(put)] == ["429", "200"])
    let report = try #require(market.lines.first { $0.hasPrefix("class ") }).dropFirst("class ".count)
    let rows = try run("curl -fsS '\(report)&format=csv'")
    #expect(rows.contains("127.0.0.1,4,") && rows.contains("200: 1; 201: 1; 429: 1; 503: 1"), "\(rows)")
    let log = try market.end().out
    #expect(log.contains("PUT /products/3 429") && log.contains("POST /products/add 201"), "\(log)")
    let outside = try home.file("outside.toml", "api = \"../dummyjson.toml\"\n")
    let refused = try openmarket(["serve", "--port", "0", "--home", home.path + "/home", "--lesson", outside])
    #expect(refused.code == 2 && refused.err.contains("below its own folder"), "\(refused)")
  }

  private func run(_ line: String) throws -> String {
    try PipedProgram(["-c", line], program: "/bin/sh").result().out
  }

  private func plain(_ html: Substring) -> String {
    String(html).replacing("&quot;", with: "\"").replacing("&lt;", with: "<").replacing("&gt;", with: ">")
      .replacing("&amp;", with: "&")
  }
}
