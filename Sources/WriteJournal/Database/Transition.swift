import Catalog

/// A state transition of a write, for `log show`.
package struct Transition: Hashable, Sendable {
  package var time: Timestamp
  package var attempt: Int
  package var state: String
  package var evidence: String?
}
