import Catalog

/// Who keeps a product from being written: an earlier write, here or in another shell, that is not decided yet.
package struct Holder: Hashable, Sendable {
  /// The number of that write in the log.
  package var entry: Int
  package var process: Int
  package var host: String
  package var since: Timestamp
  /// True when nobody knows how it ended; false when it is being sent right now.
  package var isUnknown: Bool
}
