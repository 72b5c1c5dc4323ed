import Foundation
import Pacing
import Testing

@testable import EmbeddedMarket

/// Bodies that clients send, with the expected results.
@Suite(.serialized, .timeLimit(Trial.limit)) struct MultipartTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var boundary = "XYZ"
    var body: Data
    var verdict: String
    var testDescription: String { name }
  }

  static let params = Parts.text("params", Parts.params)
  static let image = Parts.file("images", "a.jpeg")
  static let missing = "400 Required request part 'images' is not present"
  static let unreadable = "400 Failed to parse multipart servlet request; nested exception is java.io.IOException: "

  static func file(_ disposition: String) -> Data {
    Data("Content-Disposition: form-data; \(disposition)\r\n\r\n".utf8) + Parts.picture
  }

  static func lineFeeds(_ body: Data) -> Data {
    Data(body.filter { $0 != 0x0D })
  }

  @Test(arguments: [
    Case(name: "plain", body: Parts.close([params, image]), verdict: "201"),
    Case(name: "quoted boundary", boundary: "\"XYZ\"", body: Parts.close([params, image]), verdict: "201"),
    Case(
      name: "dashes in front", boundary: "----XYZ", body: Parts.close([params, image], boundary: "----XYZ"),
      verdict: "201"),
    Case(name: "images first", body: Parts.close([image, image, params]), verdict: "201"),
    Case(
      name: "preamble and epilogue", body: Data("hello\r\n".utf8) + Parts.close([params, image]) + Data("bye".utf8),
      verdict: "201"),
    Case(
      name: "file name on params",
      body: Parts.close([
        Data("Content-Disposition: form-data; name=\"params\"; filename=\"\"\r\n\r\n\(Parts.params)".utf8), image,
      ]), verdict: "201"),
    Case(
      name: "type on params",
      body: Parts.close([
        Data(
          "content-disposition: form-data; name=params\r\nContent-Type: application/json\r\n\r\n\(Parts.params)".utf8),
        image,
      ]), verdict: "201"),
    Case(
      name: "backslash at the end of a name",
      body: Parts.close([params, image, Data("Content-Disposition: form-data; name=\"a\\\"\r\n\r\nx".utf8)]),
      verdict: "201"),
    Case(
      name: "quote not closed", body: Parts.close([params, file(#"name="images"; filename="a.png"#)]), verdict: "201"),
    Case(name: "part without a name", body: Parts.close([file("x=y"), params, image]), verdict: "201"),
    Case(name: "part with an empty name", body: Parts.close([file(#"name="""#), params, image]), verdict: "201"),
    Case(
      name: "part header without a colon", body: Parts.close([Data("nonsense\r\n".utf8) + params, image]),
      verdict: "201"),
    Case(
      name: "folded part header", body: Parts.close([params, file("name=\"images\";\r\n\tfilename=\"a.png\"")]),
      verdict: "201"),
    Case(
      name: "boundary of 200 bytes", boundary: String(repeating: "x", count: 200),
      body: Parts.close([params, image], boundary: String(repeating: "x", count: 200)), verdict: "201"),
    Case(
      name: "empty boundary", boundary: "", body: Parts.close([params, image]),
      verdict: unreadable + "the request was rejected because no multipart boundary was found"),
    Case(name: "no params", body: Parts.close([image]), verdict: "400 Required request part 'params' is not present"),
    Case(name: "no images", body: Parts.close([params]), verdict: missing),
    Case(name: "images without file name", body: Parts.close([params, Parts.text("images", "x")]), verdict: missing),
    Case(name: "five images", body: Parts.close([params] + Array(repeating: image, count: 5)), verdict: "201"),
    Case(
      name: "six images", body: Parts.close([params] + Array(repeating: image, count: 6)),
      verdict: "400 The number of images must be 5 or less"),
    Case(
      name: "line feeds only", body: lineFeeds(Parts.close([params, image])),
      verdict: unreadable + "Unexpected characters after the boundary"),
    Case(
      name: "cut off", body: Parts.close([params, image]).dropLast(10),
      verdict: unreadable + "Stream ended unexpectedly"),
    Case(
      name: "no closing dashes", body: Parts.close([params, image]).dropLast(4) + Data("\r\n".utf8),
      verdict: unreadable + "Header section is not terminated"),
    Case(
      name: "other boundary", boundary: "ABC", body: Parts.close([params, image]),
      verdict: unreadable + "Stream ended unexpectedly: the boundary does not occur"),
    Case(
      name: "params no JSON", body: Parts.close([Parts.text("params", "{"), image]),
      verdict: "400 JSON parse error: A member name in double quotes is expected (line: 1, column: 2)"),
    Case(
      name: "endless part header",
      body: Data(("--XYZ\r\nContent-Disposition: form-data; name=\"" + String(repeating: "a", count: 11_000)).utf8),
      verdict: unreadable + "Header section has more than 10240 bytes (maybe it is not properly terminated)"),
  ])
  func verdicts(_ one: Case) async throws {
    try await Market.with { market in
      let answer = try await market.form("POST", "/api/products", one.body, boundary: one.boundary)
      var verdict = String(answer.status)
      if answer.status != 201, case .text(let message)? = try WireJSON(answer)["message"] { verdict += " " + message }
      #expect(verdict == one.verdict)
    }
  }

  /// The address of a picture ends as the name of its file, with quotes in the name as students' clients send them.
  @Test(arguments: [
    (#"학생 상품 "따옴표" - 0.png"#, ".png"), (#"a\"b.jpg"#, ".jpg"), ("a;b.png", ".png"), ("none", ""),
  ])
  func fileNames(_ name: String, _ ending: String) async throws {
    try await Market.with { market in
      let body = Parts.close([MultipartTests.params, Parts.file("images", name)])
      let product = try await WireJSON(market.form("POST", "/api/products", body))
      guard case .list(let images)? = product["images"], case .text(let address)? = images.first?["url"] else {
        Issue.record("no picture")
        return
      }
      #expect(address.hasSuffix("_origin" + ending))
    }
  }

  @Test func jsonInstead() async throws {
    try await Market.with { market in
      let line = try await market.json("POST", "/api/products", Parts.params).line
      #expect(
        line == #"400 {"code":400,"message":"Current request is not a multipart request"}"#)
    }
  }
}
