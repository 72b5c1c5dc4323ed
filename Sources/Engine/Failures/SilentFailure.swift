import Platform
import Presentation

/// A failure about which everything has been said in the report itself.
package struct SilentFailure: Error {
  package let code: ExitStatus
  /// What was said, for those who report on a whole script.
  package var message: Message?

  package init(code: ExitStatus, message: Message? = nil) {
    self.code = code
    self.message = message
  }
}
