import Catalog
import Foundation
import MarketAPI
import Networking
import Synchronization
import Testing

/// Responses that aren't products: rejections, malicious rows, and other servers.
struct ResponseDecoderTests {
  @Test(
    arguments: [
      (404, #"{"error":true,"reason":"Not Found"}"#, MarketError.notFound(message: "Not Found")),
      (
        404, #"{"message":"Cannot find data for ID and password"}"#,
        .notFound(message: "Cannot find data for ID and password")
      ),
      (400, #"{"code":400,"message":"JSON parse error"}"#, .refused(status: 400, message: "JSON parse error")),
      (401, "", .refused(status: 401, message: nil)), (500, "<html>x</html>", .refused(status: 500, message: "x")),
      (403, "secret s3cr3t is wrong", .refused(status: 403, message: "secret ••• is wrong")),
      (429, "", .tooManyRequests(retryAfter: 9, message: nil)), (302, "", .redirected(status: 302, to: "http://x/")),
      (200, "", .unreadable(status: 200, kind: .empty, excerpt: "")),
      (200, "<html>", .unreadable(status: 200, kind: .html, excerpt: "<html>")),
      (200, "fine", .unreadable(status: 200, kind: .json, excerpt: "fine")),
      (201, "{}", .unreadable(status: 201, kind: .json, excerpt: "{}")),
      (200, #"{"id":8}"#, .unreadable(status: 200, kind: .otherProduct(8), excerpt: #"{"id":8}"#)),
      (
        200, #"{"id":7,"price":1e400}"#,
        .unreadable(status: 200, kind: .field("price", found: "1e400"), excerpt: #"{"id":7,"price":1e400}"#)
      ),
    ] as [(Int, String, MarketError)]) func errorResponseIsDecoded(status: Int, body: String, expected: MarketError)
  {
    let answer = reply(body, status, [HeaderField("Retry-After", "9"), HeaderField("Location", "http://x/")])
    for edition in [Edition.camp2, .training, .open] {
      let found = error {
        try EditProduct(7, ProductValues(name: "n"), boundary: "X").decode(from: answer, of: market(edition))
      }
      #expect(found == expected)
    }
  }

  /// The body of another edition than the requested one.
  @Test(arguments: [
    ("c_products_page1_of_1_20221115.json", Edition.training, [Edition.open]),
    ("c_products_page1_of_1_20221115.json", .camp2, [.open]),
    ("b_products_page1_20220104_raw_minified.json", .open, [.training]),
    ("b_products_page2_of_10_20220120.json", .camp1, [.training]),
    ("a1_items_page1_capture.json", .open, [.camp1, .camp2]),
    ("a_items_official_sample.json", .training, [.camp1, .camp2]),
  ])
  func listOfAnotherEditionIsRecognized(_ name: String, _ asked: Edition, _ editions: [Edition]) throws {
    let body = String(decoding: try Captures.bytes(name), as: UTF8.self)
    let found = error { try ListProducts().decode(from: reply(body), of: market(asked)) }
    guard case .unreadable(200, .list(editions), _) = found else {
      Issue.record("\(String(describing: found))")
      return
    }
  }

  /// A list with only rows, as some imitations return, is valid.
  @Test func listWithoutCountsIsDecoded() throws {
    let page = try ListProducts().decode(from: reply(#"{"pages":[{"id":1},{"id":null}]}"#), of: market(.open))
    #expect(page.products.map(\.id) == [1])
    #expect(page.broken == [UndecodableRow(position: 2, id: nil, field: "id", reason: "null")])
  }

  @Test(arguments: [("3400.0", nil), ("3000.0", "3000"), ("3.4E3", nil)])
  func conflictingSalePriceIsReported(_ told: String, _ otherSale: String?) throws {
    let body = String(decoding: try Captures.bytes("c_product_32_20221018.json"), as: UTF8.self)
      .replacing(#/"bargain_price"\s*:\s*[0-9.]+/#, with: "\"bargain_price\":\(told)")
    for edition in [Edition.training, .open] {
      let answer = try GetProductWithServerPrice(32).decode(from: reply(body), of: market(edition))
      #expect(answer.conflictingSalePrice?.description == otherSale)
      #expect(answer.product.sale?.description == "3400")
    }
  }

  @Test func longMessageIsTruncated() {
    let answer = reply(#"{"message":"\#(String(repeating: "가", count: 2000))"}"#, 400)
    let found = error { try GetProduct(1).decode(from: answer, of: market(.open)) }
    #expect(found == .refused(status: 400, message: String(repeating: "가", count: 500)))
  }

  @Test func invalidRowIsNamed() throws {
    let rows = (1...100).map { #"{"id":\#($0),"name":"n","price":\#($0 == 17 ? "1e400" : "6.0E7"),"stock":3}"# }
    let body = #"{"pageNo":1,"pages":[\#(rows.joined(separator: ","))]}"#
    let page = try ListProducts().decode(from: reply(body), of: market(.open))
    #expect(page.products.map(\.id) == (1...100).filter { $0 != 17 })
    #expect(page.broken == [UndecodableRow(position: 17, id: 17, field: "price", reason: "1e400")])
  }

  @Test func invalidValuesOfRowsAreDropped() throws {
    let rows = [
      #"{"id":"1","price":"1000","stock":2.0}"#, #"{"id":2.0,"price":-0}"#, #"{"id":3,"stock":9223372036854775808}"#,
      #"{"id":18446744073709551616}"#, #"{"id":5,"price":NaN}"#, "null", "[]", #"{"name":"no id"}"#,
      #"{"id":1,"name":"again"}"#,
      #"{"id":9,"name":null,"price":null,"vendors":null,"images":[{"id":1},7,{"url":"u"}]}"#,
      #"{"id":10,"price":1E2,"discounted_price":1,"created_at":"yesterday"}"#, #"{"id":11,"name":{"a":1}}"#,
      #"{"id":12,"price":1,"price":2}"#,
    ]
    let body = #"{"pageNo":"x","totalCount":1e400,"pages":[\#(rows.joined(separator: ","))]}"#
    let page = try ListProducts(page: 4).decode(from: reply(body), of: market(.open))
    #expect(page.number == 4 && page.total == nil)
    #expect(
      page.products.map(line) == [
        "1 | - | - | 1000 | - | - | - | 2 | - | - | - | - | - | -",
        "2 | - | - | 0 | - | - | - | - | - | - | - | - | - | -",
        "9 | - | - | - | - | - | - | - | - | - | - | - | - | -:u",
        "10 | - | - | 100 | 1 | 99 | - | - | - | - | - | - | - | -",
        "12 | - | - | 2 | - | - | - | - | - | - | - | - | - | -",
      ])
    #expect(
      page.broken.map { "\($0.position) \($0.id.map(String.init) ?? "-") \($0.field ?? "-") \($0.reason)" } == [
        "3 3 stock 9223372036854775808", "4 - id 18446744073709551616", "5 5 price NaN", "6 - - null", "7 - - […]",
        "8 - id null", "12 11 name {…}",
      ])
  }

  @Test func deleteResponseIsDecodedInEachEdition() throws {
    func gone(_ text: String, _ edition: Edition) throws -> Product? {
      try DeleteProduct(26).decode(from: reply(text), of: market(edition))
    }
    #expect(try gone(#"{"id":26}"#, .camp1) == nil)
    #expect(error { try gone(#"{"id":27}"#, .camp1) }?.status == 200)
    #expect(error { try gone("", .camp1) } == .unreadable(status: 200, kind: .empty, excerpt: ""))
    #expect(try gone(#"{"id":26,"title":"t"}"#, .camp2)?.name == "t")
    #expect(try gone(#"{"id":26,"name":"t"}"#, .open)?.name == "t")
  }

  @Test(
    arguments: [
      (#"{"pageNo":1,"pages":[]}"#, "", Edition.open, 1), (#"{"page_no":1,"pages":[]}"#, "", .training, 1),
      ("<html>", #"{"page":1,"items":[]}"#, .camp2, 2), (#"{"error":true}"#, "nothing", nil, 2),
    ] as [(String, String, Edition?, Int)])
  func editionIsDetected(products: String, items: String, edition: Edition?, reads: Int) async throws {
    let seen = Recorder { $0.path.first == "items" ? reply(items) : reply(products) }
    let found = try? await EditionDetector(through: seen).edition(at: base)
    #expect(found == edition && seen.lines.count == reads)
  }
}

private final class Recorder: Transport {
  private let list = Mutex<[String]>([])
  private let answer: @Sendable (Request) -> Response
  var lines: [String] { list.withLock { $0 } }
  init(_ answer: @escaping @Sendable (Request) -> Response) { self.answer = answer }
  func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
    list.withLock { $0.append("\(request.method.rawValue) \(request.target)") }
    return answer(request)
  }
}
