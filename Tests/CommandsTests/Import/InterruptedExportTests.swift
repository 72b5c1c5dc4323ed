import Catalog
import Foundation
import Platform
import Shell
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

@testable import Commands

/// An export that ends before or after it replaces the file of an earlier one: an import compares the file that is there with
/// its own export.
@Suite(.timeLimit(Trial.limit)) struct InterruptedExportTests {
  /// - Parameters:
  ///   - isInPlace: Whether the new file had replaced the old one.
  ///   - isEdited: Whether the user edits the file before the import.
  @Test(arguments: [(false, false), (false, true), (true, false), (true, true)])
  func importComparesWithTheExportThatIsThere(isInPlace: Bool, isEdited: Bool) async throws {
    try await Sandbox.with { sandbox in
      let path = sandbox.folder + "/q.csv"
      _ = await sandbox.run("export where id=138 or id=132 columns stock to ~/q.csv")
      _ = await sandbox.run("patch 138 stock=7 yes")
      // What `export … replace` does until it ends.
      let file = try AtomicFileWriter(at: path, isRemembered: true)
      try file.append("id,stock\r\n138,7\r\n132,41\r\n")
      try file.finish()
      let memory = try ExportBaselineWriter(columns: [.id, .stock], in: sandbox.home)
      let products = [Product(id: 138, stock: 7), Product(id: 132, stock: 41)]
      try memory.append(ExportBaseline.lines(of: products, [.id, .stock]), of: products)
      let market = await sandbox.shell.session.market(at: sandbox.url)
      _ = try memory.prepare(file, at: path, market: market, at: Date(timeIntervalSince1970: 1_669_852_900))
      if isInPlace { try file.commit() }
      _ = await sandbox.run("patch 138 stock=9 yes")
      if isEdited {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try sandbox.writeFile("q.csv", text.replacing("132,41", with: "132,50"))
      }
      let said = await sandbox.run("import ~/q.csv yes")
      #expect(!said.contains("conflict"), "\(said)")
      #expect(await sandbox.run("show 138 stock as tsv") == "stock\n9\n", "\(said)")
      #expect(await sandbox.run("show 132 stock as tsv") == "stock\n\(isEdited ? 50 : 41)\n", "\(said)")
      file.discard()
      // The next export begins anew.
      #expect(await sandbox.run("export where id=138 or id=132 columns stock to ~/q.csv replace").contains("Saved 2"))
      #expect(await sandbox.run("import ~/q.csv yes").contains("Nothing"))
    }
  }
}
