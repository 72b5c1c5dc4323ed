import Catalog
import Commands
import Language
import Platform
import Presentation
import Synchronization
import Text

/// Collects what every line of the scripts came to; a line that holds no command is no point.
package final class RunLog: Sendable {
  private struct State {
    var points: [RunPoint] = []
    var start: Duration?
  }

  private let state = Mutex(State())
  private let tongue: MessageLanguage
  private let clock: @Sendable () -> Duration
  private let holdsSecret: @Sendable (String) -> Bool
  private let mask: @Sendable (String) -> String
  private let tell: @Sendable (RunPoint, Int) -> Void

  /// - Parameters:
  ///   - clock: any clock that only goes forward.
  ///   - holdsSecret: whether a line may not be written into a report.
  ///   - mask: replaces known secrets in the words of an error.
  ///   - tell: called with each point and its number, from 1.
  package init(
    in tongue: MessageLanguage, clock: @escaping @Sendable () -> Duration,
    holdsSecret: @escaping @Sendable (String) -> Bool = { AllCommands.grammar.holdsSecret($0) },
    mask: @escaping @Sendable (String) -> String = { $0 },
    tell: @escaping @Sendable (RunPoint, Int) -> Void = { _, _ in }
  ) {
    self.tongue = tongue
    self.clock = clock
    self.holdsSecret = holdsSecret
    self.mask = mask
    self.tell = tell
  }

  package var points: [RunPoint] { state.withLock { $0.points } }

  /// A line begins to run.
  package func begin() {
    let now = clock()
    state.withLock { $0.start = now }
  }

  package func add(_ line: ScriptLine, in file: String, _ code: ExitStatus, _ message: Message?) {
    guard code != .success else { return note(line, file, .passed) }
    let reason = message.map(words) ?? ""
    note(line, file, .failed(code, reason: quotesSecret(reason, of: line) ? "" : mask(reason)))
  }

  func skip(_ line: ScriptLine, in file: String) { note(line, file, .skipped) }

  private func note(_ line: ScriptLine, _ file: String, _ outcome: RunPoint.Outcome) {
    guard let text = text(of: line) else { return }
    let now = clock()
    let (point, number) = state.withLock { state in
      let seconds = state.start.map { RunLog.seconds(now - $0) } ?? 0
      state.start = nil
      let point = RunPoint(file: file, line: line.number, text: text, outcome: outcome, seconds: seconds)
      state.points.append(point)
      return (point, state.points.count)
    }
    tell(point, number)
  }

  /// Nil when no command stands in the line.
  private func text(of line: ScriptLine) -> String? {
    switch line {
    case .unusable: return "(not text)"
    case .line(let line):
      let grammar = AllCommands.grammar
      if (try? grammar.segments(of: line.text))?.isEmpty == true { return nil }
      return holdsSecret(line.text) ? "(a line with a secret)" : line.text
    }
  }

  /// Whether the words of an error quote a line that holds a secret: any part of it but commands and the names of secrets.
  private func quotesSecret(_ reason: String, of line: ScriptLine) -> Bool {
    guard case .line(let line) = line, holdsSecret(line.text) else { return false }
    let parts = Grammar.texts(of: line.text).flatMap { $0.split { "=:@/?&,;\"' {}".contains($0) } }
    return parts.contains { part in
      part.utf8.count > 3 && AllCommands.grammar.declaration(named: String(part)) == nil
        && !Assignment.secretNames.contains(part.lowercased()) && reason.contains(part)
    }
  }

  private func words(_ message: Message) -> String {
    ([message.what] + message.reasons).map { $0[tongue].plain }.joined(separator: " ")
  }

  private static func seconds(_ duration: Duration) -> Double {
    let (seconds, attoseconds) = duration.components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}

/// What one line of a script came to, for a report on the whole run.
package struct RunPoint: Hashable, Sendable {
  /// How the line ended.
  package enum Outcome: Hashable, Sendable {
    case passed
    /// `reason` in the words of the message, one line.
    case failed(ExitStatus, reason: String)
    /// An earlier line failed, and the script stopped.
    case skipped
  }

  package var file: String
  package var line: Int
  /// As written; without what may be a secret.
  package var text: String
  package var outcome: Outcome
  package var seconds: Double

  package init(file: String, line: Int, text: String, outcome: Outcome, seconds: Double) {
    self.file = file
    self.line = line
    self.text = text
    self.outcome = outcome
    self.seconds = seconds
  }
}
