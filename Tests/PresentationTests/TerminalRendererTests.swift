import Catalog
import Foundation
import Presentation
import TestSupport
import Testing
import Text

/// The complete output for users.
struct TerminalRendererTests {
  @Test(arguments: [40, 80, 120, 200], MessageLanguage.allCases)
  func terminalOutputEqualsGolden(width: Int, language: MessageLanguage) throws {
    try Golden("terminal-\(width)-\(language.rawValue)").check(
      texts(RenderOptions(language: language, width: width, isTerminal: true)))
  }

  @Test func coloredOutputEqualsGolden() throws {
    let text = texts(RenderOptions(width: 80, colors: true, isTerminal: true)).replacing("\u{1B}", with: "␛")
    try Golden("terminal-80-colours").check(text)
  }

  @Test func asciiOutputEqualsGolden() throws {
    try Golden("terminal-80-ascii").check(texts(RenderOptions(width: 80, usesASCII: true, isTerminal: true)))
  }

  @Test(arguments: MessageLanguage.allCases)
  func pipedOutputEqualsGolden(language: MessageLanguage) throws {
    try Golden("pipe-\(language.rawValue)").check(texts(RenderOptions(language: language)))
  }

  /// Where a table doesn't fit, its times lose seconds and year, and the zone goes to the heading.
  @Test(arguments: [
    (
      60, "2026-12-20T00:00:00Z",
      "n │ begins (UTC) │ ends (UTC)  │ command\n1 │ 12-20 00:00  │ 12-27 00:00 │ sale mine 10%"
    ),
    (60, "2025-12-20T00:00:00Z", "1 │ 2025-12-20 00:00 │ 2026-12-27 00:00 │ sale mine 10%"),
    (80, "2026-12-20T00:00:00Z", "1 │ 2026-12-20 00:00:00Z │ 2026-12-27 00:00:00Z │ sale mine 10%"),
  ])
  func timesAreShortWhereSpaceIsShort(width: Int, begin: String, expected: String) throws {
    let table = Table(
      [
        .init("n", LocalizedText(same: "n"), isNumber: true), .init("begins", LocalizedText(same: "begins")),
        .init("ends", LocalizedText(same: "ends")), .init("command", LocalizedText(same: "command")),
      ],
      rows: [
        [
          .number(1), .timestamp(try #require(Timestamp(begin))),
          .timestamp(try #require(Timestamp("2026-12-27T00:00:00Z"))), .text("sale mine 10%"),
        ]
      ])
    let text = TerminalRenderer().render(.rows(table), RenderOptions(width: width, isTerminal: true))
    let shown = text.split(separator: "\n")
    for line in expected.split(separator: "\n") { #expect(shown.contains(line), "\(text)") }
  }

  /// A page of a server may have any number of rows that can't be read: a hundred are named, the rest is counted.
  @Test(arguments: [(100, nil), (101, "1 more row could not be read."), (3_000, "2,900 more rows could not be read.")])
  func unreadableRowsAreNamedOrCounted(count: Int, rest: String?) {
    let rows = (1...count).map { UndecodableRow(position: $0, id: nil, field: nil, reason: "null") }
    let page = Page(number: 1, products: [], broken: rows)
    let text = TerminalRenderer().render(
      .listing(Listing(page, columns: [.id])), RenderOptions(width: 80, isTerminal: true))
    #expect(text.components(separatedBy: "cannot read row").count - 1 == 100, "\(text)")
    #expect(text.contains("more row") == (rest != nil) && rest.map(text.contains) ?? true, "\(text)")
  }

  private func texts(_ options: RenderOptions) -> String {
    Samples.all.map { "# " + $0.name + "\n" + TerminalRenderer().render($0.report, options) }.joined(separator: "\n")
  }
}
