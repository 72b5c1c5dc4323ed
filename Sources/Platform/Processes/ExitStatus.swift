import Foundation

/// The exit status of the program, documented for scripts in the Language article.
package enum ExitStatus: Int32, Hashable, Sendable {
  case success = 0
  /// The server rejected the request, or the product does not exist.
  case refused = 1
  /// The line could not be parsed; nothing was sent.
  case usageError = 2
  /// The server could not be reached; nothing was applied.
  case unreachable = 3
  /// Not confirmed, read-only, not logged in, or an outlier.
  case blocked = 4
  /// The outcome of a write is unknown and recorded in the journal.
  case outcomeUnknown = 5
  case assertionFailed = 6
  /// A batch ended with items that were not done.
  case partialFailure = 7
  /// `fail-on` found a difference that it reports; nothing was sent.
  case drift = 8
  case interrupted = 130
  /// The terminal hung up, or SIGHUP was received.
  case hungUp = 129
  /// SIGQUIT was received, as from Ctrl-\ during a command.
  case quit = 131
  /// SIGTERM was received.
  case terminated = 143

  /// Creates the status for termination by a signal: 128 plus its number.
  package init(signal: Int32) { self = ExitStatus(rawValue: 128 + signal) ?? .interrupted }
}
