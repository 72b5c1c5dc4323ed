import Commands
import Networking
import Platform
import Presentation
import ShellRuntime

/// The prefix `time`, which prints the duration of each request of a command after its data.
struct TimePrefix {
  private let prepared: PreparedCommand

  init(_ prepared: PreparedCommand) { self.prepared = prepared }

  func run(in scope: inout CommandScope) async throws -> CommandResult {
    let log = TimingLog()
    let start = ContinuousClock.now
    do {
      return try await scope.with(scope.context.through { TimedTransport($0, into: log) }) { scope in
        let result = try await prepared.command.run(in: &scope)
        let drawing = ContinuousClock.now
        try await prepared.deliver(result, in: scope)
        let draw = result.error == nil ? drawing.duration(to: .now) : nil
        tell(log, draw: draw, whole: start.duration(to: .now), in: scope)
        return result
      }
    } catch {
      tell(log, draw: nil, whole: start.duration(to: .now), in: scope)
      throw error
    }
  }

  private func tell(_ log: TimingLog, draw: Duration?, whole: Duration, in scope: CommandScope) {
    let options = scope.context.messageOptions(scope.session)
    let report = Report.rows(TimingTable.of(log, draw: draw, whole: whole))
    scope.context.console.writeMessage(TerminalRenderer().render(report, options))
  }
}
