import Catalog
import Commands
import EmbeddedMarket
import Foundation
import Images
import MarketAPI
import Shell
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

/// Features of the 2021 servers only: passwords instead of vendors, replaceable pictures, lists without a count.
@Suite(.timeLimit(Trial.limit)) struct CampEditionTests {
  /// Pictures are replaced, undone and redone; `mine`; a login without an identifier; a create whose response is lost.
  @Test(arguments: [Edition.camp1, .camp2]) func transcriptOfEachCampEdition(_ edition: Edition) async throws {
    try await withSandbox(edition) { sandbox in
      try sandbox.writePictures()
      for (name, text) in [("right.txt", EmbeddedMarket.demoVendor.secret), ("mine.txt", "나만의 비밀 번호!")] {
        try Data(text.utf8).write(to: URL(fileURLWithPath: sandbox.folder + "/" + name))
      }
      try ProductArt.draw(.chair, palette: 3, side: 96).png()
        .write(to: URL(fileURLWithPath: sandbox.folder + "/chair.png"))
      try await Transcript("Camps/" + edition.rawValue).check(in: sandbox)
    }
  }

  /// An undo restores the old pictures byte by byte, although their addresses are new.
  @Test(arguments: [Edition.camp1, .camp2]) func undoRestoresThePictureBytes(_ edition: Edition) async throws {
    try await withSandbox(edition) { sandbox in
      try sandbox.writePictures()
      let cup = try Data(contentsOf: URL(fileURLWithPath: sandbox.folder + "/cup.png"))
      let chair = try ProductArt.draw(.chair, palette: 3, side: 96).png()
      try chair.write(to: URL(fileURLWithPath: sandbox.folder + "/chair.png"))
      // The lost response comes first, which is the subject of another transcript.
      for line in [
        "new name=\"그림이 바뀔 상품\" description=\"네 판에 같은 상품\" price=1000 currency=KRW stock=1 images=~/cup.png,~/chair.png yes",
        "patch _ images=~/chair.png yes", "undo yes",
      ] {
        let said = await sandbox.run(line)
        #expect(!said.contains("\n= "), "\(said)")
      }
      let images = try #require(await sandbox.shell.session.last.product?.images)
      var bytes: [Data] = []
      for image in images { bytes.append(try await sandbox.picture(at: image.url)) }
      #expect(bytes == [cup, chair])
    }
  }

  /// A 404 to a change counts only where reading agrees: these servers say it to a wrong password too, and a server that
  /// has made the change may say it.
  @Test(arguments: [Edition.camp1, .camp2], [true, false])
  func changeAnsweredWith404IsDecidedByReading(_ edition: Edition, _ applies: Bool) async throws {
    try await Sandbox.with(
      options: options(edition), edition: served(edition),
      between: { door, _ in NotFoundTransport(inner: door, applies: applies) }
    ) { sandbox in
      try sandbox.writePictures()
      _ = await sandbox.run(new("First cup", stock: 1) + " yes")
      let said = await sandbox.run("patch _ stock=7 yes")
      let log = await sandbox.run("log 1 as json")
      if applies {
        #expect(said.contains("Updated product 142.") && !said.contains("= "), "\(said)")
        #expect(log.contains("\"outcome\":\"done\""), "\(log)")
        #expect(await sandbox.run("undo yes").contains("Updated product 142."))
      } else {
        #expect(said.hasSuffix("= 1\n"), "\(said)")
        #expect(log.contains("\"outcome\":\"refused\""), "\(log)")
      }
    }
  }

  /// A list without a count says so, and its end is found.
  @Test(arguments: [("en", "total unknown"), ("ko", "전체 수를 알 수 없음")])
  func listWithoutCountSaysSo(_ language: String, _ words: String) async throws {
    var options = SessionOptions()
    options.edition = .camp2
    options.language = language
    try await Sandbox.with(options: options, width: 80, edition: .camp2) { sandbox in
      #expect(await sandbox.run("ls columns id").contains(words))
      let last = await sandbox.run("last")
      #expect(last.contains("141") && last.contains(words), "\(last)")
    }
  }

  /// A product's owner can be determined only by its password: `export mine` checks each product without changing it.
  @Test(arguments: [Edition.camp1, .camp2]) func exportMineChecksOwnershipByPassword(_ edition: Edition) async throws {
    try await Sandbox.with(options: options(edition), edition: served(edition)) { sandbox in
      try sandbox.writePictures()
      try sandbox.writeFile("mine", "나만의 비밀 번호!")
      for line in [
        "login secret=@~/mine", new("First cup", stock: 1) + " yes", new("Second cup", stock: 5) + " yes",
        "export mine to ~/mine.csv", "export where stock>2 mine to ~/many.jsonl",
        "export where id<100 mine to ~/none.csv",
      ] {
        let said = await sandbox.run(line)
        #expect(!said.contains("\n= ") && !said.hasPrefix("= "), "\(said)")
      }
      let mine = try String(contentsOfFile: sandbox.folder + "/mine.csv", encoding: .utf8)
      let ids: [String] = mine.split(separator: "\r\n").dropFirst().map { String($0.prefix(3)) }
      #expect(ids == ["142", "143"], "\(mine)")
      let many = try String(contentsOfFile: sandbox.folder + "/many.jsonl", encoding: .utf8)
      #expect(many.split(separator: "\n").count == 1 && many.hasPrefix("{\"id\":143,"), "\(many)")
      let none = try String(contentsOfFile: sandbox.folder + "/none.csv", encoding: .utf8)
      #expect(none.split(separator: "\r\n").count == 1, "\(none)")
      #expect(await sandbox.run("log as csv").components(separatedBy: ",create,").count == 3)
      #expect(await !sandbox.run("log as csv").contains(",patch,"))
    }
  }

  /// The check is a write request, so a read-only session doesn't send it and leaves no file.
  @Test(arguments: [Edition.camp1, .camp2]) func readOnlyExportMineIsRefused(_ edition: Edition) async throws {
    var options = options(edition)
    options.readOnly = true
    try await Sandbox.with(options: options, edition: served(edition)) { sandbox in
      try sandbox.writeFile("mine", "나만의 비밀 번호!")
      _ = await sandbox.run("login secret=@~/mine")
      let said = await sandbox.run("export mine to ~/mine.csv")
      #expect(said.contains("this session is read-only") && said.hasSuffix("= 4\n"), "\(said)")
      #expect(!FileManager.default.fileExists(atPath: sandbox.folder + "/mine.csv"))
    }
  }

  private func new(_ name: String, stock: Int) -> String {
    "new name='\(name)' description='a cup to be counted' price=1000 currency=KRW stock=\(stock) images=~/cup.png"
  }

  private func options(_ edition: Edition) -> SessionOptions {
    var options = SessionOptions()
    options.edition = edition
    return options
  }

  private func served(_ edition: Edition) -> ServedEdition { ServedEdition(rawValue: edition.rawValue) ?? .open }

  private func withSandbox(_ edition: Edition, _ body: (Sandbox) async throws -> Void) async throws {
    try await Sandbox.with(
      options: options(edition), edition: served(edition), between: { door, _ in CuttingTransport(inner: door) }, body)
  }
}
