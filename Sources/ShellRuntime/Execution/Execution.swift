import Catalog
import Platform
import Presentation

/// The state of one running command: its mode, its exit status and what the history records.
///
/// The line runner creates it for each command and discards it afterwards.
package struct Execution: Hashable, Sendable {
  /// The treatment of the command's writes.
  package enum Mode: Hashable, Sendable {
    case write
    /// Writes are shown and not sent.
    case dry
    /// The requests are printed as curl commands.
    ///
    /// Writes aren't previewed, confirmed or sent.
    case curl
  }

  package let mode: Mode
  /// The equivalent non-interactive command line, if a form or an editor supplied the values.
  package var equivalentLine: String?
  /// A Boolean value that indicates that outliers were written after an explicit approval.
  package var isExtreme = false
  /// The exit status of a command that returns a report instead of throwing, such as a batch that was only partly done.
  package var ending = ExitStatus.success
  /// The reason for that exit status in a report of the whole run, if the command has a specific one.
  package var reason: Message?
  /// Messages about the command that are printed after its output, where a long list on a terminal doesn't hide them.
  package var closingMessages: [Message] = []
  /// The results of the command's checks, for a report of the whole run.
  package var checks: [CheckResult] = []
  /// The plans that would be written, if only their requests are printed.
  package var intended: [Plan] = []
  /// A Boolean value that indicates that a write was only shown, so that it doesn't belong in a saved script.
  package var wasOnlyShown = false
  /// The script line of the command, and its number of earlier runs in this run, or `nil` for a typed line.
  ///
  /// See `Intent.line`.
  package var line: String?

  package init(_ mode: Mode = .write) { self.mode = mode }
}
