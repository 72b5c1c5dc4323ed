import ArgumentParser
import Catalog
import Dispatch
import EmbeddedMarket
import Engine
import Failures
import Foundation
import LineEditing
import Platform
import Presentation
import Shell
import Synchronization
import Text

/// The entry point: parses the command line, runs the program and exits with its status.
@main
struct EntryPoint {
  static func main() async {
    ProcessManners.configure()
    do {
      var command = try OpenMarketCommand.parseAsRoot()
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

  /// Runs the shell and exits.
  static func runWithArgumentParser(_ launch: LaunchOptions) async -> Never {
    let program: Application
    do {
      program = try Application(launch)
    } catch {
      let console = launch.reports.console(DescriptorConsole())
      exit(StartupError(error).say(on: console, launch.options).rawValue)
    }
    exit(await program.run().rawValue)
  }

  /// Exits after a parser error.
  ///
  /// Help and version are data on standard output; all else is an error in the command line.
  private static func exitReporting(with error: any Error) -> Never {
    // The reader went away: `openmarket --help | head -1`.
    if let error = error as? OutputError, error == .closed { exit(0) }
    guard !(error is CommandError), OpenMarketCommand.exitCode(for: error).isSuccess else {
      var options = SessionOptions()
      options.language = LanguageOption.value
      exit(StartupError(CommandLineError.failure(error)).say(on: DescriptorConsole(), options).rawValue)
    }
    var text = OpenMarketCommand.fullMessage(for: error)
    if CommandLine.arguments.contains(where: { $0.hasPrefix("--generate-completion-script") }) {
      text = CompletionScript(insteadOf: text).text
    }
    try? Descriptor.write(text + "\n", to: STDOUT_FILENO)
    exit(0)
  }
}

/// Process-wide setup: signal dispositions, resource limits and standard file descriptors.
///
/// `SIGPIPE` is ignored so that writing to a closed pipe returns `EPIPE`. Core dumps are disabled because memory can
/// contain secrets.
enum ProcessManners {
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

/// An error before a session exists.
struct StartupError {
  private let failure: CommandError

  init(_ error: any Error) {
    failure = (error as? MarketStartError).map { CommandError($0) } ?? CommandError(describing: error)
  }

  func say(on console: any Console, _ options: SessionOptions) -> ExitStatus {
    let environment = Environment.current()
    let tongue =
      (try? MessageLanguage(option: options.language, environment: environment))
      ?? (try? MessageLanguage(option: nil, environment: environment)) ?? .english
    let drawing = RenderOptions(
      language: tongue, width: console.width, colors: false, usesASCII: options.ascii, treatsAmbiguousAsWide: false,
      isTerminal: console.errorIsTerminal)
    console.writeMessage(MessageRenderer().render(failure.message, drawing))
    return failure.exitStatus
  }
}

/// A task executor with one thread, for long work that should not occupy the threads of the global pool.
final class ThreadTaskExecutor: TaskExecutor {
  private struct Work {
    var jobs: [UnownedJob] = []
    var isStopping = false
  }

  private let task = Mutex(Work())
  private let jobAvailable = DispatchSemaphore(value: 0)

  init(_ name: String) {
    let thread = Thread { self.run() }
    thread.name = name
    thread.start()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isOver = task.withLock { work in
      if !work.isStopping { work.jobs.append(job) }
      return work.isStopping
    }
    // A job after the end is short, and may run on any thread.
    if isOver { return DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) } }
    jobAvailable.signal()
  }

  /// Ends the thread when no job is left.
  func stop() {
    task.withLock { $0.isStopping = true }
    jobAvailable.signal()
  }

  /// Does what comes until `stop`.
  private func run() {
    while true {
      jobAvailable.wait()
      let (job, isOver) = task.withLock { work in
        (work.jobs.isEmpty ? nil : work.jobs.removeFirst(), work.isStopping)
      }
      if let job {
        job.runSynchronously(on: asUnownedTaskExecutor())
      } else if isOver {
        return
      }
    }
  }
}
