import CommandLanguage
import Commands
import Platform
import Presentation
import ShellRuntime
import Text

/// Runs the lines of `finally:` at the end of a script, the last one first.
struct CleanUpLines {
  /// The ending of one line, for a report.
  typealias EndHandler = @Sendable (_ line: CleanUp, _ code: ExitStatus, _ message: Message?) -> Void

  /// Runs the waiting lines of a script and of the scripts that it ran.
  ///
  /// Each failure is reported with its position and doesn't keep the other lines from running. A stop that is requested
  /// while they run leaves the rest waiting.
  ///
  /// - Parameters:
  ///   - depth: The number of scripts that contain the script, itself included.
  ///   - name: The script whose lines are run, or `nil` for those of all scripts.
  ///   - scope: The scope of the script.
  ///   - report: Called with the ending of each line.
  /// - Returns: The first failure, which was already printed.
  func run(
    from depth: Int, of name: String? = nil, in scope: inout CommandScope, report: EndHandler = { _, _, _ in }
  ) async -> CommandResult? {
    var first: CommandResult?
    var (count, failures) = (0, 0)
    while !Task.isCancelled, !scope.context.program.interruption.isRequested,
      let next = scope.session.script.cleanUps.last,
      next.depth >= depth, name == nil || next.script == name || next.depth > 0
    {
      scope.session.script.cleanUps.removeLast()
      count += 1
      let result = await run(next, in: &scope)
      report(next, result?.status ?? .success, result?.reason)
      guard let result else { continue }
      failures += 1
      first = first ?? result
    }
    if failures > 0 {
      scope.say(
        .warning(
          "\(failures) of \(count) clean-up lines failed. What they remove may still be there.",
          ko: "정리 명령 \(count)개 중 \(failures)개가 실패했습니다. 지워야 할 것이 남아 있을 수 있습니다."))
    }
    return first
  }

  /// Runs one line in the session of its place, and returns its failure, which was already printed.
  private func run(_ line: CleanUp, in scope: inout CommandScope) async -> CommandResult? {
    var inner = CommandScope(line.session, scope.context, mode: line.mode)
    inner.session.script.run = scope.session.script.run
    defer { scope.session.script.run = inner.session.script.run }
    var failure = CommandResult()
    do {
      let result = try await LineRunner().run(line.text, in: &inner)
      if result.isSuccess { return nil }
      (failure.status, failure.reason) = (result.status, result.reason)
    } catch {
      let described = CommandError(describing: error)
      // There is nothing left to clean up.
      if described.code == .notFound { return nil }
      (failure.status, failure.reason) = (scope.report(error), described.message)
    }
    scope.printLocation(of: line.name, at: line.number, in: line.script)
    return failure
  }

  /// Stores a `finally:` line that follows the line at which a script failed.
  ///
  /// Without the values that it needs there is nothing to clean up: what it refers to was never made.
  static func add(
    _ line: ScriptLine, of script: String, _ mode: CommandScope.Mode = .write, in session: inout Session
  ) {
    guard case .line(let line) = line, let text = FinallyCommand.line(in: line.text, AllCommands.grammar),
      isKnown(text, session)
    else { return }
    var cleanUp = CleanUp(text, session: session, mode: mode)
    cleanUp.setLine(line.number, in: script)
    session.script.cleanUps.append(cleanUp)
  }

  /// Returns whether every variable in the line has a value, and none of them is `_` or a row, which a line before it may
  /// have set.
  static func isKnown(_ text: String, _ session: Session) -> Bool {
    let words = Lexer(text).tokens.flatMap { token -> [Word] in if case .word(let word) = token { [word] } else { [] } }
    return words.allSatisfy { word in
      word.text != "_" && word.bareBeginning.wholeMatch(of: /@[0-9].*/) == nil
        && word.parts.allSatisfy { part in
          guard part.kind == .variable else { return true }
          let root = ValuePath.split(part.text).root
          return !root.hasPrefix("_") && !root.hasPrefix("@") && (session.value(of: root) != nil || Int(root) != nil)
        }
    }
  }
}
