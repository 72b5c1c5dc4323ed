import Foundation
import Glibc
import Pacing
import TerminalTesting
import Testing

/// Ctrl-C, Ctrl-D and Ctrl-Z wherever a person may be: the terminal is as it was, and nothing was sent.
@Suite(.waiting, .timeLimit(Trial.limit)) struct TerminalStateTests {
  /// What was typed to get somewhere, and the end of the row that tells it is reached.
  static let places: [(name: String, keys: String, row: String)] = [
    ("an empty prompt", "", ">"),
    ("a line", "ls si", "> ls si"),
    ("a search in the history", "\u{12}xyz", ">"),
    ("a list of choices", "s\t\t", ""),
    ("a page of choices", "help \t\t", ""),
    ("a question", "rm 138\r", "[y/N]"),
    ("a secret", "login identifier=a vendor_id=15\r", ":"),
    ("a form", "new\r", ""),
  ]

  private func shell(_ arguments: [String] = []) throws -> (TerminalShell, before: String) {
    let shell = try TerminalShell(["--lang", "en"] + arguments, columns: 100, rows: 30)
    try shell.drop()
    return (shell, shell.program.modeLine)
  }

  private func go(to place: (name: String, keys: String, row: String), in shell: TerminalShell) throws {
    try shell.type(place.keys)
    switch place.name {
    case "a list of choices", "a page of choices":
      try shell.program.wait(place.name) { $0.screen.styledText.contains("[7]") }
    case "a search in the history": try shell.wait(for: "bck?xyz")
    case "a form": try shell.wait(for: "3 to 100 characters")
    default: try shell.program.wait(place.name) { $0.screen.row.hasSuffix(place.row) && $0.readsKeys }
    }
  }

  @Test(arguments: TerminalStateTests.places.indices) func controlC(_ index: Int) throws {
    let (shell, modes) = try shell()
    try go(to: Self.places[index], in: shell)
    try shell.drop()
    #expect(shell.program.modeLine == modes)
    // The next line is none the worse for it.
    try shell.say("format")
    try shell.wait(for: "table")
    #expect(try shell.leave() == 0)
    #expect(!shell.program.screen.bracketsPaste)
  }

  @Test(arguments: TerminalStateTests.places.indices) func controlZ(_ index: Int) throws {
    let shell = try JobShell(rows: 30)
    let (name, keys, end) = Self.places[index]
    try shell.bash.type(keys)
    try shell.bash.wait(name) { program in
      switch name {
      // The second Tab has taken one, which stands inverted, and the cursor is back in the line.
      case "a list of choices", "a page of choices":
        program.screen.styledText.contains("[7]") && program.screen.row.hasPrefix(shell.prompt)
      case "a search in the history": program.screen.text.contains("bck?xyz")
      case "a form": program.screen.row.contains("3 to 100 characters")
      default: program.screen.row.hasSuffix(end) && program.readsKeys
      }
    }
    let row = shell.bash.screen.row
    try shell.stop()
    try shell.resume()
    try shell.bash.wait("\(name) again") { program in
      guard program.readsKeys else { return false }
      return switch name {
      // A search is over, and a list belongs to the moment it was asked for: the line alone is there.
      case "a search in the history":
        program.screen.text.contains("fg\n$p\ndemo@15>") && program.screen.row == "demo@15>"
      case "a list of choices", "a page of choices":
        program.screen.text.contains("fg\n$p\n" + row) && program.screen.row == row
      default: program.screen.row == row
      }
    }
    try shell.leave()
  }

  /// Ctrl-D ends the program at an empty prompt; a question, a secret and a form it answers with no.
  @Test(arguments: TerminalStateTests.places.indices) func controlD(_ index: Int) throws {
    let (shell, modes) = try shell()
    let place = Self.places[index]
    try go(to: place, in: shell)
    try shell.type("\u{4}")
    switch place.name {
    // A search that found nothing ends, and what is left is an empty line.
    case "an empty prompt", "a search in the history": break
    case "a line", "a list of choices", "a page of choices":
      try shell.drop()
      #expect(shell.program.modeLine == modes)
      try shell.type("\u{4}")
    default:
      try shell.waitForPrompt()
      #expect(shell.program.modeLine == modes)
      try shell.type("\u{4}")
    }
    #expect(try shell.program.exitCode() == 0)
    #expect(!shell.program.screen.bracketsPaste)
    #expect(!shell.program.readsKeys)
  }

  /// While a request waits for its answer the terminal is the person's: Ctrl-C gives the request up.
  @Test func aSlowRequest() throws {
    let server = try RecordingServer { _ in nil }
    let (shell, modes) = try shell(["--url", server.url, "--api", "open"])
    try shell.type("ls\r")
    try shell.program.wait("the request") { _ in !server.requests.isEmpty }
    #expect(!shell.program.readsKeys)
    // Not an end: nothing reads now, and an answer that is waited for is no place to leave from.
    try shell.type("\u{4}")
    try shell.drop()
    try shell.wait(for: "Interrupted")
    #expect(shell.program.modeLine == modes)
    try shell.say("format")
    try shell.wait(for: "table")
    #expect(try shell.leave() == 0)
    #expect(server.writes.isEmpty)
  }

  /// What is typed before the prompt is there stands in it, once.
  @Test func typingAhead() throws {
    let home = try TemporaryHome()
    try home.markGreeted()
    let program = try TerminalProgram(builtProgram("openmarket"), ["--home", home.path + "/home"], columns: 100)
    try program.type("show 3")
    try program.expectRow("demo@15> show 3")
    try program.end(with: "\u{3}", prompt: "demo@15>")
    try program.type("\u{4}")
    #expect(try program.exitCode() == 0)
  }
}
