import Foundation
import Images
import TestSupport
import Testing

@testable import EmbeddedMarket

/// The tables of the article Protocol say what `--strict` rejects and what `--quirks` does in each edition: each cell
/// is tested.
@Suite(.serialized, .timeLimit(Trial.limit)) struct ProtocolArticleTests {
  @Test(arguments: ServedEdition.allCases) func strictRejectsWhatTheTableSays(_ edition: ServedEdition) async throws {
    let table = try ArticleTable("Refused")
    var refusals: [Bool: [String: Bool]] = [:]
    for strict in [false, true] {
      try await Market.with(edition, strict: strict, empty: false) { market in
        let shop = Shop(market: market, edition: edition)
        var seen: [String: Bool] = [:]
        for (name, fields) in Shop.changes { seen[name] = try await shop.patch(fields) >= 400 }
        for (name, pictures) in Shop.pictures { seen[name] = try await shop.create(pictures) >= 400 }
        refusals[strict] = seen
      }
    }
    let plain = try #require(refusals[false])
    let strict = try #require(refusals[true])
    #expect(Set(plain.keys) == Set(table.rows))
    for row in table.rows {
      let cell = plain[row] == true ? "always" : strict[row] == true ? "`--strict`" : "no"
      #expect(table[row, edition] == cell, "\(row)")
    }
  }

  @Test(arguments: ServedEdition.allCases) func quirksDoWhatTheTableSays(_ edition: ServedEdition) async throws {
    let table = try ArticleTable("Mistakes")
    for quirks in [false, true] {
      try await Market.with(edition, empty: false, quirks: quirks) { market in
        let shop = Shop(market: market, edition: edition)
        let seen = try await shop.mistakes()
        #expect(Set(seen.keys) == Set(table.rows))
        for row in table.rows {
          let cell = seen[row] == true ? "yes" : "no"
          #expect((quirks ? table[row, edition] : "no") == cell, "\(row), \(quirks)")
        }
      }
    }
  }
}

/// A table of the article, found by the word in its first cell.
private struct ArticleTable {
  let rows: [String]
  private let cells: [String: [String]]

  init(_ head: String) throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources/MarketAPI")
    let text = try String(contentsOf: root.appending(path: "MarketAPI.docc/Protocol.md"), encoding: .utf8)
    let lines = text.components(separatedBy: "\n")
    let start = try #require(lines.firstIndex { $0.hasPrefix("| \(head) |") })
    let all = lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    rows = all.map { $0[0] }
    cells = Dictionary(uniqueKeysWithValues: all.map { ($0[0], Array($0.dropFirst())) })
  }

  subscript(row: String, edition: ServedEdition) -> String? {
    guard let column = ServedEdition.allCases.firstIndex(of: edition) else { return nil }
    return cells[row]?[column]
  }
}

/// The same changes in the names of each edition.
private struct Shop {
  let market: Market
  let edition: ServedEdition

  /// The changes in the names of `open`, where `discount` is the amount subtracted.
  static let changes: KeyValuePairs<String, [String: String]> = [
    "a price below 0": ["price": "-1", "discount": "0"],
    "a stock below 0": ["stock": "-1"],
    "a discount below 0": ["price": "100", "discount": "-1"],
    "a discount above the price": ["price": "100", "discount": "101"],
    "a name under 3 or over 100 characters": ["name": "우유"],
    "a description under 10 or over 1000 characters": ["description": "짧다"],
    "a currency but KRW, USD, JPY and HKD": ["currency": "BTC"],
  ]

  static let pictures: KeyValuePairs<String, [Data]> = [
    "no picture": [],
    "more than 5 pictures": Array(repeating: Parts.picture, count: 6),
    "a picture of 300 KB or more": [Parts.picture + Data(count: 300 * 1024)],
    "a file that is no picture": [Data("hello".utf8)],
  ]

  private var isCamp: Bool { [.camp1, .camp2].contains(edition) }

