import CommandLanguage
import MarketAPI
import Presentation

/// The program's options for the server and the output.
///
/// `nil` means that the option wasn't given.
package struct SessionOptions: Hashable, Sendable {
  package var profile: String?
  package var url: String?
  package var edition: Edition?
  package var format: OutputFormat?
  package var language: String?
  /// The form of messages; decided before the session is created.
  package var messageFormat: MessageFormat?
  package var readOnly = false
  package var noColor = false
  package var ascii = false
  package var keepGoing = false
  /// The option `--insecure-http`.
  package var allowsPlainHTTP = false

  package init() {}
}
