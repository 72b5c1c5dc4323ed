import Foundation
import LineEditing
import Networking
import Platform
import Shell
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

/// A session is saved as a script of its commands, and as a test of their output.
@Suite(.timeLimit(Trial.limit)) struct SaveCommandTests {
  /// Thirty typed lines, including mistakes.
  private static let session = [
    "ls size 5", "next", "prev", "show @1", "ls search 텀블러 size 3", "lst", "show 999999", "show 15 name price stock",
    "format table", "set page-size 10", "ls columns id,name,price", "show @2 name",
    "new name='저장 시험 컵' description='세션을 저장해 다시 돌려 보는 컵입니다.' price=12000 discount=1000 currency=KRW stock=3 images=PICTURE yes",
    "show _ price sale", "patch _ price=11000 yes", "patch @1 stock=8 yes", "let cup = show _",
    "echo $cup.name for _.price",
    "assert price = 11000",
    "new name='둘째 시험 컵' description='두 번째로 만든 시험용 컵입니다.' price=500 currency=KRW images=PICTURE yes",
    "patch 142,143 stock+=1 yes", "show 142 stock", "show 143", "rm 143 yes", "undo yes", "show _ name", "rm 142 yes",
    "health", "ls size 3 as json", "assert $total = 142",
  ]

  private func save(_ word: String = "expect") async throws -> String {
    var text = ""
    try await Sandbox.with { sandbox in
      try sandbox.writePictures()
      for line in SaveCommandTests.session {
        _ = await sandbox.run(line.replacing("PICTURE", with: "~/cup.png"))
      }
      let said = await sandbox.run("save ~/session.market \(word)")
      #expect(said.hasPrefix("! Saved "), "\(said)")
      text = try String(contentsOfFile: sandbox.folder + "/session.market", encoding: .utf8)
    }
    return text
  }

  /// Runs a script in a new market, after the lines in `first`.
  private func replay(_ text: String, after first: [String] = []) async throws -> (code: Int32, said: String) {
    var result: (Int32, String) = (-1, "")
    try await Sandbox.with { sandbox in
      try sandbox.writePictures()
      for line in first { #expect(await sandbox.shell.run(line) == .success) }
      _ = sandbox.console.take()
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { Input.line(String($0)) }
      let code = await ScriptRunner(sandbox.shell, ScriptRunner.Options()).run(
        ScriptInput(lines), named: "session.market")
      result = (code.rawValue, sandbox.console.take())
    }
    return result
  }

  @Test func savedSessionRunsAsATest() async throws {
    let text = try await save()
    try Golden("saved-session").check(text)
    let (code, said) = try await replay(text)
    #expect(code == 0, "\(said)")
  }

  @Test func savedTestFailsForOneDifferentPrice() async throws {
    let text = try await save()
    // The product in row 4 of the first page belongs to the demo vendor.
    let (code, said) = try await replay(text, after: ["patch 138 price+=100 yes"])
    #expect(code == 6)
    #expect(said.contains("Product 138: ") && said.contains("session.market, line 7: "), "\(said)")
  }

  /// Without `expect` the script has only the commands, and failed lines as comments.
  @Test func savedScriptWithoutExpectHasOnlyCommands() async throws {
    let text = try await save("")
    try Golden("saved-commands").check(text)
    #expect(try await replay(text).code == 0)
  }

  /// A line that is known to contain a secret only when it is saved isn't counted, and a file of comments isn't written.
  @Test(arguments: ["", "expect"]) func lineWithASecretIsNotCounted(_ word: String) async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("echo kettle-42-garden")
      _ = await sandbox.run("health")
      let secret = try #require(Secret("kettle-42-garden"))
      await sandbox.shell.context.stores.remember([NamedSecret("OPENMARKET_SECRET", secret)])
      let saved = await sandbox.run("save ~/s.market \(word)")
      #expect(saved.hasPrefix("! Saved one command to "), "\(saved)")
      let refused = await sandbox.run("save ~/t.market 1 \(word)")
      #expect(refused == "! error: There are no commands to save. No file was written.\n= 2\n")
      #expect(!FileManager.default.fileExists(atPath: sandbox.folder + "/t.market"))
    }
  }

  /// A write that the user approved contains `yes`, and text with a dollar sign is preserved.
  @Test func approvedWriteIsSavedWithYes() async throws {
    try await Sandbox.with(asker: SaidYes()) { sandbox in
      try sandbox.writePictures()
      _ = await sandbox.run("patch 138 stock=2 description='Only $5 today, and $1 tomorrow.'")
      _ = await sandbox.run("patch 138 name=\"Now $5\"")
      _ = await sandbox.run("rm 138 | cat")
      _ = await sandbox.run("save ~/s.market")
      #expect(
        try String(contentsOfFile: sandbox.folder + "/s.market", encoding: .utf8) == """
          profile only demo
          patch 138 stock=2 description='Only $5 today, and $1 tomorrow.' yes
          patch 138 name="Now \\$5" yes
          rm 138 yes | cat

          """)
    }
  }

  /// A write with an approved outlier also contains its word, so that the script runs unattended.
  @Test(arguments: ["", "expect"]) func approvedOutlierIsSavedWithItsWord(_ word: String) async throws {
    var text = ""
    try await Sandbox.with(asker: SaidYes(count: 1)) { sandbox in
      try sandbox.writePictures()
      for line in [
        "patch 138 price=100", "patch 138 price=9000", "patch 138 price=50 outliers", "patch 138 stock=1",
        "new name='Nothing at all' description='It costs nothing at all.' price=0 currency=KRW images=~/cup.png",
        "undo",
      ] {
        #expect(await !sandbox.run(line).contains("\n= "), "\(line)")
      }
      _ = await sandbox.run("save ~/s.market \(word)")
      text = try String(contentsOfFile: sandbox.folder + "/s.market", encoding: .utf8)
    }
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("assert") }
    #expect(lines.first == "profile only demo")
    #expect(
      lines.map { $0.hasSuffix(" yes outliers") ? 2 : $0.hasSuffix(" outliers yes") ? 1 : 0 } == [0, 2, 2, 1, 0, 2, 0],
      "\(text)")
    let (code, said) = try await replay(text)
    #expect(code == 0, "\(said)")
  }
}

/// An asker that answers yes to everything, and the number of products to change.
private struct SaidYes: UserPrompt {
  var count: Int?
  func answer(to question: String) async -> String? {
    if let count, question.contains("number of products") { return String(count) }
    return "yes"
  }
  func secret(_ prompt: String) async -> String? { nil }
  func field(_ field: FormQuestion) async -> FormAnswer { .left }
  func endForm() async {}
}
