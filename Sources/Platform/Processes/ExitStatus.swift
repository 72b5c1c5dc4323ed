/// How a run ended, for scripts (see Language).
package enum ExitStatus: Int32, Hashable, Sendable {
  case success = 0
  /// The server refused, or the thing does not exist.
  case refused = 1
  /// The line could not be understood; nothing was sent.
  case misread = 2
  /// The server could not be reached; nothing was applied.
  case unreachable = 3
  /// Not confirmed, read-only, not logged in, outlier.
  case heldBack = 4
  /// An outcome is still unknown and is kept in the journal.
  case unknown = 5
  case assertionFailed = 6
  /// A batch ended with some items not done.
  case incomplete = 7
  case interrupted = 130
  /// The terminal went away, or SIGHUP came.
  case hungUp = 129
  /// SIGQUIT came, as from Ctrl-\ while a command runs.
  case quit = 131
  /// SIGTERM came.
  case terminated = 143

  /// The end by a signal, 128 and its number.
  package init(signal: Int32) { self = ExitStatus(rawValue: 128 + signal) ?? .interrupted }
}
