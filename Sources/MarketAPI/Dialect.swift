import Catalog

/// The wire format of a market, with its capabilities.
///
/// Dialects are equal if their sources are.
package struct Dialect: Sendable, CustomStringConvertible {
  /// The place where a dialect is described.
  package enum Source: Hashable, Sendable {
    /// This program.
    case builtIn(Edition)
    /// A file, with its checksum.
    case described(name: String, file: String, digest: String)
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

  /// Creates the dialect that a file describes.
  package init(_ description: MarketDescription) {
    source = .described(name: description.name, file: description.file, digest: description.digest)
    codec = DescribedCodec(description: description)
    capabilities = codec.capabilities
  }

  /// The description in a file, or `nil` for an edition.
  package var marketDescription: MarketDescription? { (codec as? DescribedCodec)?.description }

  /// The word for the dialect in the prompt and in stored files; for an edition, the word that users type.
  package var name: String {
    switch source {
    case .builtIn(let edition): edition.rawValue
    case .described(let name, _, _): name
    }
  }

  /// The edition, or `nil` if the dialect isn't one of this program's.
  package var edition: Edition? {
    switch source {
    case .builtIn(let edition): edition
    case .described: nil
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
  /// The fields that a change can set, or `nil` for all writable ones.
  package var writableFields: [ProductField]?
  /// A Boolean value that is false if a new product may have the id of a deleted one.
  package var idsGrow = true
  /// A Boolean value that is false if the server confirms a write without storing it.
  package var keepsWrites = true
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

  /// The number of rows per page of a scan, or `nil` for the scan's own.
  package var scanPageSize: Int?
  /// The number of reads that are sent at once, or `nil` for that of each command.
  package var concurrency: Int?
  /// A Boolean value that indicates whether each page contains the reference to the next one, so that pages are read one
  /// after the other.
  package var isSequential = false
  /// A Boolean value that indicates whether pages of every size up to 1,000 rows can be requested.
  package var readsWindows = true
  /// The credentials that requests have, or `nil` if they follow from the ownership.
  package var credentials: [Credentials.Part]?

  /// Returns the number of reads to send at once where a command would send `usual`.
  package func concurrency(_ usual: Int) -> Int { min(usual, concurrency ?? usual) }

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
