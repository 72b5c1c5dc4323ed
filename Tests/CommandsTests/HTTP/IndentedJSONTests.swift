import Commands
import Foundation
import Networking
import Presentation
import Shell
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

/// A response longer than the screen is folded with a note on a terminal, and complete everywhere else.
@Suite(.timeLimit(Trial.limit)) struct IndentedJSONTests {
  struct Case: Sendable {
    var json: String
    /// The rows of the screen, or `nil` without one.
    var rows: Int?
    var drawn: String
    var isFolded = true
  }

  private static let twenty = (1...20).map(String.init).joined(separator: ",")

  private static func lines(_ numbers: ClosedRange<Int>) -> String {
    numbers.map { "  \($0)" }.joined(separator: ",\n")
  }

  static let cases: [Case] = [
    // JSON that fits, or isn't for a screen, is unchanged.
    Case(json: "[\(twenty)]", rows: 22, drawn: "[\n\(lines(1...20))\n]", isFolded: false),
    Case(json: "[\(twenty)]", rows: nil, drawn: "[\n\(lines(1...20))\n]", isFolded: false),
    // The number of elements is reduced until the JSON fits.
    Case(json: "[\(twenty)]", rows: 21, drawn: "[\n\(lines(1...10)),\n  … 10 more\n]"),
    Case(json: "[\(twenty)]", rows: 12, drawn: "[\n\(lines(1...5)),\n  … 15 more\n]"),
    // Then deeply nested values are folded.
    Case(
      json: #"{"pages":[{"a":{"b":{"c":[1,2]}}},{"a":{"b":{"c":[1,2]}}},{"a":3},{"a":4}],"count":4}"#, rows: 12,
      drawn: """
        {
          "pages": [
            {
              "a": {… 1}
            },
            {
              "a": {… 1}
            },
            … 2 more
          ],
          "count": 4
        }
        """),
    Case(
      json: #"{"pages":[[1,2,3,4,5,6,7,8,9],[1,2],[3]],"empty":[],"none":{}}"#, rows: 8,
      drawn: """
        {
          "pages": [
            [… 9],
            … 2 more
          ],
          "empty": [],
          "none": {}
        }
        """),
    // An object shows all of its keys.
    Case(
      json: #"{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8}"#, rows: 4,
      drawn: """
        {
          "a": 1,
          "b": 2,
          "c": 3,
          "d": 4,
          "e": 5,
          "f": 6,
          "g": 7,
          "h": 8
        }
        """, isFolded: false),
  ]

  @Test(arguments: cases) func longJSONIsFolded(_ expected: Case) throws {
    let drawn = IndentedJSON(try JSON(parsing: Data(expected.json.utf8)), rows: expected.rows)
    #expect(drawn.text == expected.drawn)
    #expect(drawn.isFolded == expected.isFolded)
  }

  @Test func foldedResponseSaysHowToSeeTheRest() async throws {
    let screen = BufferConsole(isTerminal: true, width: 100, height: 24)
    try await Sandbox.with(width: 100, environment: ["NO_COLOR": "1"], adjusting: { $0.program.console = screen }) {
      sandbox in
      _ = await sandbox.shell.run("get /api/products items_per_page=20")
      let told = screen.take()
      let body = told.split(separator: "\n").filter { !$0.hasPrefix("!") }
      #expect(body.first == "{" && body.last == "}" && body.count <= 24, "\(told)")
      #expect(told.contains("Shortened. Use `| less`"), "\(told)")
      #expect(told.contains("… 19 more") || told.contains("… 18 more"), "\(told)")
      _ = await sandbox.shell.run("echo $_.pages.length")
      #expect(screen.take().contains("20"))
      _ = await sandbox.shell.run("get /api/products items_per_page=20 to \(sandbox.folder)/all.json")
      let file = try Data(contentsOf: URL(fileURLWithPath: sandbox.folder + "/all.json"))
      #expect(try JSON(parsing: file).object?["pages"]?.array?.count == 20)
    }
  }
}
