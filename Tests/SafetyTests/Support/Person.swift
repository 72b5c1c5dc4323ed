import Foundation
import TerminalTesting

/// A user at a terminal.
///
/// All waiting is done on separate threads, because the market of the same test needs the pool.
final class Person: @unchecked Sendable {
  private let program: TerminalProgram

  init(at program: TerminalProgram) { self.program = program }

  /// Starts a shell at a prompt in the town.
  convenience init(in town: Town, profile: String = "town") async throws {
    self.init(
      at: try TerminalProgram(
        builtProgram("openmarket"),
        ["--home", town.folder + "/home", "--profile", profile, "--lang", "en", "--no-color"],
        environment: ["HOME": town.folder], columns: 110, rows: 40))
    try await seesPrompt()
  }

  /// Starts a program that runs one line with this editor on a terminal and exits.
  convenience init(in town: Town, running words: [String], editor: String) throws {
    self.init(
      at: try TerminalProgram(
        builtProgram("openmarket"), town.usual + ["--no-color"] + words,
        environment: ["HOME": town.folder, "VISUAL": editor], columns: 110, rows: 40))
  }

  var process: pid_t { program.processID }

  func types(_ text: String) async throws { try await aside { try $0.type(text) } }

  /// Waits until the screen contains the text.
  ///
  /// `act` is called immediately, however busy the other tests are.
  func sees(_ text: String, then act: @escaping @Sendable () -> Void = {}) async throws {
    try await aside { program in
      try program.wait("'\(text)'") { $0.screen.text.contains(text) }
      act()
    }
  }

  func waits(_ what: String, until isReached: @escaping @Sendable () -> Bool) async throws {
    try await aside { program in try program.wait(what) { _ in isReached() } }
  }

  /// Waits until the editor reads keys again.
  func seesPrompt() async throws {
    try await aside { program in
      try program.wait("the prompt") {
        $0.screen.row.hasSuffix(">") && $0.modes.c_lflag & tcflag_t(ICANON) == 0
      }
    }
  }

  func screen() async throws -> String { try await aside { $0.screen.text } }

  func leaves() async throws -> Int32 {
    try await types("quit\r")
    return try await ends()
  }

  /// Returns the exit code, or 128 and the signal that ended the program.
  func ends() async throws -> Int32 { try await aside { try $0.exitCode() } }

  func sends(_ signal: Int32) async throws { try await aside { $0.signal(signal) } }

  /// Closes the window.
  func hangsUp(then act: @escaping @Sendable () -> Void = {}) async throws {
    try await aside { program in
      program.hangUp()
      act()
    }
  }

  /// Returns whether the terminal is in the modes that a shell leaves: it edits lines and echoes input.
  func hasItsTerminalBack() async throws -> Bool {
    let flags = tcflag_t(ICANON | ECHO | ISIG)
    return try await aside { $0.modes.c_lflag & flags == flags && !$0.screen.bracketsPaste }
  }

  // One operation at a time, and each is awaited: the program is never used by two threads at once.
  private func aside<Value: Sendable>(
    _ body: @escaping @Sendable (TerminalProgram) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try body(self.program) }) }
    }
  }
}
