import Foundation
import Glibc
import TerminalTesting
import TestSupport
import Testing

/// Ctrl-C, Ctrl-D and Ctrl-Z in any state: the terminal is restored, and nothing is sent.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct TerminalModesTests {
  /// The keys that lead to a state, and the end of the row that shows that it is reached.
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

  @Test(arguments: TerminalModesTests.places.indices)
  func controlCRestoresTheTerminalAndSendsNothing(_ index: Int) throws {
    let (shell, modes) = try shell()
    try go(to: Self.places[index], in: shell)
    try shell.drop()
    #expect(shell.program.modeLine == modes)
    // The next line works normally.
    try shell.say("format")
    try shell.wait(for: "table")
    #expect(try shell.leave() == 0)
    #expect(!shell.program.screen.bracketsPaste)
  }

  @Test(arguments: TerminalModesTests.places.indices)
  func controlZRestoresTheTerminalAndSendsNothing(_ index: Int) throws {
    let shell = try JobShell(rows: 30)
    let (name, keys, end) = Self.places[index]
    try shell.bash.type(keys)
    try shell.bash.wait(name) { program in
      switch name {
      // The second Tab has selected a choice, which is inverted, and the cursor is in the line again.
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
      // A search has ended, and a list of choices isn't redrawn: only the line is shown.
      case "a search in the history":
        program.screen.text.contains("fg\n$p\ndemo@15>") && program.screen.row == "demo@15>"
      case "a list of choices", "a page of choices":
        program.screen.text.contains("fg\n$p\n" + row) && program.screen.row == row
      default: program.screen.row == row
      }
    }
    try shell.leave()
  }

  /// Ctrl-D ends the program at an empty prompt, and answers a question, a secret and a form with no.
  @Test(arguments: TerminalModesTests.places.indices) func controlDEndsOnlyAtAnEmptyPrompt(_ index: Int) throws {
    let (shell, modes) = try shell()
    let place = Self.places[index]
    try go(to: place, in: shell)
    try shell.type("\u{4}")
    switch place.name {
    // A search without a result ends, and leaves an empty line.
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

  /// While a request is in flight the terminal is in normal mode, and Ctrl-C cancels the request.
  @Test func terminalIsInNormalModeDuringARequest() throws {
    let server = try RecordingServer { _ in nil }
    let (shell, modes) = try shell(["--url", server.url, "--api", "open"])
    try shell.type("ls\r")
    try shell.program.wait("the request") { _ in !server.requests.isEmpty }
    #expect(!shell.program.readsKeys)
    // Ctrl-D has no effect: no one reads input, and a running request can't be left.
    try shell.type("\u{4}")
    try shell.drop()
    try shell.wait(for: "Interrupted")
    #expect(shell.program.modeLine == modes)
    try shell.say("format")
    try shell.wait(for: "table")
    #expect(try shell.leave() == 0)
    #expect(server.writes.isEmpty)
  }

  /// Input typed before the first prompt appears in it once.
  @Test func typeaheadAppearsOnceInThePrompt() throws {
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
