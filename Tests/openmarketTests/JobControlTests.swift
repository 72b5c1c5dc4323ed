import Foundation
import Glibc
import TerminalTesting
import TestSupport
import Testing

/// Ctrl-C, Ctrl-D and Ctrl-Z during a request, a batch, a watch, a pager, an editor, or a program after `|`.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct JobControlTests {
  private let home: TemporaryHome

  init() throws { home = try TemporaryHome() }

  private func there(_ name: String) -> Bool { FileManager.default.fileExists(atPath: home.path + "/" + name) }

  /// Returns the command of a script that a shell reads, with the home as its folder.
  private func script(_ name: String, _ body: String) throws -> String {
    "/bin/sh '\(try home.file(name, "cd '\(home.path)'\n" + body + "\n"))'"
  }

  /// Returns an editor that waits without a child process, which could be stopped before `exec` and block its shell.
  private func editor() throws -> [String: String?] {
    let body = """
      mkfifo go; touch open; printf '\\033[?1049h\\033[?25l'; read _ < go
      sed -i 's/^stock: .*/stock: 77/' "$1"; printf '\\033[?25h\\033[?1049l'
      """
    return ["VISUAL": try script("editor", body)]
  }

  /// A server that responds when it is opened.
  private final class Gate: Sendable {
    private let opened = DispatchSemaphore(value: 0)

    func open() { opened.signal() }

    func server() throws -> RecordingServer {
      try RecordingServer { request in
        self.opened.wait()
        self.opened.signal()
        return SmallMarket.answer(request)
      }
    }
  }

  // MARK: Ctrl-Z

  @Test func requestContinuesAfterFg() throws {
    let gate = Gate()
    let server = try gate.server()
    let shell = try JobShell(["--url", server.url, "--api", "open"], prompt: "127.0.0.1:\(server.port)>")
    try shell.bash.type("ls\r")
    try shell.bash.wait("the request") { _ in !server.requests.isEmpty }
    try shell.stop()
    try shell.resume()
    gate.open()
    try shell.bash.wait("the answer") { $0.screen.text.contains("1 product") && $0.screen.row == shell.prompt }
    #expect(server.requests.count == 1)
    try shell.leave()
  }

  @Test func batchContinuesAfterFg() throws {
    let shell = try JobShell()
    try shell.bash.type("patch mine stock+=1 yes rate 4/s jobs 1\r")
    try shell.bash.wait("its count") { $0.screen.row.contains("1 of ") }
    try shell.stop()
    try shell.resume()
    try shell.bash.wait("the prompt") { $0.screen.row == shell.prompt && $0.readsKeys }
    try shell.say("clear")
    try shell.say("status")
    #expect(shell.bash.screen.text.contains("No pending changes"), "\(shell.bash.screen)")
    try shell.leave()
  }

  @Test func watchContinuesAfterFg() throws {
    let shell = try JobShell()
    try shell.bash.type("watch 1 show 3 id\r")
    try shell.bash.wait("the first look") { $0.screen.text.contains("id  3") }
    try shell.stop()
    try shell.resume()
    try shell.bash.wait("the watch") { $0.screen.text.hasSuffix("fg\n$p") && !$0.readsKeys }
    try shell.leave()
  }

  /// As in less when it can't be suspended.
  @Test func controlZDoesNotStopAPager() throws {
    let shell = try JobShell(environment: ["LESS": nil], rows: 16)
    try shell.bash.type("ls size 40\r")
    try shell.bash.wait("less") { $0.screen.row == "q quit, Space next page, / search" && $0.isAtRest }
    try shell.bash.type("\u{1A}")
    try shell.bash.type("G")
    try shell.bash.wait("the end of the text") { $0.screen.row == "(END) q quit, / search" }
    #expect(!shell.bash.screen.text.contains("Stopped"))
    try shell.bash.type("q")
    try shell.bash.wait("the prompt") { $0.screen.row == shell.prompt && $0.readsKeys }
    try shell.leave()
  }

  @Test func programAfterThePipeHasTheTerminal() throws {
    let shell = try JobShell(rows: 16)
    try shell.bash.type("ls size 40 | less\r")
    try shell.bash.wait("less") { $0.screen.row == ":" && $0.isAtRest }
    try shell.bash.type("\u{1A}")
    try shell.bash.wait("the shell") { $0.screen.text.contains("Stopped") && $0.screen.row == "$" }
    try shell.bash.type("clear; fg\r")
    try shell.bash.wait("less") { $0.screen.row == ":" }
    try shell.bash.type("q")
    try shell.bash.wait("the prompt") { $0.screen.row == shell.prompt && $0.readsKeys }
    try shell.leave()
  }

  @Test func editorStopsAndContinuesWithTheShell() throws {
    let shell = try JobShell(home: home, environment: try editor().merging(["HOME": home.path]) { $1 })
    try shell.bash.type("edit 138\r")
    try shell.bash.wait("the editor") { _ in there("open") }
    try shell.bash.type("\u{1A}")
    try shell.bash.wait("the shell") { $0.screen.text.contains("Stopped") && $0.screen.row == "$" }
    try shell.resume()
    close(open(home.path + "/go", O_WRONLY))
    try shell.bash.wait("the question") { $0.screen.row.hasPrefix("Apply?") }
    try shell.bash.type("y\r")
    try shell.bash.wait("the change") {
      $0.screen.text.contains("(undo)") && $0.screen.row == shell.prompt && $0.readsKeys
    }
    try shell.leave()
  }

  // MARK: Ctrl-C and Ctrl-D

  /// The lines that run, the text that shows it, and the text after Ctrl-C.
  static let running: [(line: String, sight: String, says: String)] = [
    ("patch mine stock+=1 yes rate 4/s jobs 1", "1 of ", "resume"),
    ("watch 1 show 3 id", "id  3", "Interrupted"), ("ls | sleep 600", "sleep 600", "sleep"),
  ]

  @Test(arguments: JobControlTests.running.indices) func controlCEndsTheRunningCommand(_ index: Int) throws {
    let (line, sight, says) = Self.running[index]
    let shell = try TerminalShell(["--lang", "en"], columns: 120)
    let modes = shell.program.modeLine
    try shell.type(line + "\r")
    try shell.program.wait(sight) { $0.screen.text.contains(sight) && !$0.readsKeys }
    // A preceding Ctrl-D has no effect: no one reads input, and a running command can't be left.
    try shell.type("\u{4}")
    if line.hasPrefix("patch") {
      try shell.type("\u{3}")
      try shell.program.wait("the choice") { $0.screen.text.contains("Enter keeps r1, d forgets it, u takes back the") }
      try shell.type("\r")
      try shell.waitForPrompt()
    } else {
      try shell.drop()
    }
    #expect(shell.program.screen.text.contains(says), "\(shell.program.screen)")
    try isWhole(shell, modes)
    #expect(try shell.leave() == 0)
  }

  /// The terminal sends Ctrl-C as the character that the system turns into a signal, because the modes in which it sends
  /// another form are off while a command runs: where the terminal is known to have them, before each prompt, and
  /// elsewhere as soon as a key came in such a form.
  @Test(arguments: [
    (["TERM": "xterm-kitty", "KITTY_WINDOW_ID": "1"], "", ["\u{1B}[>0u", "\u{1B}[>4;0m"]),
    ([:], "", ["\u{1B}[>4;0m"]), ([:], "x\u{1B}[127u", ["\u{1B}[=0u", "\u{1B}[>4;0m"]),
    (["TERM": "screen-256color"], "x\u{1B}[27;2;127~", ["\u{1B}[=0u", "\u{1B}[>4;0m"]),
  ])
  func keyboardModesAreOffWhileACommandRuns(_ environment: [String: String], _ keys: String, _ codes: [String]) throws {
    let shell = try TerminalShell(["--lang", "en"], environment: environment.mapValues { $0 }, columns: 100)
    try shell.type(keys + "watch 1 show 3 id\r")
    try shell.program.wait("the first look") { $0.screen.text.contains("id  3") && !$0.readsKeys }
    let output = shell.program.output
    for code in codes {
      #expect(output.firstRange(of: Array(code.utf8)) != nil, "\(code.debugDescription)")
    }
    try shell.drop()
    #expect(shell.program.screen.text.contains("Interrupted"), "\(shell.program.screen)")
    #expect(try shell.leave() == 0)
    // What the terminal stored is restored.
    if environment["KITTY_WINDOW_ID"] != nil {
      #expect(shell.program.output.firstRange(of: Array("\u{1B}[<u".utf8)) != nil)
    }
  }

  /// The command ends even if Ctrl-C follows immediately, and input typed before Ctrl-C is discarded.
  @Test(arguments: ["", "show 3\r", "sh"]) func controlCRightAfterEnterEndsTheCommand(_ ahead: String) throws {
    let shell = try TerminalShell(["--lang", "en"], columns: 120)
    try shell.program.end(with: "watch 1 show 3 id\r" + ahead + "\u{3}", prompt: shell.prompt)
    #expect(shell.program.screen.text.contains("Interrupted"), "\(shell.program.screen)")
    try shell.say("format")
    #expect(shell.program.screen.text.contains("table"), "\(shell.program.screen)")
    #expect(try shell.leave() == 0)
  }

  /// SIGINT at a prompt drops the typed line, also after a command that Ctrl-C ended, and never ends the next command.
  @Test func signalAtAPromptDropsTheLine() throws {
    let shell = try TerminalShell(["--lang", "en"], columns: 120)
    try shell.type("watch 1 show 3 id\r")
    try shell.program.wait("the first look") { $0.screen.text.contains("id  3") && !$0.readsKeys }
    try shell.drop()
    try shell.type("show 9999")
    try shell.wait(for: "show 9999")
    shell.program.signal(SIGINT)
    try shell.wait(for: "show 9999^C")
    try shell.waitForPrompt()
    try shell.say("format")
    #expect(shell.program.screen.text.contains("table"), "\(shell.program.screen)")
    #expect(try shell.leave() == 0)
  }

  @Test func quitFollowedByControlCExitsZero() throws {
    let shell = try TerminalShell(["--lang", "en"], columns: 120)
    try shell.type("quit\r\u{3}")
    #expect(try shell.program.exitCode() == 0)
  }

  /// Any number of presses: they are meant for the pager.
  @Test(arguments: [("ls size 40", "q quit, Space next page, / search"), ("ls size 40 | less", ":")])
  func controlCInAPagerEndsNothing(_ line: String, _ prompt: String) throws {
    let shell = try TerminalShell(["--lang", "en"], environment: ["LESS": nil], columns: 100, rows: 16)
    try shell.type(line + "\r")
    try shell.program.wait("less") { $0.screen.row == prompt && $0.isAtRest }
    for _ in 1...4 {
      try shell.type("\u{3}")
      try shell.program.wait("less again") { $0.isAtRest }
    }
    // less may lose a key while it handles Ctrl-C. An extra one appears at the prompt.
    var polls = 0
    try shell.program.wait("the prompt") { program in
      if program.screen.row.hasPrefix(shell.prompt), program.readsKeys { return true }
      if polls % 100 == 0 { try? program.type("q") }
      polls += 1
      return false
    }
    try shell.drop()
    #expect(try shell.leave() == 0)
  }

  @Test func pagerReceivesControlC() throws {
    let shell = try TerminalShell(["--lang", "en"], environment: ["LESS": nil], columns: 100, rows: 16)
    let modes = shell.program.modeLine
    try shell.type("ls size 40\r")
    try shell.program.wait("less") { $0.screen.row == "q quit, Space next page, / search" && $0.isAtRest }
    try shell.type("\u{3}")
    // less may lose a key while it handles Ctrl-C.
    try shell.program.wait("the end of the text") { program in
      try? program.type("\u{4}G")
      return program.screen.row == "(END) q quit, / search"
    }
    try shell.type("q")
    try shell.waitForPrompt()
    try isWhole(shell, modes)
    #expect(try shell.leave() == 0)
  }

  /// The editor is killed by it on the alternate screen: the screen is restored, the text is saved, and nothing is
  /// sent.
  @Test func controlCEndsAnEditorAndSendsNothing() throws {
    let shell = try TerminalShell(
      ["--lang", "en"], home: home, environment: try editor().merging(["HOME": home.path]) { $1 }, columns: 100)
    let modes = shell.program.modeLine
    try shell.type("edit 138\r")
    try shell.program.wait("the editor") { $0.screen.isAlternate && there("open") }
    try shell.type("\u{4}")
    try shell.drop()
    #expect(!shell.program.screen.text.contains("(undo)"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path + "/home/state/edit").count == 1)
    try isWhole(shell, modes)
    #expect(try shell.leave() == 0)
  }

  private func isWhole(_ shell: TerminalShell, _ modes: String) throws {
    #expect(shell.program.modeLine == modes)
    #expect(!shell.program.screen.hidesCursor && !shell.program.screen.isAlternate)
    try shell.say("format")
    #expect(shell.program.screen.text.contains("table"), "\(shell.program.screen)")
  }
}
