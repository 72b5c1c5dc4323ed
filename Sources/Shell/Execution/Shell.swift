import Catalog
import CommandLanguage
import Foundation
import MarketOperations
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// The shell: runs a line, writes data and messages, and returns the exit status.
///
/// The prompt, `-c`, `-f`, standard input and the tests all call `run(_:)`.
package actor Shell {
  package private(set) var session: Session
  /// The error of the last line, or `nil` if it succeeded or the error was already reported.
  package private(set) var failure: Message?
  /// The request and response that a failing line refers to, as text without secrets, or `nil` if there are none.
  ///
  /// Only a report needs it.
  package var evidence: String? { failureEvidence?.text }
  private var failureEvidence: FailureEvidence?
  /// The individual checks of the last line.
  package private(set) var checks: [CheckResult] = []
  package let context: CommandContext
  /// The previous line, for `!!`.
  private var previous: String?
  /// The session that the checked lines would have produced, with its aliases and variables.
  private var checked: Session?
  /// The clean-up after an interruption, which another Ctrl-C cancels.
  private var cleaning: Task<ExitStatus, Never>?

  /// A script that begins with its next line that isn't `resume`.
  private var waiting: WaitingScript?

  /// The state machine of Ctrl-C.
  package nonisolated let interruption: InterruptController

  package init(session: Session, context: CommandContext) {
    self.session = session
    self.session.server.markets = context.network.markets
    self.context = context
    interruption = context.program.interruption
  }

  /// Runs the commands of one line in order.
  ///
  /// The first error ends the line. A line of a script belongs to the run of the script; any other is a run of its own.
  package func run(_ line: String) async -> ExitStatus {
    let script = session.script.run
    var line = line
    if script == nil {
      do { line = try repetition(line) } catch { return fail(error, in: self.scope) }
    }
    let current = script ?? RunInProgress(RunUnit(line: line, in: self.scope))
    session.script.run = current
    session.script.isTyped = script == nil
    var scope = self.scope
    var (status, redirection) = (ExitStatus.success, RunRedirection?.none)
    (failure, failureEvidence, checks) = (nil, nil, [])
    do {
      previous = line
      let result = try await LineRunner(isRecording: true).run(line, in: &scope)
      (status, checks) = (result.status, result.checks)
      if !result.isSuccess { (failure, failureEvidence) = (result.reason, FailureEvidence(line, scope)) }
    } catch let error as RunRedirection {
      redirection = error
    } catch {
      failureEvidence = FailureEvidence(line, scope)
      status = fail(error, in: scope)
    }
    session = scope.session
    if script == nil {
      self.scope.finish(current, status, isRedirected: redirection != nil)
      session.script.run = nil
      session.script.isTyped = false
    }
    guard let redirection else { return status }
    // The other line is no part of this one, and doesn't have its key.
    let outer = session.script.run
    session.script.run = nil
    let ended = await follow(redirection) {
      session.script.run = outer
      return await run(line)
    }
    session.script.run = outer
    return ended
  }

  /// Executes the lines that the user wants instead of a line or script, or before it.
  private func follow(
    _ redirection: RunRedirection, then line: () async -> ExitStatus
  ) async -> ExitStatus {
    switch redirection {
    case .resume(let number, let isApproved):
      let status = await run("resume r\(number)" + (isApproved ? " yes" : ""))
      return isApproved && status == .success ? scope.endStatus(ofRun: number) : status
    case .undoFirst(let numbers):
      for number in numbers {
        let status = await run("undo r\(number)")
        if status != .success { return status }
      }
      return await line()
    case .hasEnded(let number): return scope.reportEnd(ofRun: number)
    }
  }

  /// Begins lines of `-c`, which are one run: that of the line if there is only one.
  ///
  /// `resume` in front of them is no part of it.
  package func begin(lines: [LogicalLines.Line]) {
    var rest = lines[...]
    // The commands of the first line that is left.
    var commands: [ParsedCommand]?
    while let line = rest.first {
      commands = RunUnit.commands(of: line.text, in: scope)
      guard RunUnit.isPreamble(line.text, commands, in: scope) else { break }
      rest.removeFirst()
    }
    let key = session.script.key
    if rest.count == 1, let line = rest.first {
      begin(RunUnit(line: line.text, commands, in: scope))
    } else {
      begin(RunUnit(script: "-c", content: rest.map(\.text).joined(separator: "\n"), key: key))
      let recorded = rest.map { scope.scriptLine($0) }
      waiting?.script = RunScript(recorded, isWhole: true)
    }
  }

  /// Begins a script: a file, `-c` or standard input.
  ///
  /// `isReported` means that the lines are a test with a report.
  package func begin(script name: String, isReported: Bool) {
    session.script.isReading = name != "-c"
    session.actor = name == "-c" || name == "standard input" ? .line : .script(name)
    session.script.isReported = isReported
    guard name == "-c" else {
      let path = name == "standard input" ? ScriptFile.pathOfStandardInput : ScriptFile.canonicalPath(name)
      let key = session.script.key
      begin(
        path.map { RunUnit(script: name == "standard input" ? $0 : name, at: $0, key: key) }
          ?? RunUnit(.script, name, identity: nil, key: key))
      return
    }
    if waiting == nil, session.script.run == nil {
      begin(RunUnit(.script, name, identity: nil, key: session.script.key))
    }
  }

  private func begin(_ unit: RunUnit) {
    if let previous = session.script.run { scope.finish(previous, .success, isRedirected: false) }
    session.script.run = nil
    waiting = WaitingScript(unit: unit)
  }

  /// Begins the script with its first line that isn't `resume`, unless an earlier run of it holds it back.
  ///
  /// - Parameter lines: The lines of the script, as far as they are known.
  /// - Returns: The exit status if it isn't executed, because an earlier run of it goes on or holds it back.
  func enter(_ line: ScriptLine, of lines: [String]) async -> ExitStatus? {
    guard let script = waiting else { return nil }
    if line.isPreamble(in: scope) {
      if case .line(let line) = line {
        waiting?.preamble.append(line)
        var unit = RunUnit(line: line.text, in: scope)
        unit.key = nil
        session.script.run = RunInProgress(unit)
      }
      return nil
    }
    waiting = nil
    let current = RunInProgress(script.unit)
    current.script = script.script
    for line in script.preamble { current.begin(line, in: scope) }
    return await admit(current, lines: script.script?.lines.map(\.text) ?? lines)
  }

  private func admit(_ current: RunInProgress, lines: [String]) async -> ExitStatus? {
    session.script.run = current
    do {
      try await admitScript(lines, in: scope)
      return nil
    } catch let redirection as RunRedirection {
      session.script.run = nil
      var isAdmitted = false
      let status = await follow(redirection) {
        isAdmitted = true
        return .success
      }
      if isAdmitted { session.script.run = current }
      return isAdmitted ? nil : status
    } catch {
      session.script.run = nil
      return fail(error, in: scope)
    }
  }

  /// Records the line of the script that is executed next.
  func begin(_ line: LogicalLines.Line) {
    session.script.run?.begin(line, in: scope)
  }

  /// Records the lines of standard input from the one that is executed next, as far as they are known.
  func record(_ lines: [ScriptLine], isWhole: Bool) {
    let known = lines.prefix { if case .line = $0 { true } else { false } }
    let recorded = known.compactMap { if case .line(let line) = $0 { scope.scriptLine(line) } else { nil } }
    session.script.run?.script = RunScript(recorded, isWhole: isWhole && known.count == lines.count)
  }

  /// Ends the scripts.
  ///
  /// If they stopped before their last line, `resume` goes on with them.
  package func endScripts(_ code: ExitStatus) {
    if let run = session.script.run { scope.finish(run, code, isRedirected: false) }
    session.script.run = nil
    waiting = nil
  }

  /// Records the position of the clean-up lines that the last line stored.
  func setCleanUpLines(at number: Int, in script: String) {
    session.script.setCleanUpLines(at: number, in: script)
  }

  /// Stores a clean-up line that follows the line at which a script failed.
  func addCleanUp(_ line: ScriptLine, of script: String) { CleanUpLines.add(line, of: script, in: &session) }

  /// Runs the waiting clean-up lines, and returns the exit status of the first failure.
  ///
  /// - Parameters:
  ///   - name: The script whose lines are run, or `nil` for all.
  ///   - log: The report.
  package func cleanUp(of name: String? = nil, _ log: ScriptRunLog? = nil) async -> ExitStatus {
    guard !session.script.cleanUps.isEmpty else { return .success }
    var scope = scope
    defer { session = scope.session }
    let failure = await CleanUpLines().run(from: 0, of: name, in: &scope) { line, code, message in
      log?.add(line, code: code, message: message)
    }
    return failure?.status ?? .success
  }

  /// Runs the clean-up lines that an interrupted script left, in a task of its own, because the task of the script is
  /// canceled.
  package func cleanUpAfterInterruption(_ log: ScriptRunLog? = nil) async {
    let count = session.script.cleanUps.count
    guard count > 0, cleaning == nil else { return }
    await interruption.cleaningUp {
      // From here on, a second call finds nothing to do.
      let work = Task { await cleanUp(of: nil, log) }
      cleaning = work
      say(
        .note(
          "Running \(count) clean-up \(count == 1 ? StyledText("line") : "lines").", ko: "정리 명령 \(count)개를 실행합니다."))
      _ = await work.value
      cleaning = nil
    }
    for line in session.script.cleanUps.reversed() {
      say(.warning("A clean-up line was not run: \(.command(line.text))", ko: "실행하지 못한 정리 명령: \(.command(line.text))"))
    }
    session.script.cleanUps = []
  }

  /// Checks a line without running it, for `--check`.
  package func check(_ line: String) -> ExitStatus {
    var scope = CommandScope(checked ?? session, context)
    defer { checked = scope.session }
    failure = nil
    do {
      let result = try ScriptChecker().check(line, in: &scope)
      failure = result.reason
      return result.status
    } catch {
      return fail(error, in: scope)
    }
  }

  /// A Boolean value that indicates that the home has a start-up file.
  package nonisolated var hasStartup: Bool { access(context.stores.home.startupFile, F_OK) == 0 }

  /// Runs or checks `startup.market` in the configuration folder, if it exists.
  ///
  /// An error is reported and the remaining lines run, so that a mistake in the file can't prevent a start.
  ///
  /// - Returns: The session after the start-up file.
  @discardableResult
  package func start(onlyChecking: Bool = false) async -> Session {
    guard hasStartup else { return session }
    let script = ScriptReference(context.stores.home.startupFile, named: context.stores.home.startupFile)
    var scope = scope
    if onlyChecking {
      do { _ = try NestedScript.check(script, in: &scope) } catch { _ = scope.report(error) }
      checked = scope.session
      return session
    }
    scope.session.script.continuesOnError = true
    do { _ = try await NestedScript.run(script, in: &scope) } catch { _ = scope.report(error) }
    scope.session.script.continuesOnError = session.script.continuesOnError
    scope.session.hasEnded = false
    session = scope.session
    return session
  }

  /// Returns the line with `!!` expanded, and prints the result if the terminal doesn't show it.
  private func repetition(_ line: String) throws -> String {
    let whole = try HistoryExpansion(line, after: previous, in: scope).text
    if whole != line, context.program.console.errorIsTerminal {
      say(.note("\(.command(whole))", ko: "\(.command(whole))"))
    }
    return whole
  }

  private func fail(_ error: any Error, in scope: CommandScope) -> ExitStatus {
    failure = CommandError(describing: error).message
    return scope.report(error)
  }

  /// The scope of a command that the shell itself runs.
  var scope: CommandScope { CommandScope(session, context) }

  package func say(_ message: Message) { scope.say(message) }
  package func say(_ failure: CommandError) { scope.say(failure) }

  /// Prefetches the next page while the user reads this one.
  package func readAhead() async { await scope.prefetchNextPage() }

  package func printText(_ words: LocalizedText) { scope.printText(words) }

  /// Marks the row at the cursor as a status line, which the next output clears.
  func wipe() { context.program.console.showStatus(" ") }

  /// Clears the status line.
  func clearStatus() {
    context.program.console.showStatus(nil)
    context.program.console.showSpinner(nil)
  }
}

/// A script before its first line.
private struct WaitingScript {
  var unit: RunUnit
  var script: RunScript?
  /// The lines with `resume` in front of it, which were executed.
  var preamble: [LogicalLines.Line] = []
}

extension Shell {
  /// Cancels the clean-up after an interruption.
  func cancelCleanUp() { cleaning?.cancel() }
}

extension Shell {
  /// Prints the position of a failing line in a script.
  package func printLocation(of line: String?, at number: Int, in name: String) {
    scope.printLocation(of: line, at: number, in: name)
  }
}
