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

/// The entry point of the program: the command line in, the exit code out.
@main
struct Main {
  /// Runs the command on the thread that the process began with; work that is done side by side asks for the pool.
  static func main() {
    ProcessManners.adopt()
    let command: any ParsableCommand
    do {
      command = try OpenMarket.parseAsRoot()
    } catch {
      leave(with: error)
    }
    Task.detached(executorPreference: WorkThread.first) {
      do {
        var command = command
        if var command = command as? any AsyncParsableCommand {
          try await command.run()
        } else {
          try command.run()
        }
        exit(0)
      } catch {
        leave(with: error)
      }
    }
    WorkThread.first.run()
  }

  /// Runs the shell and ends the process.
  static func run(_ launch: LaunchOptions) async -> Never {
    let program: Program
    do {
      program = try Program(launch)
    } catch {
      let console = launch.reports.console(DescriptorConsole())
      exit(EarlyFailure(error).say(on: console, launch.options).rawValue)
    }
    exit(await program.run().rawValue)
  }

  /// Ends the process: what the parser prints by itself is data, everything else an error in the command line.
  private static func leave(with error: any Error) -> Never {
    guard !(error is Failure), OpenMarket.exitCode(for: error).isSuccess else {
      var options = StartOptions()
      options.language = LanguageOption.value
      exit(EarlyFailure(CommandLineError.failure(error)).say(on: DescriptorConsole(), options).rawValue)
    }
    let language =
      (try? MessageLanguage(option: LanguageOption.value, environment: Environment.ofProcess())) ?? .english
    let text = ArgumentHelp.$language.withValue(language) { OpenMarket.fullMessage(for: error) }
    try? Descriptor.write(text + "\n", to: STDOUT_FILENO)
    exit(0)
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
    let environment = Environment.ofProcess()
    let tongue =
      (try? MessageLanguage(option: options.language, environment: environment))
      ?? (try? MessageLanguage(option: nil, environment: environment)) ?? .english
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

  /// The one that the process began with: `main` calls `run`. Whoever does many things side by side has them done by the
  /// pool (`globalConcurrentExecutor`), for what a task of this thread begins would be done here as well, one by one.
  static let first = WorkThread()

  private init() {}

  convenience init(_ name: String) {
    self.init()
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

  /// Does what comes until `finish`.
  func run() {
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
