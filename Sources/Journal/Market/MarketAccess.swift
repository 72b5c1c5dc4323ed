import Catalog

/// The market as the journal needs it: one send of one write, and reads. Whoever implements it never sends a write twice.
package protocol MarketAccess: Sendable {
  /// Sends `change` once. `operation` is a ULID: `Idempotency-Key`, `X-Request-Id` and the start of every picture's file
  /// name, so that a product can be recognised as ours by its picture's address. Cancelled in mid-air it answers `unknown`.
  ///
  /// - Parameter leaving: of a create, awaited before its last bytes leave; when it throws they never do, and the attempt
  ///   is `cut`. Not called for patches and deletes.
  func send(
    _ change: Change, operation: String, leaving: @escaping @Sendable () async throws -> Void
  ) async -> Sending

  /// The product as it stands now; nil when the server says there is none. Never from a cache.
  func read(_ id: Product.ID) async throws -> Product?

  /// The newest products of every vendor, newest first, at most `count`; fewer only when the market holds no more.
  func newest(_ count: Int) async throws -> [Product]

  /// What list pages tell of these products, for many at once; nothing where lists are no help.
  func rows(of ids: Set<Product.ID>) async throws -> ListedRows

  /// The original bytes at a picture's address, fetched without credentials, so that a delete can be taken back.
  func picture(at address: String) async throws -> PictureFile

  /// The vendor who is logged in, once known.
  var vendorID: Int? { get }
}

extension MarketAccess {
  package func rows(of ids: Set<Product.ID>) async throws -> ListedRows { ListedRows() }
}

/// What the lists of a market tell of some products.
package struct ListedRows: Sendable {
  /// Rows may leave fields out.
  package var products: [Product.ID: Product]
  /// Every page was read: a product that is not among them is in no list.
  package var isWhole: Bool

  package init(_ products: [Product.ID: Product] = [:], isWhole: Bool = false) {
    self.products = products
    self.isWhole = isWhole
  }
}
