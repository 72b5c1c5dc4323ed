import Foundation
import Glibc
import TerminalTesting
import TestSupport
import Testing

/// The reports of scripts in CI, and the files of a home that apply to every start.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct ScriptRunLogTests {
  private let scriptedHome: ScriptedHome

  init() throws { scriptedHome = try ScriptedHome() }

  @Test func tapReportHasEveryPoint() throws {
    let script = try scriptedHome.folder.file(
      "suite.market", "show 42 stock\nassert stock = 2\nassert stock = 3\necho never\n")
    let result = try scriptedHome.run("--tap", "-f", script, "-c", "echo not reached")
    #expect(
      result.out.hasPrefix(
        """
        TAP version 13
        # stock  2
        ok 1 - show 42 stock
        ok 2 - assert stock = 2
        not ok 3 - assert stock = 3
          ---
          message: "Assertion failed: assert stock = 3: Product 42: stock 2"
          severity: fail
          exit: 6
          file: "\(script)"
          line: 3
          exchange: |
            > GET /api/products/42 HTTP/1.1

        """), "\(result.out)")
    // The lines after the failure are listed, including those of the other sources.
    #expect(
      result.out.hasSuffix(
        """
          ...
        ok 4 - echo never # SKIP an earlier line failed
        ok 5 - echo not reached # SKIP an earlier line failed
        1..5

        """), "\(result.out)")
    #expect(result.code == 6)
  }

  /// A line about a response that has a name is reported with that exchange, others with the last one.
  @Test func failureOfANamedResponseHasItsExchange() throws {
    let result = try scriptedHome.run(
      "--tap", "--keep-going", "-c", "let p = get /healthChecker", "-c", "show 42 stock",
      "-c", "assert $p.status = 404", "-c", "assert stock = 3")
    let exchanges = result.out.matches(of: /exchange: \|\n +(> .*)\n/).map { String($0.1) }
    #expect(
      exchanges == ["> GET \(scriptedHome.server.url)/healthChecker", "> GET /api/products/42 HTTP/1.1"],
      "\(result.out)")
  }

  @Test func junitReportHasEveryTest() throws {
    let script = try scriptedHome.folder.file("suite.market", "show 42 stock as tsv\nassert stock = 3\nshow 9\n")
    let file = scriptedHome.folder.path + "/report.xml"
    let result = try scriptedHome.run("--junit", file, "--keep-going", "-f", script, "-c", "echo end")
    #expect(result.out == "stock\n2\nend\n")
    #expect(result.code == 6)
    let document = try String(contentsOfFile: file, encoding: .utf8)
    #expect(
      document.hasPrefix(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"openmarket\" tests=\"4\" failures=\"1\" errors=\"1\" time="
      ))
    #expect(document.contains("<testsuite name=\"-c\" tests=\"1\" failures=\"0\""))
    let parser = XMLReading(document)
    #expect(
      parser.elements == [
        "testsuites", "testsuite", "testcase", "testcase", "failure", "testcase", "error", "testsuite", "testcase",
      ])
    #expect(JUnitChecker(document).problems == [])
    #expect(document.contains("&gt; GET /api/products/42 HTTP/1.1") && document.contains("&lt; HTTP/1.1 200"))
    let unwritable = try scriptedHome.run("--junit", scriptedHome.folder.path + "/no/such/report.xml", "-c", "echo end")
    #expect(
      unwritable.code == 1 && unwritable.err.contains("Cannot write \(scriptedHome.folder.path)/no/such/report.xml."),
      "\(unwritable.err)")
  }

  /// A link and a file of another kind are no place for a report, and nothing runs; an earlier report is replaced.
  @Test func reportReplacesNoOtherFile() throws {
    let folder = scriptedHome.folder
    let config = try folder.file("config", "Host *\n")
    symlink(config, folder.path + "/link.xml")
    for name in ["link.xml", "config"] {
      let result = try scriptedHome.run("--junit", folder.path + "/" + name, "-c", "echo end")
      #expect(result.code == 4 && result.out.isEmpty && result.err.contains("Nothing was saved or sent."), "\(result)")
      #expect(try String(contentsOfFile: config, encoding: .utf8) == "Host *\n")
    }
    let report = try folder.file("report.xml", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites/>\n")
    #expect(try scriptedHome.run("--junit", report, "-c", "echo end").code == 0)
    #expect(try String(contentsOfFile: report, encoding: .utf8).contains("name=\"openmarket\""))
  }

  /// A secret in the name of a report or of a script: the first is refused before anything runs, the second is left out of
  /// the report.
  @Test(arguments: ["report-of-sesame.xml", "secret=abcdef.xml"])
  func secretInAReportNameIsNotWritten(_ name: String) throws {
    let report = scriptedHome.folder.path + "/" + name
    let refused = try scriptedHome.run("--junit", report, "-c", "patch 42 stock=9 yes", "-c", "echo end")
    #expect(refused.code == 2 && refused.out.isEmpty, "\(refused.out) \(refused.err)")
    #expect(refused.err.contains("A file name must not contain a secret."), "\(refused.err)")
    #expect(scriptedHome.server.requests.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: report))
    let script = try scriptedHome.folder.file(name, "echo $missing\n")
    let file = scriptedHome.folder.path + "/report.xml"
    let missing = script + ".missing"
    let result = try scriptedHome.run("--keep-going", "--tap", "--junit", file, "-f", script, "-f", missing)
    let document = try String(contentsOfFile: file, encoding: .utf8)
    #expect(document.contains("(a file whose name holds a secret)"), "\(document)")
    for text in [document, result.out] {
      #expect(!text.contains("sesame") && !text.contains("abcdef"), "\(text)")
    }
  }

  /// A rejection is reported with the server's message, a line can have a name, and the name doesn't depend on its
  /// number.
  @Test func failuresAreInTheReport() throws {
    let file = scriptedHome.folder.path + "/report.xml"
    for blank in ["", "\n# a remark\n"] {
      let script = try scriptedHome.folder.file(
        "named.market", blank + "get /nosuch\ntest \"no such path\": assert status 200: get /nosuch\necho a\necho a\n")
      let result = try scriptedHome.run("--junit", file, "--keep-going", "-f", script)
      #expect(result.code == 1, "\(result.err)")
      let document = try String(contentsOfFile: file, encoding: .utf8)
      #expect(JUnitChecker(document).problems == [])
      #expect(
        document.contains("<error type=\"exit 1\" message=\"The server responded with 404 Not Found.\">"),
        "\(document)")
      #expect(document.contains("name=\"no such path\"") && document.contains("name=\"get /nosuch\""))
      #expect(document.contains("name=\"echo a\"") && document.contains("name=\"echo a (2)\""))
      #expect(!document.contains("Failure("))
    }
  }

  /// A script with a market that responds with 503 to a third of its requests: each attempt is reported and recorded,
  /// and a test run sees each of them.
  @Test func attemptsOfAFailingServerAreReported() throws {
    let home = try TemporaryHome()
    let market = try PipedProgram(["serve", "--port", "0", "--data", home.path + "/market", "--fail", "30%"])
    let line = try market.output { $0.hasSuffix("\n") }
    let url = String(try #require(line.firstMatch(of: #/http://127\.0\.0\.1:\d+/#)).output)
    let at = ["--url", url, "--api", "open", "--home", home.path + "/home", "--keep-going"]
    let lines = (1...12).flatMap { ["-c", "get /api/products/\(137 + $0 % 3)"] }
    let retried = try openmarket(at + lines)
    let count = "sql select count(*) as n, sum(status = 503) as failed from calls as json"
    func counts() throws -> (all: Int, failed: Int) {
      let text = try openmarket(at + ["-c", count]).out
      let numbers = text.matches(of: /:"?(\d+)"?[,}]/).compactMap { Int($0.1) }
      return (numbers.first ?? -1, numbers.last ?? -1)
    }
    let after = try counts()
    // Twelve requests, and one more for every reported attempt.
    let told = retried.err.matches(of: /note: (\d) attempts: [0-9, ]+\n/).compactMap { Int($0.1) }
    #expect(after.all == 12 + told.reduce(0) { $0 + $1 - 1 }, "\(after) \(retried.err)")
    let file = home.path + "/report.xml"
    let tested = try openmarket(at + ["--junit", file] + lines)
    #expect(!tested.err.contains("attempts:"))
    let document = try String(contentsOfFile: file, encoding: .utf8)
    #expect(JUnitChecker(document).problems == [])
    let both = try counts()
    #expect(both.all - after.all == 12)
    let failures = document.matches(of: /message="The server responded with 503 Service Unavailable."/).count
    #expect(failures == both.failed - after.failed, "\(document)")
    kill(market.processID, SIGTERM)
    _ = try market.result()
  }

  /// An error on line 7 prevents lines 1 to 6 from being sent, also if it is in a script that line 7 runs.
  @Test func invalidLinePreventsEarlierLinesFromBeingSent() throws {
    let inner = try scriptedHome.folder.file("inner.market", "ls\nptach 42 stock=1\n")
    for mistake in [
      "ptach 42 stock=1 yes", "show 42 as jsn", "source \(inner)", "assert stock = x", "let x = nwe", "let x = 'nwe'",
    ] {
      let lines = ["ls", "show 42", "patch 42 stock=9 yes", "rm 42 yes", "# a remark", "let x = 5", mistake]
      let script = try scriptedHome.folder.file("seven.market", lines.joined(separator: "\n") + "\n")
      let result = try scriptedHome.run("--check", "-f", script)
      let isRead = mistake == "let x = 'nwe'"
      #expect(result.code == (isRead ? 0 : 2), "\(mistake): \(result.err)")
      #expect(isRead || result.err.contains("line 7: `"), "\(result.err)")
      #expect(result.out == "" && scriptedHome.server.requests.isEmpty, "\(mistake)")
    }
  }

  @Test func filesOfAHomeApplyToEveryStart() throws {
    #expect(try scriptedHome.run("-c", "alias stock = show $1 stock as tsv") == .init(out: "", err: "", code: 0))
    #expect(try scriptedHome.run("-c", "stock 42").out == "stock\n2\n")
    _ = try scriptedHome.folder.file("home/config/startup.market", "let favourite = 42\nformat csv\nlst\n")
    let result = try scriptedHome.run("-c", "show $favourite stock")
    #expect(result.out == "stock\n2\n" && result.code == 0)
    #expect(result.err.contains("startup.market, line 3: `lst`"))
    #expect(try scriptedHome.run("--check", "-c", "stock $favourite").code == 0)
    #expect(try scriptedHome.run("-c", "session as tsv").out.contains("startup"))
  }
}

/// The elements of an XML document in the order of their start tags, or none if it isn't well-formed.
private final class XMLReading {
  private(set) var elements: [String] = []

  /// Reads the part of XML that reports use: elements and attributes, no text.
  init(_ document: String) {
    var open: [String] = []
    for match in document.matches(of: /<(\/?)([a-z]+)((?: [a-z]+="[^"<]*")*)(\/?)>/) {
      let name = String(match.2)
      if match.1 == "/" {
        guard open.popLast() == name else {
          elements = []
          return
        }
        continue
      }
      elements.append(name)
      if match.4.isEmpty { open.append(name) }
    }
    if !open.isEmpty { elements = [] }
  }
}
