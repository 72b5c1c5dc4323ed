import FileFormats
import Foundation
import Pacing
import Presentation
import Testing

/// Workbooks of openpyxl and of LibreOffice give the same plan as the same sheet in CSV; damaged and enormous ones end
/// with an error.
@Suite(.timeLimit(Trial.limit)) struct WorkbookTests {
  private static let folder = (#filePath as NSString).deletingLastPathComponent + "/../Workbooks"

  private static var names: [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".csv") }.map { String($0.dropLast(4)) }.sorted()
  }

  @Test func theSamePlanAsTheSheetInCSV() async throws {
    try await House.visit { house in
      try house.bringPictures()
      #expect(WorkbookTests.names.count == 22)
      for name in WorkbookTests.names {
        let csv = try await plan("\(name).csv", "", house)
        #expect(csv.contains("Dry run"), "\(csv)")
        for writer in ["openpyxl", "libreoffice"] {
          let file = "\(writer)/\(name).xlsx"
          guard FileManager.default.fileExists(atPath: WorkbookTests.folder + "/" + file) else { continue }
          let sheet = name == "12-named" ? "sheet '시트 둘'" : ""
          let told = try await plan(file, sheet, house).replacing(#/! note: \d+ cells are formulas.*\n/#, with: "")
          #expect(told == csv, "\(file)")
        }
      }
    }
  }

  @Test func errorsOfWorkbooks() async throws {
    try await House.visit { house in
      try house.bringPictures()
      var told = ""
      for (file, rest) in [
        ("entity.xlsx", ""), ("nested.xlsx", ""), ("truncated.xlsx", ""), ("openpyxl/12-named.xlsx", "sheet Nowhere"),
        ("01-plain.csv", "sheet S"), ("libreoffice/22-formulas.xlsx", ""),
      ] {
        told += "# \(file)\n" + (try await plan(file, rest, house))
      }
      try Golden("workbooks").check(told)
    }
  }

  /// A zip bomb, too many rows, a cell without end and elements in elements end after a bounded amount of work.
  @Test func enormousSheets() throws {
    let head = "<worksheet><sheetData>"
    let row = "<row><c><v>1</v></c></row>"
    let sheets = [
      head + String(repeating: row, count: Workbook.mostRows + 1) + "</sheetData></worksheet>",
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

  private func plan(_ file: String, _ rest: String, _ house: House) async throws -> String {
    let target = house.folder + "/sheet." + (file.hasSuffix("csv") ? "csv" : "xlsx")
    try? FileManager.default.removeItem(atPath: target)
    try FileManager.default.copyItem(atPath: WorkbookTests.folder + "/" + file, toPath: target)
    let name = "~/sheet." + (file.hasSuffix("csv") ? "csv" : "xlsx")
    return await house.say("dry import \(name) all \(rest)").replacing(name, with: "FILE")
  }
}

/// A ZIP archive of a workbook with one sheet, whose entries aren't compressed.
private struct StoredZip {
  private(set) var bytes = Data()

  init(sheet: String) {
    var directory = Data()
    let parts = [
      ("xl/workbook.xml", "<workbook><sheets><sheet name=\"S\" id=\"r1\"/></sheets></workbook>"),
      ("xl/_rels/workbook.xml.rels", "<x><Relationship Id=\"r1\" Target=\"/xl/sheet.xml\"/></x>"),
      ("xl/sheet.xml", sheet),
    ]
    for (name, text) in parts {
      let offset = bytes.count
      let (name, data) = (Data(name.utf8), Data(text.utf8))
      bytes += number(0x0403_4B50, 4) + number(0, 14) + number(data.count, 4) + number(data.count, 4)
      bytes += number(name.count, 2) + number(0, 2) + name + data
      directory += number(0x0201_4B50, 4) + number(0, 16) + number(data.count, 4) + number(data.count, 4)
      directory += number(name.count, 2) + number(0, 12) + number(offset, 4) + name
    }
    let start = bytes.count
    bytes += directory + number(0x0605_4B50, 4) + number(0, 4) + number(parts.count, 2) + number(parts.count, 2)
    bytes += number(directory.count, 4) + number(start, 4) + number(0, 2)
  }

  private func number(_ value: Int, _ size: Int) -> Data {
    Data((0..<size).map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> (8 * $0)) : 0 })
  }
}
