import Engine
import Failures
import Foundation
import Language
import Networking
import Platform
import Presentation
import Synchronization
import Text

/// The shell: one line in, everything it means done, data and words out, an exit code back.
///
/// The prompt, `-c`, `-f`, standard input and the tests all come in by `run(_:)`.
package actor Shell {
  package private(set) var session: Session
  /// Why the last line failed; nil when it did not, or when that was said while it ran.
  package private(set) var failure: Message?
  /// The request and the response that a failing line is about, as text without secrets; `nil` where there are none.
  package private(set) var evidence: String?
  /// The points that the last line checked one by one.
  package private(set) var checks: [CheckResult] = []
  package let context: Context
  /// The line before, which `!!` stands for.
  private var previous: String?
  /// What lines that were only checked would have made of the session: aliases, variables.
  private var checked: Session?

  /// What Ctrl-C has asked for.
  package nonisolated let interruption: Interruption

  package init(session: Session, context: Context) {
    self.session = session
    self.context = context
    interruption = context.interruption
  }

  /// Runs the commands of one line in order; the first that fails ends the line.
  package func run(_ line: String) async -> ExitStatus {
    var copy = session
    defer { session = copy }
    do {
      (failure, evidence, checks) = (nil, nil, [])
      let line = try repetition(line, copy)
      previous = context.holdsSecret(line, copy) ? nil : line
      checks = try await LineRunner(context, isRecording: true).run(line, &copy).checks
      return .success
    } catch {
      checks = (error as? ReportedFailure)?.checks ?? []
      evidence = FailureEvidence(line, copy, context).text
      return fail(error, copy)
    }
  }

  /// The lines to come are those of a script; `-c` is one as well.
  ///
  /// - Parameter isReported: the lines are a test, whose outcome is reported.
  package func begin(script name: String, isReported: Bool) {
    session.readsFile = name != "-c"
    session.isReported = isReported
    let name = name == "-c" || name == "standard input" ? name : ScriptFile.canonical(name)
    if session.scriptRun == nil { session.scriptRun = ScriptRun(name) } else { session.scriptRun?.begin(name) }
  }

  /// No more lines of scripts come. Where a script was cut short, its lines count as made before when it is run again.
  package func endScripts(_ code: ExitStatus, isTest: Bool) {
    if let run = session.scriptRun, isTest || ScriptRun.isOver(after: code) { context.unshown.endLines(of: run) }
    session.scriptRun = nil
  }

  /// Reads a line without running it: what `--check` asks of every line of a script.
  package func check(_ line: String) -> ExitStatus {
    var copy = checked ?? session
    defer { checked = copy }
    do {
      failure = nil
      try ScriptChecker(context).check(line, &copy)
      return .success
    } catch {
      return fail(error, copy)
    }
  }

  /// Whether the home has a start-up file.
  package nonisolated var hasStartup: Bool { Startup(context) != nil }

  /// Runs the start-up file of the home, or only checks it; a failing line is said and the rest goes on.
  /// - Returns: the session that the conversation or the script begins with.
  @discardableResult
  package func start(onlyChecking: Bool = false) async -> Session {
    guard let startup = Startup(context) else { return session }
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

  /// The line with the one before in the place of `!!`, told where it is not in plain sight.
  private func repetition(_ line: String, _ session: Session) throws -> String {
    let whole = try RepeatedLine(line, after: previous, context.grammar(of: session)).text
    if whole != line, context.console.errorIsTerminal { say(.note("\(.command(whole))", ko: "\(.command(whole))")) }
    return whole
  }

  private func fail(_ error: any Error, _ session: Session) -> ExitStatus {
    failure = Failure(describing: error).message
    return context.tell(error, session)
  }

  package func say(_ message: Message) { context.say(message, session) }

  /// Fetches the next page while a person reads this one.
  package func readAhead() async { await ReadingAhead(context).prepare(session) }

  package func tell(_ words: LocalizedText) { context.tell(words, session) }

  /// The row at the cursor is taken for a transient line, which the next words wipe away.
  func wipe() { context.console.status(" ") }

  /// Nothing transient stands at the cursor any more.
  func clearStatus() {
    context.console.status(nil)
    context.console.turn(nil)
  }
}

extension Shell {
  /// Answers one Ctrl-C while `work` is done, and says what it means.
  package func interrupt(_ work: Task<some Sendable, Never>) {
    // The terminal has drawn ^C: the next words begin on a clean row.
    wipe()
    switch interruption.press() {
    case .cancel: work.cancel()
    case .finish:
      say(
        .note(
          "Finishing what is in flight; Ctrl-C again abandons it, and its outcome is then unknown.",
          ko: "보내는 중인 요청만 마칩니다. 한 번 더 Ctrl-C를 누르면 중단하며, 그 결과는 알 수 없게 됩니다."))
    case .postpone:
      say(
        .note(
          "Left for later; \(.command("status")) keeps it.", ko: "나중으로 미룹니다. \(.command("status"))에 남아 있습니다."))
    case .abandon: work.cancel()
    case .leave: exit(ExitStatus.interrupted.rawValue)
    }
  }
}

extension Shell {
  /// Says where in a script a failing line stands.
  package func place(of line: String?, at number: Int, in name: String) {
    context.sayPlace(of: line, at: number, in: name, session)
  }
}

/// Remembers the status of the last answer that came through a transport, and the last exchange that was refused.
final class StatusNote: Sendable {
  private let kept = Mutex<(status: Int?, refused: Exchange?)>((nil, nil))

  var status: Int? { kept.withLock { $0.status } }
  var refused: Exchange? { kept.withLock { $0.refused } }

  func listening(to transport: any Transport) -> any Transport {
    ObservedTransport(transport) { exchange in
      guard case .success(let reply) = exchange.outcome else { return }
      self.kept.withLock { kept in
        kept.status = reply.status
        if reply.status >= 400 { kept.refused = exchange }
      }
    }
  }
}
