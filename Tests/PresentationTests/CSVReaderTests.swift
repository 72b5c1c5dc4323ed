import Catalog
import Presentation
import TestSupport
import Testing
import Text

/// Text written as CSV is read back unchanged, whatever the cells contain.
@Suite struct CSVReaderTests {
  private static let pieces = [
    "a", "한글", " ", "  ", ",", "\"", "\"\"", "'", "=", "+", "-", "@", "\t", "\r", "\n", "\r\n", "\u{FEFF}", "\u{2028}",
    "\u{0}",
    "🙂", "e\u{301}", "\u{1112}\u{1161}\u{11AB}", "1,234", "=1+1", "'=", "-", ";", "\\", "#", "N/A", "\u{85}",
    "\u{200B}",
  ]

  private func text(_ random: inout SplitMix64) -> String {
    (0..<Int.random(in: 0...5, using: &random)).map { _ in Self.pieces.randomElement(using: &random) ?? "" }.joined()
  }

  private func same(_ left: String, _ right: String) -> Bool { left.unicodeScalars.elementsEqual(right.unicodeScalars) }

  @Test func anyCellIsReadBackUnchanged() throws {
    var random = SplitMix64(23)
    for _ in 0..<Trial.count(1_000, long: 3_000) {
      let products = (1...3).map { id in
        Product(
          id: id, name: text(&random), description: text(&random), price: Amount(typed: "19.99"),
          currency: Currency(text(&random)), stock: 1_000_000_000_000, vendor: text(&random),
          thumbnailURL: text(&random))
      }
      var pieces = ProductRowEncoder(.csv)
      for written in [
        pieces.head + String(decoding: pieces.rows(of: products), as: UTF8.self),
        FlatRenderer(.csv).render(.listing(Listing(Page(number: 1, products: products))), RenderOptions()),
      ] {
        let rows = try CSVReader.rows(of: written)
        #expect(rows.count == 4)
        #expect(rows[0].cells.map(\.text) == ProductField.allCases.map(\.rawValue))
        for (row, product) in zip(rows.dropFirst(), products) {
          let cells = row.cells.map { CSVInjection.unescape($0.text) }
          let texts = ProductField.allCases.map { product.text(of: $0) ?? "" }
          #expect(cells.count == texts.count && zip(cells, texts).allSatisfy(same))
        }
      }
    }
  }

  /// No text makes the parser trap or loop; every error has a line of the file.
  @Test func anyTextIsParsedOrRefusedWithItsLine() {
    var random = SplitMix64(29)
    for _ in 0..<Trial.count(8_000, long: 20_000) {
      let file = (0..<Int.random(in: 0...12, using: &random)).map { _ in Self.pieces.randomElement(using: &random) ?? ""
      }
      .joined()
      let lines = file.unicodeScalars.count { $0 == "\n" || $0 == "\r" } + 1
      do {
        for row in try CSVReader.rows(of: file) { #expect((1...lines).contains(row.line) && !row.cells.isEmpty) }
      } catch {
        #expect((1...lines).contains(error.line))
      }
    }
  }

  @Test func lineOfARowIsWhereItBegins() throws {
    let rows = try CSVReader.rows(of: "a,b\r\n\"x\r\ny\",2\n\n3,\"p\nq\"\r4,5")
    #expect(rows.map(\.line) == [1, 2, 5, 7])
  }

  /// The line that declares a separator is no row, also if the separator is given.
  @Test(
    arguments: [
      ("sep=;\na;b,c", nil, ["a", "b,c"], 2), ("sep=;\na;b,c", ";", ["a", "b,c"], 2),
      ("sep=;\r\na;b,c", ",", ["a;b", "c"], 2), ("\u{FEFF}SEP=\t\na\tb", "\t", ["a", "b"], 2),
      ("sep=;b\n", ";", ["sep=", "b"], 1),
    ] as [(String, Unicode.Scalar?, [String], Int)])
  func separatorLineIsNoRow(_ text: String, _ separator: Unicode.Scalar?, _ cells: [String], _ line: Int) throws {
    #expect(
      try CSVReader.rows(of: text, separator: separator) == [
        CSVReader.Row(line: line, cells: cells.map { CSVReader.Cell($0) })
      ])
  }

  /// A row of any length is left where the task is cancelled, before anything else about it is said.
  @Test(arguments: [
    String(repeating: "a,", count: 70_000), "\"" + String(repeating: "a", count: 140_000),
    String(repeating: "a", count: 140_000) + "\"",
  ])
  func rowIsLeftWhereTheTaskIsCancelled(_ text: String) async {
    let message = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      do throws(CSVReader.Fault) {
        _ = try CSVReader.rows(of: text)
        return "read"
      } catch {
        return error.message.english.plain
      }
    }.value
    #expect(message == "interrupted")
  }
}
