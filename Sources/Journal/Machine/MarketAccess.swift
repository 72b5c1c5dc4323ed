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
  ) async -> SendResult

  /// The product as it stands now; nil when the server says there is none. Never from a cache.
  ///
  /// - Throws: what kept it from being read, which says nothing of the product.
  func read(_ id: Product.ID) async throws -> Product?

  /// The newest products of every vendor, newest first, at most `count`; fewer only when the market holds no more.
  ///
  /// - Throws: what kept a page from being read.
  func newest(_ count: Int) async throws -> [Product]

  /// Reads the whole list for many products at once, page by page; rows may leave fields out. Nothing is read where the
  /// list is no help for so few.
  ///
  /// - Parameters:
  ///   - count: how many products are looked for.
  ///   - page: given the rows of each page when it is there, in no order.
  /// - Returns: true where every page was read: a product that was on none of them is in no list.
  /// - Throws: what kept a page from being read.
  func list(for count: Int, page: ([Product]) -> Void) async throws -> Bool

  /// The original bytes at a picture's address, fetched without credentials, so that a delete can be taken back.
  ///
  /// - Throws: what kept it from being fetched, and for an address that is not of this market.
  func picture(at address: String) async throws -> PictureFile

  /// The vendor who is logged in, once known.
  var vendorID: Int? { get }
}

extension MarketAccess {
  package func list(for count: Int, page: ([Product]) -> Void) async -> Bool { false }
}

/// What is known right after one send: only a complete answer or the proof that nothing left decides.
package enum SendOutcome: Hashable, Sendable {
  /// A complete, well-formed 2xx; nil when it came without a product.
  case answered(Product?)
  /// A complete answer that says no: nothing was applied.
  case refused(Refusal)
  /// Not one byte of the request left; the evidence, masked.
  case unsent(String)
  /// Broken off before the last byte that matters was handed over: certainly not applied; the evidence, masked.
  case cut(String)
  /// 429: not processed; nil when the server did not say how long to wait.
  case tooMany(retryAfter: Duration?)
  /// Everything else: time-out, reset, cut, 5xx, 3xx, unreadable 2xx, cancelled; the evidence, masked.
  case unknown(String)
}

/// A server's complete "no", in a form that can be kept and worded.
package struct Refusal: Hashable, Sendable {
  /// What the status means for the write.
  package enum Kind: String, Hashable, Sendable {
    case notFound
    case wrongSecret
    case invalid
    /// 429: refused for now, and not processed.
    case busy
    case other
  }

  package var status: Int
  /// The server's own words: foreign text, to be made harmless before it is shown.
  package var message: String?
  package var kind: Kind

  package init(status: Int, message: String? = nil, kind: Kind) {
    self.status = status
    self.message = message
    self.kind = kind
  }

  /// Every further write would be refused alike, so a batch stops here.
  var stopsBatch: Bool { status == 401 || status == 403 }
}

/// One send of one write: what is known of it, and what went over the wire.
package struct SendResult: Hashable, Sendable {
  package var attempt: SendOutcome
  /// In the order they were made; without secrets.
  package var exchanges: [KeptExchange]

  package init(_ attempt: SendOutcome, exchanges: [KeptExchange] = []) {
    self.attempt = attempt
    self.exchanges = exchanges
  }
}

/// Which market and vendor a write belongs to: undo, recovery and holds never cross from one to another.
package struct Binding: Hashable, Sendable {
  package var profile: String
  package var baseURL: String
  /// A name or number for the vendor that is no credential; empty when nobody is logged in.
  package var vendor: String

  package init(profile: String, baseURL: String, vendor: String) {
    self.profile = profile
    self.baseURL = baseURL
    self.vendor = vendor
  }
}
