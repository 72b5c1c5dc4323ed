import Language
import Presentation

/// Data that was printed, and in which format.
package struct Shown: Hashable, Sendable {
  package var data: Report
  package var format: OutputFormat

  package init(data: Report, format: OutputFormat) {
    self.data = data
    self.format = format
  }
}
