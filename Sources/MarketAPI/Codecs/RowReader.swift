import Catalog

/// Reads the members of one product's JSON object in their order, and the value of each as the requested type.
///
/// `PullRowReader` reads text in one pass and gives up on anything unusual. `TreeRowReader` reads parsed JSON, accepts
/// what the servers may send, and says which value is wrong.
protocol RowReader {
  associatedtype Failure: Error

  /// The members to return; others are skipped.
  var parts: RowKeySet { get }

  /// Reads the start of the object; call `nextKey` next.
  mutating func beginRow() throws(Failure)
  /// Returns the next requested member, whose value is read next, or `nil` at the end of the object.
  mutating func nextKey() throws(Failure) -> RowKey?

  /// Reads an integer, or returns `nil` for null, as all that follow.
  mutating func int() throws(Failure) -> Int?
  mutating func string() throws(Failure) -> String?
  mutating func amount() throws(Failure) -> Amount?
  /// Reads a time; an invalid one is `nil`, because no decision depends on it.
  mutating func timestamp() throws(Failure) -> Timestamp?
  /// Reads the pictures; one without a URL is omitted, because there is nothing to show.
  mutating func pictures() throws(Failure) -> [Picture]?
  /// Reads the vendor's id and name from its object.
  mutating func vendor() throws(Failure) -> (id: Int?, name: String?)?

  /// The error for a row without an id.
  var missingID: Failure { get }
}
