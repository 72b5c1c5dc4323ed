import Foundation
import Networking
import Platform
import Presentation
import Shell
import ShellRuntime
import ShellTesting
import TestSupport
import Testing
import Text
import WriteJournal

/// `--errors json`: every line on standard error is one object of one shape.
@Suite(.timeLimit(Trial.limit)) struct JSONMessageConsoleTests {
  private static let keys = ["level", "code", "text", "reason", "hint", "exit"]

  /// Fails unless a line has exactly the members of the schema with their types.
  static func check(_ line: Substring) throws -> JSONObject {
    let object = try #require(try JSON(parsing: Data(line.utf8)).object, "\(line)")
    #expect(object.keys == keys, "\(line)")
    guard case .string(let level)? = object["level"], case .string(let code)? = object["code"],
      case .string(let text)? = object["text"]
    else {
      Issue.record("\(line)")
      return object
    }
    #expect(["note", "success", "warning", "error"].contains(level), "\(line)")
    #expect(MessageCode(rawValue: code) != nil, "\(line)")
    #expect(!text.isEmpty && !text.contains("\u{1B}"), "\(line)")
    for key in ["reason", "hint"] {
      switch object[key] {
      case .null, .string: break
      default: Issue.record("\(line)")
      }
    }
    switch object["exit"] {
    case .null: break
    case .number(let number): #expect(number.int.map { (0...143).contains($0) } == true, "\(line)")
    default: Issue.record("\(line)")
    }
    return object
  }

  private static func json() -> SessionOptions {
    var options = SessionOptions()
    options.messageFormat = .json
    return options
  }

  /// The transcripts with most refusals; with OPENMARKET_LONG_TESTS=1 all are run.
  private static let refusing = ["bad-input", "guards", "missing", "overwriting", "undoing", "plans", "raw"]

  /// Every message of a transcript, whose lines end with the same exit codes as without the option.
  @Test(arguments: Trial.isLong ? Transcript.names() : refusing)
  func everyMessageIsOneObjectOfOneShape(_ name: String) async throws {
    let file = try Golden(name + ".txt", in: Transcript.folder).text()
      .unicodeScalars.split(separator: "\n").map(String.init)
    try await Sandbox.with(
      options: Self.json(), adjusting: { $0.program.console = JSONMessageConsole($0.program.console) }
    ) {
      sandbox in
      try sandbox.writePictures()
      var codes: [String] = []
      for line in file where line.hasPrefix("> ") {
        let said = await sandbox.run(String(line.dropFirst(2))).split(separator: "\n")
        let exits = try said.filter { $0.hasPrefix("! ") }.map { try Self.check($0.dropFirst(2))["exit"] }
        let code = said.last.map(String.init).flatMap { $0.hasPrefix("= ") ? $0 : nil }
        guard let code else { continue }
        codes.append(code)
        // A Boolean result of `assert` and the like is told by its code alone.
        if let told = exits.last(where: { $0 != .null }), let told {
          #expect("= " + told.serialized == code, "\(line): \(said)")
        }
      }
      #expect(codes == file.filter { $0.hasPrefix("= ") })
    }
  }

  /// The codes of the guards, which programs rely on.
  @Test(arguments: [
    ("patch 42 stock=1", "not-confirmed"), ("patch 42 price=1 yes", "outlier"), ("patch 1 stock=1 yes", "not-owner"),
    ("show 99999", "not-found"), ("nonsense", "bad-line"), ("undo", "nothing-to-undo"), ("undo 7", "cannot-undo"),
    ("apply /nonexistent", "bad-file"), ("sql select 1 from products", "no-snapshot"),
  ]) func guardHasItsCode(_ line: String, _ code: String) async throws {
    try await Sandbox.with(
      options: Self.json(), adjusting: { $0.program.console = JSONMessageConsole($0.program.console) }
    ) {
      sandbox in
      _ = await sandbox.shell.run(line)
      let printed = sandbox.console.take().split(separator: "\n").filter { $0.hasPrefix("! ") }.map { $0.dropFirst(2) }
      let last = try Self.check(try #require(printed.last))
      #expect(last["code"] == .string(code), "\(printed)")
    }
  }

  /// A preview and other text beside messages becomes an object of its own, and data stays as it is.
  @Test func otherTextIsWrappedInAnObject() throws {
    let inner = BufferConsole()
    let console = JSONMessageConsole(inner)
    var options = RenderOptions()
    options.messageFormat = .json
    console.writeMessage("update 42\n  price 1 -> 2\n" + MessageRenderer().render(.note("done", ko: "완료"), options))
    try console.writeOutput("{}\n")
    #expect(
      inner.take() == """
        ! {"level":"note","code":"text","text":"update 42\\n  price 1 -> 2","reason":null,"hint":null,"exit":null}
        ! {"level":"note","code":"note","text":"done","reason":null,"hint":null,"exit":null}
        {}

        """)
  }

  /// An agent's variable changes the form of messages and the actor, and nothing else.
  @Test func agentVariableChangesNoRequest() async throws {
    var sent: [[String]] = []
    for environment in [[:], ["CLAUDECODE": "1"]] {
      try await Sandbox.with(environment: environment) { sandbox in
        for line in [
          "ls size 2", "patch 42 stock=9", "patch 42 stock=9 yes", "patch 42 price=1 yes", "rm 138 yes", "undo yes",
          "plan patch 72 stock=1 to ~/p", "apply ~/p", "apply ~/p yes", "raw DELETE /api/products/1",
        ] { _ = await sandbox.shell.run(line) }
        #expect(!sandbox.console.take().isEmpty)
        await sandbox.shell.context.stores.recording.exchanges?.flush()
        let calls = await sandbox.exactly("calls 100 as csv")
        sent.append(
          calls.split(separator: "\n").dropFirst().map { row in
            row.split(separator: ",", omittingEmptySubsequences: false)[3...5].joined(separator: " ")
          })
      }
    }
    #expect(sent[0] == sent[1] && sent[0].count > 10, "\(sent)")
  }
}
