import Catalog
import Foundation
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import ShellTesting
import TestSupport
import Testing
import Text
import WriteJournal

/// The input of a form outlives the program that was killed while it was open.
@Suite(.timeLimit(Trial.limit)) struct NewProductFormTests {
  @Test func everyTypedFieldIsStored() async throws {
    let asker = ScriptedAsker(["돌 등잔", "마당에 두는 등잔입니다."])
    try await Sandbox.with(asker: asker) { sandbox in
      let file = sandbox.home.editorDirectory + "/new-demo.json"
      let said = await sandbox.run("new")
      #expect(said.contains("Run `new` to continue with what you typed."), "\(said)")
      let kept = try String(contentsOfFile: file, encoding: .utf8)
      #expect(kept.hasPrefix(#"{"name":"돌 등잔","description":"마당에 두는 등잔입니다.""#), "\(kept)")
    }
  }

  /// Input that can't be stored is said to be lost: a file is in place of the folder, or a folder in place of the file.
  @Test(arguments: ["", "/new-demo.json"]) func inputThatIsNotStoredIsReported(_ name: String) async throws {
    try await Sandbox.with(asker: ScriptedAsker(["돌 등잔"])) { sandbox in
      let folder = sandbox.home.editorDirectory
      try Files.createDirectory(name.isEmpty ? Paths.parent(of: folder) : folder + name)
      if name.isEmpty { #expect(FileManager.default.createFile(atPath: folder, contents: Data())) }
      let said = await sandbox.run("new")
      #expect(said.contains("What you typed could not be stored"), "\(said)")
      #expect(said.contains("Canceled. Nothing was sent.") && !said.contains("to continue"), "\(said)")
      #expect(said.hasSuffix("= 4\n"), "\(said)")
    }
  }

  /// A form that can't be sent for want of a login isn't opened.
  @Test func missingLoginIsReportedBeforeTheForm() async throws {
    let asker = ScriptedAsker(["돌 등잔"])
    try await Sandbox.with(asker: asker) { sandbox in
      _ = await sandbox.run("logout")
      let said = await sandbox.run("new")
      #expect(said.contains("Not logged in. Nothing was sent.") && said.hasSuffix("= 4\n"), "\(said)")
      #expect(asker.questions.isEmpty)
    }
  }

  /// Spaces after the commas of a list of images are none of their names, and a form that fails says how to go on.
  @Test func failedFormSaysHowToContinue() async throws {
    let asker = ScriptedAsker(["돌 등잔", "마당에 두는 등잔입니다.", "KRW", "9000", "0", "1", "~/cup.png, ~/cup.png", "y"])
    try await Sandbox.with(asker: asker) { sandbox in
      try sandbox.writePictures()
      let said = await sandbox.run("new")
      #expect(said.contains("Created product 142."), "\(said)")
      #expect(!FileManager.default.fileExists(atPath: sandbox.home.editorDirectory + "/new-demo.json"))
    }
  }
}
