import Catalog

/// The wire format of a market, with its capabilities.
///
/// Dialects are equal if their sources are.
package struct Dialect: Sendable, CustomStringConvertible {
  /// The place where a dialect is described.
  package enum Source: Hashable, Sendable {
    /// This program.
    case builtIn(Edition)
  }

  package let source: Source
  let codec: any MarketCodec
  /// The capabilities of the market and the meaning of its wire format.
  package let capabilities: MarketCapabilities

  /// Creates the dialect of an edition.
  package init(_ edition: Edition) {
    source = .builtIn(edition)
    codec = edition.codec
    capabilities = codec.capabilities
  }

  /// The word for the dialect in the prompt and in stored files; for an edition, the word that users type.
  package var name: String {
    switch source {
    case .builtIn(let edition): edition.rawValue
    }
  }

  /// The edition, or `nil` if the dialect isn't one of this program's.
  package var edition: Edition? {
    switch source {
    case .builtIn(let edition): edition
    }
  }

  package var description: String { name }

  /// A Boolean value that indicates whether a deletion requires a token from an earlier request.
  package var deletionNeedsToken: Bool { supports(.requestDeletion) }

  /// Returns whether the market supports this operation.
  package func supports(_ operation: Operation) -> Bool { capabilities.operations.contains(operation) }
}

extension Dialect: Hashable {
  package static func == (one: Dialect, other: Dialect) -> Bool { one.source == other.source }

  package func hash(into hasher: inout Hasher) { hasher.combine(source) }
}

/// The capabilities of a market and the meaning of its wire format.
///
/// Each codec declares its own; other code tests these values instead of comparing dialects.
package struct MarketCapabilities: Hashable, Sendable {
  /// The supported operations.
  ///
  /// All others fail with an error.
  package var operations: [Operation]
  package var ownership: Ownership
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
  /// The fields that a new product must have.
  ///
  /// Discount and stock default to 0.
  package var requiredFields: [ProductField] = [.name, .description, .price, .currency, .images]
  /// The limits that the market documents, with its currencies, or `nil` if it documents none.
  package var limits: DocumentedLimits? = .openMarket
  /// The key of the description in requests.
  package var descriptionKey = "descriptions"
  /// The text that precedes the token in the response to `RequestDeletion`.
  package var deletionTokenPrefix = ""

  /// The operations of every edition.
  static let common: [Operation] = [.list, .show, .create, .edit, .delete]

  /// The way in which a product belongs to an account.
  package enum Ownership: Hashable, Sendable {
    /// A product belongs to a vendor with an identifier.
    case vendors
    /// Each product has a password of its own, and a wrong password has the same response as a deleted product.
    case passwords
    /// A product belongs to no account: everyone who may write may change it.
    case none
  }
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
