import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// A script that is run by a command or at start-up: `source`, and the start-up file.
struct NestedScript {
  /// The maximum nesting of scripts.
  ///
  /// Each level holds the lines of its file in memory and uses the stack.
  private static let deepest = 100

  private let path: String
  private let name: String
  private let arguments: [String]
  /// The number of the line to begin with.
  private let start: Int

  init(_ script: ScriptReference) {
    path = script.path
    name = script.name
    arguments = script.arguments
    start = script.start
  }

  /// Runs the lines.
  ///
  /// Each error is reported with its position; the first one ends the script unless errors don't end it.
  ///
  /// - Returns: The first failure, which was already printed.
  /// - Throws: `FileError`; `CommandError` for a script that runs itself; `CancellationError`.
  func run(in scope: inout CommandScope) async throws -> CommandResult {
    let context = scope.context
    try enter(&scope.session)
    defer { scope.session.script.stack.removeLast() }
    let canonicalPath = ScriptFile.canonicalPath(path)
    let isOutermost = scope.session.script.run == nil
    if isOutermost {
      scope.session.script.run = RunInProgress(
        RunUnit(script: name, at: canonicalPath, from: start, arguments: arguments))
    }
    defer { if isOutermost { scope.session.script.run = nil } }
    let isUnit = scope.session.script.run?.unit.path == canonicalPath && scope.session.script.stack.count == 1
    var isAdmitted = !isUnit || scope.mode != .write
    var first: CommandResult?
    let input = try ScriptFile.lines(path)
    var lines = ScriptLines(input)
    while let line = lines.next() {
      if line.number < start { continue }
      if Task.isCancelled || context.program.interruption.isRequested { throw CancellationError() }
      if !isAdmitted, !line.isPreamble(in: scope) {
        try await admitScript(ScriptLines(input).filter { $0.number >= start }.map(\.text), in: scope)
        isAdmitted = true
      }
      if isUnit, case .line(let line) = line {
        scope.session.script.run?.begin(line, in: scope)
      }
      if let failure = await LineRunner().run(line, of: name, in: &scope) {
        first = first ?? failure
        guard scope.session.script.continuesOnError, failure.status != .interrupted else {
          while let rest = lines.next() { CleanUpLines.add(rest, of: name, scope.mode, in: &scope.session) }
          break
        }
      }
      scope.session.script.setCleanUpLines(at: line.number, in: name)
      if scope.session.hasEnded { break }
    }
    // After an interruption, the lines wait for the end of the outermost script.
    let failure = await CleanUpLines().run(from: scope.session.script.stack.count, in: &scope)
    first = first ?? failure
    // `quit` ends only the script that contains it.
    scope.session.hasEnded = false
    if isOutermost, let run = scope.session.script.run, !run.numbers.isEmpty {
      _ = try? context.stores.journal().finish(run, isStopped: first != nil && !scope.session.script.continuesOnError)
    }
    return first ?? .empty
  }

  /// Checks every line and runs none.
  ///
  /// - Returns: The first failure, which was already printed.
  /// - Throws: `FileError`; `CommandError` for a script that runs itself.
  func check(in scope: inout CommandScope) throws -> CommandResult {
    try enter(&scope.session)
    defer { scope.session.script.stack.removeLast() }
    var first: CommandResult?
    for line in ScriptLines(try ScriptFile.lines(path)) {
      let failure = LineRunner().check(line, of: name, in: &scope)
      first = first ?? failure
    }
    return first ?? .empty
  }

  private func enter(_ session: inout Session) throws {
    let whole = ScriptFile.canonicalPath(path)
    if session.script.stack.contains(where: { $0.path == whole }) {
      let names = (session.script.stack.map(\.name) + [name]).joined(separator: " -> ")
      throw CommandError(
        .usageError,
        .failure(
          "\(.value(name)) would run itself. It was not run.",
          ko: "\(.value(name), .topic) 자신을 다시 실행하게 되어 실행하지 않았습니다."
        )
        .because(LocalizedText(same: "\(.value(names))")))
    }
    guard session.script.stack.count < NestedScript.deepest else {
      throw CommandError(
        .usageError,
        .failure(
          "Scripts are nested more than \(NestedScript.deepest) levels deep. \(.value(name)) was not run.",
          ko: "스크립트가 이미 \(NestedScript.deepest)단계로 중첩되어 \(.value(name), .topic) 실행하지 않았습니다."))
    }
    session.script.stack.append(ScriptFrame(name: name, path: whole, arguments: arguments))
  }
}
