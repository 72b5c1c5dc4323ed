/// One change that the market made: written in the same transaction as the change itself, never altered after.
package struct MarketEffect: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    case create
    case edit
    /// A secret or path for a later delete was handed out.
    case archive
    case delete
  }

  /// Counts from 1 without a gap.
  package var number: Int64
  package var kind: Kind
  package var product: Int64
  package var vendor: Int64
  /// FNV-1a (64 bit) of the request's body, 16 hex digits.
  package var bodyHash: String
  /// Microseconds since 1970 UTC.
  package var at: Int64
  /// The `X-Request-Id` header, if there was one.
  package var request: String?
}
