import Commands
import Networking
import Platform
import Presentation
import ShellRuntime

/// The prefix `time`, which prints the duration of each request of a command after its data.
struct TimePrefix {
  private let prepared: PreparedCommand

  init(_ prepared: PreparedCommand) { self.prepared = prepared }

  func take(_ session: inout Session, _ execution: inout Execution) async throws {
    let log = TimingLog()
    var prepared = prepared
    prepared.context = prepared.context.through { TimedTransport($0, into: log) }
    let start = ContinuousClock.now
    do {
      let report = try await prepared.command.run(&session, &execution, in: prepared.context)
      let drawing = ContinuousClock.now
      try await prepared.deliver(report, session)
      tell(log, draw: drawing.duration(to: .now), whole: start.duration(to: .now), session)
    } catch {
      tell(log, draw: nil, whole: start.duration(to: .now), session)
      throw error
    }
  }

  private func tell(_ log: TimingLog, draw: Duration?, whole: Duration, _ session: Session) {
    let options = prepared.context.messageOptions(session)
    let report = Report.rows(TimingTable.of(log, draw: draw, whole: whole))
    prepared.context.console.writeMessage(TerminalRenderer().render(report, options))
  }
}
