import Foundation
import TestSupport
import Testing

@testable import EmbeddedMarket

/// The differences of the older editions.
@Suite(.serialized, .timeLimit(Trial.limit)) struct OlderEditionsTests {
  static func item(_ fields: [String: String], images: Int) -> Data {
    let texts = fields.sorted { $0.key < $1.key }.map { Parts.text($0.key, $0.value) }
    return Parts.close(texts + (0..<images).map { Parts.file("images[]", "\($0).jpg") })
  }

  static let fields = [
    "title": "Mac mini", "descriptions": "작은 맥", "price": "890000", "currency": "KRW", "stock": "90",
    "discounted_price": "89000", "password": "1234",
  ]

  @Test(arguments: [ServedEdition.camp1, .camp2])
  func campAnswersEachStepOfAProductsLife(edition: ServedEdition) async throws {
    try await Market.with(edition) { market in
      let made = try await market.form("POST", "/item", OlderEditionsTests.item(OlderEditionsTests.fields, images: 1))
      let item = made.text.replacing(/[0-9A-F]{8}-[0-9A-F-]{27}/, with: "KEY")
        .replacingOccurrences(of: market.authority, with: "HOST")
      #expect(
        item == #"{"id":1,"title":"Mac mini","price":890000,"currency":"KRW","stock":90,"discounted_price":89000,"#
          + #""descriptions":"작은 맥","images":["http://HOST/images/KEY.png"],"#
          + #""thumbnails":["http://HOST/thumbnails/KEY.png"],"registration_date":1679540400.000000}"#)
      let check = try await market.form("PATCH", "/item/1", OlderEditionsTests.item(["password": "1234"], images: 0))
      #expect(check.text == made.text)
      let wrong = try await market.form("PATCH", "/item/1", OlderEditionsTests.item(["password": "1"], images: 0))
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

  /// Invalid forms that clients sent and the camp servers understood, and what the servers of 2022 do with them.
  struct Form: Sendable, CustomTestStringConvertible {
    var name: String
    var body: Data
    var camp: String
    var training: String
    var testDescription: String { name }
  }

  static let missingPrice = #"400 {"error":true,"reason":"Value required for key 'price'."}"#
  static let missingImages = #"400 {"error":true,"reason":"Value required for key 'images[]'."}"#

  @Test(arguments: [
    Form(
      name: "a last delimiter without its dashes", body: item(fields, images: 1).dropLast(4) + Data("\r\n".utf8),
      camp: "200", training: unreadable("Header section is not terminated")),
    Form(
      name: "cut off in the last delimiter", body: item(fields, images: 1).dropLast(4), camp: missingImages,
      training: unreadable("Unexpected characters after the boundary")),
    Form(
      name: "a name without its closing quote",
      body: Parts.close(
        fields.map { Parts.text($0.key, $0.value) } + [
          Data("Content-Disposition: form-data; name=\"images[]; filename=\"a.jpg\"\r\n\r\n".utf8) + Parts.picture
        ]), camp: "200",
      training: "400 {\"code\":400,\"message\":\"Required request part 'params' is not present\"}"),
    Form(
      name: "a picture without a file name",
      body: Parts.close(
        fields.map { Parts.text($0.key, $0.value) } + [
          Data("Content-Disposition: form-data; name=\"images[]\"\r\n\r\n".utf8) + Parts.picture
        ]), camp: "200",
      training: "400 {\"code\":400,\"message\":\"Required request part 'params' is not present\"}"),
    Form(
      name: "a text for a picture",
      body: Parts.close(fields.map { Parts.text($0.key, $0.value) } + [Parts.text("images[]", "a.jpg")]),
      camp: #"400 {"error":true,"reason":"Value of type 'File' required for key 'images[]'."}"#,
      training: "400 {\"code\":400,\"message\":\"Required request part 'params' is not present\"}"),
    Form(
      name: "no delimiter at all", body: Data("hello".utf8), camp: missingPrice,
      training: unreadable("Stream ended unexpectedly: the boundary does not occur")),
    Form(
      name: "line feeds only", body: Data(item(fields, images: 0).filter { $0 != 0x0D }),
      camp: #"400 {"error":true,"reason":"Multipart data is not formatted correctly: "#
        + #"Unexpected characters after the boundary"}"#,
      training: unreadable("Unexpected characters after the boundary")),
  ])
  func malformedCampFormsAreRefused(_ form: Form) async throws {
    for edition in [ServedEdition.camp1, .camp2] {
      try await Market.with(edition) { market in
        let answer = try await market.form("POST", "/item", form.body)
        #expect((answer.status == 200 ? "200" : answer.line) == form.camp)
      }
    }
    try await Market.with(.training) { market in
      let line = try await market.form("POST", "/api/products", form.body).line
      #expect(line == form.training)
    }
  }

  private static func unreadable(_ what: String) -> String {
    #"400 {"code":400,"message":"Failed to parse multipart servlet request; "#
      + #"nested exception is java.io.IOException: \#(what)"}"#
  }

  /// No error of a camp server has the wording of a Java server.
  @Test(arguments: [
    ("GET", "/item/x", "", #"400 {"error":true,"reason":"Value of type 'Int' required for key 'id'."}"#),
    (
      "DELETE", "/item/1", "{",
      #"400 {"error":true,"reason":"Data corrupted at path ''. The given data was not valid JSON."}"#
    ),
    (
      "DELETE", "/item/1", "7",
      #"400 {"error":true,"reason":"Value of type 'Dictionary<String, Any>' required for key ''."}"#
    ),
    (
      "DELETE", "/item/1", #"{"id":2,"password":"1234"}"#,
      #"409 {"error":true,"reason":"The id of the body is not the id of the path"}"#
    ),
    ("DELETE", "/item/1", "{}", #"400 {"error":true,"reason":"Value required for key 'password'."}"#),
    ("PUT", "/item/1", "", #"405 {"error":true,"reason":"Method Not Allowed"}"#),
    ("GET", "/nowhere", "", #"404 {"error":true,"reason":"Not Found"}"#),
  ])
  func campRefusalsHaveNoJavaWording(_ method: String, _ path: String, _ body: String, _ line: String) async throws {
    try await Market.with(.camp1) { market in
      let answer = try await market.json(method, path, body).line
      #expect(answer == line)
    }
  }

  @Test func trainingAnswersEachStepOfAProductsLife() async throws {
    try await Market.with(.training) { market in
      let params = Parts.params.replacingOccurrences(of: "description", with: "descriptions")
      let made = try await market.create(params)
      #expect(made.status == 201)
      let secret = try await market.json("POST", "/api/products/1/secret", VendorHandlersTests.right)
      #expect(secret.text.wholeMatch(of: /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/) != nil)
      let refused = try await market.json("DELETE", "/api/products/1/\(Market.demo.secret)", "")
      #expect(refused.line == #"400 {"code":400,"message":"The secret of the product does not match"}"#)
      let shown = try await market.get("/api/products/1").text
      #expect(try await market.json("DELETE", "/api/products/1/" + secret.text, "").text == shown)
    }
  }
}
