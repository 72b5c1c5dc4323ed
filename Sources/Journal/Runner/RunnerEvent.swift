import Catalog

/// What goes on while a plan is run, for progress lines and countdowns. `index` counts the plan's changes from 0.
package enum RunnerEvent: Hashable, Sendable {
  case sending(index: Int, attempt: Int)
  /// The outcome is being read back; `left` is how long it may take until a "no" is believed.
  case settling(index: Int, left: Duration, evidence: String)
  /// Waiting before sending again: 429, or nothing could be sent.
  case pausing(index: Int, Duration)
  /// Another write holds the product.
  case waiting(index: Int, Holder)
  case finished(index: Int, Outcome)
}
