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

/// The door of the program: options in, exit code out.
@main
struct Main {
  static func main() async {
    ProcessManners.adopt()
    if let launch = LaunchOptions(plain: Array(CommandLine.arguments.dropFirst())) {
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
    let tongue = ProgramPaper.tongue(
      Array(CommandLine.arguments.dropFirst()), ProcessInfo.processInfo.environment)
    let text = OptionErrors.worded(OpenMarket.fullMessage(for: error), tongue)
    if !text.isEmpty {
      try? Descriptor.write(text + "\n", to: code.isSuccess ? STDOUT_FILENO : STDERR_FILENO)
    }
    exit(code == .validationFailure ? ExitStatus.misread.rawValue : code.rawValue)
  }
}

/// How this process behaves towards the system: secrets stay out of core dumps, a closed pipe is an error and not a death.
enum ProcessManners {
  static func adopt() {
    keepStandardDescriptors()
    // Inherited as ignored, no program that is started would be told to have ended.
    signal(SIGCHLD, SIG_DFL)
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    TerminalRestoration.install()
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
  }

  /// Of those that are closed (`>&-`) nothing else of ours takes the number: what is printed would go into it. Reading
  /// ends at once, writing fails.
  private static func keepStandardDescriptors() {
    for number in Int32(0)..<3 where fcntl(number, F_GETFD) < 0 { _ = open("/dev/null", O_RDONLY) }
  }
}

/// A failure before there is a session to say it in.
struct EarlyFailure {
  private let failure: Failure

  init(_ error: any Error) {
    failure = (error as? MarketStartError).map { Failure($0) } ?? Failure(describing: error)
  }

  func say(on console: any Console, _ options: StartOptions) -> ExitStatus {
    let tongue = (try? MessageLanguage(option: options.language, environment: [:])) ?? .english
    let drawing = RenderOptions(
      tongue: tongue, width: console.width, colors: false, ascii: options.ascii, ambiguousWide: false,
      isTerminal: console.errorIsTerminal)
    console.say(MessageRenderer().render(failure.message, drawing))
    return failure.code
  }
}

/// A thread for long work, so that the threads of the pool stay free for what must answer at once.
final class WorkThread: TaskExecutor {
  private struct Work {
    var jobs: [UnownedJob] = []
    var isOver = false
  }

  private let work = Mutex(Work())
  private let ready = DispatchSemaphore(value: 0)

  init(_ name: String) {
    let thread = Thread { self.run() }
    thread.name = name
    thread.start()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isOver = work.withLock { work in
      if !work.isOver { work.jobs.append(job) }
      return work.isOver
    }
    // What comes behind the end is little, and any thread may do it.
    if isOver { return DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) } }
    ready.signal()
  }

  /// Ends the thread once nothing is left to do.
  func finish() {
    work.withLock { $0.isOver = true }
    ready.signal()
  }

  private func run() {
    while true {
      ready.wait()
      let (job, isOver) = work.withLock { work in
        (work.jobs.isEmpty ? nil : work.jobs.removeFirst(), work.isOver)
      }
      if let job {
        job.runSynchronously(on: asUnownedTaskExecutor())
      } else if isOver {
        return
      }
    }
  }
}
