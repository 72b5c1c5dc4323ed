/// The progress of a running plan.
///
/// `index` counts the plan's changes from 0.
package enum RunnerEvent: Hashable, Sendable {
  /// The execution of this number of changes begins.
  case began(total: Int)
  case sending(index: Int, attempt: Int)
  /// The outcome is unknown; it is resolved after the other writes.
  case outcomeUnknown(index: Int, evidence: String)
  /// The outcome is being determined by reading.
  ///
  /// `left` is the time until "not applied" can be concluded; it is reported several times per second. `isAnswered`
  /// indicates that the server confirmed the write and reading doesn't show it yet.
  case readingBack(index: Int, left: Duration, evidence: String, isAnswered: Bool)
  /// Reading proved that the write wasn't applied, so it is sent again.
  ///
  /// `attempt` counts from 1.
  case retrying(index: Int, attempt: Int, evidence: String)
  /// Waiting before sending again, after 429 or because nothing could be sent.
  ///
  /// It is reported several times per second.
  case waitingToSend(index: Int, Duration)
  /// Another write has claimed the product.
  case waitingForLock(index: Int, ConflictingWrite)
  /// A conflicting write that an interrupted command left pending was resolved.
  case settled(index: Int, RecoveredWrite)
  case finished(index: Int, Outcome)
  /// All announced changes are finished.
  case ended
}
