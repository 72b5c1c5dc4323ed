import ArgumentParser
import Dispatch
import Foundation
import LineEditing
import Platform
import Presentation
import Shell
import ShellRuntime
import Text

/// The entry point: parses the command line, runs the program and exits with its status.
@main
struct EntryPoint {
  @MainActor static func main() async {
    ProcessSetup.configure()
    guard !ProgramArguments.all.isEmpty else { exitWithoutArguments() }
    do {
      var command = try OpenMarketCommand.parseAsRoot(Array(ProgramArguments.all.dropFirst()))
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
      exit(0)
    } catch {
      exitReporting(with: error)
    }
  }

  /// Exits because the arguments could not be read: without them, no command would be run.
  private static func exitWithoutArguments() -> Never {
    let error = CommandError(
      .refused,
      .failure("Cannot read the command line. Nothing was run.", ko: "명령줄을 읽을 수 없습니다. 아무것도 실행하지 않았습니다.")
        .because(
          "\(.value("/proc/self/cmdline")) cannot be read.", ko: "\(.value("/proc/self/cmdline"), .object) 읽을 수 없습니다."
        )
        .next("Mount \(.value("/proc")).", ko: "\(.value("/proc"), .object) 마운트하세요."))
    exit(StartupError(error).say(on: DescriptorConsole(), SessionOptions()).rawValue)
  }

  /// Exits after a parser error.
  ///
  /// Help and version are data on standard output; all else is an error in the command line.
  private static func exitReporting(with error: any Error) -> Never {
    // The reader went away: `openmarket --help | head -1`.
    if let error = error as? OutputError, error == .closed { exit(0) }
    guard !(error is CommandError), OpenMarketCommand.exitCode(for: error).isSuccess else {
      var options = SessionOptions()
      options.language = LanguageOption.value?.lang
      options.messageFormat = LanguageOption.value?.errors.flatMap { MessageFormat(rawValue: $0) } ?? .usual
      exit(StartupError(CommandLineError.failure(error)).say(on: DescriptorConsole(), options).rawValue)
    }
    var text = OpenMarketCommand.fullMessage(for: error)
    if ProgramArguments.all.contains(where: { $0.hasPrefix("--generate-completion-script") }) {
      text = CompletionScript(insteadOf: text).text
    }
    do {
      try Descriptor.write(text + "\n", to: STDOUT_FILENO)
    } catch {
      exitReporting(with: error)
    }
    exit(0)
  }
}

/// Process-wide setup: signal dispositions, resource limits and standard file descriptors.
///
/// `SIGPIPE` is ignored so that writing to a closed pipe returns `EPIPE`. Core dumps are disabled because memory can
/// contain secrets.
enum ProcessSetup {
  static func configure() {
    reserveStandardDescriptors()
    // If SIGCHLD were inherited as ignored, the exit status of child processes would be lost.
    signal(SIGCHLD, SIG_DFL)
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    TerminalRestoration.install()
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
  }

  /// Opens `/dev/null` on any of the descriptors 0–2 that is closed (`>&-`).
  ///
  /// Otherwise the next file that the process opens would get that number and receive the program's output. Reading
  /// returns end-of-file, and writing fails.
  private static func reserveStandardDescriptors() {
    for number in Int32(0)..<3 where fcntl(number, F_GETFD) < 0 { _ = open("/dev/null", O_RDONLY) }
  }
}

/// The arguments of this process.
enum ProgramArguments {
  /// The name of the program and its arguments, or none if the system doesn't say.
  ///
  /// The Swift runtime looks for them in the memory of the process, where a library that is loaded before it, such as libfaketime,
  /// may have moved what they are found by. Then the kernel is asked.
  static let all: [String] = {
    let known = CommandLine.arguments
    guard known.isEmpty, let line = (try? Files.read("/proc/self/cmdline", limit: 8 << 20)) ?? nil else { return known }
    return line.split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
      String(decoding: $0, as: UTF8.self)
    }
  }()
}
