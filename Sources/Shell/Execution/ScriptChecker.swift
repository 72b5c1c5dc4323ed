import CommandLanguage
import Commands
import ShellRuntime

/// Checks lines without running them: commands, options, values and conditions as far as they are known.
struct ScriptChecker {
  private let context: CommandContext

  init(_ context: CommandContext) { self.context = context }

  /// Checks a line, and applies aliases and variables that it would define to `session`.
  ///
  /// - Throws: The first error in the line.
  func check(_ line: String, _ session: inout Session) throws {
    let line = try ForeignLineTranslator.checked(line, session) ?? line
    for segment in try context.commands.grammar.segments(of: line) {
      guard let texts = try context.grammar(of: session).expandingAliases(segment) else {
        try check(segment, of: line, &session)
        continue
      }
      for text in texts {
        for inner in try context.commands.grammar.segments(of: text) { try check(inner, of: text, &session) }
      }
    }
  }

  private func check(_ segment: CommandSource, of line: String, _ session: inout Session) throws {
    var invocation = try context.commands.grammar.check(
      segment, of: line, names: session.server.fieldNames, arguments: session.scriptStack.last?.arguments,
      variables: session.value)
    // A variable that is set while the script runs can have any value. A script's file may be known although its
    // arguments aren't.
    if invocation.hasUnresolvedVariables {
      guard context.commands.declaration(of: invocation)?.traits.contains(.passesArguments) == true,
        invocation.text("FILE")?.isEmpty == false
      else { return }
      invocation.arguments["ARGS"] = nil
    }
    _ = try LineRunner(context).prefixes(invocation)
    guard let command = try context.commands.command(invocation) as? any StaticallyCheckable else { return }
    try command.check(&session, in: context)
  }
}
