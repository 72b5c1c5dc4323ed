import Catalog
import Foundation
import MarketAPI
import Networking
import Platform
import Presentation
import ShellRuntime
import TestSupport
import Testing
import Text

@testable import Commands

/// Descriptions that are derived from OpenAPI documents and from saved responses.
@Suite(.timeLimit(Trial.limit)) struct DerivationSourceTests {
  private static let folder = (Golden("derived/oscar.json").path as NSString).deletingLastPathComponent

  private static func source(_ name: String) throws -> DerivationSource {
    try DerivationSource(Data(try Golden("derived/" + name).text().utf8), named: name)
  }

  /// Returns the description of one or two JSON texts.
  private static func derived(_ documents: String...) throws -> LocalizedText {
    try DerivationSource.text(of: documents.map { try DerivationSource(Data($0.utf8), named: "shop.json") })
  }

  /// A description with the lines that have to be confirmed.
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var files: [String]
    var uncertain: [String]
    var testDescription: String { name }

    init(_ name: String, _ files: [String], uncertain: [String] = []) {
      (self.name, self.files, self.uncertain) = (name, files, uncertain)
    }
  }

  /// Saved responses and documents of the shapes of other APIs, each with its source.
  ///
  /// The responses have the members that the sources in `Examples/markets` name, and products of our own.
  /// - `piccolo.json`: what FastAPI writes for PiccoloCRUD 1.11 with a table of our own, without its descriptions.
  /// - `oscar.json`: the serializers of django-oscar-api 3.3 as drf-spectacular writes them.
  /// - `bigcommerce.json`: after `reference/catalog/products_catalog.v3.yml` of bigcommerce/docs.
  /// - `swagger.json`, `cents.json`: of no API; what the others don't have.
  static let cases = [
    Case("dummyjson", ["dummyjson-page.json", "dummyjson-product.json"], uncertain: ["discount"]),
    Case("fakestore", ["fakestore-page.json"]),
    Case("platzi", ["platzi-page.json", "platzi-product.json"], uncertain: ["price"]),
    Case("oscar-responses", ["oscar-page.json", "oscar-product.json"]),
    Case("woocommerce", ["woocommerce-page.json"], uncertain: ["sale"]),
    Case("directus", ["directus-page.json", "directus-product.json"]),
    Case("postgrest", ["postgrest-page.json", "postgrest-product.json"]),
    Case("datasette", ["datasette-page.json", "datasette-product.json"]),
    Case("piccolo", ["piccolo.json"]),
    Case("oscar", ["oscar.json"], uncertain: ["currency"]),
    Case("bigcommerce", ["bigcommerce.json"], uncertain: ["sale"]),
    Case("swagger", ["swagger.json"], uncertain: ["price", "currency"]),
    Case("cents", ["cents.json"], uncertain: ["price", "discount"]),
  ]

  /// Each description is as recorded, the reader finds no fault in it, and only guesses about money are marked.
  @Test(arguments: cases) func descriptionIsAsRecorded(_ shape: Case) throws {
    let sources = try shape.files.map { try DerivationSourceTests.source($0) }
    let text = try DerivationSource.text(of: sources)
    try Golden("derived/\(shape.name).toml").check(text.english.plain)
    for plain in [text.english.plain, text.korean.plain] {
      let market = try DescriptionReader.read(plain, named: "shop.toml")
      let lines = plain.split(separator: "\n", omittingEmptySubsequences: false)
      let marked = market.unchecked.map { String(lines[$0 - 1].prefix { $0 != " " }) }
      #expect(marked == shape.uncertain, "\(plain)")
    }
    let again = try DerivationSource.text(of: sources)
    #expect(again == text)
  }

  /// Every text of a description is in Korean too.
  @Test func commentsAreInKorean() throws {
    let text = try DerivationSource.text(of: [try DerivationSourceTests.source("oscar.json")])
    try Golden("derived/oscar-ko.toml").check(text.korean.plain)
  }

  // MARK: Rules

  private static let page = "{\"rows\":[{\"id\":2,\"name\":\"B\",PRICE},{\"id\":1,\"name\":\"A\",PRICE}]}"

  /// A price is written as its values are, and one that may be another amount is to be confirmed.
  @Test(arguments: [
    ("\"price\":1.5", "{ at = \"/price\", as = \"decimal\" }  # a number"),
    ("\"price\":1500", "{ at = \"/price\", as = \"decimal\" }  # CHECK whole numbers: or are they cents, minor-units?"),
    ("\"price\":1500.0", "{ at = \"/price\", as = \"decimal\" }  # a number"),
    ("\"price\":\"1.50\"", "{ at = \"/price\", as = \"decimal-text\" }  # a decimal number in a text"),
    (
      "\"price\":\"1500\"",
      "{ at = \"/price\", as = \"decimal-text\" }  # CHECK whole numbers: or are they cents, minor-units?"
    ),
    (
      "\"price_cents\":1500",
      "{ at = \"/price_cents\", as = \"minor-units\", digits = 2 }  # CHECK whole numbers of cents? digits are those of the currency"
    ),
    (
      "\"price\":{\"amount\":1500,\"currency\":\"EUR\"}",
      "{ at = \"/price/amount\", as = \"minor-units\", digits = 2 }  # CHECK whole numbers of cents? digits are those of the currency"
    ),
    ("\"variants\":[{\"price\":1.5}]", "{ at = \"/variants/0/price\", as = \"decimal\" }  # a number"),
    (
      "\"regular_price\":\"2.00\",\"price\":\"1.50\"",
      "{ at = \"/regular_price\", as = \"decimal-text\" }  # a decimal number in a text"
    ),
    ("\"가격\":1.5", "{ at = \"/가격\", as = \"decimal\" }  # a number"),
    (
      "\"pri\(String(repeating: "-", count: 200))ce\":1.5,\"price\":2.5",
      "{ at = \"/price\", as = \"decimal\" }  # a number"
    ),
    ("\"price\":null", "{ at = \"/price\", as = \"decimal\" }  # CHECK a value whose type isn't known"),
  ])
  func priceIsWrittenAsItsValues(_ members: String, _ expected: String) throws {
    let text = try DerivationSourceTests.derived(DerivationSourceTests.page.replacing("PRICE", with: members))
    let line = text.english.plain.split(separator: "\n").first { $0.hasPrefix("price = ") }
    #expect(line.map(String.init) == "price = " + expected)
  }

  /// A member that is called like a field and has other values is named with the reason.
  @Test(arguments: [
    ("\"price\":\"12,00\"", "# price = { at = \"/…\", as = \"decimal\" }  # /price: texts that are no decimal numbers"),
    ("\"price\":true", "# price = { at = \"/…\", as = \"decimal\" }  # /price: not a number"),
    ("\"stock\":1.5", "# stock = \"/…\"  # /stock: not a whole number"),
    ("\"currency\":\"₩\"", "# currency = { constant = \"USD\" }  # /currency: no code such as USD"),
    ("\"created\":\"yesterday\"", "# created = \"/…\"  # /created: no times of the kind 2024-05-23T08:56:21Z"),
    ("\"images\":[]", "# images = \"/…\"  # /images: a list without elements"),
    ("\"color\":1", "# stock = \"/…\"  # no member is called so"),
  ])
  func memberWithOtherValuesIsNamed(_ members: String, _ expected: String) throws {
    let text = try DerivationSourceTests.derived(DerivationSourceTests.page.replacing("PRICE", with: members))
    let plain = TextPattern(" {2,}").replacing(in: text.english.plain, with: "  ")
    #expect(plain.split(separator: "\n").contains { $0 == expected }, "\(plain)")
  }

  /// A field that only a row or only a single product has is said to be so.
  @Test func fieldsOfTheListAndOfAProductAreToldApart() throws {
    let text = try DerivationSourceTests.derived(
      "[{\"id\":1,\"name\":\"A\",\"stock\":2,\"price\":1.5}]",
      "{\"data\":{\"id\":1,\"title\":\"T\",\"name\":\"A\",\"description\":\"B\",\"price\":1.5}}")
    let market = try DescriptionReader.read(text.english.plain, named: "shop.toml")
    #expect(market.fields[.description]?.isInList == false && market.fields[.name]?.isInList == true)
    #expect(market.fields[.price]?.at.description == "/price" && market.fields[.price]?.isInList == true)
    #expect(text.english.plain.contains("# a whole number; a single product has none"), "\(text.english.plain)")
    #expect(market.read.record.description == "/data")
  }

  /// A list of products inside of something with a name is one.
  @Test func listInsideOfACategoryIsFound() throws {
    let text = try DerivationSourceTests.derived(
      "{\"id\":7,\"name\":\"Mugs\",\"products\":[{\"id\":1,\"name\":\"A\"}],\"links\":[{\"rel\":\"self\"}]}")
    let market = try DescriptionReader.read(text.english.plain, named: "shop.toml")
    #expect(market.list.records.description == "/products" && market.list.path.description == "/products")
    #expect(text.english.plain.contains("# other lists of objects: \"/links\""))
  }

  /// The pages of a saved response are requested as its links and numbers say.
  @Test(arguments: [
    (
      "\"next\":\"https://a.example/x/goods?page=2&per_page=20\"",
      "type = \"page\" page = \"page\" limit = \"per_page\" size = 20"
    ),
    ("\"next\":\"/goods?offset=20&limit=20\"", "type = \"offset\" offset = \"offset\" limit = \"limit\" size = 20"),
    ("\"links\":{\"next\":\"?after=abc\"}", "type = \"link\" next = \"/links/next\""),
    ("\"_links\":{\"next\":{\"href\":\"/goods?after=abc\"}}", "type = \"link\" next = \"/_links/next/href\""),
    (
      "\"next\":\"abc\",\"next_url\":\"/goods?_size=5&_next=abc\"",
      "type = \"cursor\" cursor = \"_next\" limit = \"_size\" next = \"/next\" size = 5"
    ),
    (
      "\"page\":0,\"size\":30,\"totalElements\":90",
      "type = \"page\" page = \"page\" limit = \"size\" first = 0 size = 30 total = \"/totalElements\""
    ),
    (
      "\"meta\":{\"current_page\":1,\"per_page\":10,\"total\":12}",
      "type = \"page\" page = \"page\" limit = \"per_page\" size = 10 total = \"/meta/total\""
    ),
    // A count of the rows is no total, and a link to something else is none to a page.
    ("\"skip\":0,\"limit\":2,\"total\":1", "type = \"offset\" offset = \"skip\" limit = \"limit\" size = 2"),
    ("\"next\":\"ftp://a.example/?page=2\"", "type = \"none\""),
    ("\"total\":12", "type = \"none\""),
  ])
  func pagesAreAsTheResponseSays(_ members: String, _ expected: String) throws {
    let text = try DerivationSourceTests.derived(
      DerivationSourceTests.page.replacing("PRICE", with: "\"price\":1.5").replacing(
        "{\"rows\"", with: "{\(members),\"rows\""))
    let lines = text.english.plain.split(separator: "\n")
      .drop { $0 != "[list.page]" }.dropFirst().prefix { !$0.hasPrefix("[") }.filter { !$0.hasPrefix("#") }
    #expect(lines.map { $0.split(separator: "  ")[0] }.joined(separator: " ") == expected)
  }

  /// A document whose operations are these.
  private static func document(
    _ paths: String, schemas: String = "", type: String = "\"integer\"", before: String = ""
  ) -> String {
    """
    {"openapi":"3.0.0",\(before)"paths":{\(paths)},"components":{"schemas":{\(schemas)
    "P":{"type":"object","properties":{"id":{"type":\(type)},"name":{"type":"string"},"price":{"type":"number"}}}}}}
    """
  }

  private static let answers = "\"responses\":{\"200\":{\"content\":{\"application/json\":{\"schema\":SCHEMA}}}}"
  private static let reference = "{\"$ref\":\"#/components/schemas/P\"}"

  /// Returns a path with the list of products and one with a product.
  private static func paths(_ list: String, _ item: String, more: String = "") -> String {
    let rows = answers.replacing("SCHEMA", with: "{\"type\":\"array\",\"items\":\(reference)}")
    let one = answers.replacing("SCHEMA", with: reference)
    return "\"\(list)\":{\"get\":{\(rows)}\(more)},\"\(item)\":{\"get\":{\(one)}}"
  }

  private static let lists: [(String, String)] = [
    (paths("/items", "/items/{id}") + "," + paths("/products", "/products/{id}"), "/products"),
    (
      paths("/products", "/products/{id}") + ","
        + paths("/admin/products", "/admin/products/{id}", more: ",\"post\":{}"), "/admin/products"
    ),
    (paths("/v1/things/", "/v1/things/{thing}/"), "/v1/things/"),
    (paths("/products.json", "/products/{id}.json"), "/products.json"),
    (paths("/", "/{id}"), "/"),
    // A list inside of something else can't be described.
    (paths("/shops/{shop}/products", "/shops/{shop}/products/{id}") + "," + paths("/goods", "/goods/{id}"), "/goods"),
  ]

  /// The list with the best name is used, and a path without a name of products if nothing else has prices.
  @Test(arguments: lists)
  func listWithTheBestNameIsUsed(_ paths: String, _ expected: String) throws {
    let text = try DerivationSourceTests.derived(DerivationSourceTests.document(paths))
    let market = try DescriptionReader.read(text.english.plain, named: "shop.toml")
    #expect(market.list.path.description == expected)
    #expect(market.read.path.description.contains(RequestPath.id))
  }

  /// The host belongs to the URL of a profile; a part with a variable too, and no name and password.
  @Test(arguments: [
    ("https://shop.example/api/v2/", "https://shop.example", "/api/v2"), ("/api", nil, "/api"), ("./api", nil, "/api"),
    ("https://{region}.shop.example/stores/{store}/v3", "https://{region}.shop.example/stores/{store}", "/v3"),
    ("https://me:secret@shop.example/x?key=secret", "https://shop.example", "/x"),
    ("https://shop.example", "https://shop.example", nil),
    ("ftp://shop.example/x", nil, "/x"), ("https://shop example/x", nil, "/x"), ("/../x", nil, nil), ("", nil, nil),
    ("/a b", nil, nil), ("/x/{a", nil, nil),
  ])
  func hostBelongsToTheProfile(_ address: String, _ hint: String?, _ base: String?) throws {
    let server = DocumentServer(address)
    #expect(server.hint == hint.map { "\"\($0)\"" } && server.base?.description == base)
  }

  /// Credentials go where a description can say it.
  @Test(arguments: [
    ("{\"type\":\"http\",\"scheme\":\"Bearer\"}", "type = \"http\" scheme = \"bearer\""),
    ("{\"type\":\"http\",\"scheme\":\"digest\"}", "type = \"none\""),
    ("{\"type\":\"apiKey\",\"in\":\"query\",\"name\":\"key\"}", "type = \"apiKey\" in = \"query\" name = \"key\""),
    ("{\"type\":\"apiKey\",\"in\":\"cookie\",\"name\":\"session\"}", "type = \"none\""),
    ("{\"type\":\"apiKey\",\"in\":\"header\",\"name\":\"Host\"}", "type = \"none\""),
    ("{\"type\":\"apiKey\",\"in\":\"header\",\"name\":\"X\\r\\nHost: a\"}", "type = \"none\""),
    (
      "{\"type\":\"apiKey\",\"in\":\"header\",\"name\":\"authorization\"}",
      "type = \"apiKey\" in = \"header\" name = \"authorization\""
    ),
    ("{\"type\":\"oauth2\",\"flows\":{}}", "type = \"http\" scheme = \"bearer\""),
    ("{\"type\":\"mutualTLS\"}", "type = \"none\""),
  ])
  func credentialsGoWhereADescriptionCanSay(_ scheme: String, _ expected: String) throws {
    let document = DerivationSourceTests.document(
      DerivationSourceTests.paths("/products", "/products/{id}"), before: "\"security\":[{\"key\":[]}],"
    ).replacing("\"components\":{", with: "\"components\":{\"securitySchemes\":{\"key\":\(scheme)},")
    let text = try DerivationSourceTests.derived(document).english.plain
    _ = try DescriptionReader.read(text, named: "shop.toml")
    let lines = text.split(separator: "\n").drop { $0 != "[auth]" }.dropFirst().prefix { !$0.hasPrefix("[") }
    #expect(lines.filter { !$0.hasPrefix("#") }.map { $0.split(separator: "  ")[0] }.joined(separator: " ") == expected)
  }

  /// A secret in the query can't follow links, so that the pages are left out.
  @Test func linksAreLeftOutWithASecretInTheQuery() throws {
    let rows = DerivationSourceTests.answers.replacing(
      "SCHEMA",
      with:
        "{\"type\":\"object\",\"properties\":{\"next\":{\"type\":\"string\"},\"rows\":{\"type\":\"array\",\"items\":\(DerivationSourceTests.reference)}}}"
    )
    let one = DerivationSourceTests.answers.replacing("SCHEMA", with: DerivationSourceTests.reference)
    let document = DerivationSourceTests.document(
      "\"/products\":{\"get\":{\(rows)}},\"/products/{id}\":{\"get\":{\(one)}}", before: "\"security\":[{\"key\":[]}],")
    let linked = try DerivationSourceTests.derived(document).english.plain
    #expect(linked.contains("type = \"link\"") && linked.contains("next = \"/next\""), "\(linked)")
    let keyed = document.replacing(
      "\"components\":{",
      with: "\"components\":{\"securitySchemes\":{\"key\":{\"type\":\"apiKey\",\"in\":\"query\",\"name\":\"k\"}},")
    let text = try DerivationSourceTests.derived(keyed).english.plain
    #expect(text.contains("# the pages are linked") && text.contains("in = \"query\""), "\(text)")
    #expect(try DescriptionReader.read(text, named: "shop.toml").list.page.kind == .none)
  }

  // MARK: Strangers' documents

  /// Text of a document stays on its line: it makes no value, no table and no control character.
  @Test func textOfADocumentStaysOnItsLine() throws {
    let evil = "a\\\"]\\n[auth]\\ntype = \\\"none\\\"\\u001b[2J\\u202e # CHECK \\\\"
    let documents = [
      DerivationSourceTests.document(
        DerivationSourceTests.paths(
          "/products", "/products/{id}",
          more:
            ",\"post\":{\"requestBody\":{\"content\":{\"application/json\":{\"schema\":{\"type\":\"object\",\"required\":[\"\(evil)\"],\"properties\":{\"name\":{\"type\":\"string\"},\"\(evil)\":{\"type\":\"string\"}}}}}}}"
        ),
        before: "\"info\":{\"title\":\"\(evil)\"},\"servers\":[{\"url\":\"https://\(evil)/\(evil)\"}],"
      ).replacing(
        "\"get\":{", with: "\"get\":{\"parameters\":[{\"name\":\"\(evil)\",\"in\":\"query\",\"required\":true}],"),
      "{\"\(evil)\":[{\"id\":1,\"name\":\"A\",\"\(evil)\":2,\"price\":\"\(evil)\",\"url\":\"https://x.example/\(evil)/1\"}],\"total\":5}",
    ]
    for document in documents {
      let text = try DerivationSourceTests.derived(document)
      for plain in [text.english.plain, text.korean.plain] {
        let market = try DescriptionReader.read(plain, named: "shop.toml")
        #expect(market.authentication == .none && market.fields.keys.contains(.name))
        #expect(plain.split(separator: "\n").count { $0.hasPrefix("[auth]") } == 1, "\(plain)")
        #expect(
          plain.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0 != "\u{202E}" && $0 != "\u{1B}" })
      }
    }
  }

  /// Schemas that contain themselves, that grow without end or that refer to nothing end as values that aren't known.
  @Test func endlessSchemasEnd() throws {
    let grown = (0..<40).map {
      "\"S\($0)\":{\"allOf\":[{\"$ref\":\"#/components/schemas/S\($0 + 1)\"},{\"$ref\":\"#/components/schemas/S\($0 + 1)\"}]},"
    }
    let schemas =
      grown.joined() + "\"S40\":{\"type\":\"object\"},"
      + "\"A\":{\"$ref\":\"#/components/schemas/B\"},\"B\":{\"$ref\":\"#/components/schemas/A\"},"
      + "\"C\":{\"type\":\"object\",\"properties\":{\"c\":{\"$ref\":\"#/components/schemas/C\"}}},"
    let more = ["S0", "A", "C", "missing"].map { "\"\($0)\":{\"$ref\":\"#/components/schemas/\($0)\"}" }.joined(
      separator: ",")
    let document = DerivationSourceTests.document(
      DerivationSourceTests.paths("/products", "/products/{id}"), schemas: schemas
    ).replacing("\"name\":{", with: "\(more),\"x\":{\"$ref\":\"https://evil.example/x\"},\"name\":{")
    let text = try DerivationSourceTests.derived(document).english.plain
    let market = try DescriptionReader.read(text, named: "shop.toml")
    #expect(market.fields.count == 2 && market.unchecked.isEmpty, "\(text)")
  }

  private static let unfitDocuments: [([String], String)] = [
    (
      [document(paths("/products", "/products/{id}"), type: "\"string\"")],
      "The ids are not whole numbers: /id. Ids that are texts are not supported."
    ),
    (["[{\"id\":\"a1\",\"name\":\"A\"}]"], "The ids are not whole numbers: /id. Ids that are texts are not supported."),
    (["[{\"id\":1,\"documentId\":\"x\",\"name\":\"A\"}]"], "The ids are not whole numbers: /documentId."),
    (
      [document(paths("/orders", "/orders/{id}").replacing("P\"", with: "Q\""))],
      "The document has no list of products."
    ),
    (
      [document("\"/products\":{\"get\":{}},\"/products/{id}\":{\"get\":{}}")],
      "The document does not say what a product of /products looks like."
    ),
    (
      [document(paths("/products", "/products/{id}").replacing("application/json", with: "application/xml"))],
      "The response to /products is not JSON. The document says application/xml."
    ),
    (
      ["{\"swagger\":\"1.2\",\"paths\":{}}"],
      "Unknown version of OpenAPI: 1.2. OpenAPI 3.0 and 3.1 and Swagger 2.0 are read."
    ),
    (["{\"products\":[]}"], "The first file has no list of products. It has /products."),
    (["{\"id\":1,\"name\":\"A\"}"], "The first file is a product. The first one is a page of the list."),
    (["7"], "The first file has no list of products. It has no members."),
    (["[{\"id\":1,\"color\":\"red\"}]"], "The products in the list have no name that is known. It has /id, /color."),
    (["[{\"name\":\"A\"}]"], "The products in the list have no id. It has /name."),
    (["[{\"id\":1,\"name\":\"A\"}]", "7"], "The second file has no product."),
    (
      ["[{\"id\":1,\"name\":\"A\"}]", "{\"openapi\":\"3.0.0\"}"],
      "shop.json is an OpenAPI document, and there are two files."
    ),
    (
      ["openapi: 3.0.0\npaths:\n"],
      "shop.json is not JSON. It is YAML, and only JSON is read. Convert it with yq -o json shop.json > openapi.json."
    ),
    (["{\"a\":"], "shop.json is not JSON. Byte 6 is not one of JSON."),
    ([String(repeating: "[", count: 500)], "shop.json is not JSON. It is nested too deeply."),
  ]

  /// A document or response that can't be described is refused with the reason, and with what to do.
  @Test(arguments: unfitDocuments)
  func unfitDocumentIsRefused(_ documents: [String], _ expected: String) throws {
    let error = try #require(throws: CommandError.self) {
      try DerivationSource.text(of: documents.map { try DerivationSource(Data($0.utf8), named: "shop.json") })
    }
    let message = error.message
    let words = [message.what] + message.reasons + message.nextSteps
    #expect(words.map(\.english.plain).joined(separator: " ").hasPrefix(expected), "\(words.map(\.english.plain))")
    #expect(error.exitStatus == .usageError && error.code == .badFile)
  }

  /// A document with more paths than those of any shop is refused.
  @Test func documentWithTooManyPathsIsRefused() throws {
    let paths = (0...10_000).map { "\"/\($0)\":{}" }.joined(separator: ",")
    let error = #expect(throws: CommandError.self) {
      try DerivationSourceTests.derived("{\"openapi\":\"3.0.0\",\"paths\":{\(paths)}}")
    }
    #expect(error?.message.what.english.plain == "The document has 10001 paths.")
  }

  /// No damaged document ends the program, and every description that is derived can be read.
  @Test func damagedDocumentsAreRead() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: DerivationSourceTests.folder)
      .filter { $0.hasSuffix(".json") }.sorted()
    #expect(names.count > 15)
    let words = [
      "{\"$ref\":\"#\"}", "\"$ref\":\"#/components/schemas/Item\"", "{id}", "/../", "\\u0000", "\\n# x",
      "\"\\\"\\n[auth]\\n\"", "\"type\":\"string\"", "\"in\":\"query\"", "\"readOnly\":true", "\"required\":[\"name\"]",
      "https://evil.example/",
    ]
    let fuzzer = MutatingFuzzer(samples: try names.map { try Golden("derived/" + $0).text() }, words: words)
    let count = Trial.count(400, long: 20_000, variable: "OPENMARKET_FUZZ_ROUNDS")
    let accepted = try fuzzer.run("derivation", count, seed: Trial.seed) { bytes, number in
      guard let source = try? DerivationSource(Data(bytes), named: "shop.json"),
        let text = try? DerivationSource.text(of: [source])
      else { return false }
      for plain in [text.english.plain, text.korean.plain] {
        #expect(throws: Never.self, "number \(number)") { try DescriptionReader.read(plain, named: "shop.toml") }
      }
      return true
    }
    #expect(accepted > count / 10)
  }
}
