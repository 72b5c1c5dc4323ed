import CGlibc
import Catalog
import Glibc

/// The undecided write that prevents another write to the same product, in this or another shell.
package struct ConflictingWrite: Hashable, Sendable {
  /// The number of that write in the log.
  package var entry: Int
  package var process: Int
  package var host: String
  package var since: Timestamp
  /// A Boolean value that indicates an unknown outcome; otherwise the write is being sent right now.
  package var isUnknown: Bool
}
