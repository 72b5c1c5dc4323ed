import Engine
import Exploration
import Language

/// Reads lines and runs nothing: words, options, values and conditions are judged as far as they are known.
struct ScriptChecker {
  private let context: Context

  init(_ context: Context) { self.context = context }

  /// Throws the first thing that is wrong with a line; what it would have made known stays in `session`.
  func check(_ line: String, _ session: inout Session) throws {
    let line = try PastedLine.checked(line) ?? line
    for segment in try context.commands.grammar.segments(of: line) {
      guard let texts = try context.grammar(of: session).unaliased(segment) else {
        try check(segment, of: line, &session)
        continue
      }
      for text in texts {
        for inner in try context.commands.grammar.segments(of: text) { try check(inner, of: text, &session) }
      }
    }
  }

  private func check(_ segment: Segment, of line: String, _ session: inout Session) throws {
    var invocation = try context.commands.grammar.check(
      segment, of: line, names: session.server.fieldNames, arguments: session.frames.last?.arguments,
      variables: session.value)
    // A variable that gets its value on the way could be anything; a script is known although its arguments are not.
    if invocation.isUncertain {
      guard context.commands.declaration(of: invocation)?.traits.contains(.passesArguments) == true,
        invocation.text("FILE")?.isEmpty == false
      else { return }
      invocation.arguments["ARGS"] = nil
    }
    _ = try LineRunner(context).prefixes(invocation)
    guard let command = try context.commands.command(invocation) as? any Checkable else { return }
    try command.check(&session, in: context)
  }
}
