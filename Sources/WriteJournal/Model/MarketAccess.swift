import Catalog

/// An error of a read that says whether the server responded.
package protocol MarketReadError: Error {
  var isAnswered: Bool { get }
  /// The reason why nothing could be read.
  var evidence: Evidence { get }
}

/// The market as required by the journal: sending a write once, and reading.
///
/// An implementation must never send a write twice.
package protocol MarketAccess: Sendable {
  /// Sends a change exactly once.
  ///
  /// - Parameters:
  ///   - operation: A ULID, sent as `Idempotency-Key` and `X-Request-Id` and as the beginning of every picture's file
  ///     name, by which a created product can be recognized.
  ///   - leaving: For a create, awaited before the last bytes of the body are sent. If it throws, they aren't sent and
  ///     the attempt is `aborted`. It isn't called for patches and deletes.
  /// - Returns: The result; the outcome is `unknown` if the task is cancelled while sending.
  func send(
    _ change: Change, operation: String, leaving: @escaping @Sendable () async throws -> Void
  ) async -> SendResult

  /// Returns the current product, or `nil` if the server says that it doesn't exist.
  ///
  /// It is never read from a cache.
  ///
  /// - Throws: The error that prevented reading, which says nothing about the product.
  func read(_ id: Product.ID) async throws -> Product?

  /// Returns the newest products of all vendors, newest first.
  ///
  /// There are fewer than `count` only if the market has no more.
  ///
  /// - Throws: The error of a page that couldn't be read.
  func newestProducts(_ count: Int) async throws -> [Product]

  /// Reads the list page by page, to find many products at once.
  ///
  /// Rows may lack fields. Nothing is read if a list is no advantage for so few products.
  ///
  /// - Parameters:
  ///   - count: The number of products to find.
  ///   - page: Receives the rows of each page, in any order.
  /// - Returns: Whether every page was read, so that a product on none of them isn't in the list.
  /// - Throws: The error of a page that couldn't be read.
  func list(for count: Int, page: ([Product]) -> Void) async throws -> Bool

  /// Returns the original data of a picture, fetched without credentials, so that a delete can be undone.
  ///
  /// - Throws: The error that prevented fetching, also for a URL that doesn't belong to this market.
  func picture(at address: String) async throws -> PictureFile

  /// The current vendor, if known.
  var vendorID: Int? { get }
  /// A Boolean value that is false if a new product may have the id of a deleted one.
  var idsGrow: Bool { get }
  /// A Boolean value that is false if the server confirms writes without storing them.
  var keepsWrites: Bool { get }
  /// A Boolean value that indicates whether products that are read have all their members; see `Product.document`.
  var keepsDocuments: Bool { get }
  /// The meaning of products in the file that describes the market, or `nil` for an edition.
  var mapping: DescriptionMapping? { get }
  /// Returns the number of requests to send at once where a command would send `usual`.
  func concurrency(_ usual: Int) -> Int
  /// A Boolean value that is false if the order of the list isn't known, so that a new product may be on any page.
  var listsNewest: Bool { get }
  /// A Boolean value that indicates whether products keep the id of the write that created them; see `Product.mark`.
  var keepsMark: Bool { get }
}

extension MarketAccess {
  package var idsGrow: Bool { true }
  package var keepsWrites: Bool { true }
  package var keepsDocuments: Bool { false }
  package var mapping: DescriptionMapping? { nil }
  package func concurrency(_ usual: Int) -> Int { usual }
  package var listsNewest: Bool { true }
  package var keepsMark: Bool { false }
  package func list(for count: Int, page: ([Product]) -> Void) async -> Bool { false }
}
