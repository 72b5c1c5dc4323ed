import Foundation
import Glibc
import TerminalTesting
import TestSupport
import Testing

/// Sessions of the real program on a pseudoterminal, checked by its screen.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct TerminalSessionTests {
  private let home: TemporaryHome

  init() throws { home = try TemporaryHome() }

  private func shell(
    _ arguments: [String] = [], environment: [String: String?] = [:], columns: Int = 120, rows: Int = 40
  ) throws -> TerminalProgram {
    let program = try TerminalProgram(
      builtProgram("openmarket"), ["--home", home.path + "/home"] + arguments, environment: environment,
      columns: columns, rows: rows)
    try program.wait("the prompt") { $0.screen.row.hasSuffix(">") && Self.isReading($0) }
    return program
  }

  /// Returns whether the editor reads keys.
  ///
  /// At a prompt that is only drawn, the terminal would echo them itself.
  private static func isReading(_ program: TerminalProgram) -> Bool {
    program.modes.c_lflag & tcflag_t(ICANON) == 0
  }

  private func waitForPrompt(_ program: TerminalProgram) throws {
    try program.wait("the prompt") { $0.screen.row == "demo@15>" && Self.isReading($0) }
  }

  /// Types a line and waits until the prompt appears below its output.
  private func say(_ line: String, to program: TerminalProgram) throws {
    let row = program.screen.cursor.row
    try program.type(line + "\r")
    try program.wait("the prompt after \(line)") {
      $0.screen.row == "demo@15>" && $0.screen.cursor.row > row && Self.isReading($0)
    }
  }

  @Test func terminalIsRestoredAtTheEnd() throws {
    let program = try shell()
    #expect(program.screen.row == "demo@15>")
    try say("ls size 3", to: program)
    #expect(program.screen.text.contains("│"))
    #expect(program.screen.text.contains("page 1 of 47 · 141 products"))
    try program.type("never run")
    try program.expectRow("demo@15> never run")
    try program.type("\u{3}")
    try waitForPrompt(program)
    try program.type("\u{4}")
    #expect(try program.exitCode() == 0)
    #expect(!program.screen.bracketsPaste)
    let modes = program.modes
    for flag in [ECHO, ICANON, ISIG] { #expect(modes.c_lflag & tcflag_t(flag) != 0) }
    #expect(modes.c_iflag & tcflag_t(ICRNL) != 0)
    #expect(modes.c_oflag & tcflag_t(OPOST) != 0)
  }

  /// A step of `learn` is reported after the command that reached it, not in scripts, and another session goes on.
  @Test func stepIsReportedAfterItsCommand() throws {
    let program = try shell()
    try say("learn", to: program)
    #expect(program.screen.text.contains("Step 1 of 10: Look at the list, then at one product."))
    try say("ls size 3", to: program)
    try say("show @1 name", to: program)
    let done = "Step 1 of 10 is done. Next: List the products with fewer than 10 left."
    #expect(program.screen.text.contains(done), "\(program.screen.text)")
    try program.type("\u{4}")
    #expect(try program.exitCode() == 0)
    let script = try openmarket(["--home", home.path + "/home", "-c", "ls where stock<10 columns id"])
    #expect(script.code == 0 && !script.err.contains("Step"), "\(script)")
    let second = try shell()
    try say("learn", to: second)
    #expect(second.screen.text.contains("Step 2 of 10: List the products"), "\(second.screen.text)")
    try second.type("\u{4}")
    #expect(try second.exitCode() == 0)
  }

  @Test func hangulIsTypedAndDeleted() throws {
    let program = try shell()
    try program.type("search 한글")
    try program.expectRow("demo@15> search 한글")
    try program.type("\u{7F}")
    try program.expectRow("demo@15> search 한")
    try program.type("\u{1112}\u{1161}\u{11AB}")
    try program.wait("decomposed") { $0.screen.row.precomposedStringWithCanonicalMapping == "demo@15> search 한한" }
    try program.type("\u{15}")
    try program.expectRow("demo@15>")
    try program.type("search ")
    try program.type("텀블러\r")
    try program.wait("the products") { $0.screen.text.contains("1 product ") && $0.screen.row == "demo@15>" }
  }

  @Test func tabCompletesCommands() throws {
    let program = try shell()
    try program.type("s\t")
    try program.wait("the commands") { $0.screen.text.contains("find products by name") }
    try program.type("ho\t")
    try program.wait("show") { $0.screen.row.hasPrefix("demo@15> show") }
    try program.type("\u{3}")
    try waitForPrompt(program)
    try program.type("ls si\t")
    try program.wait("size, and what comes then") { $0.screen.row == "demo@15> ls size N" }
  }

  @Test func tablesFitAfterAResize() throws {
    let program = try shell()
    try say("ls", to: program)
    program.resize(columns: 80, rows: 40)
    try program.type("clear\r")
    try program.wait("a clear screen") {
      $0.screen.row == "demo@15>" && $0.screen.cursor.row == 0 && Self.isReading($0)
    }
    try say("ls", to: program)
    let lines = program.screen.text.split(separator: "\n")
    let places = lines.filter { $0.contains("│") }.map { line in
      var (column, found): (Int, [Int]) = (0, [])
      for character in line {
        if character == "│" { found.append(column) }
        column +=
          character.unicodeScalars.contains {
            $0.value >= 0x1100 && !(0x2000...0x2E7F).contains($0.value) && $0.value != 0x20A9
          } ? 2 : 1
      }
      #expect(column <= 80, "\(line)")
      return found
    }
    #expect(places.count >= 20)
    #expect(Set(places).count == 1, "\(program.screen.text)")
  }

  @Test func pasteWaitsForEnter() throws {
    let program = try shell()
    try program.type("\u{1B}[200~show 3 id\nshow 4 id\u{1B}[201~")
    try program.wait("the paste") { $0.screen.text.contains("show 4 id") }
    #expect(!program.screen.text.contains("id  3"))
    try program.type("\r")
    try program.wait("both answers") { $0.screen.text.contains("id  3") && $0.screen.text.contains("id  4") }
  }

  @Test func commandsSkippedByAFailureAreNamed() throws {
    let program = try shell()
    try program.type("\u{1B}[200~shwo 3\n\nshow 4 id\nshow 5 id\u{1B}[201~\r")
    try program.wait("the note") { $0.screen.text.contains("2 more lines were not run.") }
    #expect(!program.screen.text.contains("id  4"))
  }

  @Test func rmAsksBeforeDeleting() throws {
    let program = try shell()
    try program.type("rm 138\r")
    try program.wait("the question") { $0.screen.row.contains("?") }
    try program.type("n\r")
    try waitForPrompt(program)
    try say("show 138 id", to: program)
    #expect(program.screen.text.contains("id  138"))
  }

  /// The secret of a vendor without products can't be proven, so it is stored unchecked.
  @Test func secretIsNotShown() throws {
    let program = try shell()
    try program.type("login identifier=someone vendor_id=999\r")
    try program.wait("the question") { $0.screen.row.hasSuffix(":") }
    try program.type("canary-4411\r")
    try program.wait("the prompt of the other vendor") { $0.screen.row == "demo@999>" && $0.readsKeys }
    try program.type("\u{4}")
    #expect(try program.exitCode() == 0)
    #expect(!String(decoding: program.output, as: UTF8.self).contains("canary-4411"))
    let holders = try home.files().filter { $0.value.range(of: Data("canary-4411".utf8)) != nil }.keys
    #expect(Array(holders) == ["home/config/credentials.toml"])
    let history = String(decoding: try home.files()["home/state/history"] ?? Data(), as: UTF8.self)
    // A line is followed by its time and, on the next line, by its exit code.
    let lines = history.split(separator: "\n").filter { !$0.hasPrefix("\\!") }.map { $0.split(separator: " \\@")[0] }
    #expect(lines == ["login identifier=someone vendor_id=999"])
  }

  @Test func controlCInterruptsAnUnansweredRequest() throws {
    let server = try RecordingServer { _ in nil }
    let program = try shell(["--url", server.url, "--api", "open"])
    let prompt = program.screen.row
    try program.type("ls\r")
    try program.wait("the request") { _ in !server.requests.isEmpty }
    try program.type("\u{3}")
    try program.wait("the prompt") { $0.screen.text.contains("Interrupted") && $0.screen.row == prompt }
    try program.type("\u{4}")
    #expect(try program.exitCode() == 0)
  }

  /// Address, current weather and forecast are requested; one Ctrl-C cancels all three requests.
  @Test func controlCInterruptsAllWeatherRequests() throws {
    let server = try RecordingServer { _ in nil }
    let program = try shell(environment: ["OPENWEATHER_URL": server.url, "OPENWEATHER_API_KEY": "canary0123456789"])
    try program.type("weather 37.57 126.98\r")
    try program.wait("three requests") { _ in server.requests.count == 3 && server.left == 0 }
    #expect(
      Set(server.requests.map { String($0.line.prefix { $0 != "?" }) })
        == ["GET /geo/1.0/reverse", "GET /data/2.5/weather", "GET /data/2.5/forecast"])
    try program.type("\u{3}")
    try program.wait("the prompt") { $0.screen.text.contains("Interrupted") && $0.screen.row == "demo@15>" }
    try program.wait("the end of all three") { _ in server.left == 3 }
    #expect(!program.screen.text.contains("canary"))
    try program.type("\u{4}")
    #expect(try program.exitCode() == 0)
  }

  @Test func plainTerminalGetsPlainText() throws {
    let dumb = try TerminalProgram(
      builtProgram("openmarket"), ["--home", home.path + "/home"], environment: ["TERM": "dumb"], columns: 120)
    try dumb.wait("the prompt") { $0.screen.row == "demo@15>" }
    try dumb.type("show 3 id\r")
    try dumb.wait("the prompt") { $0.screen.row == "demo@15>" && $0.screen.cursor.row > 1 }
    try dumb.type("\u{4}")
    #expect(try dumb.exitCode() == 0)
    #expect(!dumb.output.contains(0x1B))
    let plain = try shell(environment: ["NO_COLOR": "1"])
    try say("ls size 2", to: plain)
    #expect(!String(decoding: plain.output, as: UTF8.self).contains(#/\u{1B}\[[0-9;]*[1-9][0-9;]*m/#))
  }

  @Test func koreanLocaleGetsKoreanText() throws {
    let program = try shell(["--lang", "ko"])
    try say("ls size 2", to: program)
    #expect(program.screen.text.contains("상품 141개"), "\(program.screen)")
  }

  /// A terminal that is not known to understand escape codes gets none, at the prompt and from a single line.
  @Test(arguments: [nil, "", "dumb", "unknown"] as [String?])
  func unnamedTerminalGetsPlainText(_ name: String?) throws {
    let home = try TemporaryHome()
    try home.markGreeted()
    let arguments = ["--home", home.path + "/home"]
    let prompt = try TerminalProgram(
      builtProgram("openmarket"), arguments, environment: ["TERM": name], columns: 120)
    try prompt.wait("the prompt") { $0.screen.row == "demo@15>" }
    try prompt.type("shwo\r")
    try prompt.wait("the message") { $0.screen.text.contains("Did you mean") }
    let line = try TerminalProgram(
      builtProgram("openmarket"), arguments + ["shwo"], environment: ["TERM": name], columns: 120)
    #expect(try line.exitCode() == 2)
    for program in [prompt, line] { #expect(!program.output.contains(0x1B), "\(program.screen.text)") }
  }
}
