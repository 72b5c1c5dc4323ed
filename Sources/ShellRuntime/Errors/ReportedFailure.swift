import Platform
import Presentation

/// A failure that the command has already reported in its output.
///
/// The message is for the report of a whole run.
package struct ReportedFailure: Error, Hashable, Sendable {
  package let code: ExitStatus
  package let message: Message
  /// The checks that the command made, if any.
  package let checks: [CheckResult]

  package init(_ failure: CommandError, checks: [CheckResult] = []) {
    (code, message) = (failure.exitStatus, failure.message)
    self.checks = checks
  }

}
