import Catalog

/// One step of a write, for `log show`.
package struct EntryEvent: Hashable, Sendable {
  package var time: Timestamp
  package var attempt: Int
  package var state: String
  package var evidence: String?
}
