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
  package private(set) var evidence: String?
  /// The individual checks of the last line.
  package private(set) var checks: [CheckResult] = []
  package let context: CommandContext
  /// The previous line, for `!!`.
  private var previous: String?
  /// The session that the checked lines would have produced, with its aliases and variables.
  private var checked: Session?
  /// The clean-up after an interruption, which another Ctrl-C cancels.
  private var cleaning: Task<ExitStatus, Never>?
  /// The run of the scripts that ended, which the journal doesn't know yet.
  private var completedRun: (run: CommandRun, ending: CommandRun.Ending)?

  /// The state machine of Ctrl-C.
  package nonisolated let interruption: InterruptController

  package init(session: Session, context: CommandContext) {
    self.session = session
    self.context = context
    interruption = context.interruption
  }

  /// Runs the commands of one line in order.
  ///
  /// The first error ends the line.
  package func run(_ line: String) async -> ExitStatus {
    guard session.script.run == nil else { return await runLine(line) }
    session.script.run = .of(line)
    session.script.isTyped = true
    let status = await runLine(line)
    if let run = session.script.run { context.unshown.end(run, CommandRun.Ending(status)) }
    session.script.run = nil
    session.script.isTyped = false
    return status
  }

  private func runLine(_ line: String) async -> ExitStatus {
    var scope = CommandScope(session, context)
    defer { session = scope.session }
    (failure, evidence, checks) = (nil, nil, [])
    do {
      let line = try repetition(line, scope.session)
      previous = context.holdsSecret(line, scope.session) ? nil : line
      let result = try await LineRunner(context, isRecording: true).run(line, in: &scope)
      checks = result.checks
      if result.isSuccess { return .success }
      evidence = FailureEvidence(line, scope).text
      failure = result.reason
      return result.status
    } catch {
      evidence = FailureEvidence(line, scope).text
      return fail(error, scope.session)
    }
  }

  /// Begins the run of the only `-c` line.
  package func begin(_ line: String) { session.script.run = .of(line) }

  /// Begins a script, which can be `-c`.
  ///
  /// `isReported` means that the lines are a test with a report.
  package func begin(script name: String, isReported: Bool) {
    session.script.isReading = name != "-c"
    session.actor = name == "-c" || name == "standard input" ? .line : .script(name)
    session.script.isReported = isReported
    let name = name == "-c" || name == "standard input" ? name : ScriptFile.canonicalPath(name)
    if session.script.run == nil {
      session.script.run = CommandRun(script: name)
    } else {
      session.script.run?.begin(name)
    }
  }

  /// Ends the scripts.
  ///
  /// If they were interrupted, the same scripts continue what they left.
  package func endScripts(_ code: ExitStatus, isTest: Bool) {
    if let run = session.script.run { completedRun = (run, CommandRun.Ending(code, isTest: isTest)) }
    session.script.run = nil
  }

  /// Records the end of the scripts, as the last action before the program ends.
  ///
  /// The run of a program that is killed earlier did not end.
  package func recordCompletedScripts() {
    if let completedRun { context.unshown.end(completedRun.run, completedRun.ending) }
    completedRun = nil
  }

  /// Records the position of the clean-up lines that the last line kept.
  func setCleanUpLines(at number: Int, in script: String) {
    session.script.setCleanUpLines(at: number, in: script)
  }

  /// Keeps the clean-up line of a failed script that stands after its end.
  func keepCleanUp(_ line: ScriptLine, of script: String) { CleanUpLines.keep(line, of: script, in: &session) }

  /// Runs the waiting clean-up lines, and returns the exit status of the first failure.
  package func cleanUp(_ log: ScriptRunLog? = nil) async -> ExitStatus {
    guard !session.script.cleanUps.isEmpty else { return .success }
    var scope = CommandScope(session, context)
    defer { session = scope.session }
    let failure = await CleanUpLines(context).run(from: 0, in: &scope) { line, code, message in
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
      let work = Task { await cleanUp(log) }
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
      let result = try ScriptChecker(context).check(line, in: &scope)
      failure = result.reason
      return result.status
    } catch {
      return fail(error, scope.session)
    }
  }

  /// A Boolean value that indicates that the home has a start-up file.
  package nonisolated var hasStartup: Bool { StartupScript(context) != nil }

  /// Runs or checks the start-up file of the home.
  ///
  /// An error is reported and doesn't skip the remaining lines.
  ///
  /// - Returns: The session after the start-up file.
  @discardableResult
  package func start(onlyChecking: Bool = false) async -> Session {
    guard let startup = StartupScript(context) else { return session }
    if onlyChecking {
      var copy = session
      startup.check(&copy)
      checked = copy
    } else {
      var copy = session
      await startup.run(&copy)
      session = copy
    }
    return session
  }

  /// Returns the line with `!!` expanded, and prints the result if the terminal doesn't show it.
  private func repetition(_ line: String, _ session: Session) throws -> String {
    let whole = try HistoryExpansion(line, after: previous, context.grammar(of: session)).text
    if whole != line, context.console.errorIsTerminal { say(.note("\(.command(whole))", ko: "\(.command(whole))")) }
    return whole
  }

  private func fail(_ error: any Error, _ session: Session) -> ExitStatus {
    failure = CommandError(describing: error).message
    return context.tell(error, session)
  }

  package func say(_ message: Message) { context.say(message, session) }
  package func say(_ failure: CommandError) { context.say(failure, session) }

  /// Prefetches the next page while the user reads this one.
  package func readAhead() async { await NextPagePrefetcher(context).prepare(session) }

  package func tell(_ words: LocalizedText) { context.tell(words, session) }

  /// Marks the row at the cursor as a status line, which the next output clears.
  func wipe() { context.console.showStatus(" ") }

  /// Clears the status line.
  func clearStatus() {
    context.console.showStatus(nil)
    context.console.showSpinner(nil)
  }
}

extension Shell {
  /// Cancels the clean-up after an interruption.
  func cancelCleanUp() { cleaning?.cancel() }
}

extension Shell {
  /// Prints the position of a failing line in a script.
  package func printLocation(of line: String?, at number: Int, in name: String) {
    context.printLocation(of: line, at: number, in: name, session)
  }
}
