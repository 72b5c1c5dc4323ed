import Platform
import Presentation

/// Why a command did not do what it was asked: what is said, and the exit code that goes with it.
package struct Failure: Error, Hashable, Sendable {
  package var message: Message
  package var code: ExitStatus

  package init(_ code: ExitStatus, _ message: Message) {
    self.code = code
    self.message = message
  }
}
