import Journal
import Presentation

/// A command that came to nothing: what was said of it, and the answer of a server that refused it, where one did.
package struct RefusedCommand: Hashable, Sendable {
  /// As typed; nil where it may hold a secret.
  package var line: String?
  /// What was said; nil where that was said while the command ran.
  package var message: Message?
  /// The last request of it that was answered with 400 or above, without secrets; nil where nothing was sent, or no answer
  /// refused it.
  package var exchange: KeptExchange?

  package init(line: String?, message: Message?, exchange: KeptExchange?) {
    self.line = line
    self.message = message
    self.exchange = exchange
  }
}
