import Catalog
import Engine
import Networking
import Platform
import Presentation
import Text

/// `time` in front of a command: where its time went, request by request, said after its data.
struct Timed {
  private let turn: Turn

  init(_ turn: Turn) { self.turn = turn }

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
    turn.context.console.say(TerminalRenderer().render(report, options))
    let limits = session.place.limits.summary
    turn.context.say(.note("Limits: \(limits.english).", ko: "한도: \(limits.korean)."), session)
  }
}
