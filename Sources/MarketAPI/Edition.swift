import Foundation
import Text

/// The four API dialects over the years (see the article Protocol).
///
/// The raw value is the word users type.
package enum Edition: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// The first server of 2021: `/items`, and a password for each product.
  case camp1
  /// The second server of 2021: like the first, but a deletion returns the product.
  case camp2
  /// The server of 2022: `/api/products`, snake_case paging, deletion by a product secret.
  case training
  /// The server from October 2022 on: `/api/products`, camelCase paging, search, deletion by an archive URL.
  case open

  package var description: String { rawValue }

  /// The codec that implements the edition's wire format.
  var codec: any EditionCodec {
    switch self {
    case .camp1: CampCodec(.camp1)
    case .camp2: CampCodec(.camp2)
    case .training: VendorCodec.training
    case .open: VendorCodec.open
    }
  }

  /// The names of all editions, as listed in help texts.
  package static let names = allCases.map(\.rawValue).joined(separator: ", ")

  /// The capabilities of the edition and the meaning of its wire format.
  package var capabilities: EditionCapabilities { codec.capabilities }

  /// The reason by which the edition is recognized from its responses.
  package var detectionReason: LocalizedText { codec.detectionReason }

  /// A Boolean value that indicates whether a deletion requires a token from an earlier request.
  package var deletionNeedsToken: Bool { supports(.requestDeletion) }

  /// Returns whether the edition supports this operation.
  package func supports(_ operation: Operation) -> Bool { capabilities.operations.contains(operation) }
}
