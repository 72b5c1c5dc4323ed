import Commands
import Foundation
import Presentation
import ShellTesting
import TestSupport
import Testing

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

/// A ZIP archive of a workbook, whose entries aren't compressed.
struct StoredZip {
  struct Sheet {
    var name: String
    var attributes = ""
    var text: String
    var type = "worksheet"
  }

  private(set) var bytes = Data()

  init(sheet: String) { self.init(sheets: [Sheet(name: "S", text: sheet)]) }

  /// - Parameter isLong: Whether sizes and offsets are in the 64-bit fields of ZIP64, as some programs write them always.
  init(sheets: [Sheet], strings: String? = nil, isLong: Bool = false) {
    let book = sheets.enumerated().map { "<sheet name=\"\($1.name)\" id=\"r\($0)\"\($1.attributes)/>" }.joined()
    let relations = sheets.enumerated().map {
      "<Relationship Id=\"r\($0)\" Type=\"http://x.example/\($1.type)\" Target=\"/xl/sheet\($0).xml\"/>"
    }.joined()
    var parts = [
      ("xl/workbook.xml", "<workbook><sheets>\(book)</sheets></workbook>"),
      ("xl/_rels/workbook.xml.rels", "<x>\(relations)</x>"),
    ]
    parts += sheets.enumerated().map { ("xl/sheet\($0).xml", $1.text) }
    if let strings { parts.append(("xl/sharedStrings.xml", strings)) }
    self.init(parts: parts.map { ($0, Data($1.utf8)) }, isLong: isLong)
  }

  init(parts: [(name: String, content: Data)], isLong: Bool = false) {
    var directory = Data()
    for (name, data) in parts {
      let offset = bytes.count
      let name = Data(name.utf8)
      let size = isLong ? 0xFFFF_FFFF : data.count
      let own = isLong ? number(1, 2) + number(16, 2) + number(data.count, 8) + number(data.count, 8) : Data()
      bytes += number(0x0403_4B50, 4) + number(0, 14) + number(size, 4) + number(size, 4)
      bytes += number(name.count, 2) + number(own.count, 2) + name + own + data
      let extra =
        isLong
        ? number(7, 2) + number(1, 2) + number(0, 1) + number(1, 2) + number(24, 2) + number(data.count, 8)
          + number(data.count, 8) + number(offset, 8) : Data()
      directory += number(0x0201_4B50, 4) + number(0, 16) + number(size, 4) + number(size, 4)
      directory += number(name.count, 2) + number(extra.count, 2) + number(0, 10)
      directory += number(isLong ? 0xFFFF_FFFF : offset, 4) + name + extra
    }
    let start = bytes.count
    bytes += directory
    if isLong {
      let record = bytes.count
      bytes += number(0x0606_4B50, 4) + number(44, 8) + number(45, 2) + number(45, 2) + number(0, 8)
      bytes += number(parts.count, 8) + number(parts.count, 8) + number(directory.count, 8) + number(start, 8)
      bytes += number(0x0706_4B50, 4) + number(0, 4) + number(record, 8) + number(1, 4)
    }
    let count = isLong ? 0xFFFF : parts.count
    bytes += number(0x0605_4B50, 4) + number(0, 4) + number(count, 2) + number(count, 2)
    bytes += number(isLong ? 0xFFFF_FFFF : directory.count, 4) + number(isLong ? 0xFFFF_FFFF : start, 4) + number(0, 2)
  }

  private func number(_ value: Int, _ size: Int) -> Data {
    Data((0..<size).map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> (8 * $0)) : 0 })
  }
}
