import Catalog
import CommandLanguage
import Platform
import Presentation
import Text

/// The result of one command: its report, its exit status and what else the history and the reports of a run record.
package struct CommandResult: Sendable {
  /// The data and messages to print.
  package var report: Report
  /// The exit status.
  package var status = ExitStatus.success
  /// The reason for that exit status in a report of the whole run, if there is a specific one.
  package var reason: Message?
  /// The error of a command that failed and has other results too, which isn't printed yet.
  ///
  /// A command without other results throws its error.
  package var error: (any Error)?
  /// Messages that are printed after the output, where a long list on a terminal doesn't hide them.
  package var closingMessages: [Message] = []
  /// The results of the command's checks, for a report of the whole run.
  package var checks: [CheckResult] = []
  /// The plans that would be written, if only their requests are printed.
  package var plans: [Plan] = []
  /// The equivalent non-interactive command line, if a form or an editor supplied the values.
  package var equivalentLine: String?
  /// A Boolean value that indicates that outliers were written after an explicit approval.
  package var hasOutliers = false
  /// A Boolean value that indicates that a write was only shown, so that it doesn't belong in a saved script.
  package var wasOnlyShown = false
  /// A Boolean value that indicates that a list was not read to its end, so that its rows make no complete file.
  package var isCutShort = false
  /// A Boolean value that indicates that the rows of the report were already written to the output of the scope.
  ///
  /// The report of a list that was too long to be stored is then empty.
  package var wasStreamed = false

  package init(_ report: Report = .empty, status: ExitStatus = .success) {
    self.report = report
    self.status = status
  }

  /// Creates the result of a command that failed with an error that isn't printed yet.
  package init(error: any Error) {
    self.init(.empty, status: CommandError.exitStatus(of: error))
    self.error = error
  }

  /// Creates the result of a command whose failure was already printed.
  package init(reported failure: CommandError) {
    self.init(.empty, status: failure.exitStatus)
    reason = failure.message
  }

  package var isSuccess: Bool { status == .success }
}

extension CommandResult {
  package static let empty = CommandResult()

  package static func message(_ message: Message) -> CommandResult { CommandResult(.message(message)) }
  package static func rows(_ table: Table) -> CommandResult { CommandResult(.rows(table)) }
  package static func listing(_ listing: Listing) -> CommandResult { CommandResult(.listing(listing)) }
  package static func text(_ text: LocalizedText) -> CommandResult { CommandResult(.text(text)) }
  package static func drawing(_ figure: Figure) -> CommandResult { CommandResult(.drawing(figure)) }
  package static func receipt(_ receipt: WriteReceipt) -> CommandResult { CommandResult(.receipt(receipt)) }
  package static func group(_ reports: [Report]) -> CommandResult { CommandResult(.group(reports)) }
}

extension CommandResult {
  /// The result of a command that ran this one as its only part, without the report, which was already written.
  package var nested: CommandResult {
    var copy = CommandResult(.empty, status: status)
    copy.reason = reason
    copy.checks = checks
    copy.hasOutliers = hasOutliers
    return copy
  }

  /// Adds the result of one of several parts, except its report, which the whole contains already.
  package mutating func merge(_ part: CommandResult) {
    if !part.isSuccess { (status, reason) = (part.status, part.reason) }
    closingMessages += part.closingMessages
    checks += part.checks
    plans += part.plans
    hasOutliers = hasOutliers || part.hasOutliers
    wasOnlyShown = wasOnlyShown || part.wasOnlyShown
  }
}
