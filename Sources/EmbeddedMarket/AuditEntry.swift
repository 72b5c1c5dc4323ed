/// A change made by the market.
///
/// It is recorded in the same transaction as the change and never modified.
package struct AuditEntry: Hashable, Sendable {
  /// The kind of change.
  package enum Kind: String, Hashable, Sendable {
    case create
    case edit
    /// A secret or path for a later deletion was issued.
    case archive
    case delete
  }

  /// The number, from 1 without gaps.
  package var number: Int64
  package var kind: Kind
  package var product: Int64
  package var vendor: Int64
  /// The FNV-1a hash (64 bits) of the request's body, as 16 hexadecimal digits.
  package var bodyHash: String
  /// The time in microseconds since 1970 UTC.
  package var at: Int64
  /// The `X-Request-Id` header field, if there was one.
  package var request: String?
}
