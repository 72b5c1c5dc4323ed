import Platform
import Presentation
import ShellRuntime
import Text

/// A script that is run by a command or at start-up: `source`, and the start-up file.
struct NestedScript {
  /// The maximum nesting of scripts.
  ///
  /// Each level holds the lines of its file in memory and uses the stack.
  private static let deepest = 100

  private let path: String
  private let name: String
  private let arguments: [String]
  private let context: CommandContext

  init(_ script: ScriptReference, _ context: CommandContext) {
    path = script.path
    name = script.name
    arguments = script.arguments
    self.context = context
  }

  /// Runs the lines.
  ///
  /// Each error is reported with its position; the first one ends the script unless the session keeps going.
  func run(_ session: inout Session, _ mode: Execution.Mode = .write) async throws {
    try enter(&session)
    defer { session.scriptStack.removeLast() }
    let isOutermost = session.scriptRun == nil
    if isOutermost {
      session.scriptRun = ScriptRun(([ScriptFile.canonicalPath(path)] + arguments).joined(separator: "\n"))
    }
    defer { if isOutermost { session.scriptRun = nil } }
    var first: ReportedFailure?
    for line in ScriptLines(try ScriptFile.lines(path)) {
      if Task.isCancelled || context.interruption.isRequested { throw CancellationError() }
      if let failure = await step(line, &session, mode) {
        first = first ?? failure
        if !session.continuesOnError || failure.code == .interrupted { break }
      }
      if session.hasEnded { break }
    }
    // `quit` ends only the script that contains it.
    session.hasEnded = false
    if isOutermost, let run = session.scriptRun, ScriptRun.isOver(after: first?.code ?? .success) {
      context.unshown.endLines(of: run)
    }
    if let first { throw first }
  }

  /// Checks every line and runs none.
  func check(_ session: inout Session) throws {
    try enter(&session)
    defer { session.scriptStack.removeLast() }
    var first: ReportedFailure?
    for line in ScriptLines(try ScriptFile.lines(path)) {
      switch line {
      case .unusable(let reason, let number): first = first ?? refuse(reason, number, session)
      case .line(let line):
        do {
          try ScriptChecker(context).check(line.text, &session)
        } catch {
          first = first ?? fail(error, line, session)
        }
      }
    }
    if let first { throw first }
  }

  private func enter(_ session: inout Session) throws {
    let whole = ScriptFile.canonicalPath(path)
    if session.scriptStack.contains(where: { $0.path == whole }) {
      let names = (session.scriptStack.map(\.name) + [name]).joined(separator: " -> ")
      throw CommandError(
        .usageError,
        .failure(
          "\(.value(name)) would run itself. It was not run.",
          ko: "\(.value(name), .topic) 자신을 다시 실행하게 되어 실행하지 않았습니다."
        )
        .because(LocalizedText(same: "\(.value(names))")))
    }
    guard session.scriptStack.count < NestedScript.deepest else {
      throw CommandError(
        .usageError,
        .failure(
          "Scripts are nested more than \(NestedScript.deepest) levels deep. \(.value(name)) was not run.",
          ko: "스크립트가 이미 \(NestedScript.deepest)단계로 중첩되어 \(.value(name), .topic) 실행하지 않았습니다."))
    }
    session.scriptStack.append(ScriptFrame(name: name, path: whole, arguments: arguments))
  }

  private func step(_ line: ScriptLine, _ session: inout Session, _ mode: Execution.Mode) async -> ReportedFailure? {
    switch line {
    case .unusable(let reason, let number): return refuse(reason, number, session)
    case .line(let line):
      do {
        try await LineRunner(context).run(line.text, &session, mode)
        return nil
      } catch {
        return fail(error, line, session)
      }
    }
  }

  private func refuse(_ reason: UnusableLine, _ number: Int, _ session: Session) -> ReportedFailure {
    context.say(reason.message, session)
    context.sayPlace(of: nil, at: number, in: name, session)
    return ReportedFailure(CommandError(reason.code, reason.message))
  }

  /// Reports an error with its position.
  ///
  /// Returns `nil` if it isn't a failure of the script, such as a closed output.
  private func fail(_ error: any Error, _ line: LogicalLines.Line, _ session: Session) -> ReportedFailure? {
    let message = CommandError(describing: error).message
    let code = context.tell(error, session)
    guard code != .success else { return nil }
    context.sayPlace(of: line.text, at: line.number, in: name, session)
    return ReportedFailure(CommandError(code, message))
  }
}
