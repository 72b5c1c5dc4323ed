import Foundation
import Platform
import ShellTesting
import TestSupport
import Testing

/// An export of one market isn't imported into another, where its numbers are those of other products.
@Suite(.timeLimit(Trial.limit)) struct OtherMarketImportTests {
  /// The market of the export as the record of written files names it, and whether the import is held back.
  @Test(arguments: [("http://elsewhere.example:8080", true), ("embedded:camp1", true), ("embedded:open", false)])
  func exportIsImportedIntoItsMarketOnly(_ market: String, _ isHeldBack: Bool) async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("export where id=138 or id=132 columns name,stock to ~/a.csv")
      let records = URL(fileURLWithPath: sandbox.home.state + "/written.jsonl")
      let text = String(decoding: try Data(contentsOf: records), as: UTF8.self)
      let here = String(try #require(text.firstMatch(of: #/"market":"([^"]*)"/#)?.1))
      let there = isHeldBack ? market : here.replacing("\\/", with: "/")
      let moved = text.replacing("\"market\":\"\(here)\"", with: "\"market\":\"\(there)\"")
        // A generation decides alone.
        .replacing(#/"generation":"[^"]*"/#) { isHeldBack ? "\"generation\":\"elsewhere.1-a\"" : $0.output }
      try Data(moved.utf8).write(to: records)
      try sandbox.writeFile("b.csv", "id,name,stock\n138,먹색 요리책,9\n132,먹색 요가 볼,9\n")
      for (name, words) in [
        ("a.csv", "~/a.csv was exported from another market."),
        ("b.csv", "~/b.csv may be a copy of an export from another market."),
      ] {
        let said = await sandbox.run("import ~/\(name) yes")
        #expect(said.contains(words) == isHeldBack, "\(said)")
        #expect(said.hasSuffix("= 4\n") == isHeldBack, "\(said)")
        if isHeldBack { #expect(said.contains(market), "\(said)") }
      }
      #expect(await sandbox.run("show 138 stock as tsv") == "stock\n\(isHeldBack ? 25 : 9)\n")
      guard isHeldBack else { return }
      // Another file at the path of the export. More than that isn't known.
      try sandbox.writeFile("a.csv", "id,name,stock\n138,먹색 요리책,9\n")
      let replaced = await sandbox.run("import ~/a.csv whole yes")
      #expect(replaced.contains("The last export to ~/a.csv was from another market."), "\(replaced)")
      #expect(replaced.hasSuffix("= 4\n"), "\(replaced)")
      // A file that was never exported here is imported if the user says that its numbers are of this market.
      let whole = await sandbox.run("import ~/b.csv whole yes")
      #expect(whole.contains("stock 25 -> 9") && whole.contains("2 of 2 changes applied"), "\(whole)")
    }
  }
}
