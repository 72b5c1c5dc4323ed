import Catalog

@testable import Journal

/// What is explored: how much goes wrong, and with which part of the design broken.
struct Variant: Sendable {
  enum Mutant: String, Sendable, CaseIterable {
    case journalledAfterSend
    case librarySendsAgain
    case noWindow
    case noWindowAndCreatesOnce
    case noWindowAndAllOnce
    case noOpsAreSent
    case noHold
    case staleBeforeImage
  }

  var crashes = 1
  var faults = 2
  var foreignEdits = 0
  var foreignTwins = 0
  var keepsMarker = true
  var mutant: Mutant?

  func rules(isCreate: Bool) -> StateMachine.Rules {
    var rules = StateMachine.Rules(settle: Settle(window: .seconds(5)))
    switch mutant {
    case .noWindow, .noWindowAndCreatesOnce, .noWindowAndAllOnce:
      rules.settle = Settle(window: .zero, agreement: .zero)
      if mutant == .noWindowAndAllOnce || (mutant == .noWindowAndCreatesOnce && isCreate) { rules.attempts = 1 }
    case .noOpsAreSent: rules.skipsNoOps = false
    case .journalledAfterSend, .librarySendsAgain, .noHold, .staleBeforeImage, nil: break
    }
    return rules
  }
}
