import TerminalTesting
import Testing

/// The program as a job of an interactive shell, which gets the terminal back at Ctrl-Z.
struct JobShell {
  let bash: TerminalProgram
  let home: TemporaryHome
  /// The row of the program's prompt without input.
  let prompt: String
  private let modes: String

  /// Starts the shell, and in it the program up to its prompt.
  init(
    _ arguments: [String] = [], home: TemporaryHome? = nil, environment: [String: String?] = [:],
    prompt: String = "demo@15>", rows: Int = 40
  ) throws {
    let home = try home ?? TemporaryHome()
    try home.markGreeted()
    let settings: [String: String?] = ["PS1": "$ ", "HISTFILE": ""]
    let bash = try TerminalProgram(
      "/bin/bash", ["--norc", "-i"], environment: settings.merging(environment) { $1 }, columns: 100, rows: rows)
    try bash.expect("$")
    let line = ([builtProgram("openmarket"), "--lang", "en", "--home", home.path + "/home"] + arguments)
      .joined(separator: " ")
    // The shell would enable bracketed paste itself, which couldn't be distinguished from that of the program.
    try bash.type("bind 'set enable-bracketed-paste off'; p='\(line)'; clear\r")
    try bash.wait("the shell") { $0.screen.text == "$" }
    (self.bash, self.home, self.prompt) = (bash, home, prompt)
    modes = try JobShell.modes(bash)
    try bash.type("clear; $p\r")
    try bash.wait("the program's prompt") { $0.screen.row == prompt && $0.readsKeys }
  }

  /// Returns a checksum of the terminal modes that `stty` prints.
  private static func modes(_ bash: TerminalProgram) throws -> String {
    try bash.type("clear; stty -a | cksum\r")
    var sum = ""
    try bash.wait("the modes") { program in
      let lines = program.screen.text.split(separator: "\n")
      sum = lines.first { $0.allSatisfy { "0123456789 ".contains($0) } }.map(String.init) ?? ""
      return program.screen.row == "$" && !sum.isEmpty
    }
    return sum
  }

  /// Stops the program with Ctrl-Z, and compares the terminal with its earlier state.
  func stop() throws {
    try bash.type("\u{1A}")
    try bash.wait("the shell") { $0.screen.text.contains("Stopped") && $0.screen.row == "$" }
    try isAsBefore("stopped")
  }

  func resume() throws { try bash.type("fg\r") }

  /// Types a line for the program and waits for its next prompt.
  func say(_ line: String) throws { try bash.end(with: line + "\r", prompt: prompt) }

  /// Drops the line with Ctrl-C, ends the program with Ctrl-D, and then the shell.
  func leave() throws {
    try bash.end(with: "\u{3}", prompt: prompt)
    try bash.type("\u{4}")
    try bash.wait("the shell") { $0.screen.row == "$" }
    try isAsBefore("left")
    try bash.type("exit\r")
    _ = try bash.exitCode()
  }

  private func isAsBefore(_ state: String) throws {
    #expect(!bash.screen.bracketsPaste && !bash.screen.hidesCursor && !bash.screen.isAlternate, "\(state)")
    let now = try JobShell.modes(bash)
    #expect(now == modes, "\(state)")
  }
}
