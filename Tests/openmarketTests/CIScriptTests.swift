import EmbeddedMarket
import Foundation
import Synchronization
import TerminalTesting
import TestSupport
import Testing

/// `Examples/12-ci.sh` as a CI job runs it, against a server that answers 503 to 30 % of its requests.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct CIScriptTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  /// Every attempt is told, and every failing test is in a report that is valid by its schema.
  @Test func failingServerIsReportedInTheCIReports() async throws {
    var (threes, failures) = (0, 0)
    for seed in UInt64(1)...4 {
      let run = try await ConcurrencyLimit.servers.run { try await runScript(seed) }
      threes += run.attempts.count { $0 == "note: 3 attempts: 503, 503, 200" }
      failures += run.document.matches(of: #/<(?:failure|error) /#).count
      try check(run)
    }
    // By these draws there was something to tell and something to report.
    #expect(threes > 0 && failures > 0)
  }

  private struct Run {
    var result: PipedProgram.Result
    var attempts: [Substring]
    var document: String
    var report: String
    /// Of the requests that the server answered, in order.
    var statuses: [Int]
    /// Holds the files.
    var home: TemporaryHome
  }

  private func runScript(_ seed: UInt64) async throws -> Run {
    let home = try TemporaryHome()
    let log = Log()
    var options = MarketOptions(dataDirectory: home.path + "/market")
    options.faults = FaultPlan(failureRate: 0.3, seed: seed)
    options.log = { log.add($0) }
    let market = EmbeddedMarket(options)
    let url = try await market.start().absoluteString
    let reports = home.path + "/reports"
    let result = Result {
      try PipedProgram(
        [Self.root + "/Examples/12-ci.sh", url, reports],
        environment: ["OPENMARKET": builtProgram("openmarket"), "OPENMARKET_HOME": home.path + "/home"],
        program: "/bin/sh"
      ).result()
    }
    await market.stop()
    return Run(
      result: try result.get(),
      attempts: try String(contentsOfFile: reports + "/attempts.txt", encoding: .utf8).split(separator: "\n"),
      document: try String(contentsOfFile: reports + "/junit.xml", encoding: .utf8), report: reports + "/junit.xml",
      statuses: log.statuses, home: home)
  }

  private func check(_ run: Run) throws {
    var again = 0
    for line in run.attempts {
      let match = try #require(line.wholeMatch(of: /note: ([23]) attempts: ((?:503, )+)(200|404|503)/), "\(line)")
      #expect(match.2.split(separator: " ").count + 1 == Int(match.1), "\(line)")
      again += (Int(match.1) ?? 0) - 1
    }
    // Six reads in the look and six in the tests, and one more for each attempt that was told.
    #expect(run.statuses.count == 12 + again, "\(run.statuses) \(run.attempts)")
    #expect(JUnitChecker(run.document).problems == [], "\(run.document)")
    #expect(run.document.matches(of: #/<testcase /#).count == 11)
    let failed = run.document.contains("<failure ") || run.document.contains("<error ")
    #expect((run.result.code != 0) == failed, "\(run.result.err)")
    if run.statuses.suffix(6).contains(503) { #expect(run.document.contains("&lt; HTTP/1.1 503")) }
    try JUnitSchema.check(run.report)
  }

  /// The statuses of the requests that the server answered, in order.
  private final class Log: Sendable {
    private let lines = Mutex<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var statuses: [Int] {
      lines.withLock { $0.compactMap { $0.firstMatch(of: #/ ([1-5][0-9][0-9]) /#).flatMap { Int($0.1) } } }
    }
  }
}

/// The schema of our JUnit reports, and whatever on this machine checks a document against it.
enum JUnitSchema {
  static let path = URL(filePath: #filePath).deletingLastPathComponent().path + "/Schemas/junit.xsd"

  private static let lxml =
    "import sys; from lxml import etree as e; e.XMLSchema(e.parse(sys.argv[1])).assertValid(e.parse(sys.argv[2]))"

  /// The words before the document; nil where neither xmllint nor Python's lxml is there.
  private static let command: [String]? = {
    if FileManager.default.isExecutableFile(atPath: "/usr/bin/xmllint") {
      return ["/usr/bin/xmllint", "--noout", "--schema", path]
    }
    let python = "/usr/bin/python3"
    guard FileManager.default.isExecutableFile(atPath: python),
      (try? PipedProgram(["-c", "import lxml"], program: python).result().code) == 0
    else { return nil }
    return [python, "-c", lxml, path]
  }()

  /// Expects the document to be valid.
  static func check(_ document: String) throws {
    let command = try #require(command, "neither xmllint nor Python's lxml is installed (.ci/setup)")
    let result = try PipedProgram(Array(command.dropFirst()) + [document], program: command[0]).result()
    #expect(result.code == 0, "\(result.err)")
  }
}
