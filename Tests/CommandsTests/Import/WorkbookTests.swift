import Foundation
import Presentation
import ShellTesting
import TestSupport
import Testing

@testable import Commands

/// Workbooks of openpyxl and of LibreOffice give the same plan as the same sheet in CSV; damaged and enormous ones end
/// with an error.
@Suite(.timeLimit(Trial.limit)) struct WorkbookTests {
  private static let folder = (#filePath as NSString).deletingLastPathComponent + "/Workbooks"

  private static var names: [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".csv") }.map { String($0.dropLast(4)) }.sorted()
  }

  @Test func workbookAndCSVGiveTheSamePlan() async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writePictures()
      #expect(WorkbookTests.names.count == 22)
      for name in WorkbookTests.names {
        let csv = try await plan("\(name).csv", "", sandbox)
        #expect(csv.contains("Dry run"), "\(csv)")
        for writer in ["openpyxl", "libreoffice"] {
          let file = "\(writer)/\(name).xlsx"
          // openpyxl writes formulas without their values.
          if file == "openpyxl/22-formulas.xlsx" { continue }
          let sheet = name == "12-named" ? "sheet '시트 둘'" : ""
          let told = try await plan(file, sheet, sandbox).replacing(
            #/! note: (\d+ cells are formulas|Read sheet).*\n/#, with: "")
          #expect(told == csv, "\(file)")
        }
      }
    }
  }

  @Test func workbookErrorsEqualGolden() async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writePictures()
      var told = ""
      for (file, rest) in [
        ("entity.xlsx", ""), ("nested.xlsx", ""), ("truncated.xlsx", ""), ("openpyxl/12-named.xlsx", "sheet Nowhere"),
        ("01-plain.csv", "sheet S"), ("libreoffice/22-formulas.xlsx", ""),
      ] {
        told += "# \(file)\n" + (try await plan(file, rest, sandbox))
      }
      try Golden("workbooks").check(told)
    }
  }

  /// A zip bomb, too many rows, a cell without end and elements in elements end after a bounded amount of work.
  @Test func enormousSheetsEndWithAnError() throws {
    let head = "<worksheet><sheetData>"
    let row = "<row><c><v>1</v></c></row>"
    let sheets = [
      head + String(repeating: row, count: Workbook.maximumRows + 1) + "</sheetData></worksheet>",
      head + "<row><c t=\"inlineStr\"><is><t>" + String(repeating: "a", count: 200_000),
      head + "<row>" + String(repeating: "<c><v>1</v></c>", count: 20_000),
    ]
    for sheet in sheets {
      #expect(throws: Workbook.Fault.tooLarge) { try Workbook(StoredZip(sheet: sheet).bytes, sheet: nil) }
    }
    #expect(throws: Workbook.Fault.damaged) {
      try Workbook(StoredZip(sheet: String(repeating: "<a>", count: 1_000)).bytes, sheet: nil)
    }
    let book = try Workbook(
      StoredZip(sheet: head + "<row r=\"7\"><c r=\"B7\"><v>1.5E3</v></c></row></sheetData></worksheet>").bytes,
      sheet: "S")
    #expect(book.rows.map(\.line) == [7] && book.rows.first?.cells.map(\.text) == ["", "1500"])
  }

  /// A stored sheet with another price than the one that was saved is damage.
  @Test func changedSheetIsDamage() throws {
    for isLong in [false, true] {
      let sheet = WorkbookTests.rows(WorkbookTests.row("id", "price"), WorkbookTests.row("138", "19000"))
      var bytes = StoredZip(sheets: [.init(name: "S", text: sheet)], isLong: isLong).bytes
      #expect(try Workbook(bytes, sheet: nil).rows.last?.cells.map(\.text) == ["138", "19000"])
      let digit = try #require(bytes.firstRange(of: Data("19000".utf8))?.lowerBound)
      bytes[digit] ^= 8
      #expect(throws: Workbook.Fault.damaged) { try Workbook(bytes, sheet: nil) }
    }
  }

  /// The checksum and the size of a packed sheet are those of the central directory, at these places of its record.
  @Test(arguments: ["openpyxl", "libreoffice"], [16, 24])
  func packedSheetHasItsChecksumAndSize(_ writer: String, _ place: Int) throws {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: WorkbookTests.folder + "/\(writer)/01-plain.xlsx"))
    #expect(throws: Never.self) { try Workbook(bytes, sheet: nil) }
    let name = try #require(bytes.range(of: Data("xl/worksheets/sheet1.xml".utf8), options: .backwards)).lowerBound
    try #require(bytes[(name - 46)...].starts(with: [0x50, 0x4B, 1, 2]))
    bytes[name - 46 + place] ^= 1
    #expect(throws: Workbook.Fault.damaged) { try Workbook(bytes, sheet: nil) }
  }

  /// Rows and columns that no sheet has, and shared strings that aren't there, are damage.
  @Test(arguments: [
    "<row r=\"9223372036854775807\"><c><v>1</v></c></row><row><c><v>1</v></c></row>", "<row r=\"-1\"/>",
    "<row r=\"0\"/>",
    "<row r=\"1048577\"/>", "<row r=\"99999999999999999999\"/>", "<row r=\"x\"/>", "<row r=\"\"/>",
    "<row><c r=\"XFE1\"><v>1</v></c></row>", "<row><c r=\"ZZZZZZZZZZZZZZZ1\"><v>1</v></c></row>",
    "<row><c t=\"s\"><v>1</v></c></row>", "<row><c t=\"s\"><v>-1</v></c></row>", "<row><c t=\"s\"><v>x</v></c></row>",
    "<row><c t=\"s\"><v>9223372036854775808</v></c></row>",
  ])
  func impossiblePlaceIsDamage(_ row: String) {
    for strings in [nil, "<sst><si><t>a</t></si></sst>"] {
      let sheet = StoredZip.Sheet(name: "S", text: WorkbookTests.rows(row))
      #expect(throws: Workbook.Fault.damaged) {
        try Workbook(StoredZip(sheets: [sheet], strings: strings).bytes, sheet: nil)
      }
    }
  }

  @Test func lastRowAndColumnAreRead() throws {
    let row =
      "<row r=\"1048576\"><c r=\"XFD1048576\" s=\"99999999999999999999\"><v>1e99</v></c><c r=\"XFD1048576\" t=\"s\"/></row>"
    let book = try Workbook(StoredZip(sheet: WorkbookTests.rows(row)).bytes, sheet: nil)
    #expect(book.rows.map(\.line) == [1_048_576] && book.rows[0].cells.count == 16_384)
    #expect(throws: Workbook.Fault.tooLarge) {
      try Workbook(StoredZip(sheet: WorkbookTests.rows(row, "<row/>")).bytes, sheet: nil)
    }
  }

  /// Many sheets that are one part are read once; many sheets of their own share a budget.
  @Test func manySheetsShareABudget() throws {
    let empty = WorkbookTests.rows(String(repeating: "<row/>", count: 1_000_000))
    let parts = (1...20).map { StoredZip.Sheet(name: "S\($0)", text: empty) }
    // 7 MB of XML each: the archive may have 16 MB, so that two of them are the most that it stores.
    #expect(throws: Workbook.Fault.tooLarge) { try Workbook(StoredZip(sheets: parts).bytes, sheet: nil) }
    let many = (0...1_000).map { StoredZip.Sheet(name: "S\($0)", text: WorkbookTests.rows()) }
    #expect(throws: Workbook.Fault.tooLarge) { try Workbook(StoredZip(sheets: many).bytes, sheet: nil) }
    let shared = StoredZip(sameSheet: empty, times: 900)
    #expect(throws: Workbook.Fault.self) { try Workbook(shared.bytes, sheet: nil) }
  }

  @Test(arguments: [
    ("yyyy\"d\"", "yyyy"), ("[Red]0;\\d[$-409]yy", "0;yy"), ("[[[[", "[[[["), ("\"\"\"", "\""), ("a]b[c", "a]b[c"),
    ("\\", "\\"),
    ("[a\"]\"", "\""),
  ])
  func textOfANumberFormatIsIgnored(_ code: String, _ pattern: String) {
    #expect(Workbook.withoutText(code) == pattern)
  }

  /// A formula without a saved value matters in the columns that an import uses; an empty value is an empty cell.
  @Test func formulasAreErrorsOnlyWhereTheyMatter() async throws {
    func cells(_ note: String, _ stock: String) -> String {
      WorkbookTests.rows(
        WorkbookTests.row("id", "stock", "note"),
        "<row r=\"2\"><c r=\"A2\"><v>138</v></c><c r=\"B2\">\(stock)</c><c r=\"C2\" t=\"str\">\(note)</c></row>",
        "<row r=\"3\"><c r=\"A3\"><v>132</v></c><c r=\"B3\"><v>6</v></c></row>")
    }
    try await Sandbox.with { sandbox in
      for (note, stock, wanted) in [
        ("<f>A2*2</f>", "<v>5</v>", "stock 25 -> 5"), ("<f>A2*2</f><v></v>", "<v>5</v>", "stock 25 -> 5"),
        ("<f>A2</f>", "<f>1</f><v></v>", "update 132"),
        ("<v>x</v>", "<f>1</f>", "line 2: a formula has no saved value"),
        ("<v>x</v>", "<f>1</f><v/>", "update 132"),
      ] {
        try StoredZip(sheet: cells(note, stock)).bytes.write(to: URL(fileURLWithPath: sandbox.folder + "/x.xlsx"))
        let said = await sandbox.run("dry import ~/x.xlsx")
        #expect(
          said.contains(wanted) && said.contains("a formula has") == wanted.contains("a formula has"),
          "\(note) \(stock): \(said)")
        // A formula in a column that is ignored is not used, whatever it has.
        #expect(said.contains("is a formula;") == (stock.contains("<f>") && wanted == "update 132"), "\(said)")
      }
      let many = (2...151).map { "<row r=\"\($0)\"><c r=\"A\($0)\"><v>\($0)</v></c><c r=\"B\($0)\"><f>1</f></c></row>" }
      let sheet = WorkbookTests.rows(WorkbookTests.row("id", "stock"), many.joined())
      try StoredZip(sheet: sheet).bytes.write(to: URL(fileURLWithPath: sandbox.folder + "/x.xlsx"))
      let said = await sandbox.run("dry import ~/x.xlsx")
      #expect(
        said.contains("150 lines have errors.") && said.contains("150 lines (2-151): a formula has no saved value"),
        "\(said)")
    }
  }

  /// Readings above a text, which East Asian versions of Excel store beside it, aren't part of it.
  @Test func readingsAreNotText() throws {
    let text = "<t>먹색</t><r><t> 요리책</t></r><rPh sb=\"0\" eb=\"2\"><t>モクショク</t></rPh>"
    let sheet = WorkbookTests.rows("<row><c t=\"inlineStr\"><is>\(text)</is></c><c t=\"s\"><v>0</v></c></row>")
    let archive = StoredZip(sheets: [.init(name: "S", text: sheet)], strings: "<sst><si>\(text)</si></sst>")
    let book = try Workbook(archive.bytes, sheet: nil)
    #expect(book.rows.first?.cells.map(\.text) == ["먹색 요리책", "먹색 요리책"])
  }

  private static func rows(_ rows: String...) -> String {
    "<worksheet><sheetData>" + rows.joined() + "</sheetData></worksheet>"
  }

  private static func row(_ cells: String..., hidden: Bool = false) -> String {
    "<row\(hidden ? " hidden=\"1\"" : "")>"
      + cells.map { "<c t=\"inlineStr\"><is><t>\($0)</t></is></c>" }.joined() + "</row>"
  }

  /// The first visible sheet with cells is read, and named; what isn't read is named as well.
  @Test(arguments: ["hidden", "veryHidden", "empty", "blank", "chart"])
  func firstVisibleSheetIsRead(_ first: String) async throws {
    let old = WorkbookTests.rows(WorkbookTests.row("id", "stock"), WorkbookTests.row("138", "99"))
    let new = WorkbookTests.rows(
      WorkbookTests.row("id", "stock"), WorkbookTests.row("138", "5"), WorkbookTests.row("132", "6", hidden: true))
    let state = first.hasSuffix("idden") ? " state=\"\(first)\"" : ""
    let content =
      first == "empty" ? WorkbookTests.rows() : first == "blank" ? WorkbookTests.rows(WorkbookTests.row("  ")) : old
    for isLong in [false, true] {
      try await Sandbox.with { sandbox in
        let archive = StoredZip(
          sheets: [
            .init(name: "Old", attributes: state, text: content, type: first == "chart" ? "chartsheet" : "worksheet"),
            .init(name: "May 2026", text: new), .init(name: "Notes", text: WorkbookTests.rows(WorkbookTests.row("x"))),
          ], isLong: isLong)
        try archive.bytes.write(to: URL(fileURLWithPath: sandbox.folder + "/x.xlsx"))
        let said = await sandbox.run("dry import ~/x.xlsx")
        #expect(said.contains("stock 25 -> 5") && !said.contains("99"), "\(said)")
        #expect(said.contains("Read sheet May 2026. Not read: Old (") && said.contains(", Notes."), "\(said)")
        #expect(said.contains("1 hidden row"), "\(said)")
        let named = await sandbox.run("dry import ~/x.xlsx sheet Old")
        #expect(named.contains("25 -> 99") == !state.isEmpty, "\(named)")
        #expect(state.isEmpty == named.hasSuffix("= 2\n"), "\(named)")
      }
    }
  }

  @Test func workbookWithoutVisibleSheetIsRefused() async throws {
    try await Sandbox.with { sandbox in
      let sheet = StoredZip.Sheet(
        name: "Old", attributes: " state=\"hidden\"", text: WorkbookTests.rows(WorkbookTests.row("id", "stock")))
      try StoredZip(sheets: [sheet]).bytes.write(to: URL(fileURLWithPath: sandbox.folder + "/x.xlsx"))
      let said = await sandbox.run("import ~/x.xlsx")
      #expect(said.contains("No visible sheet has cells.") && said.contains("`sheet Old`"), "\(said)")
      #expect(said.hasSuffix("= 2\n"), "\(said)")
    }
  }

  private func plan(_ file: String, _ rest: String, _ sandbox: Sandbox) async throws -> String {
    let target = sandbox.folder + "/sheet." + (file.hasSuffix("csv") ? "csv" : "xlsx")
    try? FileManager.default.removeItem(atPath: target)
    if file == "nested.xlsx" {
      // An archive in an archive is no workbook.
      let inner = StoredZip(sheet: WorkbookTests.rows(WorkbookTests.row("id"))).bytes
      try StoredZip(parts: [("inner.xlsx", inner)]).bytes.write(to: URL(fileURLWithPath: target))
    } else {
      try FileManager.default.copyItem(atPath: WorkbookTests.folder + "/" + file, toPath: target)
    }
    let name = "~/sheet." + (file.hasSuffix("csv") ? "csv" : "xlsx")
    return await sandbox.run("dry import \(name) all \(rest)").replacing(name, with: "FILE")
  }
}
