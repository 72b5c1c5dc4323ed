import Foundation
import Glibc
import TerminalTesting
import Testing

/// Ctrl-C, Ctrl-D and Ctrl-Z wherever a person may be: the terminal is as it was, and nothing was sent.
@Suite(.waiting) struct TerminalStateTests {
  /// What was typed to get somewhere, and the end of the row that tells it is reached.
  static let places: [(name: String, keys: String, row: String)] = [
    ("an empty prompt", "", ">"),
    ("a line", "ls si", "> ls si"),
    ("a search in the history", "\u{12}xyz", ">"),
    ("a list of choices", "s\t\t", ""),
    ("a question", "rm 138\r", "[y/N]"),
    ("a secret", "login identifier=a vendor_id=15\r", ":"),
    ("a form", "new\r", ""),
  ]

  private func shell(_ arguments: [String] = []) throws -> (TerminalShell, before: String) {
    let shell = try TerminalShell(["--lang", "en"] + arguments, columns: 100, rows: 40)
    try shell.drop()
    return (shell, shell.program.modeLine)
  }

  private func go(to place: (name: String, keys: String, row: String), in shell: TerminalShell) throws {
    try shell.type(place.keys)
    switch place.name {
    case "a list of choices": try shell.wait(for: "find products by name")
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

  /// Not from a list of choices: whether the list is drawn again after `fg` depends on which of the two is quicker.
  @Test(
    arguments: TerminalStateTests.places.indices.filter { TerminalStateTests.places[$0].name != "a list of choices" })
  func controlZ(_ index: Int) throws {
    let bash = try TerminalProgram(
      "/bin/bash", ["--norc", "-i"], environment: ["PS1": "$ ", "HISTFILE": ""], columns: 100, rows: 40)
    try bash.expect("$")
    let home = try TemporaryHome()
    try home.markGreeted()
    try bash.type("p='\(builtProgram("openmarket")) --lang en --home \(home.path)/home'; clear\r")
    try bash.wait { $0.screen.text == "$" }
    try bash.type("stty -a | cksum; $p\r")
    try bash.wait("the prompt") { $0.screen.row == "demo@15>" && $0.readsKeys }
    let sum = bash.screen.text.split(separator: "\n").first { $0.allSatisfy { "0123456789 ".contains($0) } } ?? "none"
    let place = Self.places[index]
    try bash.type(place.keys)
    switch place.name {
    case "a search in the history": try bash.wait { $0.screen.text.contains("bck?xyz") }
    case "a form": try bash.wait { $0.screen.row.contains("3 to 100 characters") }
    default: try bash.wait(place.name) { $0.screen.row.hasSuffix(place.row) && $0.readsKeys }
    }
    let row = bash.screen.row
    try bash.type("\u{1A}")
    try bash.wait("the outer shell") { $0.screen.text.contains("Stopped") && $0.screen.row == "$" }
    try bash.type("clear; stty -a | cksum\r")
    try bash.wait("the modes") { $0.screen.row == "$" && $0.screen.text.contains(sum) }
    try bash.type("fg\r")
    if place.name != "a search in the history" {
      try bash.wait("\(place.name) again") { $0.readsKeys && $0.screen.row == row }
    } else {
      try bash.wait("the line again") { $0.screen.text.hasSuffix("fg\n$p\ndemo@15>") && $0.readsKeys }
    }
    try bash.end(with: "\u{3}", prompt: "demo@15>")
    try bash.type("\u{4}")
    try bash.wait("the outer shell") { $0.screen.row == "$" }
    try bash.type("clear; stty -a | cksum\r")
    try bash.wait("the modes") { $0.screen.row == "$" && $0.screen.text.contains(sum) }
    try bash.type("exit\r")
    _ = try bash.exitCode()
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
    case "a line", "a list of choices":
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
    try program.expect("demo@15> show 3")
    try program.end(with: "\u{3}", prompt: "demo@15>")
    try program.type("\u{4}")
    #expect(try program.exitCode() == 0)
  }
}
