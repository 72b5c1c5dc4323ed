import Foundation
import Shell
import ShellTesting
import TestSupport
import Testing

/// An exported market is imported without changes, whatever its texts contain.
@Suite(.timeLimit(Trial.limit)) struct ExportCommandTests {
  private static let pieces = [
    "한글", "a b", ",", "\"", "'", "=1+1", "+", "-", "@x", "\t", "\r\n", "\n", "🙂", "e\u{301}", ";", "\\", "<b>",
    "\u{200B}", "  ",
  ]

  @Test(arguments: ["csv", "jsonl"]) func exportedTextsAreImportedUnchanged(_ ending: String) async throws {
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
