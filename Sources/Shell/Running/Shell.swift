import Catalog
import Language
import Presentation

/// The shell: one line in, everything it means done, data and words out, an exit code back.
///
/// The prompt, `-c`, `-f`, standard input and the tests all come in by `run(_:)`.
package actor Shell {
  package private(set) var session: Session
  private let context: Context

  package init(session: Session, context: Context) {
    self.session = session
    self.context = context
  }

  /// Runs the commands of one line in order; the first that fails ends the line.
  package func run(_ line: String) async -> ExitStatus {
    do {
      let grammar = AllCommands.grammar
      for segment in try grammar.segments(of: line) {
        try await run(grammar.read(segment, of: line, names: session.place.fieldNames))
        if session.isOver { break }
      }
      return .success
    } catch {
      return fail(error)
    }
  }

  /// Reads a line without running it: what `--check` asks of every line of a script.
  package func check(_ line: String) -> ExitStatus {
    do {
      for invocation in try AllCommands.grammar.read(line, names: session.place.fieldNames) {
        _ = try command(invocation)
      }
      return .success
    } catch {
      return fail(error)
    }
  }

  private func command(_ invocation: Invocation) throws -> any Command {
    guard let type = AllCommands.byName[invocation.command] else {
      throw Misread(Wording("There is no command \(invocation.command).", ko: "\(invocation.command), 없는 명령입니다."))
    }
    // A prefix that is read and not obeyed could do what it was meant to prevent.
    if invocation.prefixes.contains(where: { $0 != .dry }) {
      throw Misread(
        Wording(
          "curl, time, trace and watch are not built yet; nothing was done.",
          ko: "curl, time, trace, watch는 아직 없어 아무것도 하지 않았습니다."))
    }
    return try type.init(invocation)
  }

  private func run(_ invocation: Invocation) async throws {
    let command = try command(invocation)
    context.spinner.open(plain: session.settings.ascii)
    defer { context.spinner.close() }
    if type(of: command).declaration.writes || !invocation.prefixes.isEmpty { await context.ahead.drop() }
    var copy = session
    copy.ending = .success
    copy.isDry = invocation.prefixes.contains(.dry)
    // What was learnt before a failure (a listing, a finished half of a batch) stays.
    defer { session = copy }
    let report = try await command.run(&copy, in: context)
    try await Delivery(invocation.clauses, copy, context).deliver(report)
    if copy.ending != .success { throw SilentFailure(code: copy.ending) }
  }

  private func fail(_ error: any Error) -> ExitStatus {
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
