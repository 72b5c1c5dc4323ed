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
    // A prefix that is read and not obeyed could do what it was meant to prevent.
    if invocation.prefixes.contains(where: { $0 != .dry }) {
      throw Misread(
        Wording(
          "curl, time, trace and watch are not built yet; nothing was done.",
          ko: "curl, time, trace, watch는 아직 없어 아무것도 하지 않았습니다."))
    }
    return try type.init(invocation)
  }

  private func run(_ invocation: Invocation, _ session: inout Session) async throws {
    let command = try LineRunner.command(invocation)
    let outer = session
    session.ending = .success
    // A line run by a command that is itself dry writes nothing either.
    session.isDry = outer.isDry || invocation.prefixes.contains(.dry)
    defer { session.isDry = outer.isDry }
    let report = try await command.run(&session, in: context)
    try await Delivery(invocation.clauses, session, context).deliver(report)
    if session.ending != .success { throw SilentFailure(code: session.ending) }
  }
}
