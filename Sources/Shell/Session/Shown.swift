import Language
import Presentation

/// Data that was printed, and in which format.
package struct Shown: Hashable, Sendable {
  package var data: Report
  package var format: OutputFormat
}
