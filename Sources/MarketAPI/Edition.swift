import Catalog
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

/// The capabilities of an edition and the meaning of its wire format.
///
/// Each codec declares its own; other code tests these values instead of comparing editions.
package struct EditionCapabilities: Hashable, Sendable {
  /// The supported operations.
  ///
  /// All others fail with an error.
  package var operations: [Operation]
  /// A Boolean value that indicates whether products belong to vendors with an identifier.
  ///
  /// Otherwise each product has a password of its own, and a wrong password has the same response as a deleted product.
  package var hasVendors: Bool
  /// A Boolean value that indicates whether `discounted_price` is the sale price rather than the amount subtracted.
  package var discountedPriceIsSalePrice: Bool
  /// A Boolean value that indicates whether the first page of the list contains the newest products; otherwise the last
  /// page does.
  package var listsNewestFirst: Bool
  /// A Boolean value that indicates whether a deletion returns the product as it was; otherwise it returns only the id.
  package var deletionReturnsProduct: Bool

  /// The fields that a product contains but a row of a list doesn't.
  package var fieldsMissingInLists: [ProductField]
  /// The fields that no response contains.
  package var unsupportedFields: [ProductField] = []
  /// The key of the description in requests.
  package var descriptionKey = "descriptions"
  /// The text that precedes the token in the response to `RequestDeletion`.
  package var deletionTokenPrefix = ""

  /// The operations of every edition.
  static let common: [Operation] = [.list, .show, .create, .edit, .delete]
}

/// The operations of the API.
///
/// Not every edition supports all of them.
package enum Operation: String, Hashable, Sendable, CaseIterable {
  case list
  case search
  /// Requesting another number of rows per page than the server's default.
  case pageSize
  case show
  case create
  case edit
  case chooseThumbnail
  case replacePictures
  /// Trying the password, which shows whether a product is ours.
  case verifyPassword = "askOwnership"
  case fractionalPrices
  case requestDeletion
  case delete
  case checkHealth
}
