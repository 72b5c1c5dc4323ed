import Platform
import Presentation
import Text

/// Passes data to a program of the user's choice, run by `/bin/sh`.
///
/// The data goes only to its standard input.
package enum ShellPipe {
  /// Runs the program to its end.
  ///
  /// - Throws: `CommandError` if it can't be started or ends with another status than 0; `CancellationError`.
  package static func run(_ command: String, input: String, for shell: RunningProgram) async throws {
    try await run(command, input: Array(input.utf8), for: shell)
  }

  /// Runs the program to its end with bytes as input.
  ///
  /// - Throws: `CommandError` if it can't be started or ends with another status than 0; `CancellationError`.
  package static func run(_ command: String, input: [UInt8], for shell: RunningProgram) async throws {
    let program = Subprocess(
      shell: command, environment: shell.environment, shell.interruption.shutdown)
    let ending = await program.run(input: input)
    try Task.checkCancellation()
    try check(ending)
  }

  /// - Throws: `CommandError` unless the program ended successfully.
  static func check(_ ending: Subprocess.Ending) throws {
    switch ending {
    case .exit(0): return
    case .exit(let status), .signal(let status):
      throw CommandError(
        .refused, .warning("The program exited with status \(status).", ko: "프로그램이 종료 코드 \(status)번으로 끝났습니다."))
    case .failedToStart(let code): throw notStarted(code)
    }
  }

  static func notStarted(_ code: Int32) -> CommandError {
    CommandError(
      .refused,
      .failure("Could not start the program.", ko: "프로그램을 시작하지 못했습니다.").because(CommandError.reason(code)))
  }
}
