import CommandLanguage
import Foundation
import MarketAPI
import Networking
import Platform
import ShellRuntime
import ShellTesting
import TestSupport
import Testing
import Text

/// The reader of files that describe a market.
@Suite(.timeLimit(Trial.limit)) struct DescriptionReaderTests {
  /// The descriptions that come with the program have no fault.
  @Test func examplesHaveNoFault() async throws {
    #expect(DescribedMarketTests.names.count == 11)
    try await Sandbox.with { sandbox in
      var text = ""
      for name in DescribedMarketTests.names {
        text += await sandbox.run("api check \(DescribedMarketTests.examples)/\(name)")
      }
      try Golden("described-examples").check(text)
    }
  }

  /// A key of a description, the place of its name and that of its value.
  private struct Key {
    var name: String
    var range: Range<String.Index>
    var value: Range<String.Index>
    var line: Int
    var column: Int
    var valueColumn: Int
  }

  /// Returns the keys of a description whose names are those of the format.
  private static func keys(of text: String) -> [Key] {
    var keys: [Key] = []
    var isFree = false
    var line = 0
    for range in text.ranges(of: #/[^\n]*\n/#) {
      line += 1
      let code = text[range].prefix { $0 != "#" }
      if code.hasPrefix("[") { isFree = code.hasPrefix("[headers]") || code.hasPrefix("[create.values]") }
      guard !isFree else { continue }
      for match in code.matches(of: #/([a-z_-]+) = /#) {
        func column(_ index: String.Index) -> Int { text[range.lowerBound..<index].count + 1 }
        let end = match.range.upperBound
        let value = code[end...].prefixMatch(of: #/"[^"]*"|\[[^\]]*\]|\{.*\}|[a-z0-9]+/#)?.range ?? end..<end
        keys.append(
          Key(
            name: String(match.1), range: match.1.startIndex..<match.1.endIndex, value: value, line: line,
            column: column(match.1.startIndex), valueColumn: column(end)))
        // The names in these tables are the API's own.
        if ["query", "headers", "values"].contains(match.1) { break }
      }
    }
    return keys
  }

  /// Descriptions that have every key of the format between them; see `everyKeyIsMisspelled`.
  private static let samples = ["bigcommerce.toml", "datasette.toml", "platzi.toml", "woocommerce.toml", "complete"]

  /// A description with the keys that the others lack.
  private static let complete = """
    format = 1
    name = "complete"
    base = "/api"
    id = { at = "/id", as = "integer" }
    ids = "grow"
    keeps-writes = true
    concurrency = 2
    headers = { X-Version = "2" }
    [auth]
    type = "apiKey"
    in = "header"
    name = "Authorization"
    prefix = "Token "
    [list]
    path = "/products"
    query = { sort = "id" }
    records = "/data"
    order = "newest-first"
    search = { path = "/products/search", parameter = "q" }
    [list.page]
    type = "page"
    page = "page"
    first = 0
    limit = "limit"
    size = 20
    max-size = 100
    total = "/total"
    [read]
    path = "/products/{id}"
    query = { view = "full" }
    record = "/data"
    gone = [404, { status = 400, at = "/name", is = "gone" }]
    [create]
    method = "POST"
    path = "/products"
    query = { notify = "no" }
    headers = { X-Source = "shell" }
    body = "/product"
    record = "/data"
    mark = "/sku"
    required = ["name", "price"]
    omit = ["/url"]
    values = { "/type" = "simple" }
    [update]
    method = "PATCH"
    path = "/products/{id}"
    query = { notify = "no" }
    headers = { X-Source = "shell" }
    body = "/product"
    record = "/data"
    semantics = "merge"
    along = ["/offers/0/sku"]
    precondition = "etag"
    [delete]
    method = "DELETE"
    path = "/products/{id}"
    query = { notify = "no" }
    headers = { X-Source = "shell" }
    precondition = "etag"
    [fields]
    name = "/title"
    description = { at = "/text", in-list = false }
    price = { at = "/offers/0/price", as = "minor-units", digits = 2 }
    discount = { at = "/off", as = "percent-of-price", digits = 2 }
    sale = { at = "/sale", as = "sale-price", remove = "" }
    currency = { constant = "USD" }
    stock = "/stock"
    vendor = { at = "/brand", writable = false }
    vendor_id = "/brand_id"
    created = { at = "/created", as = "seconds", writable = false }
    modified = { at = "/updated", as = "milliseconds", writable = false }
    thumbnail = "/thumbnail"
    images = { at = "/images", each = "/src" }
    [errors]
    message = ["/message", "/error"]
    [serve]
    sample = "product.json"
    select = "select"
    extra = { "/rating" = 4.5 }
    list = { "/limit" = "{limit}" }
    update = ["PATCH", "PUT"]
    delete = "product"
    deletion = { "/isDeleted" = true }

    """

  private static func sample(_ name: String) throws -> String {
    name == "complete" ? complete : try DescribedMarketTests.text(name)
  }

  /// Each key that is misspelled is found at its line and column, with the keys that are known there and the one that was
  /// meant.
  @Test(arguments: samples) func misspelledKeyIsFound(_ name: String) throws {
    let text = try DescriptionReaderTests.sample(name)
    _ = try DescriptionReader.read(text, named: name)
    let keys = DescriptionReaderTests.keys(of: text)
    #expect(keys.count > 20)
    for key in keys {
      let fault = DescriptionReaderTests.fault(ofMisspelling: key, in: text)
      #expect(fault?.what.english.plain == "There is no key \(key.name)q here.", "\(name):\(key.line) \(key.name)")
      #expect(fault?.nearest == key.name || key.name.count < 3, "\(name):\(key.line) \(key.name)")
      let known = fault.map(DescriptionReaderTests.known) ?? []
      #expect(known.contains(key.name) && !known.contains(key.name + "q"), "\(name):\(key.line) \(known)")
    }
  }

  /// Every key that the reader knows is misspelled in one of the samples.
  @Test func everyKeyIsMisspelled() throws {
    var (known, misspelled): (Set<String>, Set<String>) = ([], [])
    for name in DescriptionReaderTests.samples {
      let text = try DescriptionReaderTests.sample(name)
      for key in DescriptionReaderTests.keys(of: text) {
        misspelled.insert(key.name)
        known.formUnion(
          DescriptionReaderTests.fault(ofMisspelling: key, in: text).map(DescriptionReaderTests.known) ?? [])
      }
    }
    // The tables are named by lines of their own.
    let tables: Set = ["auth", "list", "page", "read", "create", "update", "delete", "fields", "errors", "serve"]
    #expect(
      known.count > 50 && known.subtracting(misspelled).subtracting(tables).isEmpty, "\(known.subtracting(misspelled))")
  }

  /// Returns the fault at a key that has one letter more.
  private static func fault(ofMisspelling key: Key, in text: String) -> DescriptionFault? {
    let damaged = text.replacingCharacters(in: key.range, with: key.name + "q")
    let error = #expect(throws: DescriptionError.self) { try DescriptionReader.read(damaged, named: "shop.toml") }
    return error?.faults.first { $0.position.line == key.line && $0.position.column == key.column }
  }

  /// Returns the keys that the reason of a fault names.
  private static func known(_ fault: DescriptionFault) -> [String] {
    guard let reason = fault.reason?.english.plain, reason.hasPrefix("Keys: "), reason.hasSuffix(".") else { return [] }
    return reason.dropFirst("Keys: ".count).dropLast().components(separatedBy: ", ")
  }

  /// Each value of another type is found at its line and column.
  @Test(arguments: samples) func valueOfAnotherTypeIsFound(_ name: String) throws {
    let text = try DescriptionReaderTests.sample(name)
    for key in DescriptionReaderTests.keys(of: text) {
      let damaged = text.replacingCharacters(in: key.value, with: "1.5")
      let error = #expect(throws: DescriptionError.self, "\(name):\(key.line) \(key.name)") {
        try DescriptionReader.read(damaged, named: name)
      }
      let fault = error?.faults.first { $0.position.line == key.line && $0.position.column == key.valueColumn }
      #expect(fault != nil, "\(name):\(key.line):\(key.valueColumn) \(key.name): \(String(describing: error?.faults))")
    }
  }

  /// The words of each fault; and what a stranger's file may not say: a host, a way out of the API, a secret elsewhere.
  @Test func faultsAreReported() throws {
    let base = DescribedMarketTests.linked
    var text = ""
    for (old, new) in DescriptionReaderTests.faults {
      #expect(base.contains(old), "\(old)")
      text += "# \(new)\n"
      do {
        _ = try DescriptionReader.read(base.replacing(old, with: new), named: "shop.toml")
        text += "no fault\n"
      } catch {
        for fault in error.faults {
          text += "\(fault.position.line):\(fault.position.column): \(fault.what.english.plain)"
          if let reason = fault.reason { text += " " + reason.english.plain }
          if let nearest = fault.nearest { text += " [\(nearest)]" }
          text += "\n"
        }
      }
    }
    try Golden("described-faults").check(text)
  }

  private static let faults: [(String, String)] = [
    ("format = 1", "format = 2"), ("format = 1\n", ""), ("format = 1", "format = "),
    ("\"linked\"", "\"open\""), ("\"linked\"", "\"My shop\""), ("name = \"linked\"\n", ""),
    ("id = \"/id\"", "id = \"id\""), ("id = \"/id\"", "id = { at = \"/id\", as = \"text\" }"),
    ("id = \"/id\"\n", "id = \"/id~2\"\n"),
    ("type = \"link\"", "type = \"offet\""), ("type = \"link\"", "type = \"offset\""),
    ("type = \"link\"", "type = \"cursor\""), ("type = \"link\"", "type = \"none\""), ("size = 10", "size = 0"),
    ("name = \"/name\"\n", ""), ("stock = \"/stock\"", "stock = { at = \"/stock\", as = \"decimal\" }"),
    ("stock = \"/stock\"", "stock = { constant = \"5\" }"), ("price = \"/price\"", "price = { as = \"decimal-tex\" }"),
    ("path = \"/products/{id}\"", "path = \"/products\""),
    ("path = \"/products/{id}\"", "path = \"/products/{id}\"\ngone = [404, { status = 400 }]"),
    ("path = \"/products/{id}\"", "path = \"/products/{id}\"\ngone = 700"),
    ("[fields]", "[update]\nmethod = \"PUT\"\npath = \"/products\"\nsemantics = \"replace\"\n[fields]"),
    ("[fields]", "[create]\nmethod = \"GET\"\npath = \"/products\"\nrequired = [\"nmae\"]\n[fields]"),
    ("[fields]", "[creat]\n[fields]"),
    // A host, or a way out of the API.
    ("id = \"/id\"", "id = \"/id\"\nurl = \"https://evil.example\""),
    ("id = \"/id\"", "id = \"/id\"\nbase = \"https://evil.example\""),
    ("path = \"/products\"\n", "path = \"//evil.example/products\"\n"),
    ("path = \"/products\"\n", "path = \"/../products\"\n"),
    ("path = \"/products\"\n", "path = \"/%2e%2e/products\"\n"),
    ("path = \"/products\"\n", "path = \"/products?next=1\"\n"),
    ("path = \"/products\"\n", "path = \"\\\\\\\\evil.example\"\n"),
    ("path = \"/products\"\n", "path = \"/a b\"\n"),
    // The secret, or credentials, in a place of their own.
    ("path = \"/products\"\n", "path = \"/products/{secret}\"\n"),
    ("path = \"/products\"\n", "path = \"/products\"\nquery = { key = \"{secret}\" }\n"),
    ("[fields]", "[create]\nmethod = \"POST\"\npath = \"/products\"\nvalues = { \"/note\" = \"{secret}\" }\n[fields]"),
    ("[auth]", "[headers]\nAuthorization = \"Bearer x\"\n[auth]"),
    ("[auth]", "[headers]\nHost = \"evil.example\"\n[auth]"),
    ("[auth]", "[headers]\nX = \"a\\r\\nHost: evil.example\"\n[auth]"),
    ("type = \"http\"\nscheme = \"bearer\"", "type = \"apiKey\"\nin = \"query\"\nname = \"key\""),
    ("type = \"http\"\nscheme = \"bearer\"", "type = \"apiKey\"\nin = \"header\"\nname = \"Host\""),
    ("type = \"http\"\nscheme = \"bearer\"", "type = \"oauth2\""),
  ]

  /// No damaged file ends the program, and one that is accepted makes requests.
  @Test func damagedFilesAreRead() throws {
    let samples =
      try DescribedMarketTests.names.map { try DescribedMarketTests.text($0) } + [DescriptionReaderTests.complete]
    let words = ["{id}", "[list.page]", "type = \"link\"", "/~1", "$response.header.", "size = 9223372036854775807"]
    let fuzzer = MutatingFuzzer(samples: samples, words: words)
    let count = Trial.count(400, long: 100_000, variable: "OPENMARKET_FUZZ_ROUNDS")
    _ = try fuzzer.run("description", count, seed: Trial.seed) { bytes, _ in
      guard let text = String(validating: bytes, as: UTF8.self),
        let description = try? DescriptionReader.read(text, named: "shop.toml")
      else { return false }
      let market = MarketService(URL(string: "https://shop.example")!, dialect: Dialect(description))
      for request in [
        try GetProduct(7).makeRequest(to: market), try ListProducts(page: 3, size: 50).makeRequest(to: market),
      ] {
        let url = try request.url(at: market.baseURL)
        #expect(url.hasPrefix("https://shop.example/") && !url.contains("/../"), "\(url)")
      }
      return true
    }
  }

  /// A pointer finds the value that RFC 6901 says.
  @Test(arguments: [
    ("", #"{"foo":["bar","baz"],"":0,"a/b":1,"m~n":8}"#), ("/foo/0", #""bar""#), ("/foo/2", nil), ("/foo/00", nil),
    ("/", "0"), ("/a~1b", "1"), ("/m~0n", "8"), ("/foo/-", nil), ("/foo/0/x", nil),
  ])
  func pointerFindsItsValue(_ pointer: String, _ expected: String?) throws {
    let document = try JSON(parsing: Data(#"{"foo":["bar","baz"],"":0,"a/b":1,"m~n":8}"#.utf8))
    #expect(try #require(JSONPointer(pointer)).value(in: document)?.serialized == expected)
    #expect(JSONPointer(pointer)?.description == pointer)
  }
}
