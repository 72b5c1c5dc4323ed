import ArgumentParser
import CommandLanguage
import EmbeddedMarket
import Foundation
import MarketAPI
import Shell
import ShellRuntime
import TerminalTesting
import TestSupport
import Testing

@testable import openmarket

/// One parser reads the command line: every option works with every other, before a line and before `serve`.
@Suite(.timeLimit(Trial.limit)) struct LaunchOptionsTests {
  /// An option as typed, and its effect on a start.
  struct Given: Sendable {
    var words: [String]
    var holds: @Sendable (LaunchOptions) -> Bool

    init(_ words: String..., holds: @escaping @Sendable (LaunchOptions) -> Bool) {
      (self.words, self.holds) = (words, holds)
    }
  }

  static let options: [Given] = [
    Given("--profile", "work") { $0.options.profile == "work" },
    Given("--url", "http://h:1") { $0.options.url == "http://h:1" },
    Given("--url=http://h:1/?a=b") { $0.options.url == "http://h:1/?a=b" },
    Given("--api", "camp2") { $0.options.edition == .camp2 }, Given("--home=h") { $0.home == "h" },
    Given("-c", "echo 1; ls") { $0.sources.contains(.line("echo 1; ls")) },
    Given("-c", "--help") { $0.sources.contains(.line("--help")) }, Given("-cls") { $0.sources.contains(.line("ls")) },
    Given("-f", "a.market") { $0.sources.contains(.file("a.market")) },
    Given("-f", "-") { $0.sources.contains(.file("-")) },
    Given("--format", "jsonl") { $0.options.format == .jsonl }, Given("--lang", "ko") { $0.options.language == "ko" },
    Given("--yes") { $0.yes }, Given("--read-only") { $0.options.readOnly },
    Given("--insecure-http") { $0.options.allowsPlainHTTP },
    Given("--keep-going") { $0.scriptOptions.keepsGoing && $0.options.keepGoing },
    Given("--check") { $0.scriptOptions.checksOnly },
    Given("--tap") { $0.reports.tap }, Given("--junit", "r.xml") { $0.reports.junit == "r.xml" },
    Given("--replay", "r.har") { $0.replay == "r.har" }, Given("--no-color") { $0.options.noColor },
    Given("--ascii") { $0.options.ascii },
  ]

  private func launch(_ words: [String]) throws -> LaunchOptions {
    switch try OpenMarketCommand.parseAsRoot(words) {
    case let run as RunCommand: try run.launch()
    case let help as HelpSubcommand: try help.options.launch(line: ["help"] + help.words)
    case let other: throw Unexpected(command: "\(other)")
    }
  }

  private struct Unexpected: Error { var command: String }

  /// The program decodes images of strangers, so the system loads it at a random address: its type in the header is that
  /// of a shared object (`ET_DYN`).
  @Test func programIsPositionIndependent() throws {
    let file = try #require(FileHandle(forReadingAtPath: builtProgram("openmarket")))
    let header = try #require(try file.read(upToCount: 18))
    #expect(header.prefix(4) == Data([0x7F, 0x45, 0x4C, 0x46]))
    #expect(header.suffix(2) == Data([3, 0]))
  }

  @Test(arguments: options.indices) func everyPairOfOptionsWorks(_ first: Int) throws {
    // In one order by default, in both in a long run.
    for second in Self.options.indices where second > first || Trial.isLong && second != first {
      let (one, other) = (Self.options[first], Self.options[second])
      // The last `--url` is used.
      if one.words[0].hasPrefix("--url"), other.words[0].hasPrefix("--url") { continue }
      let words = one.words + other.words + ["ls", "--as=json", "-c", "x"]
      let launch = try launch(words)
      #expect(one.holds(launch) && other.holds(launch), "\(words)")
      #expect(launch.sources.last == .line("ls --as=json -c x"), "\(words)")
      #expect(try self.launch(one.words + other.words).sources.count == launch.sources.count - 1, "\(words)")
    }
  }

  /// `-c` and `-f` run in the given order, followed by the line after them.
  @Test func sourcesRunInTheGivenOrder() throws {
    #expect(
      try launch(["-c", "1", "-f", "2", "--yes", "-c", "3", "-f4", "-c5", "6"]).sources == [
        .line("1"), .file("2"), .line("3"), .file("4"), .line("5"), .line("6"),
      ])
    #expect(try launch([]).sources == [])
  }

  /// Each word of the system's shell stays one word of the line.
  @Test(arguments: [
    (["ls", "where", "stock=0"], "ls where stock=0"), (["--home", "h", "--yes", "rm", "3"], "rm 3"),
    (["--format=json", "help", "ls"], "help ls"), (["ls | head -3; next"], "ls | head -3; next"),
    (["ls", "where", "stock=0 and price>1"], "ls where stock=0 and price>1"),
    (["patch", "42", "name=새 이름", "price-=10%"], "patch 42 name='새 이름' price-=10%"),
    (["search", "a;b", "it's"], "search 'a;b' \"it's\""), (["echo", "$count", "|"], "echo '$count' '|'"),
    (["ls", "--page", "2", "--as=json"], "ls --page 2 --as=json"), (["new", "name="], "new name="),
    (["patch", "42", "description=@my note.txt"], "patch 42 description=@'my note.txt'"),
  ])
  func shellWordsStaySingleWords(_ words: [String], _ line: String) throws {
    #expect(try launch(words).sources == [.line(line)])
  }

  /// An option that both commands have may precede or follow `serve`.
  @Test(arguments: [["serve", "--port", "0", "--api", "camp1"], ["--api", "camp1", "--yes", "serve", "--port", "0"]])
  func optionsMayPrecedeOrFollowServe(_ words: [String]) throws {
    let serve = try #require(try OpenMarketCommand.parseAsRoot(words) as? Serve)
    #expect(try serve.port == 0 && serve.servedAPI(nil) == .edition(.camp1))
  }

  @Test(arguments: [
    (["--bogus", "ls"], "error: Unknown option: --bogus."), (["--asci", "ls"], "Did you mean `--ascii`?"),
    (["--lang", "ko", "--asci"], "오류: 알 수 없는 옵션: --asci."), (["--home"], "Missing value for '--home <home>'"),
    (["--home", "--lang", "ko"], "'--home <home>' 옵션에 값이 필요합니다."),
    (["--yes=x", "--lang", "ko"], "'--yes' 옵션은 값을 받지 않는데 'x' 값이 있습니다."),
    (["--api", "camp3"], "Invalid value for `--api`: camp3. Use one of: camp1, camp2, training, open."),
    (["--format", "xml", "ls"], "Invalid value for `--format`: xml. Use one of: table, json,"),
    (["--lang", "xx"], "Unknown language: xx."),
    (["serve", "--bogus"], "error: Unknown option: --bogus."), (["serve", "ls"], "Unexpected argument 'ls'"),
    (["--check", "serve"], "`--check` and `serve` cannot be combined: `serve` runs no commands."),
    (["--generate-completion-script", "csh"], "Can't generate completion scripts for 'csh'."),
  ])
  func invalidOptionsAreRefused(_ words: [String], _ message: String) throws {
    let result = try openmarket(words)
    #expect(result.code == 2 && result.out == "")
    #expect(result.err.contains(message), "\(result.err)")
  }

  /// Reports of a run contain no line with a secret, and no error that quotes one.
  @Test func reportsContainNoSecret() throws {
    let home = try TemporaryHome()
    let script = try home.file(
      "suite.market",
      "echo launch-canary-7f3a\nlaunch-canary-7f3a\nls # secret=launch-canary-9b1c\nshow launch-canary-7f3a\n")
    let result = try openmarket(
      ["--home", home.path + "/home", "--tap", "--junit", home.path + "/r.xml", "--keep-going", "-f", script],
      environment: ["OPENMARKET_IDENTIFIER": "me", "OPENMARKET_SECRET": "launch-canary-7f3a"])
    let report = try String(contentsOfFile: home.path + "/r.xml", encoding: .utf8)
    #expect(report.contains("tests=\"4\"") && !report.contains("canary"), "\(report)")
    #expect(!result.err.contains("line 2: `"), "\(result.err)")
    for line in result.out.split(separator: "\n") where line.contains("ok ") || line.hasPrefix("  ") {
      #expect(!line.contains("canary"), "\(line)")
    }
  }

  /// The program itself, started with one line as by a user or CI.
  @Test func oneLineWritesReports() throws {
    let home = try TemporaryHome()
    let report = home.path + "/report.xml"
    func run(_ words: String...) throws -> PipedProgram.Result {
      try openmarket(["--home", home.path + "/home"] + words)
    }
    #expect(try run("--check", "ls") == .init(out: "", err: "", code: 0))
    #expect(try run("--check", "lss").code == 2)
    #expect(try run("--tap", "--ascii", "echo", "hi").out == "TAP version 13\n# hi\nok 1 - echo hi\n1..1\n")
    #expect(try run("--junit", report, "echo", "hi").out == "hi\n")
    #expect(try String(contentsOfFile: report, encoding: .utf8).contains("tests=\"1\""))
  }
}
