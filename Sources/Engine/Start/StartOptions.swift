import Foundation
import Language
import Marketplace

/// What the options of the program said about where to go and how to speak; nil means nothing was said.
package struct StartOptions: Hashable, Sendable {
  package var profile: String?
  package var url: String?
  package var edition: Edition?
  package var format: OutputFormat?
  package var language: String?
  package var readOnly = false
  package var noColor = false
  package var ascii = false
  package var keepGoing = false

  package init() {}
}
