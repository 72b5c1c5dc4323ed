import Catalog

/// What goes on while a plan is run, for progress lines and countdowns. `index` counts the plan's changes from 0.
package enum RunnerEvent: Hashable, Sendable {
  /// So many changes are about to be made.
  case began(total: Int)
  case sending(index: Int, attempt: Int)
  /// Nobody knows whether it took effect; it is settled when the rest is done.
  case doubtful(index: Int, evidence: String)
  /// The outcome is being read back; `left` is how long it may take until a "no" is believed. Told several times a second.
  case settling(index: Int, left: Duration, evidence: String)
  /// Reading back proved that it was not applied, so it is sent once more; `attempt` counts from 1.
  case again(index: Int, attempt: Int, evidence: String)
  /// Waiting before sending again: 429, or nothing could be sent. Told several times a second.
  case pausing(index: Int, Duration)
  /// Another write holds the product.
  case waiting(index: Int, Holder)
  case finished(index: Int, Outcome)
  /// All that `began` announced is over.
  case ended
}