  /// Changes product 6, which belongs to the demo vendor.
  func patch(_ fields: [String: String]) async throws -> Int {
    if isCamp {
      var form = ["password": Market.demo.secret]
      for (name, value) in fields { form[campName(name)] = value }
      if let discount = fields["discount"].flatMap({ Int($0) }), let price = fields["price"].flatMap({ Int($0) }) {
        form["discounted_price"] = String(price - discount)
      }
      return try await market.form("PATCH", "/item/6", OlderEditionsTests.item(form, images: 0)).status
    }
    var members = ["secret": Market.demo.secret]
    for (name, value) in fields { members[name == "discount" ? "discounted_price" : word(name)] = value }
    let body = try JSONEncoder().encode(members)
    return try await market.json("PATCH", "/api/products/6", String(decoding: body, as: UTF8.self)).status
  }

  func create(_ pictures: [Data]) async throws -> Int {
    let name = isCamp ? "images[]" : "images"
    let files = pictures.map { Parts.file(name, "a.jpeg", $0) }
    if isCamp {
      let texts = OlderEditionsTests.fields.map { Parts.text($0.key, $0.value) }
      return try await market.form("POST", "/item", Parts.close(texts + files)).status
    }
    let params = Parts.params.replacing("\"description\"", with: "\"\(word("description"))\"")
    return try await market.form("POST", "/api/products", Parts.close([Parts.text("params", params)] + files)).status
  }

  private func campName(_ name: String) -> String { name == "name" ? "title" : word(name) }

  private func word(_ name: String) -> String { name == "description" && edition != .open ? "descriptions" : name }

  /// Returns which of the faults occur.
  func mistakes() async throws -> [String: Bool] {
    let made = try await made()
    let late = try await market.get(made.picture).status == 404
    if isCamp {
      let page = try await WireJSON(market.get("/items/3"))["items"]
      let none = try await market.get("/items/0").status
      let oldest = try await market.get("/items/1").text
      let changed = try await patch(["stock": "4"])
      return Shop.named(rows: page?.count, none, oldest.contains("null"), changed, late)
    }
    let page = try await WireJSON(market.get("/api/products?page_no=3&items_per_page=20"))["pages"]
    let none = try await market.get("/api/products?page_no=0").status
    let oldest = try await market.get("/api/products/1").text
    return Shop.named(rows: page?.count, none, oldest.contains("null"), try await patch(["stock": "4"]), late)
  }

  private static func named(rows: Int?, _ none: Int, _ hasNulls: Bool, _ changed: Int, _ isLate: Bool) -> [String: Bool]
  {
    [
      "page 3 of 20 holds 60 rows": rows == 60,
      "a page below 1 is answered 500": none == 500,
      "products 1 to 10 have nulls until they are changed": hasNulls,
      "a change and both calls of a deletion are answered 202": changed == 202,
      "a new picture can be fetched a second late": isLate,
    ]
  }

  /// Returns the path of the picture of a new product.
  private func made() async throws -> (picture: String, status: Int) {
    let texts = OlderEditionsTests.fields.map { Parts.text($0.key, $0.value) }
    let params = Parts.params.replacing("\"description\"", with: "\"\(word("description"))\"")
    let answer =
      isCamp
      ? try await market.form("POST", "/item", Parts.close(texts + [Parts.file("images[]", "a.jpeg")]))
      : try await market.create(params)
    let product = try WireJSON(answer)
    let images = try #require(product["images"]?.first)
    guard case .text(let address) = images["url"] ?? images else { return ("", answer.status) }
    return (try #require(URL(string: address)).path, answer.status)
  }
}

extension WireJSON {
  fileprivate var count: Int? {
    guard case .list(let values) = self else { return nil }
    return values.count
  }

  fileprivate var first: WireJSON? {
    guard case .list(let values) = self else { return nil }
    return values.first
  }
}
