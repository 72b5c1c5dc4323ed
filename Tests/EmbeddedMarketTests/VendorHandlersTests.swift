import Foundation
import TestSupport
import Testing

@testable import EmbeddedMarket

/// The responses of edition `open` to each step of a product's life, compared completely with their times, and the effects
/// that they have.
@Suite(.serialized, .timeLimit(Trial.limit)) struct VendorHandlersTests {
  private func masked(_ answer: Conversation.Answer, _ market: Market) -> String {
    answer.line.replacing(/[0-9a-f]{32}/, with: "KEY").replacingOccurrences(of: market.authority, with: "HOST")
  }

  private func product(name: String, price: String, bargain: String, stock: Int) -> String {
    let folder = "http://HOST/media.yagom-academy.kr/training-resources/15/20230323/KEY"
    return """
      {"id":1,"vendor_id":15,"name":"\(name)","description":"열 글자 이상의 설명입니다",\
      "thumbnail":"\(folder)_thumb.jpeg","currency":"KRW","price":\(price),"bargain_price":\(bargain),\
      "discounted_price":100.0,"stock":\(stock),"created_at":"2023-03-23T00:00:00","issued_at":"2023-03-23T00:00:00",\
      "images":[{"id":1,"url":"\(folder)_origin.jpeg","thumbnail_url":"\(folder)_thumb.jpeg",\
      "issued_at":"2023-03-23T00:00:00"}],"vendors":{"id":15,"name":"구름상점"}}
      """
  }

  @Test func everyStepOfAProductHasItsResponseAndEffect() async throws {
    try await Market.with { market in
      let secret = Market.demo.secret
      let made = product(name: "우유병", price: "3500.0", bargain: "3400.0", stock: 2)
      #expect(masked(try await market.create(Parts.params, headers: ["X-Request-Id: r1"]), market) == "201 " + made)
      #expect(masked(try await market.get("/api/products/1/"), market) == "200 " + made)
      #expect(masked(try await market.get("//api/products/1"), market) == "200 " + made)

      let edit = #"{"secret":"\#(secret)","price":"60000000","stock":7,"name":"큰 우유병"}"#
      let edited = product(name: "큰 우유병", price: "6.0E7", bargain: "5.99999E7", stock: 7)
      #expect(masked(try await market.json("PATCH", "/api/products/1", edit), market) == "200 " + edited)

      let path = try await market.json("POST", "/api/products/1/archived", #"{"secret":"\#(secret)"}"#)
      #expect(path.status == 200)
      #expect(path.headers["content-type"] == "text/plain;charset=UTF-8")
      let token = try #require(path.text.split(separator: "/").last)
      let ticket = String(decoding: try #require(Data(base64Encoded: String(token))), as: UTF8.self)
      #expect(ticket.wholeMatch(of: /1\|[0-9a-f]{8}-[0-9a-f]{4}-1[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
      #expect(masked(try await market.json("DELETE", path.text, ""), market) == "200 " + edited)
      #expect(
        try await market.json("DELETE", path.text, "").line == #"404 {"code":404,"message":"Product 1 does not exist"}"#
      )

      let effects = try await market.server.auditLog()
      #expect(effects.map(\.kind) == [.create, .edit, .archive, .delete])
      #expect(effects.map(\.request) == ["r1", nil, nil, nil])
      #expect(effects.map(\.number) == [1, 2, 3, 4])
    }
  }

  @Test func picturesAreServedWithThumbnails() async throws {
    try await Market.with { market in
      let product = try await WireJSON(market.create(Parts.params, images: 2))
      guard case .list(let images)? = product["images"], case .text(let url)? = images[1]["url"] else {
        Issue.record("no images")
        return
      }
      let answer = try await market.get(try #require(URL(string: url)).path)
      #expect(answer.headers["content-type"] == "image/jpeg")
      #expect(answer.body == Parts.picture)
    }
  }

  @Test func samplePicturesAreDrawnOnceAndAlwaysEqual() async throws {
    try await Market.with(empty: false) { market in
      let product = try await WireJSON(market.get("/api/products/7"))
      guard case .text(let url)? = product["thumbnail"] else {
        Issue.record("no thumbnail")
        return
      }
      let path = try #require(URL(string: url)).path
      let first = try await market.get(path)
      #expect(first.body.starts(with: [0xFF, 0xD8]))
      #expect(try await market.get(path).body == first.body)
    }
  }

  struct Refused: Sendable, CustomTestStringConvertible {
    var method: String
    var path: String
    var body: String
    var line: String
    var identifier = Market.demo.identifier
    var testDescription: String { method + " " + path + " " + body }
  }

  static let right = #"{"secret":"\#(Market.demo.secret)"}"#

  @Test(arguments: [
    Refused(
      method: "GET", path: "/api/products/999", body: "",
      line: #"404 {"code":404,"message":"Product 999 does not exist"}"#),
    Refused(
      method: "GET", path: "/api/products/x", body: "",
      line: ##"400 {"code":400,"message":"Failed to convert value of type 'String' to required type 'int'; "##
        + ##"For input string: \"x\""}"##),
    Refused(
      method: "GET", path: "/api/products?page_no=0", body: "",
      line: #"400 {"code":400,"message":"page_no: must be greater than or equal to 1"}"#),
    Refused(
      method: "GET", path: "/api/products?page_no=9223372036854775807", body: "",
      line: #"400 {"code":400,"message":"page_no: is too large"}"#),
    Refused(method: "GET", path: "/nowhere", body: "", line: #"404 {"code":404,"message":"Not Found"}"#),
    Refused(
      method: "PUT", path: "/api/products/1", body: "",
      line: #"405 {"code":405,"message":"Request method 'PUT' not supported"}"#),
    Refused(
      method: "PATCH", path: "/api/products/1", body: "154",
      line: #"400 {"code":400,"message":"JSON parse error: an object is expected (line: 1, column: 1)"}"#),
    Refused(
      method: "PATCH", path: "/api/products/1", body: #"{"secret":"no"}"#,
      line: #"400 {"code":400,"message":"The secret does not match the identifier"}"#),
    Refused(
      method: "PATCH", path: "/api/products/1", body: right,
      line: #"400 {"code":400,"message":"Unknown identifier"}"#, identifier: "0"),
    Refused(
      method: "PATCH", path: "/api/products/1", body: #"{"price":-1,"secret":"\#(Market.demo.secret)"}"#,
      line: #"400 {"code":400,"message":"price: must be greater than or equal to 0"}"#),
    Refused(
      method: "PATCH", path: "/api/products/1", body: #"{"discounted_price":1e15,"secret":"\#(Market.demo.secret)"}"#,
      line: #"400 {"code":400,"message":"discounted_price: must be less than or equal to 999999999999999"}"#),
    Refused(
      method: "PATCH", path: "/api/products/1", body: #"{"thumbnail_id":9,"secret":"\#(Market.demo.secret)"}"#,
      line: #"409 {"code":409,"message":"thumbnail_id: the product has no image 9"}"#),
    Refused(
      method: "DELETE", path: "/api/products/\(Market.demo.secret)", body: "",
      line: #"403 {"code":403,"message":"The delete URI is not valid"}"#),
  ])
  func refusalsHaveTheirStatusAndBody(_ refused: Refused) async throws {
    try await Market.with { market in
      _ = try await market.create(Parts.params)
      let answer = try await market.json(refused.method, refused.path, refused.body, identifier: refused.identifier)
      #expect(answer.line == refused.line)
    }
  }

  @Test func foreignProductsAreRefused() async throws {
    try await Market.with(empty: false) { market in
      let answer = try await market.json("PATCH", "/api/products/1", VendorHandlersTests.right)
      #expect(answer.line == #"403 {"code":403,"message":"The product belongs to another vendor"}"#)
    }
  }

  @Test func strictEnforcesTheDocumentedLimits() async throws {
    let table = [
      (#""name":"우""#, "name: size must be between 3 and 100"),
      (#""description":"짧다""#, "description: size must be between 10 and 1000"),
      (#""discounted_price":4000"#, "discounted_price: must be less than or equal to price"),
      (#""currency":"BTC""#, "currency: must be KRW, USD, JPY or HKD"),
    ]
    for strict in [true, false] {
      try await Market.with(strict: strict) { market in
        #expect(try await market.create(Parts.params).status == 201)
        for (member, message) in table {
          let answer = try await market.json(
            "PATCH", "/api/products/1", "{\(member),\(VendorHandlersTests.right.dropFirst())")
          if strict {
            #expect(answer.line == #"400 {"code":400,"message":"\#(message)"}"#)
          } else {
            #expect(answer.status == 200)
          }
        }
      }
    }
  }

  @Test func listIsPagedAndSearched() async throws {
    try await Market.with(empty: false) { market in
      let last = try await WireJSON(market.get("/api/products?page_no=15&items_per_page=10"))
      #expect(
        last.minified.hasPrefix(
          #"{"pageNo":15,"itemsPerPage":10,"totalCount":141,"offset":140,"limit":150,"lastPage":15,"#
            + #""hasNext":false,"hasPrev":true,"pages":[{"id":1,"#))
      #expect(
        try await market.get("/api/products?page_no=99").text.hasSuffix(#""hasNext":false,"hasPrev":true,"pages":[]}"#))
      let mine = try await WireJSON(market.get("/api/products?search_value=%EA%B5%AC%EB%A6%84&items_per_page=100"))
      #expect(mine["totalCount"] == .number("23"))
      let mugs = try await WireJSON(market.get("/api/products?search_value=PORCELAIN+mug"))
      #expect(mugs["totalCount"] != .number("0") && mugs["totalCount"] != .number("141"))
      #expect(try await WireJSON(market.get("/api/products?search_value="))["totalCount"] == .number("141"))
      #expect(try await WireJSON(market.get("/api/products?search_value=%25"))["totalCount"] == .number("0"))
      #expect(try await WireJSON(market.get("/openapi.json"))["openapi"] == .text("3.1.0"))
    }
  }
}
