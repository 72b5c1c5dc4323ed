import Foundation
import TerminalTesting
import TestSupport
import Testing

/// The served editions conform to the article Protocol independently of the client: `curl` creates, edits and deletes a
/// product on each.
///
/// The scripts are in `Golden/curl` with their output. Another client than ours has to succeed, as ours could share a
/// mistake with the server.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct ServedEditionTests {
  @Test(arguments: ["camp1", "camp2", "training", "open"])
  func curlCreatesEditsAndDeletesAProduct(_ edition: String) throws {
    let home = try TemporaryHome()
    let market = try PipedProgram(
      ["serve", "--port", "0", "--api", edition, "--data", home.path + "/market"])
    let line = try market.output { $0.hasSuffix("\n") }
    let url = try #require(line.firstMatch(of: #/http://127\.0\.0\.1:\d+/#)).output
    let picture = try home.file("image.png", noisePNG(width: 24, height: 24))
    let said = try run(
      "curl/" + edition,
      [
        "MARKET": String(url), "PICTURE": picture, "IDENTIFIER": "4c1f8d60-4e9a-11ed-a200-1b7c9f2e5d31",
        "SECRET": "open-the-market",
      ])
    try Golden("curl/" + edition).check(plain(said, url))
  }

  /// Lines copied from the prompt run in the shell of another terminal without preparation while this session is open.
  @Test(arguments: ["camp1", "camp2", "training", "open"])
  func printedCurlLinesRunInAnotherTerminal(_ edition: String) throws {
    let shell = try TerminalShell(["--api", edition, "--lang", "en"], columns: 160, rows: 60)
    try shell.say("set tips off")
    for line in ["curl show 138", "curl patch 138 stock=7"] {
      let answer = try bash(copied(line, from: shell))
      #expect(answer.contains("\"stock\":"), "\(line)\n\(answer)")
    }
    let stock = try copied("show 138 stock as csv", from: shell)
    #expect(stock == "stock\n7")
    #expect(try bash(copied("curl rm 138", from: shell)).contains("138"))
    #expect(try copied("show 138", from: shell).contains("Not found on the server."))
  }

  /// Returns the rows between a line and the next prompt.
  private func copied(_ line: String, from shell: TerminalShell) throws -> String {
    try shell.say("clear")
    try shell.say(line)
    let rows = shell.program.screen.text.split(separator: "\n").map(String.init)
    let start = try #require(rows.lastIndex { $0.hasPrefix(shell.prompt) && $0.hasSuffix(line) })
    return rows[(start + 1)...].filter { !$0.hasPrefix(shell.prompt) }.joined(separator: "\n")
  }

  private func bash(_ lines: String) throws -> String {
    try PipedProgram(["-c", "exec 2>&1\n" + lines], program: "/bin/bash").result().out
  }

  private func run(_ name: String, _ values: [String: String]) throws -> String {
    let words = ["-euc", "exec 2>&1; . \"$0\"", script(name)]
    let result = try PipedProgram(words, environment: values, program: "/bin/sh").result()
    return result.out + "= \(result.code)\n"
  }

  private func plain(_ text: String, _ url: Substring) -> String {
    text.replacing(url, with: "http://market").replacing(#/[0-9a-f]{32}/#, with: "HEX")
      .replacing(#/[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/#, with: "UUID")
      .replacing(#/\d{4}-\d\d-\d\dT00:00:00/#, with: "DAY")
      .replacing(#/\d{4}-\d\d-\d\dT\d\d:\d\d:(\d\d)\.\1/#, with: "SECOND").replacing(#/\/\d{8}\//#, with: "/DAY/")
      .replacing(#/"registration_date":\d+\.\d+/#, with: "\"registration_date\":SECONDS")
  }

  private func script(_ name: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden/\(name).sh").path
  }
}
