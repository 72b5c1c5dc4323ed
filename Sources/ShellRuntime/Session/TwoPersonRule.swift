/// The rule that the signer of a plan is another person than its maker.
package enum TwoPersonRule: String, Hashable, Sendable, CaseIterable {
  case on
  case off
}
