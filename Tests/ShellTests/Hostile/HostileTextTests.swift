import Foundation
import Language
import Networking
import Presentation
import Shell
import Testing

/// Whatever a server writes into whatever field, no printing command lets it steer the terminal, rows stay rows and
/// columns stay straight (safety.md T1, T2, T3, G8). Everything with OPENMARKET_LONG_TESTS=1, a few pages of them always.
@Suite struct HostileTextTests {
  private static let width = 2_400
  private static let columns = "columns id,name,vendor,description,thumbnail,currency,price"
  private static let weather = ["OPENWEATHER_API_KEY": "canary0123456789", "OPENWEATHER_URL": "http://127.0.0.1:1"]

  /// Lines for every scalar: each way text of a server is printed.
  private static let lines = [
    "ls \(columns)", "ls grid", "ls as csv", "ls as tsv", "ls as markdown", "ls as json", "ls as jsonl", "show 1",
    "show 1 images thumbnail currency", "show 1 as json", "dry patch 1 name=another", "raw GET /api/products/1",
  ]

  private func visit(_ market: HostileMarket, width: Int = width, _ body: (House) async throws -> Void) async throws {
    try await House.visit(width: width, environment: HostileTextTests.weather, between: { _, _ in market }, body)
  }

  @Test func everyScalarInEveryField() async throws {
    let market = HostileMarket()
    try await visit(market) { house in
      for texts in HostileTexts.pages() {
        market.write(texts)
        for line in HostileTextTests.lines { check(await shown(line, house), line, texts.joined()) }
        market.write(texts, isRefusing: true)
        check(await shown("show 1", house), "a refusal", texts.joined())
      }
    }
  }

  /// The crafted ones also through every example of every command that prints, the weather among them.
  @Test func craftedSequencesInEveryCommand() async throws {
    #expect(HostileTexts.crafted.count == 500)
    let market = HostileMarket(weather: try HostileTextTests.weatherAnswers())
    try await visit(market) { house in
      // Those that change the session itself would change what the next line shows.
      let examples = AllCommands.list.map { $0.declaration }
        .filter { [.products, .requests, .weather].contains($0.group) && $0.name != "place" }
        .flatMap { $0.examples.map(\.line) }.filter { !$0.contains(" to ") && !$0.contains("import") }
        // What is written is written in the house.
        .map { $0.replacing("record ", with: "record ~/").replacing("record ~/stop", with: "record stop") }
      let all =
        HostileTextTests.lines + examples + ["weather 37.5 127", "weather 서울", "patch 1 stock=9 yes", "log show 1"]
      for (index, text) in HostileTexts.crafted.enumerated() where HostileTexts.isLong || index % 50 == 3 {
        market.write(Array(repeating: text, count: 3))
        // All commands for a few, the usual ways for each.
        let lines = HostileTexts.isLong && index % 5 == 0 || index == 3 ? all : HostileTextTests.lines
        for line in lines { check(await shown(line, house), line, text) }
        market.write([text], isRefusing: true)
        for line in ["ls", "patch 1 stock=5 yes", "weather 37.5 127"] { check(await shown(line, house), line, text) }
      }
    }
  }

  /// Tables of usual width: the cut goes through wide letters and what is spelled out.
  @Test(arguments: [2, 5, 20, 33, 80, 121, 500]) func columnsStayStraightAtEveryWidth(width: Int) async throws {
    let market = HostileMarket()
    try await visit(market, width: width) { house in
      for (index, texts) in HostileTexts.pages().enumerated() where index % (HostileTexts.isLong ? 40 : 4) == 0 {
        market.write(texts)
        for line in ["ls", "ls grid", "show 1"] {
          let text = await shown(line, house)
          check(text, line, texts.joined())
          for row in plain(text).split(separator: "\n") where CellWidth().of(String(row)) > width {
            Issue.record("\(line) at \(width): \(row)")
            return
          }
        }
      }
    }
  }

