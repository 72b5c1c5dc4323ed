import Catalog
import Language
import Presentation

/// The shell: one line in, everything it means done, data and words out, an exit code back.
///
/// The prompt, `-c`, `-f`, standard input and the tests all come in by `run(_:)`.
package actor Shell {
  package private(set) var session: Session
  private let context: Context

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
      try await LineRunner(context).run(line, &copy)
      return .success
    } catch {
      return fail(error, copy)
    }
  }

  /// Reads a line without running it: what `--check` asks of every line of a script.
  package func check(_ line: String) -> ExitStatus {
    do {
      for invocation in try AllCommands.grammar.read(line, names: session.place.fieldNames) {
        _ = try LineRunner(context).prefixes(invocation)
      }
      return .success
    } catch {
      return fail(error, session)
    }
  }

  private func fail(_ error: any Error, _ session: Session) -> ExitStatus {
    if let silent = error as? SilentFailure { return silent.code }
    if let output = error as? OutputError, output == .closed { return .success }
    let failure = Failure(describing: error)
    context.say(failure.message, session)
    return failure.code
  }

  package func say(_ message: Message) { context.say(message, session) }

  /// Fetches the next page while a person reads this one.
  package func readAhead() async { await ReadingAhead(context).prepare(session) }

  package func tell(_ words: Wording) { context.tell(words, session) }
}
