import Catalog
import Engine
import Exploration
import Networking
import Platform
import Presentation
import Text

/// The prefix `time`, which prints the duration of each request of a command after its data.
struct TimePrefix {
  private let turn: PreparedCommand

  init(_ turn: PreparedCommand) { self.turn = turn }

  func take(_ session: inout Session, _ execution: inout Execution) async throws {
    let log = TimingLog()
    var turn = turn
    turn.context = turn.context.through { TimedTransport($0, into: log) }
    let start = ContinuousClock.now
    do {
      let report = try await turn.command.run(&session, &execution, in: turn.context)
      let drawing = ContinuousClock.now
      try await turn.deliver(report, session)
      tell(log, draw: drawing.duration(to: .now), whole: start.duration(to: .now), session)
    } catch {
      tell(log, draw: nil, whole: start.duration(to: .now), session)
      throw error
    }
  }

  private func tell(_ log: TimingLog, draw: Duration?, whole: Duration, _ session: Session) {
    let options = turn.context.messageOptions(session)
    let report = Report.rows(TimingTable.of(log, draw: draw, whole: whole))
    turn.context.console.writeMessage(TerminalRenderer().render(report, options))
  }
}

/// The prefix `trace`, which prints every exchange to standard error with secrets redacted.
struct TracePrefix {
  private let session: Session
  private let plain: CommandContext

  init(_ session: Session, _ context: CommandContext) {
    self.session = session
    plain = context
  }

  /// The context whose transport prints every exchange.
  var context: CommandContext {
    let options = plain.messageOptions(session)
    let console = plain.console
    let secrets = session.secrets
    return plain.through { door in
      ObservedTransport(door) { console.writeMessage(TraceRenderer($0, hiding: secrets).render(options)) }
    }
  }
}
