import CommandLanguage
import Commands
import ShellRuntime

/// Checks lines without running them: commands, options, values and conditions as far as they are known.
struct ScriptChecker {
  /// Checks a line, and applies aliases and variables that it would define to the session.
  ///
  /// - Returns: The first failure of a script in the line, which was already printed.
  /// - Throws: The first error in the line.
  func check(_ line: String, in scope: inout CommandScope) throws -> CommandResult {
    let line = try PastedCurl.checked(line, scope.session) ?? line
    for segment in try scope.context.program.commands.grammar.segments(of: line) {
      for command in try scope.grammar.commands(of: segment, in: line) {
        let result = try check(command.source, of: command.line, in: &scope)
        if !result.isSuccess { return result }
      }
    }
    return .empty
  }

  /// Checks the commands of a line without those that lines or scripts in them contain, and applies aliases and variables
  /// that they would define to the session.
  ///
  /// - Throws: The first error in the commands.
  func checkWords(of segments: [CommandSource], of line: String, in scope: inout CommandScope) throws {
    for segment in segments {
      for command in try scope.grammar.commands(of: segment, in: line) {
        try checkWords(of: command.source, of: command.line, in: &scope)
      }
    }
  }

  private func checkWords(of segment: CommandSource, of line: String, in scope: inout CommandScope) throws {
    guard let command = try command(segment, of: line, in: scope) else { return }
    if command is LetCommand || command is AliasCommand, let command = command as? any StaticallyCheckable {
      _ = try command.check(in: &scope)
    }
  }

  private func check(
    _ segment: CommandSource, of line: String, in scope: inout CommandScope
  ) throws -> CommandResult {
    guard let command = try command(segment, of: line, in: scope) as? any StaticallyCheckable else { return .empty }
    return try command.check(in: &scope)
  }

  /// Returns the command, or `nil` if a variable that it contains has no value yet.
  private func command(
    _ segment: CommandSource, of line: String, in scope: CommandScope
  ) throws -> (any Command)? {
    let session = scope.session
    var invocation = try scope.context.program.commands.grammar.check(
      segment, of: line, names: session.server.fieldNames, arguments: session.script.arguments,
      variables: session.value)
    // A variable that is set while the script runs can have any value. A script's file may be known although its
    // arguments aren't.
    if invocation.hasUnresolvedVariables {
      guard scope.context.program.commands.declaration(of: invocation)?.traits.contains(.passesArguments) == true,
        invocation.text("FILE")?.isEmpty == false
      else { return nil }
      invocation.arguments["ARGS"] = nil
    }
    return try PreparedCommand(invocation, scope.context.program.commands).command
  }
}
