import Foundation
import Networking
import Platform
import Shell
import ShellRuntime
import Text

/// The reports of a run of scripts besides its output: `--tap` and `--junit FILE`.
struct ReportOptions: Hashable {
  var tap = false
  var junit: String?

  /// Returns the console of the run.
  ///
  /// With `--tap` it writes output as comments, because standard output is the protocol.
  func console(_ console: DescriptorConsole) -> any Console { tap ? TAPConsole(console) : console }

  /// Returns the log for the reports, or `nil` if none was requested.
  ///
  /// - Throws: `CommandError` for a file whose name contains a secret.
  func log(_ session: Session, in context: CommandContext) throws -> ScriptRunLog? {
    guard tap || junit != nil else { return nil }
    context.remember(session.secrets)
    if let junit { try ProtectedOutputFile(junit, context).checkName() }
    let start = ContinuousClock.now
    if tap { say(TAP.head) }
    return ScriptRunLog(
      in: session.settings.language, clock: { start.duration(to: .now) },
      holdsSecret: { context.holdsSecret($0, session) }, namesSecret: { context.holdsSecret(name: $0) },
      mask: { context.secrets.mask($0) }
    ) { [tap] point, number in
      if tap { say(TAP.point(point, number)) }
    }
  }

  /// Completes the reports, and returns the failure if one can't be written.
  func finish(_ log: ScriptRunLog?) -> CommandError? {
    guard let log else { return nil }
    if tap { say(TAP.plan(log.points.count)) }
    guard let junit else { return nil }
    do {
      try Files.write(Data(JUnit.xml(log.points).utf8), to: junit)
      return nil
    } catch {
      return CommandError(describing: error)
    }
  }
}

/// Writes to standard output directly, because the console would write a comment.
private func say(_ text: String) {
  // A closed pipe doesn't end the run; the exit status still reports the result.
  try? Descriptor.write(text, to: STDOUT_FILENO)
}
