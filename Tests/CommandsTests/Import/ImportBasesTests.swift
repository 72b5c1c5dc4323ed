import Foundation
import ShellTesting
import TestSupport
import Testing

/// Which cells of an imported file are edits is decided by the exports that it may come from, and never guessed.
@Suite(.timeLimit(Trial.limit)) struct ImportBasesTests {
  private func stock(_ id: Int, _ sandbox: Sandbox) async -> String {
    await sandbox.run("show \(id) stock as tsv").replacing("stock\n", with: "")
  }

  /// The verb agrees with the rows of which some are meant.
  @Test(arguments: [
    ("138", "! note: 0 of 1 row was changed in the file"), ("138,132", "! note: 0 of 2 rows were changed in the file"),
  ])
  func countOfEditedRowsAgrees(_ products: String, _ expected: String) async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("export where id in (\(products)) columns name,stock to ~/own.csv")
      let said = await sandbox.run("dry import ~/own.csv")
      #expect(said.contains(expected), "\(said)")
    }
  }

  /// A supplier's list has a cell that equals an old export, where the market moved on: it is neither "up to date" nor
  /// written without a word.
  @Test func cellOfAListThatEqualsAnExportIsAsked() async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("export where id in (138,132,126) columns name,stock to ~/all.csv")
      _ = await sandbox.run("patch 132 stock=30 yes")
      try sandbox.writeFile("week2.csv", "id,name,stock\n138,먹색 요리책,60\n132,먹색 요가 볼,41\n")
      let said = await sandbox.run("import ~/week2.csv yes")
      #expect(said.contains("product 132, stock: exported 41, server 30, file 41"), "\(said)")
      #expect(said.contains("stock 25 -> 60") && !said.contains("up to date") && said.hasSuffix("= 7\n"), "\(said)")
      #expect(await stock(132, sandbox) == "30\n")
      #expect(await stock(138, sandbox) == "60\n")
      #expect(await sandbox.run("import ~/week2.csv keep server yes").hasSuffix("unchanged  -\n"))
      let whole = await sandbox.run("import ~/week2.csv whole yes")
      #expect(whole.contains("Every cell is compared") && whole.contains("stock 30 -> 41"), "\(whole)")
      #expect(await stock(132, sandbox) == "41\n")
    }
  }

  /// A list with the products and columns of an export is a copy of it as far as anybody can know: its unedited cells are
  /// named where the market differs.
  @Test func uneditedCellsThatDifferAreNamed() async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("export where id in (138,132) columns stock to ~/backup.csv")
      _ = await sandbox.run("patch 138,132 stock=20 yes")
      try sandbox.writeFile("monday.csv", "id,stock\n138,25\n132,41\n")
      for file in ["monday", "backup"] {
        let said = await sandbox.run("import ~/\(file).csv yes")
        #expect(said.contains("2 cells were not edited since the export and differ from the server now"), "\(said)")
        #expect(said.contains("product 138, stock: server 20, file 25") && said.hasSuffix("= 7\n"), "\(said)")
      }
      #expect(await stock(138, sandbox) == "20\n")
      #expect(!(await sandbox.run("import ~/monday.csv keep server yes")).contains("= 7"))
      #expect(await sandbox.run("import ~/monday.csv whole yes").contains("2 of 2 changes applied"))
      #expect(await stock(138, sandbox) == "25\n")
    }
  }

  /// A copy of one of two exports of the same products: a cell is an edit only if both say so.
  @Test func copyOfOneOfTwoExportsIsNotDecidedByTheirNumber() async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("export where id in (138,132) columns stock to ~/nine.csv")
      _ = await sandbox.run("patch 138 stock=7 yes")
      _ = await sandbox.run("export where id in (138,132) columns stock to ~/twelve.csv")
      _ = await sandbox.run("patch 138 stock=5 yes")
      // The copy of the first with 7, which is the value of the second; 132 is edited, whatever it was copied from.
      try sandbox.writeFile("monday.csv", "id,stock\n138,7\n132,50\n")
      let said = await sandbox.run("import ~/monday.csv yes")
      #expect(said.contains("may be a copy of 2 exports"), "\(said)")
      #expect(said.contains("product 138, stock: exported 7 / 25, server 5, file 7"), "\(said)")
      #expect(said.contains("stock 41 -> 50") && said.hasSuffix("= 7\n"), "\(said)")
      #expect(await stock(138, sandbox) == "5\n")
      #expect(await stock(132, sandbox) == "50\n")
      #expect(await sandbox.run("import ~/monday.csv keep file yes").contains("stock 5 -> 7"))
    }
  }

  /// A product that is gone isn't "up to date" because its row wasn't edited.
  @Test func uneditedRowOfADeletedProductIsNamed() async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("export where id in (138,132) columns stock to ~/a.csv")
      _ = await sandbox.run("rm 132 yes")
      let said = await sandbox.run("import ~/a.csv yes")
      #expect(said.contains("132  drifted") && said.hasSuffix("= 7\n"), "\(said)")
    }
  }

  /// A plan remembers which of its values were computed, so that the line that computes them again meets it.
  @Test func interruptedPlanOfComputedValuesIsMet() async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("plan patch 138,132 price-=10% round 100 to ~/p.json")
      let text = try String(contentsOfFile: sandbox.folder + "/p.json", encoding: .utf8)
      #expect(text.contains(#""computed":["price-=10%"#), "\(text)")
      try sandbox.writeFile("run.market", "apply ~/p.json yes\nshow 999999\n")
      #expect(await sandbox.run("source ~/run.market").contains("2 of 2 changes applied"))
      let anew = await sandbox.run("plan patch 138,132 price-=10% round 100 to ~/again.json")
      #expect(anew.contains("r1, which was interrupted") && anew.hasSuffix("= 4\n"), "\(anew)")
      _ = await sandbox.run("plan patch 138 price=9000 to ~/q.json")
      let stated = try String(contentsOfFile: sandbox.folder + "/q.json", encoding: .utf8)
      #expect(!stated.contains("computed"))
    }
  }
}
