import Foundation
import ShellTesting
import TestSupport
import Testing

/// An edited export is compared with what was exported, whatever its name is.
@Suite(.timeLimit(Trial.limit)) struct ExportBaselineTests {
  private func edit(_ sandbox: Sandbox, _ file: String, to copy: String, _ edits: [(String, String)]) throws {
    var text = try String(contentsOfFile: sandbox.folder + "/" + file, encoding: .utf8)
    for (old, new) in edits {
      try #require(text.contains(old), "\(text)")
      text = text.replacing(old, with: new)
    }
    try Data(text.utf8).write(to: URL(fileURLWithPath: sandbox.folder + "/" + copy))
  }

  private func product(_ id: Int, _ sandbox: Sandbox) async -> String {
    await sandbox.run("show \(id) price discount stock as json")
  }

  /// The column `sale` of the copy stays behind the edited price, and is no edit, in any run.
  @Test(arguments: ["q.csv", "other.csv"]) func repeatedImportOfACopyChangesNothing(_ copy: String) async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("export where id in (138,132,126) to ~/q.csv")
      try edit(
        sandbox, "q.csv", to: copy, [(",19000,0,19000,", ",20000,0,19000,"), (",20700,0,20700,", ",20000,0,20700,")])
      let first = await sandbox.run("import ~/\(copy) yes")
      #expect(first.contains("2 of 3 rows were changed"), "\(first)")
      for _ in 0..<2 {
        let again = await sandbox.run("import ~/\(copy) yes")
        #expect(again.contains("Nothing to change."), "\(again)")
      }
      #expect(await product(138, sandbox) == "{\"price\":20000,\"discount\":0,\"stock\":25}\n")
      #expect(await product(132, sandbox) == "{\"price\":20000,\"discount\":0,\"stock\":41}\n")
    }
  }

  /// After an interruption some rows are done: their values are the file's own, not those of others.
  @Test func interruptedImportContinues() async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("export where id in (138,132) to ~/q.csv")
      try edit(
        sandbox, "q.csv", to: "copy.csv",
        [(",19000,0,19000,", ",20000,0,19000,"), (",20700,0,20700,", ",20000,0,20700,")])
      _ = await sandbox.run("patch 138 price=20000 yes")
      let rest = await sandbox.run("import ~/copy.csv yes")
      #expect(rest.contains("price ₩20,700 -> ₩20,000") && !rest.contains("discount"), "\(rest)")
      // The value that was found there counts as imported, so that the next edit of the cell is no conflict.
      try edit(sandbox, "copy.csv", to: "copy.csv", [(",20000,0,19000,", ",21000,0,19000,")])
      let next = await sandbox.run("import ~/copy.csv yes")
      #expect(next.contains("price ₩20,000 -> ₩21,000") && !next.contains("Conflict"), "\(next)")
    }
  }

  /// A copy of the export that lacks the edits of another copy doesn't take them back; one that was saved from the other
  /// copy goes on from it.
  @Test func editsOfAnotherCopyAreNotTakenBack() async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("export where id in (138,132) to ~/q.csv")
      try edit(sandbox, "q.csv", to: "prices.csv", [(",19000,0,19000,", ",20000,0,20000,")])
      try edit(sandbox, "q.csv", to: "stocks.csv", [(",KRW,25,", ",KRW,30,")])
      _ = await sandbox.run("import ~/prices.csv yes")
      let stocks = await sandbox.run("import ~/stocks.csv yes")
      #expect(stocks.contains("stock 25 -> 30") && !stocks.contains("price ₩"), "\(stocks)")
      try edit(sandbox, "prices.csv", to: "prices-2.csv", [(",20700,0,20700,", ",20000,0,20700,")])
      let more = await sandbox.run("import ~/prices-2.csv yes")
      #expect(more.contains("price ₩20,700 -> ₩20,000") && !more.contains("19,000"), "\(more)")
      #expect(await product(138, sandbox) == "{\"price\":20000,\"discount\":0,\"stock\":30}\n")
    }
  }

  /// Sorted, shortened, or beside a later export to the same path: a copy may come from each export, so that a cell which
  /// only differs from one of them is no edit.
  @Test func copyInAnotherFormIsRecognized() async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("export where id in (138,132,126) to ~/q.csv")
      let lines = try String(contentsOfFile: sandbox.folder + "/q.csv", encoding: .utf8).split(separator: "\r\n")
      try sandbox.writeFile("sorted.csv", ([lines[0]] + lines[1...].reversed()).joined(separator: "\r\n"))
      try sandbox.writeFile("short.csv", lines[0...1].joined(separator: "\r\n"))
      let twoColumns = lines.map {
        $0.split(separator: ",", omittingEmptySubsequences: false).prefix(2).joined(separator: ",")
      }
      try sandbox.writeFile("narrow.csv", twoColumns.joined(separator: "\n"))
      _ = await sandbox.run("patch 138 stock=9 yes")
      _ = await sandbox.run("export where id in (138,132,126) to ~/q.csv")
      for name in ["sorted", "short"] {
        let said = await sandbox.run("import ~/\(name).csv yes")
        #expect(said.contains("product 138, stock: exported 9 / 25, server 9, file 25"), "\(name)\n\(said)")
        #expect(said.hasSuffix("= 7\n"), "\(name)\n\(said)")
      }
      let narrow = await sandbox.run("import ~/narrow.csv yes")
      #expect(narrow.contains("Nothing to change"), "\(narrow)")
      // A supplier's list may have a value of an export by chance.
      try sandbox.writeFile("supplier.csv", "id,name,stock\n138,Cookbook,25\n132,Ball,41\n")
      let supplied = await sandbox.run("dry import ~/supplier.csv")
      #expect(supplied.contains("exported 9 / 25, server 9, file 25"), "\(supplied)")
      #expect(supplied.contains("was not exported by openmarket") && supplied.contains("-> Cookbook"), "\(supplied)")
      #expect(await sandbox.run("dry import ~/supplier.csv whole").contains("stock 9 -> 25"))
    }
  }

  /// A file that was exported again is compared with its last export, also where an edit gives a value of an earlier one.
  @Test func valueOfAnEarlierExportIsAnEdit() async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("export where id in (138,132) columns id,stock to ~/q.csv")
      _ = await sandbox.run("patch 138 stock=39 yes")
      _ = await sandbox.run("export where id in (138,132) columns id,stock to ~/q.csv")
      try edit(sandbox, "q.csv", to: "q.csv", [("138,39", "138,25")])
      let said = await sandbox.run("import ~/q.csv yes")
      #expect(said.contains("stock 39 -> 25"), "\(said)")
      #expect(await product(138, sandbox).contains("\"stock\":25"))
    }
  }

  /// `columns` leaves out what isn't to be edited; `id` is always there, and the file is imported as any export.
  @Test func exportedColumnsAreThoseOfTheLine() async throws {
    try await Sandbox.with { sandbox in
      let said = await sandbox.run("export where id in (138,132) columns price,name to ~/p.csv")
      #expect(said.hasSuffix("Saved 2 products to HOME/p.csv.\n"), "\(said)")
      let text = try String(contentsOfFile: sandbox.folder + "/p.csv", encoding: .utf8)
      #expect(text == "id,price,name\r\n138,19000,먹색 요리책\r\n132,20700,먹색 요가 볼\r\n")
      #expect(
        await sandbox.run("export where id=138 columns id name stock as jsonl").contains(
          "{\"id\":138,\"name\":\"먹색 요리책\",\"stock\":25}\n"))
      _ = await sandbox.run("patch 132 price=30000 yes")
      try edit(sandbox, "p.csv", to: "edited.csv", [("138,19000", "138,19500")])
      let imported = await sandbox.run("import ~/edited.csv yes")
      #expect(imported.contains("1 of 2 rows was changed") && imported.contains("₩19,000 -> ₩19,500"), "\(imported)")
      #expect(await product(132, sandbox) == "{\"price\":30000,\"discount\":0,\"stock\":41}\n")
    }
  }

  /// A sale price that was edited is an edit; one that was edited back takes it back.
  @Test func editedSalePriceIsAnEdit() async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("export where id=138 to ~/q.csv")
      try edit(sandbox, "q.csv", to: "q.csv", [(",19000,0,19000,", ",19000,0,18000,")])
      #expect(await sandbox.run("import ~/q.csv yes").contains("discount ₩0 -> ₩1,000"))
      try edit(sandbox, "q.csv", to: "q.csv", [(",19000,0,18000,", ",19000,0,19000,")])
      #expect(await sandbox.run("import ~/q.csv yes").contains("discount ₩1,000 -> ₩0"))
      // A computed column that follows the others is no second edit, although another discount is there meanwhile.
      _ = await sandbox.run("patch 138 discount=500 yes")
      try edit(sandbox, "q.csv", to: "r.csv", [(",19000,0,19000,", ",20000,0,20000,")])
      let said = await sandbox.run("import ~/r.csv yes")
      #expect(said.contains("price ₩19,000 -> ₩20,000") && !said.contains("Conflict"), "\(said)")
      #expect(await product(138, sandbox) == "{\"price\":20000,\"discount\":500,\"stock\":25}\n")
    }
  }
}
