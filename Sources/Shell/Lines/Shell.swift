import Engine
import Language
import Platform
import Presentation
import Text

/// The shell: one line in, everything it means done, data and words out, an exit code back.
///
/// The prompt, `-c`, `-f`, standard input and the tests all come in by `run(_:)`.
package actor Shell {
  package private(set) var session: Session
  /// Why the last line failed; nil when it did not, or when that was said while it ran.
  package private(set) var failure: Message?
  package let context: Context
  /// What lines that were only checked would have made of the session: aliases, variables.
  private var checked: Session?

  /// What Ctrl-C has asked for.
  package nonisolated let interruption: Interruption

  package init(session: Session, context: Context) {
    self.session = session
    self.context = context
    interruption = context.interruption
  }

  /// Runs the commands of one line in order; the first that fails ends the line.
  package func run(_ line: String) async -> ExitStatus {
    var copy = session
    defer { session = copy }
    do {
      failure = nil
      try await LineRunner(context, isRecording: true).run(line, &copy)
      return .success
    } catch {
      return fail(error, copy)
    }
  }

  /// Reads a line without running it: what `--check` asks of every line of a script.
  package func check(_ line: String) -> ExitStatus {
    var copy = checked ?? session
    defer { checked = copy }
    do {
      failure = nil
      try Proofreader(context).check(line, &copy)
      return .success
    } catch {
      return fail(error, copy)
    }
  }

  /// Whether the home has a start-up file.
  package nonisolated var hasStartup: Bool { Startup(context) != nil }

  /// Runs the start-up file of the home, or only checks it; a failing line is said and the rest goes on.
  /// - Returns: the session that the conversation or the script begins with.
  @discardableResult
  package func start(onlyChecking: Bool = false) async -> Session {
    guard let startup = Startup(context) else { return session }
    if onlyChecking {
      var copy = session
      startup.check(&copy)
      checked = copy
    } else {
      var copy = session
      await startup.run(&copy)
      session = copy
    }
    return session
  }

  private func fail(_ error: any Error, _ session: Session) -> ExitStatus {
    failure = (error as? SilentFailure)?.message ?? Failure(describing: error).message
    return context.tell(error, session)
  }

  package func say(_ message: Message) { context.say(message, session) }

  /// Fetches the next page while a person reads this one.
  package func readAhead() async { await ReadingAhead(context).prepare(session) }

  package func tell(_ words: Wording) { context.tell(words, session) }

  /// The row at the cursor is taken for a transient line, which the next words wipe away.
  func wipe() { context.console.status(" ") }
}
