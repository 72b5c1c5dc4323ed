/// How it is made sure that what a server answered with yes has happened: a server may echo what was sent and store
/// nothing. The raw values are what people type.
package enum Verification: String, Hashable, Sendable, CaseIterable, Codable {
  /// Every write is read back when it is answered.
  case always
  /// A single write is; those of a batch are read back together at its end, through lists where their rows tell enough.
  case batchEnd = "batch-end"
  /// Answers are believed.
  case never
}
