import Foundation
import Presentation
import Shell
import ShellTesting
import TestSupport
import Testing

@testable import Commands

/// An exported market is imported without changes, whatever its texts contain.
@Suite(.timeLimit(Trial.limit)) struct ExportCommandTests {
  private static let pieces = [
    "한글", "a b", ",", "\"", "'", "=1+1", "+", "-", "@x", "\t", "\r\n", "\n", "🙂", "e\u{301}", ";", "\\", "<b>",
    "\u{200B}", "  ",
  ]

  @Test(arguments: ["csv", "jsonl", "xlsx"]) func exportedTextsAreImportedUnchanged(_ ending: String) async throws {
    try await Sandbox.with { sandbox in
      var random = SplitMix64(31)
      func text(_ length: Int) -> String {
        var text = ""
        while text.count < length { text += Self.pieces.randomElement(using: &random) ?? "x" }
        return text
      }
      let ids = [138, 132, 126, 120, 114, 108, 102, 96, 90, 84]
      var lines = ""
      for id in ids {
        let fields = ["name": text(3), "description": text(10)]
        let json = try JSONSerialization.data(withJSONObject: fields)
        lines += "{\"id\":\(id)," + String(decoding: json, as: UTF8.self).dropFirst() + "\n"
      }
      try Data(lines.utf8).write(to: URL(fileURLWithPath: sandbox.folder + "/awkward.jsonl"))
      let imported = await sandbox.run("import ~/awkward.jsonl yes")
      #expect(imported.contains("10 of 10 changes applied."), "\(imported)")
      let before = await sandbox.run("export mine as jsonl")
      _ = await sandbox.run("export mine to ~/mine.\(ending)")
      let said = await sandbox.run("import ~/mine.\(ending)")
      #expect(
        said.contains("! note: 0 of 23 rows were changed in the file since the export at 2022-12-01 00:00 UTC.\n"),
        "\(said)")
      #expect(said.contains("! note: Nothing to change. Nothing was sent.\n"), "\(said)")
      #expect(said.split(separator: "\n").count { $0.hasSuffix("unchanged  -") } == 23, "\(said)")
      #expect(await sandbox.run("export mine as jsonl") == before)
    }
  }

  /// What `ls` lists is what `export` writes.
  @Test(arguments: [
    ("search 요가", "search 요가"), ("mine stock<30", "mine where stock<30"), ("stock<5", "where stock<5"),
    ("search 요가 mine where stock>1", "search 요가 mine where stock>1"),
  ])
  func targetsAreThoseOfList(_ typed: String, _ listed: String) async throws {
    try await Sandbox.with { sandbox in
      let list = await sandbox.run("ls \(listed) columns id as csv")
      let said = await sandbox.run("export \(typed) columns id to ~/some.csv")
      #expect(said.contains("Saved "), "\(said)")
      let saved = try String(contentsOfFile: sandbox.folder + "/some.csv", encoding: .utf8)
      let ids = { (text: String) in text.split(whereSeparator: \.isNewline).filter { Int($0) != nil }.sorted() }
      #expect(!ids(saved).isEmpty && ids(saved) == ids(list), "\(said)\(list)")
      #expect(await sandbox.run("export a.csv to ~/b.csv").contains("a.csv is a second one"))
    }
  }

  /// The cells of a workbook are those of the CSV file, read back by the reader of workbooks.
  @Test func workbookHasTheCellsOfTheCSVFile() async throws {
    try await Sandbox.with { sandbox in
      // An amount that a binary number can't hold is a text, which import reads like a number.
      let exact = await sandbox.run("patch 138 price=999999999999999 discount=0.01 outliers yes")
      #expect(exact.contains("Updated product 138."), "\(exact)")
      _ = await sandbox.run("export to ~/all.csv")
      let said = await sandbox.run("export to ~/all.xlsx")
      #expect(said.contains("! Saved 141 products to HOME/all.xlsx."), "\(said)")
      let csv = try CSVReader.rows(of: String(contentsOfFile: sandbox.folder + "/all.csv", encoding: .utf8))
      let bytes = try Data(contentsOf: URL(fileURLWithPath: sandbox.folder + "/all.xlsx"))
      let book = try Workbook(bytes, sheet: nil)
      #expect(book.sheet == "products" && book.sheets.map(\.name) == ["products", "total"])
      #expect(book.rows.map { $0.cells.map(\.text) } == csv.map { $0.cells.map(\.text) })
      #expect(book.rows.contains { $0.cells.contains { $0.text == "999999999999998.99" } })
      // The sums are exact, too: 25 pieces of product 138 alone are more than 15 digits.
      let totals = try Workbook(bytes, sheet: "total").rows.map { $0.cells.map(\.text) }
      #expect(totals.map(\.first) == ["currency", "KRW", "USD"])
      #expect(totals[1][5].hasSuffix(".75") && totals[1][5].count > 17, "\(totals)")
    }
  }

  /// A workbook is held back and replaced like every file.
  @Test func workbookReplacesOnlyItsOwnFile() async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writeFile("own.xlsx", "mine")
      for line in ["export mine to ~/own.xlsx", "ls to ~/own.xlsx"] {
        let said = await sandbox.run(line)
        #expect(said.contains("already exists and was not written by openmarket") && said.hasSuffix("= 4\n"), "\(said)")
      }
      #expect(try String(contentsOfFile: sandbox.folder + "/own.xlsx", encoding: .utf8) == "mine")
      try FileManager.default.createSymbolicLink(
        atPath: sandbox.folder + "/link.xlsx", withDestinationPath: sandbox.folder + "/target.xlsx")
      #expect(await sandbox.run("export mine to ~/link.xlsx").contains("Saved 23 products"))
      #expect(
        try FileManager.default.destinationOfSymbolicLink(atPath: sandbox.folder + "/link.xlsx").hasSuffix(
          "/target.xlsx"))
      #expect(await sandbox.run("export mine to ~/link.xlsx").contains("Saved 23 products"))
      let files = try FileManager.default.contentsOfDirectory(atPath: sandbox.folder)
      #expect(files.filter { $0.hasSuffix(".new") }.isEmpty, "\(files)")
    }
  }

  /// A text is no table; a command with a form of its own writes no workbook.
  @Test(arguments: [
    ("curl show 138 to ~/x.xlsx", "This output is a text, not a table.", 1),
    ("plan patch 138 price=9 to ~/x.xlsx", "This command does not write a table", 2),
    ("image 138 to ~/x.xlsx", "This command does not write a table", 2),
    ("ls as csv to ~/x.xlsx", "would be a workbook, not csv.", 2),
    ("export as jsonl ~/x.xlsx", "would be a workbook, not jsonl.", 2),
    ("ls bom to ~/x.xlsx", "bom can only be used with CSV", 2),
    ("ls to ~/x.xls", "Unsupported file extension: xls.", 2),
  ])
  func otherOutputIsNoWorkbook(_ line: String, _ words: String, _ code: Int) async throws {
    try await Sandbox.with { sandbox in
      let said = await sandbox.run(line)
      #expect(said.contains(words) && said.hasSuffix("= \(code)\n"), "\(said)")
      #expect(!FileManager.default.fileExists(atPath: sandbox.folder + "/x.xlsx"))
    }
  }

  /// Every table can be a workbook.
  @Test(arguments: [
    "ls size 3", "ls all", "show 138", "show 138 name price", "log", "calls 3", "chart price", "sql select 1 as one",
    "patch 138,132 stock=9 yes", "snapshot list", "weather",
  ])
  func tableIsAWorkbook(_ line: String) async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("patch 138 stock=8 yes")
      _ = await sandbox.run("snapshot")
      let said = await sandbox.run("\(line) to ~/x.xlsx")
      #expect(said.contains("Saved to HOME/x.xlsx."), "\(said)")
      let bytes = try Data(contentsOf: URL(fileURLWithPath: sandbox.folder + "/x.xlsx"))
      #expect(try Workbook(bytes, sheet: nil).rows.count > 1)
    }
  }

  /// Lists contain no images, so each product is read if the column was asked for; without it the file says why it is empty.
  @Test func imagesColumnIsReadOrExplained() async throws {
    try await Sandbox.with { sandbox in
      let chosen = await sandbox.run("export where id>=132 and vendor=me columns name,images as csv")
      let rows = chosen.split(separator: "\n").filter { $0.hasPrefix("138,") || $0.hasPrefix("132,") }
      #expect(rows.count == 2 && rows.allSatisfy { $0.contains("_origin.jpg") }, "\(chosen)")
      #expect(!chosen.contains("that column is empty"))
      let whole = await sandbox.run("export mine to ~/mine.csv")
      #expect(whole.contains("Lists have no images, so that column is empty."), "\(whole)")
      for line in ["ls size 2 columns id,images as csv", "ls where id=138 columns id,images as csv"] {
        let listed = await sandbox.run(line)
        #expect(listed.contains("_origin.jpg"), "\(listed)")
      }
    }
  }

  /// Above the number of rows for single requests, the values come from the list.
  @Test func largeImportReadsTheList() async throws {
    try await Sandbox.with { sandbox in
      let all = await sandbox.run("export as csv")
      let rows = all.split(separator: "\n").filter { !$0.hasPrefix("!") }
      #expect(rows.count == 142)
      // Only the stock of each product, with a change of the vendor's own.
      var file = "id,stock\r\n"
      for id in 1...141 { file += "\(id),\(id == 138 ? "77" : "")\r\n" }
      for id in 1...60 { file += "\(id + 9000),\r\n" }
      try Data(file.utf8).write(to: URL(fileURLWithPath: sandbox.folder + "/stock.csv"))
      let said = await sandbox.run("dry import ~/stock.csv")
      #expect(
        said.contains("60 lines have errors") && said.contains("line 143: product 9001 does not exist"), "\(said)")
    }
  }
}
