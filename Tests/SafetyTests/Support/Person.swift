import Foundation
import TerminalTesting

/// Someone at a terminal. All waiting is done on threads of their own: the market of the same test needs the others.
final class Person: @unchecked Sendable {
  private let program: TerminalProgram

  init(at program: TerminalProgram) { self.program = program }

  func types(_ text: String) async throws { try await aside { try $0.type(text) } }

  func sees(_ text: String) async throws {
    try await aside { program in try program.wait("'\(text)'") { $0.screen.text.contains(text) } }
  }

  func waits(_ what: String, until isReached: @escaping @Sendable () -> Bool) async throws {
    try await aside { program in try program.wait(what) { _ in isReached() } }
  }

  /// Until the editor reads keys again.
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
    return try await aside { try $0.exitCode() }
  }

  // One thing at a time, and each is waited for: the program is never touched by two threads at once.
  private func aside<Value: Sendable>(
    _ body: @escaping @Sendable (TerminalProgram) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try body(self.program) }) }
    }
  }
}
