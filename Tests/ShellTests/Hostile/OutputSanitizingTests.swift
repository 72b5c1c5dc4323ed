import CommandLanguage
import Commands
import Foundation
import Networking
import Platform
import Presentation
import Shell
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

/// Text of a server in any field can't control the terminal, break rows or shift columns in any printing command.
///
/// All scalars are tested with OPENMARKET_LONG_TESTS=1, otherwise a few pages of them.
@Suite(.computesLong, .timeLimit(Trial.limit)) struct OutputSanitizingTests {
  private static let width = 4_800
  private static let columns = "columns id,name,vendor,description,thumbnail,currency,price"
  private static let weather = ["OPENWEATHER_API_KEY": "canary0123456789", "OPENWEATHER_URL": "http://127.0.0.1:1"]

  /// A line, and the minimum number of times that its output must contain all texts of a page.
  private struct Line {
    let text: String
    let fields: Int

    init(_ text: String, _ fields: Int) { (self.text, self.fields) = (text, fields) }

    var kind: TerminalText.Kind {
      if text.contains("tsv") { return .tabs }
      return ["json", "plan", "raw"].contains(where: text.contains) || text.contains("trace") ? .json : .terminal
    }
  }

  /// The lines for every scalar: each way in which a server's text is printed.
  private static let lines = [
    Line("ls \(columns)", 5), Line("ls as csv", 5), Line("ls as tsv", 5), Line("ls as markdown", 5),
    Line("ls as json", 5), Line("ls as jsonl", 5), Line("show 1", 4), Line("show 1 images thumbnail currency", 3),
    Line("show 1 as json", 7), Line("dry patch 1 name=another", 1),
    Line("raw GET /api/products/1", 9), Line("trace show 1", 0), Line("diff before", 5), Line("image 1", 0),
    Line("export", 5), Line("export as jsonl", 5), Line("plan patch 1 name=another", 1),
    Line("weather 37.5 127", 0), Line("let a = 1.name; echo $a", 1), Line("assert name = x", 0),
  ]

  private func withSandbox(_ market: HostileMarket, width: Int = width, _ body: (Sandbox) async throws -> Void)
    async throws
  {
    try await Sandbox.with(width: width, environment: OutputSanitizingTests.weather, between: { _, _ in market }, body)
  }

  @Test(arguments: 0..<4) func everyScalarInEveryFieldIsSanitized(part: Int) async throws {
    let market = HostileMarket(weather: try OutputSanitizingTests.weatherAnswers())
    try await withSandbox(market) { sandbox in
      market.write(Array(repeating: "x", count: HostileTexts.rows))
      _ = await shown("snapshot before", sandbox)
      for texts in HostileTexts.pages(part: part, of: 4) {
        market.write(texts)
        for line in OutputSanitizingTests.lines { check(await shown(line.text, sandbox), line, texts.joined()) }
        await checkChoices(sandbox, ["show ", "ls where name~"])
        // A reason is truncated after 500 scalars.
        for start in stride(from: 0, to: texts.count, by: 7) {
          let some = Array(texts[start..<min(start + 7, texts.count)])
          market.write(some, isRefusing: true)
          check(await shown("show 1", sandbox), Line("a refusal", 1), some.joined(), count: some.count)
          market.write(some)
          check(await shown("dry rm 1", sandbox), Line("dry rm 1", 1), some.joined(), count: some.count)
        }
      }
      // All vendors that were ever read are offered.
      await checkChoices(sandbox, ["ls where vendor=", "ls where currency="])
    }
  }

  /// Cards are narrow and truncate text earlier than other output, so they have their own test.
  @Test(arguments: 0..<2) func everyScalarOnACardIsSanitized(part: Int) async throws {
    let market = HostileMarket()
    try await withSandbox(market, width: 56) { sandbox in
      for texts in HostileTexts.shortPages(part: part, of: 2) {
        market.write(texts)
        let cards = await shown("ls grid", sandbox)
        check(cards, Line("ls grid", 1), texts.joined(), count: texts.count)
        checkCards(TerminalText(cards), texts.count)
      }
    }
  }

  /// The crafted texts are also tested with every example of every printing command, including weather.
  @Test func escapeSequencesInEveryCommandAreSanitized() async throws {
    let market = HostileMarket(weather: try OutputSanitizingTests.weatherAnswers())
    try await withSandbox(market) { sandbox in
      // Commands that change the session would change the output of the next line.
      let examples = AllCommands.all.map { $0.declaration }
        .filter { [.view, .change, .schedule, .review, .api, .weather].contains($0.group) && $0.name != "place" }
        .flatMap { $0.examples.flatMap(\.lines) }
        // These write or read files of the working directory.
        .filter { line in ![" to ", "import", "pull", "push"].contains { line.contains($0) } }
      let usual = OutputSanitizingTests.lines.map(\.text).filter { !$0.hasPrefix("diff") } + ["ls grid"]
      let all =
        usual + examples + ["weather 37.5 127", "weather 서울", "patch 1 stock=9 yes", "log show 1"]
      for (index, text) in HostileTexts.crafted.enumerated() where HostileTexts.isLong || index % 100 == 3 {
        market.write(Array(repeating: text, count: 3))
        // All commands for a few texts, the standard lines for each.
        let lines = HostileTexts.isLong && index % 5 == 0 || index == 3 ? all : usual
        for line in lines { check(await shown(line, sandbox), Line(line, 0), text) }
        market.write([text], isRefusing: true)
        for line in ["ls", "patch 1 stock=5 yes", "weather 37.5 127"] {
          check(await shown(line, sandbox), Line(line, 0), text)
        }
      }
    }
  }

  /// Tables of normal width are truncated within wide characters and escapes.
  @Test(arguments: [2, 5, 20, 33, 80, 121, 500]) func columnsAreAlignedAtEveryWidth(width: Int) async throws {
    let market = HostileMarket()
    try await withSandbox(market, width: width) { sandbox in
      for (index, texts) in HostileTexts.pages().enumerated() where index % (HostileTexts.isLong ? 25 : 4) == 0 {
        market.write(texts)
        for line in ["ls", "ls grid", "show 1"] {
          let text = await shown(line, sandbox)
          check(text, Line(line, 0), texts.joined())
          for row in TerminalText(text).rows where TerminalText.places(of: [], in: row).width > width {
            Issue.record("\(line) at \(width): \(String(decoding: row, as: UTF8.self))")
            return
          }
        }
      }
    }
  }

  /// Returns the unmodified output of a line.
  private func shown(_ line: String, _ sandbox: Sandbox) async -> String {
    _ = await sandbox.shell.run(line)
    return sandbox.console.take()
  }

  // MARK: Checks

  /// Checks the output of a line for forbidden scalars, missing texts and broken layout.
  ///
  /// `count` is the number of texts if they aren't a complete page.
  private func check(_ text: String, _ line: Line, _ source: String, count: Int = HostileTexts.rows) {
    let shown = TerminalText(text)
    if let bad = shown.firstForbidden(line.kind) {
      Issue.record(
        "\(line.text): U+\(String(bad.value, radix: 16)) reached the terminal out of \(source.debugDescription)")
    }
    if line.fields > 0 {
      let (wanted, found) = (line.fields * count, shown.count(HostileTexts.mark))
      if found < wanted {
        Issue.record("\(line.text): \(found) texts of \(wanted) are seen whole\n\(text.prefix(2_000))")
      }
    }
    if line.text.hasPrefix("ls columns") { checkTable(shown, line.text, count) }
    if line.text == "ls as jsonl" || line.text == "ls as tsv" { checkRows(shown, line.text, count) }
  }

  private func checkRows(_ shown: TerminalText, _ line: String, _ count: Int) {
    let rows = shown.rows.count - (line.hasSuffix("jsonl") ? 0 : 1)
    #expect([count, 3].contains(rows), "\(line): \(rows) rows")
  }

  /// Checks that every row of a table has its bars at the crossings of the rule.
  private func checkTable(_ shown: TerminalText, _ line: String, _ count: Int) {
    let rows = shown.rows
    let rule = rows.firstIndex { !TerminalText.places(of: [0x253C], in: $0).places.isEmpty }
    guard let rule else {
      Issue.record("\(line): no table")
      return
    }
    let bars = TerminalText.places(of: [0x253C], in: rows[rule]).places
    let body = rows[(rule + 1)...].dropLast()
    #expect([count, 3].contains(body.count))
    for row in body where !Set(bars).isSubset(of: TerminalText.places(of: [0x2502], in: row).places) {
      Issue.record("\(line): crooked \(String(decoding: row, as: UTF8.self).debugDescription)")
    }
  }

  /// Checks that every card is a box of six rows with aligned sides.
  private func checkCards(_ shown: TerminalText, _ count: Int) {
    let edges: Set<UInt32> = [0x2502, 0x250C, 0x2510, 0x2514, 0x2518]
    let rows = shown.rows.dropLast().map { TerminalText.places(of: edges, in: $0) }
    #expect(rows.count == 6 * count)
    let crooked = rows.first { $0.width != 56 || $0.places.first != 0 || $0.places.last != 55 }
    if let crooked { Issue.record("ls grid: crooked card, \(crooked)") }
  }

  /// Checks the completions of names that were read.
  private func checkChoices(_ sandbox: Sandbox, _ lines: [String]) async {
    let knowledge = LineAssistant(sandbox.home, environment: [:])
    knowledge.follow(await sandbox.shell.session)
    for line in lines {
      #expect(!knowledge.complete(line, at: line.unicodeScalars.count).candidates.isEmpty, "\(line)")
      for choice in knowledge.complete(line, at: line.unicodeScalars.count).candidates {
        let shown = TerminalText(choice.text)
        if let bad = shown.firstForbidden(.terminal) {
          Issue.record("\(line): Tab offers U+\(String(bad.value, radix: 16)) in \(choice.text.debugDescription)")
        }
      }
    }
  }

  private static func weatherAnswers() throws -> [String: JSON] {
    let folder = (#filePath as NSString).deletingLastPathComponent + "/../../WeatherAPITests/Captures/"
    let names = [
      "weather": "current-shuzenji-2021-01-19-metric-en", "forecast": "forecast-shuzenji-2021-01-19-metric-en",
      "reverse": "geo-reverse-london-5", "direct": "geo-direct-seoul-1",
    ]
    return try names.mapValues { name in
      try JSON(parsing: Data(contentsOf: URL(fileURLWithPath: folder + name + ".json")))
    }
  }
}
