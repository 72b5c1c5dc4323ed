import Presentation
import WriteJournal

/// The last failed command: its message and, if a server rejected it, the response.
package struct FailedCommand: Hashable, Sendable {
  /// The line as typed, or `nil` if it may contain a secret.
  package var line: String?
  /// The message, or `nil` if it was printed while the command ran.
  package var message: Message?
  /// The command's last exchange with a status of 400 or above, without secrets, or `nil` if there is none.
  package var exchange: StoredExchange?

  package init(line: String?, message: Message?, exchange: StoredExchange?) {
    self.line = line
    self.message = message
    self.exchange = exchange
  }
}
