import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EmbeddedMarket

/// The lines of `serve --log`.
@Suite(.serialized, .timeLimit(Trial.limit)) struct AccessLogTests {
  /// The log names who asked and why it was refused.
  @Test func lineNamesVendorAddressAndReason() async throws {
    let lines = Mutex<[String]>([])
    try await Market.with(log: { line in lines.withLock { $0.append(line) } }) { market in
      _ = try await market.get("/api/products?page_no=1")
      let id = try await WireJSON(market.create(Parts.params))["id"]?.minified ?? ""
      _ = try await market.json("PATCH", "/api/products/\(id)", #"{"stock":-1,"secret":"\#(Market.demo.secret)"}"#)
      _ = try await market.json("PATCH", "/api/products/\(id)", #"{"secret":"wrong"}"#)
      _ = try await market.json("PATCH", "/api/products/\(id)", "{}", identifier: "nobody")
      _ = try await market.get("/nowhere")
    }
    let vendor = #"vendor=\#(Market.demo.vendorID) name="\#(Market.demo.name)""#
    let expected = [
      "GET /api/products?page_no=1 200 SIZE from=127.0.0.1",
      "POST /api/products 201 SIZE from=127.0.0.1 \(vendor)",
      "PATCH /api/products/1 400 SIZE from=127.0.0.1 \(vendor) reason=\"stock: must be greater than or equal to 0\"",
      "PATCH /api/products/1 400 SIZE from=127.0.0.1 \(vendor) reason=\"The secret does not match the identifier\"",
      "PATCH /api/products/1 400 SIZE from=127.0.0.1 vendor=unknown reason=\"Unknown identifier\"",
      "GET /nowhere 404 SIZE from=127.0.0.1 reason=\"Not Found\"",
    ]
    let written = lines.withLock { $0 }.map { $0.replacing(#/\d+ B \d+ ms/#, with: "SIZE") }
    #expect(written == expected.map { "2023-03-23T03:00:00Z " + $0 })
  }

  /// A secret in an address, where a client may put it by mistake, is not written.
  @Test(arguments: [
    ("/api/products/5/S3cret", "/api/products/5/…"), ("/api/products/S3cret/", "/api/products/…/"),
    ("/api/products/5/secret", "/api/products/5/secret"), ("//api/products/5/S%33cret", "/api/products/5/…"),
    ("/?key=S3cret", "/?key=…"), ("/api/products?S3cret&page_no=", "/api/products?…&page_no="),
    ("/api/products?page_no=2&secret=S3cret", "/api/products?page_no=2&secret=…"),
    ("/data/2.5/weather?q=%ED%95%9C&appid=S3cret", "/data/2.5/weather?q=%ED%95%9C&appid=…"),
    ("/item/5", "/item/5"), ("/\u{1B}[2J", "/%1B[2J"),
    ("/" + String(repeating: "a", count: 9000), "/" + String(repeating: "a", count: 299) + "…"),
  ])
  func secretInAnAddressIsNotLogged(_ target: String, _ shown: String) {
    let entry = AccessLogEntry(method: "GET", target: target, status: 400, reason: #"No number: "S3cret" "#)
    let line = entry.line(at: MarketTime(Market.noon))
    #expect(line.hasPrefix("2023-03-23T03:00:00Z GET \(shown) 400 0 B 0 ms from=- reason="))
    // What the address hides, the reason does not show.
    #expect(line.contains("S3cret") == !shown.contains("…") || target.utf8.count > 300)
  }

  /// A secret that the end of a long message cuts is not written either, nor a message about an address with many unknown parts.
  @Test(arguments: [
    ("/api/products?page_no=2&secret=S3cret-value", String(repeating: "x", count: 290) + "S3cret-value", "xxx…"),
    ("/api/products?page_no=2&secret=S3cret-value", "S3cret-value S3cret-val S3cret-value", "… S3cret-val …"),
    ("/api/products?" + (0..<16).map { "a\($0)=S3cret\($0)x" }.joined(separator: "&"), "no S3cret7x", "no …"),
    ("/api/products?" + (0..<17).map { "a\($0)=S3cret\($0)x" }.joined(separator: "&"), "no S3cret7x", "…"),
  ])
  func secretOfALongOrOddRequestIsNotLogged(_ target: String, _ words: String, _ end: String) {
    var entry = AccessLogEntry(method: "GET", target: target, status: 400)
    entry.sentRefusal = LoggedRefusal(words: words, detail: nil)
    entry.refusal = entry.sentRefusal
    let line = entry.line(at: MarketTime(Market.noon))
    #expect(line.hasSuffix("\(end)\""), "\(line)")
    #expect(entry.mistake?.words.hasSuffix(end) == true, "\(String(describing: entry.mistake))")
  }

  /// Names and reasons come from clients.
  @Test func clientTextIsEscaped() {
    var entry = AccessLogEntry(login: .identifier("x"), reason: "This is \u{1B}[31m\"red\"\n\u{202E}")
    entry.vendor = (7, "유리\u{7}")
    #expect(
      entry.line(at: MarketTime(Market.noon))
        == #"2023-03-23T03:00:00Z - - - 0 B 0 ms from=- vendor=7 name="유리\u{7}" "#
        + #"reason="This is \u{1B}[31m\"red\"\u{A}\u{202E}""#)
  }

  /// The log and the report have the words that the client got, in every edition.
  @Test(arguments: ServedEdition.allCases) func loggedReasonEqualsTheResponse(_ edition: ServedEdition) async throws {
    let lines = Mutex<[String]>([])
    let rows = Mutex<[ClassReportRow]>([])
    var random = SplitMix64(1)
    let key = TeacherKey(using: &random)
    var told: [String] = []
    try await Market.with(
      edition, empty: false,
      adjust: { options in
        options.teacherKey = key
        options.classReport = { visit in
          rows.withLock { $0 = visit.rows }
          return ""
        }
      }, log: { line in lines.withLock { $0.append(line) } }
    ) { market in
      let (one, all) = edition.hasVendors ? ("/api/products/", "/api/products") : ("/item/", "/item")
      for (method, path, body) in [
        ("GET", one + "99999", ""), ("GET", one + "abc", ""), ("GET", "/nowhere/12", ""), ("PUT", one + "6", ""),
        ("DELETE", one + "6", "{}"), ("DELETE", one + "6", "{"), ("PATCH", one + "6", "{\"stock\":"),
        ("POST", all, "{}"),
      ] {
        let answer = try await WireJSON(market.json(method, path, body))
        guard case .text(let words)? = answer["message"] ?? answer["reason"] else {
          Issue.record("\(method) \(path) \(answer)")
          continue
        }
        told.append(words)
      }
      _ = try await market.get("/class?key=" + key.text)
    }
    let reasons = lines.withLock { $0 }.compactMap { $0.firstMatch(of: #/reason="(.*)"$/#).map { String($0.1) } }
    #expect(reasons.count == told.count)
    for (reason, words) in zip(reasons, told) {
      let escaped = words.replacing("\"", with: "\\\"").replacing("abc", with: edition.hasVendors ? "…" : "abc")
      #expect(reason == escaped || reason.hasPrefix(escaped + " ("), "\(reason)")
    }
    let mistakes = rows.withLock { $0 }.flatMap { $0.mistakes.keys }
    let general = told.map { $0.replacing("99999", with: "…").replacing(#/column: \d+/#, with: "column: …") }
    #expect(
      Set(mistakes.map(\.words)) == Set(general.map { $0.replacing("abc", with: edition.hasVendors ? "…" : "abc") }))
    // The request is named, without what differs.
    #expect(mistakes.contains { $0.method == "GET" && $0.path == "/nowhere/…" })
    #expect(mistakes.allSatisfy { !$0.path.contains { $0.isNumber } })
  }

  /// Numbers that are no part of the request stay, such as limits.
  @Test func limitsAreKeptInTheReport() throws {
    var row = ClassReportRow(vendor: nil, name: "-", lastSeen: Market.noon)
    for id in [7, 70] {
      var entry = AccessLogEntry(method: "PATCH", target: "/api/products/\(id)?a=\(id)", status: 400)
      entry.refusal = LoggedRefusal(words: "price: must be greater than or equal to 0", detail: nil)
      row.add(entry, entry.mistake, at: Market.noon)
    }
    let mistake = ClassReportRow.Mistake(
      status: 400, method: "PATCH", path: "/api/products/…", words: "price: must be greater than or equal to 0",
      detail: nil)
    #expect(row.mistakes == [mistake: 2])
  }
}
