import Catalog
import CommandLanguage
import Testing
import Text

@testable import Commands

/// Products are written to a text for an editor and read back, one row for each.
@Suite struct EditTableTests {
  private static let products = [
    Product(
      id: 138, name: "먹색 요리책", description: "두 줄\n입니다.", price: Amount(19_000), discount: Amount(0), currency: .krw,
      stock: 25),
    Product(
      id: 7, name: #"bar | back\slash"#, description: "tab\tand \u{1B}[31m", price: Amount(typed: "999.99"),
      discount: Amount(typed: "0.5"), currency: .usd, stock: 1_000_000_000_000),
    Product(id: 41),
  ]

  private func edits(_ columns: [ProductField], _ change: (String) -> String) throws(EditErrors) -> [String] {
    let rows = EditTable(Self.products, columns: columns, at: "demo", in: .english)
    return try rows.edits(in: change(rows.text)).map { product, assignments in
      "\(product.id) " + assignments.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
    }
  }

  private func mistakes(_ columns: [ProductField], _ change: (String) -> String) -> String? {
    do {
      _ = try edits(columns, change)
      return nil
    } catch {
      return error.text("", .english)
    }
  }

  @Test func columnsAreAlignedAndTextsAreEscaped() {
    let rows = EditTable(Self.products, columns: [.price, .stock], at: "demo, vendor 15", in: .english)
    #expect(
      rows.text == #"""
        # 3 products, demo, vendor 15
        # Edit the values between the bars. Lines starting with # are ignored.
        # Delete a row to skip that product. Nothing is deleted on the server.
        # In text, write \| for a bar, \n for a line break and \\ for a backslash.
        # Save and close the editor to review the changes. Nothing is sent before that.

        #  id |  price |         stock | (name)
          138 |  19000 |            25 | 먹색 요리책
            7 | 999.99 | 1000000000000 | bar \| back\\slash
           41 |        |               | 

        # To cancel, change nothing or delete every row.
        #
        #
        #
        #

        """#)
    // Columns are aligned by terminal width for every script.
    let names = EditTable(Self.products, columns: [.name, .price], at: "demo", in: .korean).text
    #expect(names.contains("  138 | 먹색 요리책        |  19000\n    7 | bar \\| back\\\\slash | 999.99\n"), "\(names)")
  }

  @Test(arguments: [EditTable.columns, [.price], [.name, .description], [.stock, .sale]])
  func unchangedTextIsNoEdit(_ columns: [ProductField]) throws {
    #expect(try edits(columns) { $0 }.isEmpty)
    #expect(try edits(columns) { $0.replacing("\n", with: "\r\n") }.isEmpty)
    #expect(try edits(columns) { $0.replacing(" | ", with: "|   ") }.isEmpty)
    #expect(try edits(columns) { _ in "" }.isEmpty)
    #expect(try edits(columns) { $0.lines.reversed().joined(separator: "\n") }.isEmpty)
  }

  /// A deleted row leaves its product unchanged, and other rows are found by id.
  @Test func changedRowsAreRead() throws {
    #expect(try edits([.price, .stock]) { $0.replacing("19000", with: "18,500") } == ["138 price=18,500"])
    #expect(
      try edits([.price, .stock]) { text in
        let rows = text.lines.filter { !$0.contains("먹색") }.map { $0.replacing("999.99", with: "1") }
        return rows.joined(separator: "\n")
      } == ["7 price=1"])
    #expect(
      try edits([.name, .description]) {
        $0.replacing("bar ", with: "a \\| b ").replacing("두 줄\\n입니다.", with: "한 줄\\\\")
      } == ["138 description=한 줄\\", "7 name=a | b | back\\slash"])
    #expect(
      try edits([.description]) { $0.replacing("\\u{1b}[31m", with: "\\u{ac00}") } == ["7 description=tab\tand 가"])
  }

  @Test(arguments: [
    ("  138 |", "  139 |", "139 is not the number of a product in this table."),
    ("  138 |", "  abc |", "abc is not the number of a product"),
    ("    7 |", "  138 |", "Product 138 appears twice."), ("| 999.99 ", "", "has 3 values instead of 4."),
    ("먹색 요리책", "빨간 요리책", "cannot be changed in this table"),
  ])
  func errorsAreNamed(_ old: String, _ new: String, _ says: String) throws {
    let said = try #require(mistakes([.price, .stock]) { $0.replacing(old, with: new) })
    #expect(said.contains(says), "\(said)")
  }

  @Test func unknownEscapeIsRefused() throws {
    for odd in ["\\", "\\x", "\\u{}", "\\u{110000}", "\\u41", "\\u{41"] {
      let said = mistakes([.name]) { $0.replacing("먹색 요리책", with: odd) }
      #expect(said?.contains("Unknown escape") == true, "\(odd): \(said ?? "-")")
    }
  }

  /// All errors are reported at once, at most ten, above the edited text.
  @Test func allErrorsAreReportedAtOnce() throws {
    let said = try #require(
      mistakes([.price]) { _ in (1...12).map { "\($0) | 1 | x" }.joined(separator: "\n") })
    #expect(
      said.hasPrefix(
        "#! 1 is not the number of a product in this table.\n#! Each row must start with its product number.\n#! 2 is"))
    #expect(said.contains("#! and 2 more\n"), "\(said)")
  }
}
