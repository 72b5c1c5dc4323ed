/// The way to verify that a write confirmed by the server was applied, because a server may return what was sent and
/// store nothing.
///
/// The raw values are the words users type.
package enum Verification: String, Hashable, Sendable, CaseIterable {
  /// Every write is read after its response.
  case always
  /// A single write is read after its response.
  ///
  /// The writes of a batch are read together at its end, through lists if their rows show enough.
  case batchEnd = "batch-end"
  /// Responses are trusted.
  case never
}
