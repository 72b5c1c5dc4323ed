import Engine
import Failures
import Foundation
import Networking
import Platform
import Shell

/// What is reported of a run of scripts, besides what it prints: `--tap`, `--junit FILE`.
struct RunReports: Hashable {
  var tap = false
  var junit: String?

  /// With `--tap` standard output belongs to the protocol.
  func console(_ console: DescriptorConsole) -> any Console { tap ? TAPConsole(console) : console }

  /// Nil when nobody wants a report.
  ///
  /// - Throws: `Failure` for a file whose name contains a secret.
  func log(_ session: Session, in context: Context) throws -> RunLog? {
    guard tap || junit != nil else { return nil }
    context.remember(session.secrets)
    if let junit { try UserFile(junit, context).checkName() }
    let start = ContinuousClock.now
    if tap { say(TAP.head) }
    return RunLog(
      in: session.settings.tongue, clock: { start.duration(to: .now) },
      holdsSecret: { context.holdsSecret($0, session) }, namesSecret: { context.holdsSecret(name: $0) },
      mask: { context.secrets.mask($0) }
    ) { [tap] point, number in
      if tap { say(TAP.point(point, number)) }
    }
  }

  /// Ends the reports; what could not be written is no success.
  func finish(_ log: RunLog?) -> Failure? {
    guard let log else { return nil }
    if tap { say(TAP.plan(log.points.count)) }
    guard let junit else { return nil }
    do {
      try Files.write(Data(JUnit.document(log.points).utf8), to: junit)
      return nil
    } catch {
      return Failure(describing: error)
    }
  }
}

/// Past the console, which makes remarks of everything commands print.
private func say(_ text: String) {
  // A reader that went away ends nothing: the exit code still tells.
  try? Descriptor.write(text, to: STDOUT_FILENO)
}
