import CommandLanguage
import Commands
import ShellRuntime

/// Checks lines without running them: commands, options, values and conditions as far as they are known.
struct ScriptChecker {
  private let context: CommandContext

  init(_ context: CommandContext) { self.context = context }

  /// Checks a line, and applies aliases and variables that it would define to the session.
  ///
  /// - Returns: The first failure of a script in the line, which was already printed.
  /// - Throws: The first error in the line.
  func check(_ line: String, in scope: inout CommandScope) throws -> CommandResult {
    let line = try PastedCurl.checked(line, scope.session) ?? line
    for segment in try context.commands.grammar.segments(of: line) {
      guard let texts = try context.grammar(of: scope.session).expandingAliases(segment) else {
        let result = try check(segment, of: line, in: &scope)
        if !result.isSuccess { return result }
        continue
      }
      for text in texts {
        for inner in try context.commands.grammar.segments(of: text) {
          let result = try check(inner, of: text, in: &scope)
          if !result.isSuccess { return result }
        }
      }
    }
    return .empty
  }

  private func check(
    _ segment: CommandSource, of line: String, in scope: inout CommandScope
  ) throws -> CommandResult {
    let session = scope.session
    var invocation = try context.commands.grammar.check(
      segment, of: line, names: session.server.fieldNames, arguments: session.script.stack.last?.arguments,
      variables: session.value)
    // A variable that is set while the script runs can have any value. A script's file may be known although its
    // arguments aren't.
    if invocation.hasUnresolvedVariables {
      guard context.commands.declaration(of: invocation)?.traits.contains(.passesArguments) == true,
        invocation.text("FILE")?.isEmpty == false
      else { return .empty }
      invocation.arguments["ARGS"] = nil
    }
    _ = try LineRunner(context).prefixes(invocation)
    guard let command = try context.commands.command(invocation) as? any StaticallyCheckable else { return .empty }
    return try command.check(in: &scope)
  }
}
