import LineEditing
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// A script that is run by a command or at start-up: `source`, and the start-up file.
///
/// Each error is reported with its position; the first one ends the script unless errors don't end it.
struct NestedScript: Script {
  typealias Failure = any Error

  /// The maximum nesting of scripts.
  ///
  /// Each level holds the lines of its file in memory and uses the stack.
  private static let deepest = 100

  private let frame: ScriptFrame
  /// The lines of the file.
  private let input: [Input]
  /// The number of the line to begin with.
  private let firstLine: Int
  /// A Boolean value that indicates that no line or script contains the script, so that the run is its own.
  private let isOutermost: Bool
  /// A Boolean value that indicates that the script is the unit of the run, as the only command of a line or at start-up.
  private var isUnit = false
  /// A Boolean value that indicates that no interrupted run holds the script back.
  private var isAdmitted = true
  /// The scope in which the lines are executed: that of the command, with the script as the innermost one.
  private var scope: CommandScope
  var lines: ScriptLines

  /// Reads the lines of a script.
  ///
  /// - Throws: `FileError`; `CommandError` for a script that runs itself.
  private init(_ script: ScriptReference, in scope: CommandScope) throws {
    let path = ScriptFile.canonicalPath(script.path)
    try NestedScript.checkNesting(of: script.name, at: path, in: scope.session.script.stack)
    frame = ScriptFrame(name: script.name, path: path, arguments: script.arguments)
    firstLine = script.start
    input = try ScriptFile.lines(script.path)
    lines = ScriptLines(input, from: firstLine)
    isOutermost = scope.session.script.run == nil
    self.scope = scope
    self.scope.session.script.stack.append(frame)
  }

  /// Runs the lines of a script in the scope of a command.
  ///
  /// - Returns: The first failure, which was already printed.
  /// - Throws: `FileError`; `CommandError` for a script that runs itself; `CancellationError`.
  static func run(_ script: ScriptReference, in scope: inout CommandScope) async throws -> CommandResult {
    var script = try NestedScript(script, in: scope)
    defer { script.leave(to: &scope) }
    let failure = try await script.run()
    // `quit` ends only the script that contains it.
    script.scope.session.hasEnded = false
    script.finishRun(failure)
    return failure ?? .empty
  }

  /// Checks every line of a script and runs none.
  ///
  /// - Returns: The first failure, which was already printed.
  /// - Throws: `FileError`; `CommandError` for a script that runs itself.
  static func check(_ script: ScriptReference, in scope: inout CommandScope) throws -> CommandResult {
    var script = try NestedScript(script, in: scope)
    defer { script.leave(to: &scope) }
    var first: CommandResult?
    for line in ScriptLines(script.input) {
      let failure = LineRunner().check(line, of: script.frame.name, in: &script.scope)
      first = first ?? failure
    }
    return first ?? .empty
  }

  mutating func start() {
    if isOutermost {
      scope.session.script.run = RunInProgress(
        RunUnit(script: frame.name, at: frame.path, from: firstLine, arguments: frame.arguments))
    }
    isUnit = scope.session.script.run?.unit.path == frame.path && scope.session.script.stack.count == 1
    isAdmitted = !isUnit || scope.mode != .write
  }

  mutating func begin(_ line: ScriptLine) async throws -> CommandResult? {
    if Task.isCancelled || scope.context.program.interruption.isRequested { throw CancellationError() }
    if !isAdmitted, !line.isPreamble(in: scope) {
      try await admitScript(ScriptLines(input, from: firstLine).map(\.text), in: scope)
      isAdmitted = true
    }
    if isUnit, case .line(let line) = line { scope.session.script.run?.begin(line, in: scope) }
    return nil
  }

  mutating func execute(_ line: ScriptLine) async -> CommandResult? {
    await LineRunner().run(line, of: frame.name, in: &scope)
  }

  mutating func end(_ line: ScriptLine, failure: CommandResult?) -> ScriptStep {
    if let failure, !scope.session.script.continuesOnError || failure.status == .interrupted { return .skipRest }
    scope.session.script.setCleanUpLines(at: line.number, in: frame.name)
    return scope.session.hasEnded ? .end : .nextLine
  }

  mutating func skip(_ line: ScriptLine) {
    CleanUpLines.add(line, of: frame.name, scope.mode, in: &scope.session)
  }

  mutating func cleanUp() async -> CommandResult? {
    // After an interruption, the lines wait for the end of the outermost script.
    await CleanUpLines().run(from: scope.session.script.stack.count, in: &scope)
  }

  /// Records the end of the run of a start-up file.
  private func finishRun(_ failure: CommandResult?) {
    guard isOutermost, let run = scope.session.script.run, !run.numbers.isEmpty else { return }
    let isStopped = failure != nil && !scope.session.script.continuesOnError
    _ = try? scope.context.stores.journal().finish(run, isStopped: isStopped)
  }

  /// Copies the session to the scope of the command, without the script.
  private func leave(to outer: inout CommandScope) {
    outer = scope
    outer.session.script.stack.removeLast()
    if isOutermost { outer.session.script.run = nil }
  }

  /// - Throws: `CommandError` for a script that would run itself, and for one that is nested too deeply.
  private static func checkNesting(of name: String, at path: String, in stack: [ScriptFrame]) throws {
    if stack.contains(where: { $0.path == path }) {
      let names = (stack.map(\.name) + [name]).joined(separator: " -> ")
      throw CommandError(
        .usageError,
        .failure(
          "\(.value(name)) would run itself. It was not run.",
          ko: "\(.value(name), .topic) 자신을 다시 실행하게 되어 실행하지 않았습니다."
        )
        .because(LocalizedText(same: "\(.value(names))")))
    }
    guard stack.count < NestedScript.deepest else {
      throw CommandError(
        .usageError,
        .failure(
          "Scripts are nested more than \(NestedScript.deepest) levels deep. \(.value(name)) was not run.",
          ko: "스크립트가 이미 \(NestedScript.deepest)단계로 중첩되어 \(.value(name), .topic) 실행하지 않았습니다."))
    }
  }
}