  /// Everything a line prints, as it is.
  private func shown(_ line: String, _ house: House) async -> String {
    _ = await house.shell.run(line)
    return house.console.take()
  }

  // MARK: What must hold

  private func check(_ text: String, _ line: String, _ source: String) {
    let shown = plain(text)
    if let bad = shown.unicodeScalars.first(where: { !HostileTextTests.isAllowed($0, line) }) {
      Issue.record("\(line): U+\(String(bad.value, radix: 16)) reached the terminal out of \(source.debugDescription)")
    }
    if line.hasPrefix("ls columns") { checkTable(shown, line) }
    if line == "ls as csv" || line == "ls as jsonl" || line == "ls as tsv" { checkRows(shown, line) }
  }

  /// The text without our own colours.
  private func plain(_ text: String) -> String {
    guard text.utf8.contains(0x1B) else { return text }
    var output = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      let parameters = rest.dropFirst().prefix { ("0"..."9").contains($0) || $0 == ";" }
      guard scalar == "\u{1B}", rest.first == "[", rest[parameters.endIndex...].first == "m" else {
        output.append(scalar)
        continue
      }
      rest = rest[parameters.endIndex...].dropFirst()
    }
    return String(output)
  }

  private func checkRows(_ text: String, _ line: String) {
    let rows = text.split(separator: "\n").filter { !$0.hasPrefix("! ") }
    let expected = line.hasSuffix("jsonl") ? [HostileTexts.rows, 3] : [HostileTexts.rows + 1, 4]
    if !line.hasSuffix("csv") { #expect(expected.contains(rows.count), "\(line): \(rows.count) rows") }
  }

  /// Every row has its bars where the rule has its crossings.
  private func checkTable(_ text: String, _ line: String) {
    let rows = text.split(separator: "\n").filter { !$0.hasPrefix("! ") }
    guard let rule = rows.firstIndex(where: { $0.contains("┼") }) else {
      Issue.record("\(line): no table\n\(text.prefix(300))")
      return
    }
    let bars = Set(rows[rule].unicodeScalars.enumerated().filter { $0.element == "┼" }.map(\.offset))
    let body = rows[(rule + 1)...].dropLast()
    #expect([HostileTexts.rows, 3].contains(body.count))
    for row in body {
      var column = 0
      var met: Set<Int> = []
      for scalar in row.unicodeScalars {
        if bars.contains(column), scalar == "│" { met.insert(column) }
        column += CellWidth().of(scalar)
      }
      if met != bars { Issue.record("\(line): crooked \(row.debugDescription)") }
    }
  }

  /// Written apart from the sanitiser: nothing that acts without being seen.
  private static func isAllowed(_ scalar: Unicode.Scalar, _ line: String) -> Bool {
    switch scalar.value {
    case 0x0A: true
    case 0x09: line.contains("tsv")
    // JSON leaves joiners as they are: they only join.
    case 0x200C, 0x200D: line.contains("json") || line.contains("raw")
    case 0xFE00...0xFE0F, 0xE000...0xF8FF, 0xF0000...0x10FFFF: line.contains("json") || line.contains("raw")
    case 0...0x1F, 0x7F...0x9F, 0xAD, 0x61C, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
      0xFFF9...0xFFFB, 0xE0000...0xE0FFF:
      false
    default: true
    }
  }

  private static func weatherAnswers() throws -> [String: JSON] {
    let folder = (#filePath as NSString).deletingLastPathComponent + "/../../WeatherTests/Captures/"
    let names = [
      "weather": "current-shuzenji-2021-01-19-metric-en", "forecast": "forecast-shuzenji-2021-01-19-metric-en",
      "reverse": "geo-reverse-london-5", "direct": "geo-direct-seoul-1",
    ]
    return try names.mapValues { name in
      try JSON(parsing: Data(contentsOf: URL(fileURLWithPath: folder + name + ".json")))
    }
  }
}
