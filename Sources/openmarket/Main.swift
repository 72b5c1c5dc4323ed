import ArgumentParser
import Foundation
import Platform
import Shell

/// The door of the program: options in, exit code out.
@main
struct Main {
  static func main() async {
    ProcessManners.adopt()
    if let launch = Launch(plain: Array(CommandLine.arguments.dropFirst())) {
      exit(await Program(launch).run().rawValue)
    }
    if let text = ProgramPaper(
      Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment)?.text
    {
      try? Descriptor.write(text, to: STDOUT_FILENO)
      return
    }
    do {
      var command = try OpenMarket.parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      leave(with: error)
    }
  }

  /// Help and version are data; a line of options that cannot be understood ends with 2, as Language has it.
  private static func leave(with error: any Error) -> Never {
    let code = OpenMarket.exitCode(for: error)
    let text = OpenMarket.fullMessage(for: error)
    if !text.isEmpty {
      try? Descriptor.write(text + "\n", to: code.isSuccess ? STDOUT_FILENO : STDERR_FILENO)
    }
    exit(code == .validationFailure ? ExitStatus.misread.rawValue : code.rawValue)
  }
}
