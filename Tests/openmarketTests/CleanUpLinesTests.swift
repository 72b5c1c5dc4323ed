import Foundation
import Glibc
import TerminalTesting
import TestSupport
import Testing

/// The lines of `finally:` in scripts of the real program: after success, failures, signals and Ctrl-C.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct CleanUpLinesTests {
  private let home: TemporaryHome

  init() throws { home = try TemporaryHome() }

  private static let picture = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Examples/cup.png").standardized.path
  private static let new =
    "let cup = new name='정리 시험 컵' description='정리 명령을 시험하려고 만든 컵입니다.' price=12000 currency=KRW images=\(picture) yes"

  private func run(_ arguments: String..., input: String = "") throws -> PipedProgram.Result {
    try openmarket(["--home", home.path + "/home", "--lang", "en"] + arguments, input: input)
  }

  /// The number of products that the scripts of this suite made and left behind.
  private func left() throws -> String { try run("-c", "search '정리 시험'", "-c", "echo $count").out.suffix(2).trimmed }

  /// What a script does after it made a product, with its exit code.
  static let endings: [(line: String, code: Int32)] = [
    ("echo done", 0), ("show 999999", 1), ("shwo 1", 2), ("assert 1 = 2", 6), ("quit", 0), ("show 138 id | false", 1),
  ]

  /// Every ending in a file, and one success and one failure in the other forms of a script.
  private static let scripts: [(ending: (line: String, code: Int32), form: String)] =
    endings.map { ($0, "file") }
    + ["source", "lines", "standard input"].flatMap { form in [(endings[0], form), (endings[1], form)] }

  @Test(arguments: scripts)
  func finallyLinesRunAfterSuccessAndFailure(_ ending: (line: String, code: Int32), _ form: String) throws {
    let lines = [Self.new, "finally: rm $cup yes", ending.line, "echo not the end"]
    let text = lines.joined(separator: "\n") + "\n"
    let file = try home.file("made.market", text)
    let result =
      switch form {
      case "file": try run("-f", file)
      case "source": try run("-c", "source \(file)")
      case "lines": try run("-c", lines[0], "-c", lines[1], "-c", lines[2], "-c", lines[3])
      default: try run(input: text)
      }
    #expect(result.code == ending.code, "\(result)")
    #expect(result.out.contains("not the end") == (ending.line == "echo done"), "\(result)")
    #expect(try left() == "0", "\(result)")
  }

  /// Those of `-c` wait for the last `-c`, also behind a file.
  @Test func finallyLineOfALineRunsAfterAllLines() throws {
    let file = try home.file("made.market", "finally: echo end of file\necho file\n")
    let result = try run("-c", "finally: echo end", "-c", "echo one", "-f", file, "-c", "echo two")
    #expect(result.out == "one\nfile\nend of file\ntwo\nend\n", "\(result)")
  }

  /// A clean-up line that stands after the failure runs too, as in a block at the end of the script.
  @Test func finallyLineAfterTheFailureRuns() throws {
    let file = try home.file("made.market", "\(Self.new)\nshow 999999\necho never\nfinally: rm $cup yes\n")
    let result = try run("-f", file)
    #expect(result.code == 1 && !result.out.contains("never"), "\(result)")
    #expect(try left() == "0")
    // What was never made needs no clean-up.
    let before = try run("-f", try home.file("none.market", "show 999999\n\(Self.new)\nfinally: rm $cup yes\n"))
    #expect(before.code == 1 && !before.err.contains("Unknown variable"), "\(before)")
  }

  /// The last line runs first, with the values of its place; a failure is reported and doesn't hide the first one.
  @Test func finallyLinesRunInReverseWithTheirValues() throws {
    let file = try home.file(
      "order.market",
      """
      let n = 1
      finally: echo first $n
      let n = 2
      finally: show 999998 nosuchfield
      finally: 'echo second $n; echo third'
      let n = 3
      assert $n = 4

      """)
    let result = try run("-f", file)
    #expect(result.out == "second 2\nthird\nfirst 1\n", "\(result)")
    #expect(result.code == 6, "\(result)")
    #expect(result.err.contains("order.market, line 4: `finally: show 999998 nosuchfield`"), "\(result)")
    #expect(result.err.contains("warning: 1 of 3 clean-up lines failed."), "\(result)")
    let succeeding = try run("-c", "finally: shwo 1", "-c", "echo ok")
    #expect(succeeding.code == 2 && succeeding.out == "ok\n", "\(succeeding)")
  }

  /// The prompt has no end of a script, a dry run cleans nothing up, and a check reads the line.
  @Test func finallyIsRefusedOutsideOfAScript() throws {
    let result = try run("--check", "-c", "finally: shwo 1")
    #expect(result.code == 2 && result.err.contains("Unknown command"), "\(result)")
    let dry = try run("-c", "dry source \(try home.file("dry.market", "finally: rm 138 yes\nshow 999999\n"))")
    #expect(dry.err.contains("Dry run") && dry.code == 1, "\(dry)")
    #expect(try run("-c", "show 138 id as tsv").code == 0)
    let shell = try TerminalShell(["--lang", "en"], home: home)
    try shell.type("finally: rm 138 yes\r")
    try shell.wait(for: "is for scripts")
  }

  /// In the reports, a clean-up line is a point when it runs.
  @Test func finallyLinesAreInTheReports() throws {
    let file = try home.file("made.market", "finally: shwo 1\nfinally: echo away\nassert 1 = 2\necho never\n")
    let result = try run("--tap", "--junit", home.path + "/junit.xml", "-f", file)
    let points = result.out.split(separator: "\n").filter { $0.contains("ok ") && !$0.hasPrefix("#") }
    #expect(
      points == [
        "not ok 1 - assert 1 = 2", "ok 2 - echo never # SKIP an earlier line failed", "ok 3 - finally: echo away",
        "not ok 4 - finally: shwo 1",
      ], "\(result)")
    #expect(result.out.hasSuffix("1..4\n") && result.code == 6)
    let xml = try String(contentsOfFile: home.path + "/junit.xml", encoding: .utf8)
    #expect(xml.contains("tests=\"4\" failures=\"1\" errors=\"1\""), "\(xml)")
  }

  static let signals: [(signal: Int32, code: Int32)] = [(SIGTERM, 143), (SIGINT, 130), (SIGHUP, 129)]

  /// SIGTERM and Ctrl-C end the script, which then cleans up, and keep their exit codes.
  @Test(arguments: signals, ["file", "source", "--keep-going"])
  func signalRunsFinallyLinesAndKeepsTheExitCode(_ end: (signal: Int32, code: Int32), _ form: String) throws {
    let file = try home.file("made.market", "\(Self.new)\nfinally: rm $cup yes\necho made\nwatch 1 show 138\n")
    let program = try PipedProgram(
      ["--home", home.path + "/home", "--lang", "en"]
        + (form == "source" ? ["-c", "source \(file)"] : form == "file" ? ["-f", file] : [form, "-f", file]))
    _ = try program.output { $0.contains("made\n") }
    kill(program.processID, end.signal)
    let result = try program.result()
    #expect(result.code == end.code, "\(result)")
    #expect(try left() == "0", "\(result)")
  }

  /// A script that waits for its next line from a pipe is cleaned up too.
  @Test func waitingScriptIsCleanedUp() throws {
    let file = try home.file("made.market", "\(Self.new)\nfinally: rm $cup yes\necho made\n")
    let program = try PipedProgram(
      [
        "-c",
        "(cat \"$0\"; exec sleep 20) | exec \"$1\" --home \"$2\" --lang en & echo $! > \"$2.id\"; wait $!; echo = $?",
        file,
        builtProgram("openmarket"), home.path + "/home",
      ], program: "/bin/sh")
    _ = try program.output { $0.contains("made\n") }
    let id = try #require(pid_t(try String(contentsOfFile: home.path + "/home.id", encoding: .utf8).trimmed))
    kill(id, SIGTERM)
    _ = try program.output { $0.contains("= 143") }
    #expect(try left() == "0")
  }

  /// Another Ctrl-C stops the clean-up, whose lines are named.
  @Test func secondInterruptStopsFinallyLines() throws {
    let file = try home.file(
      "made.market", "finally: echo last\nfinally: watch 1 show 138 id as tsv\nwatch 1 show 139 id as tsv\n")
    let program = try PipedProgram(["--home", home.path + "/home", "--lang", "en", "-f", file])
    _ = try program.output { $0.contains("139\n") }
    kill(program.processID, SIGINT)
    _ = try program.output { $0.contains("138\n") }
    kill(program.processID, SIGINT)
    let result = try program.result()
    #expect(result.code == 130 && !result.out.contains("last"), "\(result)")
    #expect(result.err.contains("A clean-up line was not run: `echo last`"), "\(result)")
  }

  /// `contract writes` deletes its product also if it is interrupted.
  @Test(arguments: [SIGINT, SIGTERM]) func interruptedContractDeletesItsProduct(_ signal: Int32) throws {
    for milliseconds in stride(from: 100, through: 700, by: 150) {
      let program = try PipedProgram(["--home", home.path + "/home", "--lang", "en", "-c", "contract writes yes"])
      // A moment of the checks, not a condition to wait for.
      usleep(UInt32(milliseconds) * 1_000)
      kill(program.processID, signal)
      _ = try program.result()
    }
    #expect(try run("-c", "search 'openmarket contract'", "-c", "echo $count").out.suffix(2).trimmed == "0")
  }
}

extension StringProtocol {
  fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
