import Catalog
import Platform
import Presentation
import Text

/// Gives data to a program of the user's choosing, run by `/bin/sh`; the data goes to its standard input and nowhere else.
package enum Pipe {
  package static func run(_ command: String, input: String, in context: Context) async throws {
    try await run(command, input: Array(input.utf8), in: context)
  }

  package static func run(_ command: String, input: [UInt8], in context: Context) async throws {
    let program = ChildProgram(shell: command, environment: context.environment, context.interruption.departure)
    let ending = await program.run(input: input)
    try Task.checkCancellation()
    switch ending {
    case .exit(0): return
    case .exit(let status), .signal(let status):
      throw Failure(
        .refused, .warning("The program ended with \(status).", ko: "프로그램이 종료 코드 \(status)번으로 끝났습니다."))
    case .notStarted(let code):
      throw Failure(
        .refused,
        .failure("The program could not be started.", ko: "프로그램을 시작하지 못했습니다.").because(Failure.reason(code)))
    }
  }
}
