import Catalog
import Language
import Presentation

/// Runs the commands of a line in order against a session that is handed over; the first that fails ends the line.
///
/// `Shell.run` begins here, and so does every command that runs other lines: `source`, `let x = new …`, `assert status`.
struct LineRunner {
  private let context: Context

  init(_ context: Context) { self.context = context }

  /// What was learnt before a failure (a listing, a finished half of a batch) stays in `session`.
  func run(_ line: String, _ session: inout Session) async throws {
    let grammar = AllCommands.grammar
    for segment in try grammar.segments(of: line) {
      try await run(grammar.read(segment, of: line, names: session.place.fieldNames), &session)
      if session.isOver { return }
    }
  }

  /// The command of an invocation, ready to run; throws what only the command itself can judge.
  static func command(_ invocation: Invocation) throws -> any Command {
    guard let type = AllCommands.byName[invocation.command] else {
      throw Misread(Wording("There is no command \(invocation.command).", ko: "\(invocation.command), 없는 명령입니다."))
    }
    return try type.init(invocation)
  }

  /// The command with what stands in front of it, checked against each other.
  func prefixes(_ invocation: Invocation) throws -> Prefixes {
    try Prefixes(Turn(command: LineRunner.command(invocation), invocation: invocation, context: context))
  }

  /// After such a command no page is as it was; one with something in front wants its own requests.
  private static func mayWrite(_ invocation: Invocation) -> Bool {
    AllCommands.byName[invocation.command]?.declaration.writes != false || !invocation.prefixes.isEmpty
  }

  private func run(_ invocation: Invocation, _ session: inout Session) async throws {
    let prefixes = try prefixes(invocation)
    context.spinner.open(plain: session.settings.ascii)
    defer { context.spinner.close() }
    if LineRunner.mayWrite(invocation) { await context.ahead.drop() }
    let outer = session
    session.ending = .success
    // A line run by a command that is itself dry writes nothing either.
    session.isDry = outer.isDry || invocation.prefixes.contains(.dry)
    defer { (session.isDry, session.isCurl) = (outer.isDry, outer.isCurl) }
    try await prefixes.take(&session)
    if session.ending != .success { throw SilentFailure(code: session.ending) }
  }
}
