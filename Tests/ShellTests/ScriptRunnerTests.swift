import CommandLanguage
import Commands
import Foundation
import LineEditing
import Networking
import Platform
import Shell
import ShellRuntime
import ShellTesting
import Synchronization
import TestSupport
import Testing
import Text

/// Values, scripts, assertions, aliases and expected outputs, at the prompt and in files.
@Suite(.timeLimit(Trial.limit)) struct ScriptRunnerTests {
  @Test(arguments: [
    "values", "scripts", "assertions", "aliases", "expected-output", "saving", "typed-values", "patterns",
  ])
  func transcriptOfScripting(_ name: String) async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writePictures()
      for (name, text) in ScriptRunnerTests.scripts { try sandbox.writeFile(name, text) }
      try await Transcript("Scripting/" + name).check(in: sandbox)
    }
  }

  static let scripts = [
    "greet.market": "echo $1 and $2, all of $@\nlet greeted = $1\n",
    "pass.market": "source ~/greet.market $@\nsource ~/greet.market \"$1 $2\" last\n",
    "fails.market": "echo before\nshow 999999\necho after\n",
    "outer.market": "# a remark\n\nsource ~/fails.market\necho never\n",
    "loop.market": "echo in\nsource ~/loop.market\n",
    "ping.market": "source ~/pong.market\n", "pong.market": "source ~/ping.market\n",
    "quits.market": "echo one\nquit\necho two\n",
    "dry.market": "patch 138 stock=1 yes\nrm 138 yes\n",
    "joined.market": "ls size 1 \\\n  columns id\necho \"two\nlines\"\n",
  ]

  /// A line that isn't text is rejected with its number; the lines before it have run.
  @Test func lineThatIsNotTextIsRefused() async throws {
    try await Sandbox.with { sandbox in
      try Data([0x65, 0x63, 0x68, 0x6F, 0x20, 0x61, 0x0A, 0xFF, 0x0A]).write(
        to: URL(fileURLWithPath: sandbox.folder + "/bytes.market"))
      let said = await sandbox.run("source ~/bytes.market")
      #expect(
        said == """
          a
          ! error: The line is not valid UTF-8. It was not run.
          ! note: ~/bytes.market, line 2
          = 2

          """)
    }
  }

  /// A check sends nothing, and checks every line, including those of the scripts that it runs.
  @Test func checkEqualsGoldenAndSendsNothing() async throws {
    let script = [
      "alias cheap = 'patch $1 price=1000'", "let cup = new name=abc", "let p = 5", "cheap 42",
      "source ~/inner.market $cup",
      "show $cup.id", "lst", "cheap", "let x = pathc 42 price=1", "assert status 404: shwo 1", "source ~/loop.market",
      "alias cheap = cheap 5", "echo $nobody", "show $p name",
    ]
    let requests = Mutex(0)
    try await Sandbox.with(between: { door, _ in
      ObservedTransport(door) { _ in requests.withLock { $0 += 1 } }
    }) { sandbox in
      try sandbox.writeFile("inner.market", "show $1\nrm $1 price\nrm $1 yes\n")
      try sandbox.writeFile("loop.market", ScriptRunnerTests.scripts["loop.market"] ?? "")
      var options = ScriptRunner.Options()
      options.checksOnly = true
      let code = await ScriptRunner(sandbox.shell, options).run(
        ScriptInput(script.map { Input.line($0) }), named: "main.market")
      #expect(code == .usageError)
      #expect(requests.withLock { $0 } == 0)
      try Golden("checked").check(sandbox.console.take().replacing(sandbox.folder, with: "HOME"))
    }
  }

  /// A check reports the first failure of a script that a line runs, and not its last one.
  @Test func checkReportsTheFirstFailureOfAScript() async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writeFile("two.market", "shwo 1\nsource ~/missing.market\n")
      var options = ScriptRunner.Options()
      options.checksOnly = true
      let log = ScriptRunLog(in: .english, clock: { .zero })
      _ = await ScriptRunner(sandbox.shell, options, log: log).run(
        ScriptInput([.line("source ~/two.market")]), named: "main.market")
      guard case .failed(.usageError, let failure)? = log.points.first?.outcome else {
        Issue.record("\(log.points)")
        return
      }
      #expect(failure.reason.contains("shwo") && !failure.reason.contains("missing.market"), "\(failure.reason)")
    }
  }

  /// A test run compares and never records: a missing file would otherwise always pass.
  @Test func testRunRecordsNoExpectedOutput() async throws {
    try await Sandbox.with { sandbox in
      await sandbox.shell.begin(script: "lines.market", isReported: true)
      let said = await sandbox.run("echo hello; expect ~/none.txt")
      #expect(
        said.contains("The file to compare with does not exist: ~/none.txt.") && said.hasSuffix("= 6\n"), "\(said)")
      #expect(!FileManager.default.fileExists(atPath: sandbox.folder + "/none.txt"))
    }
  }

  /// Differences are reported by row and member, wherever the row is.
  @Test func outputDifferencesAreNamed() async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writeFile(
        "rows.jsonl", "{\"id\":140,\"stock\":7}\n{\"id\":141,\"stock\":40}\n{\"id\":1,\"stock\":0}\n")
      let said = await sandbox.run("ls size 2 columns id,stock as jsonl; expect ~/rows.jsonl")
      #expect(
        said.hasSuffix(
          """
          ! error: The output differs from ~/rows.jsonl.
          !   reason: [id 141].stock: 40 -> 41
          !   reason: [id 1]: {"id":1,"stock":0} -> nothing
          !   reason: order of rows: 140, 141 -> 141, 140
          !   hint: Delete the file to save it again.
          = 6

          """), "\(said)")
    }
  }

  /// A shape continues over lines while a bracket is open, and may contain comments.
  @Test func shapeContinuesOverLines() async throws {
    try await Sandbox.with { sandbox in
      let shape =
        "assert '{\"a\": 1, \"c\": [2]}' matches {\n  \"a\": int,  # a number\n  \"b\": text?,\n  \"c\": [\n    int\n  ]\n}"
      #expect(await sandbox.run(shape).isEmpty)
      let open = await sandbox.run("assert '{}' matches {\n  \"a\": int")
      #expect(open.contains("Missing closing bracket in the shape.") && open.hasSuffix("= 2\n"), "\(open)")
    }
  }

  /// A hundred nested scripts run; one more is rejected, also in a check.
  @Test(arguments: [false, true]) func scriptNestingIsLimited(_ checksOnly: Bool) async throws {
    try await Sandbox.with { sandbox in
      for number in 1...101 { try sandbox.writeFile("s\(number).market", "source ~/s\(number + 1).market\n") }
      try sandbox.writeFile("s102.market", "echo bottom\n")
      var options = ScriptRunner.Options()
      options.checksOnly = checksOnly
      let code = await ScriptRunner(sandbox.shell, options).run(
        ScriptInput([.line("source ~/s3.market")]), named: "main.market")
      #expect(code == .success)
      #expect(sandbox.console.take() == (checksOnly ? "" : "bottom\n"))
      let refused = await ScriptRunner(sandbox.shell, options).run(
        ScriptInput([.line("source ~/s2.market")]), named: "main.market")
      #expect(refused == .usageError)
      let said = sandbox.console.take()
      #expect(said.contains("nested more than 100 levels deep. ~/s102.market was not run."), "\(said)")
      #expect(!said.contains("bottom"))
    }
  }

  /// A quote or a line that is continued over thousands of lines is one line; if it never ends, the script is refused.
  ///
  /// LineContinuationTests shows that no character is read twice.
  @Test(arguments: ["let a = '", "let a = \"", "let a = 1\\", "echo #"])
  func unclosedQuoteIsRefused(_ first: String) async throws {
    let isJoined = first.hasSuffix("\\")
    let rest = (1..<Trial.count(4_000, long: 40_000)).map { Input.line("\($0)" + (isJoined ? "\\" : "")) }
    try await Sandbox.with { sandbox in
      let closing: [Input] = isJoined ? [.line("9")] : first.hasSuffix("#") ? [] : [.line(String(first.suffix(1)))]
      let lines = [.line(first)] + rest + closing + [.line("echo after")]
      let code = await ScriptRunner(sandbox.shell, ScriptRunner.Options()).run(
        ScriptInput(first.hasSuffix("#") ? [lines[0]] + closing : lines), named: "long")
      let said = sandbox.console.take()
      #expect(code == .success, "\(said.prefix(300))")
      // It is never closed: the error has the line where it began.
      guard first.hasSuffix("'") || first.hasSuffix("\"") else { return }
      let open = await ScriptRunner(sandbox.shell, ScriptRunner.Options()).run(
        ScriptInput([.line(first)] + rest), named: "open")
      #expect(open == .usageError && sandbox.console.take().contains("Missing closing quote"))
    }
  }

  /// A line over the maximum length is read to its end, and no part of it runs.
  @Test func tooLongLineDoesNotRun() async throws {
    try await Sandbox.with { sandbox in
      let lines = ["echo '"] + Array(repeating: String(repeating: "x", count: 60_000), count: 80) + ["'", "echo after"]
      var options = ScriptRunner.Options()
      options.keepsGoing = true
      let code = await ScriptRunner(sandbox.shell, options).run(
        ScriptInput(lines.map { Input.line($0) }), named: "long.market")
      #expect(code == .usageError)
      let said = sandbox.console.take()
      #expect(said.contains("is longer than 4 MiB") && said.hasSuffix("after\n"), "\(said)")
    }
  }

  /// A value has at most 1 MiB, so that variables can't make a line grow without limit.
  @Test func valueSizeIsLimited() async throws {
    try await Sandbox.with { sandbox in
      #expect(await sandbox.run("let a = '" + String(repeating: "x", count: 1 << 14) + "'") == "")
      for _ in 0..<6 { #expect(await sandbox.run("let a = $a$a") == "") }
      let said = await sandbox.run("let a = $a$a")
      #expect(said.contains("The value for a is larger than 1 MiB") && said.hasSuffix("= 2\n"), "\(said)")
      #expect(await sandbox.shell.session.value(of: "a")?.text?.utf8.count == 1 << 20)
      let line = await sandbox.run("echo " + String(repeating: "$a", count: 1000))
      #expect(line.contains("larger than 4 MiB") && line.hasSuffix("= 2\n"), "\(line.suffix(300))")
    }
  }

  @Test func keepGoingRunsTheRest() async throws {
    var options = SessionOptions()
    options.keepGoing = true
    try await Sandbox.with(options: options) { sandbox in
      try sandbox.writeFile("fails.market", ScriptRunnerTests.scripts["fails.market"] ?? "")
      let said = await sandbox.run("source ~/fails.market")
      #expect(said.hasPrefix("before\n") && said.contains("\nafter\n") && said.hasSuffix("= 1\n"), "\(said)")
    }
  }

  /// A start-up file runs at every start.
  ///
  /// A mistake in it is reported and doesn't prevent the start. Aliases exist from the start.
  @Test func startupFileRunsAtEveryStart() async throws {
    try await Sandbox.with { sandbox in
      try Files.createDirectory(sandbox.home.configuration)
      try sandbox.writeFile("config/startup.market", "let vat = 10\nlst\nalias mineall = ls search 가방\n")
      await sandbox.shell.start()
      #expect(sandbox.console.take().contains("startup.market, line 2: `lst`"))
      #expect(await sandbox.run("echo $vat") == "10\n")
      #expect(await sandbox.run("session as tsv").contains("startup\tHOME/config/startup.market"))
      let kept = try String(contentsOfFile: sandbox.home.aliasesFile, encoding: .utf8)
      #expect(kept == "alias mineall = 'ls search 가방'\n")
      try sandbox.writeFile("config/aliases.market", "# by hand\nalias first-page = ls size 3\n\n# nonsense\n")
      let session = try sandbox.reopened()
      #expect(session.aliases == ["first-page": "ls size 3"])
      try AliasStore(sandbox.home, AllCommands.grammar).set("x", "ls; next")
      #expect(
        try String(contentsOfFile: sandbox.home.aliasesFile, encoding: .utf8)
          == "# by hand\nalias first-page = ls size 3\n# nonsense\nalias x = 'ls; next'\n")
    }
  }

  @Test(arguments: ["let secret = hunter22", "let api_password = x", "alias in = login secret=hunter22"])
  func secretVariableNamesAreRefused(_ line: String) async throws {
    try await Sandbox.with { sandbox in
      let said = await sandbox.run(line)
      #expect(said.hasSuffix("= 2\n") && !said.contains("hunter22"), "\(said)")
    }
  }

  /// A secret from a file can't be stored in a variable either.
  @Test func secretCannotBeStoredInAVariable() async throws {
    try await Sandbox.with(environment: ["OPENMARKET_SECRET": "hunter22222"]) { sandbox in
      let said = await sandbox.run("let x = 'hunter22222'")
      #expect(said == "! error: A variable must not contain a secret.\n= 4\n")
      #expect(await sandbox.shell.session.value(of: "x") == nil)
    }
  }
}
