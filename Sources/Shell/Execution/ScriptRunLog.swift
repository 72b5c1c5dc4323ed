import CommandLanguage
import Commands
import Platform
import Presentation
import ShellRuntime
import Synchronization
import Text

/// Collects the outcome of every line of the scripts.
///
/// A line without a command isn't a test point.
package final class ScriptRunLog: Sendable {
  private struct State {
    var points: [LineResult] = []
    /// The name of the first point of each exchange, which isn't repeated for the others.
    var evidence: [String: String] = [:]
    var start: Duration?
  }

  private let state = Mutex(State())
  private let language: MessageLanguage
  private let clock: @Sendable () -> Duration
  private let holdsSecret: @Sendable (String) -> Bool
  private let namesSecret: @Sendable (String) -> Bool
  private let mask: @Sendable (String) -> String
  private let report: @Sendable (LineResult, Int) -> Void

  /// Creates a log.
  ///
  /// - Parameters:
  ///   - language: The language of the reasons.
  ///   - clock: A monotonic clock.
  ///   - holdsSecret: Returns whether a line must not appear in a report.
  ///   - namesSecret: Returns whether the name of a file must not appear.
  ///   - mask: Replaces known secrets in an error message.
  ///   - report: Called with each point and its number, from 1.
  package init(
    in language: MessageLanguage, clock: @escaping @Sendable () -> Duration,
    holdsSecret: @escaping @Sendable (String) -> Bool = { AllCommands.grammar.mayContainSecret($0) },
    namesSecret: @escaping @Sendable (String) -> Bool = { CommandParser.showsSecret($0) },
    mask: @escaping @Sendable (String) -> String = { $0 },
    report: @escaping @Sendable (LineResult, Int) -> Void = { _, _ in }
  ) {
    self.language = language
    self.clock = clock
    self.holdsSecret = holdsSecret
    self.namesSecret = namesSecret
    self.mask = mask
    self.report = report
  }

  package var points: [LineResult] { state.withLock { $0.points } }

  /// Records the start of a line.
  package func begin() {
    let now = clock()
    state.withLock { $0.start = now }
  }

  /// The result of a line.
  package struct Ending: Sendable {
    package var code: ExitStatus
    package var message: Message?
    /// The request and response that an error refers to.
    package var evidence: String?
    /// The individual checks of the line.
    ///
    /// Each one is a point of the report.
    package var checks: [CheckResult] = []

    package init(code: ExitStatus, message: Message?, evidence: String? = nil, checks: [CheckResult] = []) {
      self.code = code
      self.message = message
      self.evidence = evidence
      self.checks = checks
    }
  }

  package func add(_ line: ScriptLine, in file: String, _ ending: Ending) {
    guard let name = name(of: line), ending.code != .success || !isCleanUp(line) else { return }
    guard ending.checks.isEmpty else {
      for check in ending.checks {
        let reason = "expected: \(check.expected), seen: \(check.seen)"
        note(
          "\(name): \(check.name)", at: line.number, file: file,
          outcome: check.isMet ? .passed : .failed(.assertionFailed, LineResult.Failing(reason: reason)))
      }
      return
    }
    guard ending.code != .success else { return note(name, at: line.number, file: file, outcome: .passed) }
    let reason = words(ending.message ?? CommandError.ending(ending.code, status: nil).message)
    let failing = LineResult.Failing(
      reason: quotesSecret(reason, of: line) ? "" : mask(reason),
      // A line that couldn't be parsed refers to no request.
      evidence: ending.code == .usageError ? nil : ending.evidence.map(mask))
    note(name, at: line.number, file: file, outcome: .failed(ending.code, failing))
  }

  func recordSkipped(_ line: ScriptLine, in file: String) {
    if let name = name(of: line), !isCleanUp(line) { note(name, at: line.number, file: file, outcome: .skipped) }
  }

  /// Adds a clean-up line when it was run at the end of its script.
  func add(_ cleanUp: CleanUp, code: ExitStatus, message: Message?) {
    let line = ScriptLine.line(LogicalLines.Line(text: cleanUp.name, number: cleanUp.number))
    let name = name(of: line) ?? cleanUp.name
    guard code != .success else { return note(name, at: cleanUp.number, file: cleanUp.script, outcome: .passed) }
    let reason = words(message ?? CommandError.ending(code, status: nil).message)
    let failing = LineResult.Failing(reason: quotesSecret(reason, of: line) ? "" : mask(reason))
    note(name, at: cleanUp.number, file: cleanUp.script, outcome: .failed(code, failing))
  }

  /// Returns whether the line is one of `finally:`, which is a point only when it is run at the end.
  private func isCleanUp(_ line: ScriptLine) -> Bool {
    guard case .line(let line) = line else { return false }
    return FinallyCommand.line(in: line.text, AllCommands.grammar) != nil
  }

  /// Adds a failed point for a script that couldn't be read.
  package func add(unreadable file: String, _ failure: CommandError) {
    // The reason names the file.
    let reason = words(
      namesSecret(file) ? CommandError.ending(failure.exitStatus, status: nil).message : failure.message)
    note(
      "(the file)", at: 0, file: file, outcome: .failed(failure.exitStatus, LineResult.Failing(reason: mask(reason))))
  }

  private func note(_ name: String, at line: Int, file: String, outcome: LineResult.Outcome) {
    let now = clock()
    let file = namesSecret(file) ? "(a file whose name holds a secret)" : file
    let (point, number) = state.withLock { state in
      let seconds = state.start.map { ScriptRunLog.seconds(now - $0) } ?? 0
      state.start = nil
      var point = LineResult(file: file, line: line, name: name, outcome: outcome, seconds: seconds)
      let names = Set(state.points.lazy.filter { $0.file == file }.map(\.name))
      var number = state.points.count { $0.file == file && $0.baseName == name } + 1
      while names.contains(point.name) {
        number = max(number, 2)
        point.name = "\(name) (\(number))"
        number += 1
      }
      if case .failed(let code, var failing) = outcome, let evidence = failing.evidence {
        if let first = state.evidence[file + "\n" + evidence] {
          failing.evidence = "the same as of: \(first)\n"
          point.outcome = .failed(code, failing)
        } else {
          state.evidence[file + "\n" + evidence] = point.name
        }
      }
      state.points.append(point)
      return (point, state.points.count)
    }
    report(point, number)
  }

  /// Returns the name of the line as a test: that of `test "NAME": LINE`, or otherwise its text, or `nil` for a line
  /// without a command.
  ///
  /// The name doesn't contain the line number, so that the history of a test survives a line inserted before it.
  private func name(of line: ScriptLine) -> String? {
    switch line {
    case .unusable: return "(not text)"
    case .line(let line):
      let grammar = AllCommands.grammar
      if (try? grammar.segments(of: line.text))?.isEmpty == true { return nil }
      if holdsSecret(line.text) { return "(a line with a secret)" }
      return TestCommand.name(in: line.text, grammar) ?? line.text
    }
  }

  /// Returns whether an error message quotes a part of a line with a secret, other than commands and the names of
  /// secrets.
  private func quotesSecret(_ reason: String, of line: ScriptLine) -> Bool {
    guard case .line(let line) = line, holdsSecret(line.text) else { return false }
    let parts = CommandParser.texts(of: line.text).flatMap { $0.split { "=:@/?&,;\"' {}".contains($0) } }
    return parts.contains { part in
      part.utf8.count > 3 && AllCommands.grammar.declaration(named: String(part)) == nil
        && !Assignment.secretNames.contains(part.lowercased()) && reason.contains(part)
    }
  }

  private func words(_ message: Message) -> String {
    message.reasons.map { $0[language].plain }.reduce(message.what[language].plain) { text, reason in
      text + (text.hasSuffix(".") ? " " : ": ") + reason
    }
  }

  private static func seconds(_ duration: Duration) -> Double {
    let (seconds, attoseconds) = duration.components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}

/// The outcome of one line of a script, for the reports.
package struct LineResult: Hashable, Sendable {
  /// The outcome of a line.
  package enum Outcome: Hashable, Sendable {
    case passed
    case failed(ExitStatus, Failing)
    /// The line wasn't run, because an earlier line failed and the script stopped.
    case skipped
  }

  /// The reason of a failure.
  package struct Failing: Hashable, Sendable {
    /// The message in one line.
    package var reason: String
    /// The request and response that it refers to, several lines, with secrets redacted.
    package var evidence: String?

    package init(reason: String, evidence: String? = nil) {
      self.reason = reason
      self.evidence = evidence
    }
  }

  package var file: String
  /// The line number from 1, or 0 for the file itself.
  package var line: Int
  /// The name, unique in its file and without possible secrets.
  package var name: String
  package var outcome: Outcome
  package var seconds: Double
  /// The name without the number that makes it unique.
  let baseName: String

  package init(file: String, line: Int, name: String, outcome: Outcome, seconds: Double) {
    self.file = file
    self.line = line
    self.name = name
    baseName = name
    self.outcome = outcome
    self.seconds = seconds
  }
}
