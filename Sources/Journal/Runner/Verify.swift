/// When a write that was answered is read back, so that "done" is what the market holds and not what it echoed.
package enum Verify: String, Hashable, Sendable, Codable, CaseIterable {
  /// Every write, right after its answer.
  case always
  /// A single write right after its answer, those of a batch together at its end.
  case batchEnd = "batch-end"
  case never
}
