import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EmbeddedMarket

/// Bodies that clients send, with the expected results.
@Suite(.serialized, .timeLimit(Trial.limit)) struct MultipartBodyTests {
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
      name: "extended file name alone",
      body: Parts.close([params, file("name=\"images\"; filename*=UTF-8''%EC%BB%B5.png")]), verdict: "201"),
    Case(
      name: "extended file name in another encoding",
      body: Parts.close([params, file("name=\"images\"; filename*=iso-8859-1''a.png")]), verdict: missing),
    Case(
      name: "part header without a colon", body: Parts.close([Data("nonsense\r\n".utf8) + params, image]),
      verdict: "201"),
    Case(
      name: "folded part header", body: Parts.close([params, file("name=\"images\";\r\n\tfilename=\"a.png\"")]),
      verdict: "201"),
    Case(
      name: "boundary of 70 bytes", boundary: String(repeating: "x", count: 70),
      body: Parts.close([params, image], boundary: String(repeating: "x", count: 70)), verdict: "201"),
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
  func bodyHasThisVerdict(_ one: Case) async throws {
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
  func pictureAddressEndsWithTheFileName(_ name: String, _ ending: String) async throws {
    try await Market.with { market in
      let body = Parts.close([MultipartBodyTests.params, Parts.file("images", name)])
      let product = try await WireJSON(market.form("POST", "/api/products", body))
      guard case .list(let images)? = product["images"], case .text(let address)? = images.first?["url"] else {
        Issue.record("no picture")
        return
      }
      #expect(address.hasSuffix("_origin" + ending))
    }
  }

  @Test func jsonInsteadOfAFormIsAnswered() async throws {
    try await Market.with { market in
      let line = try await market.json("POST", "/api/products", Parts.params).line
      #expect(
        line == #"400 {"code":400,"message":"Current request is not a multipart request"}"#)
    }
  }

  // MARK: What the teacher is told

  /// A form with a fault in its frame, the answer in the words of the framework, and what the log adds.
  @Test(
    arguments: [
      (
        "no CRLF before the second boundary",
        Parts.close([params, image]).replacing("\r\n--XYZ", with: "--XYZ", times: 1),
        missing, "the CRLF before the boundary at byte 219 is missing"
      ),
      (
        "LF before a boundary", Parts.close([params, image]).replacing("\r\n--XYZ", with: "\n--XYZ", times: 1),
        missing, "the line before the boundary at byte 220 ends in LF, not in CRLF"
      ),
      (
        "no last boundary", Parts.close([params, image]).dropLast("--XYZ--\r\n".utf8.count),
        unreadable + "Stream ended unexpectedly",
        "the last boundary, which two hyphens follow, is missing at the end, byte 961"
      ),
      (
        "no CRLF before the last boundary",
        Parts.close([params, image]).dropLast("\r\n--XYZ--\r\n".utf8.count)
          + Data("--XYZ--\r\n".utf8),
        unreadable + "Stream ended unexpectedly", "the CRLF before the boundary at byte 959 is missing"
      ),
      (
        "LF alone", lineFeeds(Parts.close([params])), unreadable + "Unexpected characters after the boundary",
        "the boundary at byte 0 is followed by LF, not by CRLF"
      ),
      (
        "no empty line", Data("--XYZ\r\nContent-Disposition: form-data; name=\"params\"\r\n{}\r\n--XYZ--\r\n".utf8),
        unreadable + "Header section is not terminated",
        "the empty line after the header of the part at byte 5 is missing"
      ),
      (
        "text after a boundary", Data("--XYZ\r\n\r\n\r\n--XYZabc\r\n--XYZ--\r\n".utf8),
        unreadable + "Unexpected characters after the boundary",
        "the boundary at byte 11 is followed by neither CRLF nor two hyphens"
      ),
      (
        "another boundary", Parts.close([params, image], boundary: "ABC"),
        unreadable + "Stream ended unexpectedly: the boundary does not occur",
        "the boundary that Content-Type names is nowhere in the body"
      ),
      (
        "many parts without a name", Data(String(repeating: "\r\n--XYZ\r\n\r\n\r\n", count: 5000).utf8),
        unreadable + "Too many parts",
        "the form has more than 64 parts"
      ),
      ("a whole form", Parts.close([params]), missing, nil),
    ] as [(String, Data, String, String?)])
  func malformedFormIsAnsweredAndLoggedWithItsFault(_ name: String, _ body: Data, _ verdict: String, _ fault: String?)
    async throws
  {
    let lines = Mutex<[String]>([])
    try await Market.with(log: { line in lines.withLock { $0.append(line) } }) { market in
      let answer = try await market.form("POST", "/api/products", body)
      guard case .text(let message)? = try WireJSON(answer)["message"] else {
        Issue.record("\(answer)")
        return
      }
      #expect("\(answer.status) \(message)" == verdict)
    }
    let line = try #require(lines.withLock { $0 }.first)
    #expect(line.hasSuffix("reason=\"\(verdict.dropFirst(4))\(fault.map { " (\($0))" } ?? "")\""), "\(line)")
  }

  /// A boundary has at most 70 characters (RFC 2046), in every edition.
  @Test(arguments: [70, 71], [ServedEdition.open, .camp1])
  func boundaryHasALimit(_ length: Int, _ edition: ServedEdition) async throws {
    let boundary = String(repeating: "-", count: length)
    try await Market.with(edition) { market in
      let body = Parts.close([Parts.text("params", Parts.params), MultipartBodyTests.image], boundary: boundary)
      let path = edition == .open ? "/api/products" : "/item"
      let answer = try await market.form("POST", path, body, boundary: boundary)
      #expect(answer.text.contains("the boundary has more than 70 characters") == (length > 70), "\(answer)")
      #expect(answer.status == (edition == .open && length <= 70 ? 201 : 400))
    }
  }

  /// The fault of any form is the one that a search at every byte finds.
  @Test func faultIsThatOfASearchAtEveryByte() {
    var random = SplitMix64(Trial.seed)
    let pieces = [
      "\r", "\n", "\r\n", "-", "--", "b", "-b", "--b", "\r\n--b", "\r\n--b\r\n", "\r\n\r\n", "--b--", " ", "x",
    ]
    for _ in 0..<Trial.count(5_000, long: 1_000_000, variable: "OPENMARKET_FUZZ_ROUNDS") {
      let boundary = ["b", "-", "-b-", "b--b"].randomElement(using: &random) ?? "b"
      var body = Data((Bool.random(using: &random) ? "--\(boundary)\r\n" : "").utf8)
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        let piece = pieces.randomElement(using: &random) ?? ""
        body += Data(piece.replacing("--b", with: "--" + boundary).utf8)
      }
      let fault = MultipartBody.fault(in: body, boundary: boundary)
      #expect(
        fault == MultipartBodyTests.slowFault(in: body, boundary: boundary), "\(body.base64EncodedString()) \(boundary)"
      )
    }
  }

  /// Finds the first fault of a form's frame by comparing at every byte.
  private static func slowFault(in body: Data, boundary: String) -> String? {
    let delimiter = Data("--\(boundary)".utf8)
    let (lineEnd, dashes) = (Data("\r\n".utf8), Data("--".utf8))
    var (position, previous) = (0, nil as Int?)
    while let next = body.range(of: delimiter, in: position..<body.endIndex) {
      let (start, end) = (next.lowerBound, next.upperBound)
      if start > 0, !body[..<start].suffix(2).elementsEqual(lineEnd) {
        return body[start - 1] == 0x0A
          ? "the line before the boundary at byte \(start) ends in LF, not in CRLF"
          : "the CRLF before the boundary at byte \(start) is missing"
      }
      if let previous, body.range(of: lineEnd + lineEnd, in: previous..<start) == nil {
        return "the empty line after the header of the part at byte \(previous) is missing"
      }
      let rest = body[end...].drop { $0 == 0x20 || $0 == 0x09 }
      if body[end...].starts(with: dashes) { return nil }
      if rest.first == 0x0A { return "the boundary at byte \(start) is followed by LF, not by CRLF" }
      if !rest.isEmpty, !rest.starts(with: lineEnd) {
        return "the boundary at byte \(start) is followed by neither CRLF nor two hyphens"
      }
      previous = rest.isEmpty ? nil : rest.startIndex
      position = end
    }
    guard position > 0 else { return "the boundary that Content-Type names is nowhere in the body" }
    return "the last boundary, which two hyphens follow, is missing at the end, byte \(body.count)"
  }

  /// The camps answer as Vapor does, which leaves the last part out.
  @Test(arguments: [
    ("\r\n--XYZ", "--XYZ", "the CRLF before the boundary at byte 56 is missing"),
    ("--XYZ--\r\n", "", "the last boundary, which two hyphens follow, is missing at the end, byte 363"),
  ]) func campsNameTheMalformedPart(_ part: String, _ replacement: String, _ fault: String) async throws {
    let lines = Mutex<[String]>([])
    try await Market.with(.camp1, log: { line in lines.withLock { $0.append(line) } }) { market in
      let fields = [
        ("title", "a"), ("descriptions", "b"), ("currency", "KRW"), ("stock", "1"), ("password", "p"), ("price", "5"),
      ]
      let body = Parts.close([Parts.file("images[]", "a.png")] + fields.map { Parts.text($0, $1) }.reversed())
      let short = Parts.close(fields.map { Parts.text($0, $1) })
      let sent = part.isEmpty ? body : short.replacing(part, with: replacement, times: 1)
      let answer = try await market.form("POST", "/item", sent)
      #expect(answer.status == 400)
    }
    let line = try #require(lines.withLock { $0 }.first)
    #expect(line.contains("required for key") && line.contains(" (\(fault)"), "\(line)")
  }

  /// Jackson reads no further than the first value.
  @Test func textAfterTheFirstJSONValueIsIgnored() async throws {
    try await Market.with { market in
      let body = Parts.close([Parts.text("params", Parts.params + "}x"), MultipartBodyTests.image])
      let created = try await market.form("POST", "/api/products", body)
      #expect(created.status == 201)
      let secret = #"{"stock":9,"secret":"\#(Market.demo.secret)"}"#
      let changed = try await market.json("PATCH", "/api/products/1", secret + "{")
      #expect(changed.status == 200)
    }
    try await Market.with(.camp2, empty: false) { market in
      let refused = try await market.json("DELETE", "/item/6", #"{"password":"\#(Market.demo.secret)"}x"#)
      #expect(refused.status == 400)
    }
  }
}

extension Data {
  /// Replaces the first occurrences of a text.
  fileprivate func replacing(_ text: String, with other: String, times: Int) -> Data {
    var result = self
    for _ in 0..<times {
      if let range = result.range(of: Data(text.utf8)) { result.replaceSubrange(range, with: Data(other.utf8)) }
    }
    return result
  }
}
