import Catalog

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
