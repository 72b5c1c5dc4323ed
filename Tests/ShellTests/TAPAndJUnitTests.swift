import Catalog
import Foundation
import LineEditing
import Platform
import Shell
import ShellTesting
import Synchronization
import TestSupport
import Testing
import Text

/// The reports of a run for CI: the Test Anything Protocol and JUnit XML.
@Suite(.timeLimit(Trial.limit)) struct TAPAndJUnitTests {
  private static let script = """
    # A remark is no test.
    ls size 2
    assert all price > 0

    echo "<a> & # b
    c"
    login secret=hunter22
    assert $count = 3
    show 999999
    echo never
    """

  private func run(_ options: ScriptRunner.Options) async throws -> (points: [LineResult], tap: String) {
    let tap = Mutex("")
    let ticks = Mutex(0)
    let log = ScriptRunLog(
      in: .english,
      clock: {
        ticks.withLock { ticks in
          ticks += 1
          return .milliseconds(ticks * 5)
        }
      }, report: { point, number in tap.withLock { $0 += TAP.point(point, number) } })
    try await Sandbox.with { sandbox in
      let lines = TAPAndJUnitTests.script.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
      _ = await ScriptRunner(sandbox.shell, options, log: log).run(
        ScriptInput(lines.map { Input.line($0) }), named: "suite.market")
    }
    return (log.points, TAP.head + tap.withLock { $0 } + TAP.plan(log.points.count))
  }

  /// Returns the text without the parts that differ between runs.
  private static func plain(_ text: String) -> String {
    text.replacing(#/127\.0\.0\.1:\d+/#, with: "market").replacing(#/Date: .* GMT/#, with: "Date: TIME")
      .replacing(#/Market-Generation: \S+/#, with: "Market-Generation: ID")
      .replacing(#/- \d+\.\d ms/#, with: "- TIME")
  }

  @Test func reportsOfAStoppedRunEqualGolden() async throws {
    let (points, tap) = try await run(ScriptRunner.Options())
    try Golden("stopped-run").check(Self.plain(tap + JUnit.xml(points)))
  }

  @Test func reportsOfACompleteRunEqualGolden() async throws {
    var options = ScriptRunner.Options()
    options.keepsGoing = true
    let (points, tap) = try await run(options)
    try Golden("whole-run").check(Self.plain(tap + JUnit.xml(points)))
  }

  @Test(arguments: [
    ("a\nb\n", "# a\n# b\n"), ("", ""), ("a", "# a\n"), ("a\r\n\r\nb\n", "# a\r\n# \r\n# b\n"), ("\n", "#\n"),
  ])
  func notesAreInTheReports(data: String, expected: String) { #expect(TAP.comment(data) == expected) }

  @Test func emptyRunHasAReport() { #expect(TAP.plan(0) == "1..0 # SKIP no commands\n") }

  /// Characters that XML doesn't allow are shown by their numbers, so that names stay different, and special ones are escaped.
  @Test func textIsEscapedInXML() {
    let point = LineResult(
      file: "a<b>&\"c.market", line: 1, name: "echo \u{1}\u{FFFF}]]>\t가",
      outcome: .failed(.refused, .init(reason: "x\ny\u{0}", evidence: "> GET <x>\n< HTTP/1.1 404\n")), seconds: 0.0014)
    #expect(
      JUnit.xml([point]) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="openmarket" tests="1" failures="0" errors="1" time="0.001">
          <testsuite name="a&lt;b&gt;&amp;&quot;c.market" tests="1" failures="0" errors="1" skipped="0" time="0.001">
            <testcase classname="a&lt;b&gt;&amp;&quot;c.market" name="echo \\u{1}\\u{FFFF}]]&gt;&#9;가" time="0.001">
              <error type="exit 1" message="x&#10;y\\u{0}">a&lt;b&gt;&amp;"c.market, line 1
        x
        y\\u{0}

        &gt; GET &lt;x&gt;
        &lt; HTTP/1.1 404
        </error>
            </testcase>
          </testsuite>
        </testsuites>

        """)
  }

  /// Every name is unique in its file, also if a test is called like the second one of another name; an exchange is
  /// reported once.
  @Test func testNamesAreUnique() {
    let log = ScriptRunLog(in: .english, clock: { .zero })
    let ending = ScriptRunLog.Ending(code: .assertionFailed, message: nil, evidence: "> GET /\n< HTTP/1.1 200\n")
    for (number, name) in ["one", "one", "one (2)", "two (2)", "two", "two"].enumerated() {
      log.add(
        .line(LogicalLines.Line(text: "test \"\(name)\": assert 1 = 2", number: number + 1)), in: "a.market", ending)
    }
    #expect(log.points.map(\.name) == ["one", "one (2)", "one (2) (2)", "two (2)", "two", "two (3)"])
    let xml = JUnit.xml(log.points)
    #expect(xml.ranges(of: "HTTP/1.1 200").count == 1 && xml.ranges(of: "the same as of: one").count == 5)
    #expect(Set(log.points.enumerated().map { TAP.point($1, $0) }).count == 6)
  }
}
