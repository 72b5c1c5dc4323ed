import CommandLanguage
import Presentation

/// The data that was printed, with its format.
package struct LastOutput: Hashable, Sendable {
  /// The data, or `nil` for a list that was too long to be stored.
  package var data: Report?
  package var format: OutputFormat

  package init(data: Report?, format: OutputFormat) {
    self.data = data
    self.format = format
  }
}
