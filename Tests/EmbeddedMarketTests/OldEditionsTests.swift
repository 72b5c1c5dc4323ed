import Foundation
import Testing

@testable import EmbeddedMarket

/// The older editions where they differ.
@Suite(.serialized) struct OldEditionsTests {
  static func item(_ fields: [String: String], images: Int) -> Data {
    let texts = fields.sorted { $0.key < $1.key }.map { Parts.text($0.key, $0.value) }
    return Parts.close(texts + (0..<images).map { Parts.file("images[]", "\($0).jpg") })
  }

  static let fields = [
    "title": "Mac mini", "descriptions": "작은 맥", "price": "890000", "currency": "KRW", "stock": "90",
    "discounted_price": "89000", "password": "1234",
  ]

  @Test(arguments: [ServedEdition.camp1, .camp2]) func camp(edition: ServedEdition) async throws {
    try await Market.with(edition) { market in
      let made = try await market.form("POST", "/item", OldEditionsTests.item(OldEditionsTests.fields, images: 1))
      let item = made.text.replacing(/[0-9A-F]{8}-[0-9A-F-]{27}/, with: "KEY")
        .replacingOccurrences(of: market.authority, with: "HOST")
      #expect(
        item == #"{"id":1,"title":"Mac mini","price":890000,"currency":"KRW","stock":90,"discounted_price":89000,"#
          + #""descriptions":"작은 맥","images":["http://HOST/images/KEY.png"],"#
          + #""thumbnails":["http://HOST/thumbnails/KEY.png"],"registration_date":1679540400.000000}"#)
      let check = try await market.form("PATCH", "/item/1", OldEditionsTests.item(["password": "1234"], images: 0))
      #expect(check.text == made.text)
      let wrong = try await market.form("PATCH", "/item/1", OldEditionsTests.item(["password": "1"], images: 0))
      let deleted = try await market.json("DELETE", "/item/1", #"{"id":1,"password":"1234"}"#)
      switch edition {
      case .camp1:
        #expect(wrong.line == #"404 {"error":true,"reason":"Not Found"}"#)
        #expect(deleted.line == #"200 {"id":1}"#)
      case .camp2, .training, .open:
        #expect(wrong.line == #"404 {"message":"Cannot find data for ID and password"}"#)
        #expect(deleted.text == made.text)
      }
      #expect(try await market.get("/item/1").status == 404)
      #expect(try await market.get("/items/100").line == #"200 {"page":100,"items":[]}"#)
    }
  }

  @Test func training() async throws {
    try await Market.with(.training) { market in
      let params = Parts.params.replacingOccurrences(of: "description", with: "descriptions")
      let made = try await market.create(params)
      #expect(made.status == 201)
      let secret = try await market.json("POST", "/api/products/1/secret", ProductsTests.right)
      #expect(secret.text.wholeMatch(of: /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/) != nil)
      let refused = try await market.json("DELETE", "/api/products/1/\(Market.demo.secret)", "")
      #expect(refused.line == #"400 {"code":400,"message":"The secret of the product does not match"}"#)
      #expect(try await market.json("DELETE", "/api/products/1/" + secret.text, "").text == made.text)
    }
  }
}
