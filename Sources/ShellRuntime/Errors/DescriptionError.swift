import Platform
import Text

/// A fault in the file that describes a market, with its line and column, both from 1.
package struct DescriptionFault: Hashable, Sendable {
  package var position: TOMLDocument.Position
  package var what: LocalizedText
  package var reason: LocalizedText?
  /// The word that was probably meant.
  package var nearest: String?
}

/// The error of a file that describes no market: all its faults, in their order.
package struct DescriptionError: Error, Hashable, Sendable {
  package var file: String
  package var faults: [DescriptionFault]
}
