import Foundation
import Glibc
import TerminalTesting

/// The program at a prompt on a pseudoterminal, in a home of its own.
struct TerminalShell {
  let program: TerminalProgram
  let home: TemporaryHome
  /// The row of the prompt without input.
  let prompt: String

  /// Starts the program and waits until its editor reads keys.
  init(
    _ arguments: [String] = [], home: TemporaryHome? = nil, environment: [String: String?] = [:], columns: Int = 80,
    rows: Int = 40
  ) throws {
    let home = try home ?? TemporaryHome()
    try home.markGreeted()
    let program = try TerminalProgram(
      builtProgram("openmarket"), ["--home", home.path + "/home"] + arguments, environment: environment,
      columns: columns, rows: rows)
    try program.wait("the prompt") { $0.screen.row.hasSuffix(">") && $0.readsKeys }
    (self.program, self.home, prompt) = (program, home, program.screen.row)
  }

  func type(_ text: String) throws { try program.type(text) }

  /// Waits for the empty prompt whose editor reads keys.
  func waitForPrompt() throws {
    try program.wait("the prompt") { $0.isAtPrompt(prompt) && $0.readsKeys }
  }

  /// Types a line and waits until the editor shows the next prompt.
  func say(_ line: String) throws { try program.end(with: line + "\r", prompt: prompt) }

  /// Drops the line with Ctrl-C and waits for the next prompt.
  ///
  /// A prompt that is still visible isn't the next one.
  func drop() throws { try program.end(with: "\u{3}", prompt: prompt) }

  /// Waits until a row of the screen contains the text.
  func wait(for text: String) throws {
    try program.wait("'\(text)'") { $0.screen.text.contains(text) }
  }

  /// Ends the line and the program with Ctrl-D.
  func leave() throws -> Int32 {
    try type("\u{4}")
    return try program.exitCode()
  }
}

extension TerminalProgram {
  /// Turns bracketed paste on, which the editor does before each line.
  static let pasteOn = Array("\u{1B}[?2004h".utf8)

  /// Types keys that end a line, and waits until the editor shows the next prompt.
  func end(with keys: String, prompt: String) throws {
    let start = output.count
    try type(keys)
    try wait("the prompt after \(keys.debugDescription)") { program in
      program.output.dropFirst(start).firstRange(of: Self.pasteOn) != nil && program.isAtPrompt(prompt)
        && program.readsKeys
    }
  }

  /// Returns whether the row of the cursor is the prompt without input, with or without the name of an interrupted run.
  func isAtPrompt(_ prompt: String) -> Bool {
    let row = screen.row
    guard row.hasPrefix(prompt.dropLast()) else { return false }
    return row.dropFirst(prompt.count - 1).wholeMatch(of: /( r\d+(: \d+ left)?)?>/) != nil
  }

  /// A Boolean value that indicates that the editor reads keys.
  ///
  /// At a prompt that is only drawn, the terminal would echo them itself.
  var readsKeys: Bool { modes.c_lflag & tcflag_t(ICANON) == 0 }

  /// Returns whether the program handles the signal (`SigCgt` of proc(5)).
  func catches(_ signal: Int32) -> Bool {
    guard let status = try? String(contentsOfFile: "/proc/\(processID)/status", encoding: .utf8),
      let match = status.firstMatch(of: /SigCgt:\s*([0-9a-f]+)/), let set = UInt64(match.1, radix: 16)
    else { return false }
    return set >> UInt64(signal - 1) & 1 == 1
  }

  /// The terminal modes as a line, for comparison.
  var modeLine: String { Self.line(of: modes) }

  /// Returns terminal modes as a line.
  static func line(of modes: termios) -> String {
    let controls = withUnsafeBytes(of: modes.c_cc) { Array($0) }
    return "\(modes.c_iflag) \(modes.c_oflag) \(modes.c_cflag) \(modes.c_lflag) \(controls)"
  }
}
