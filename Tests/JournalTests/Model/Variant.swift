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
    /// A create that may have left whole is sent again when it is not seen.
    case createsAgain
    /// The last bytes of a create leave before that is written down.
    case leavesUnwritten
    /// What a server answers to a create is believed, whatever it says.
    case believesCreates
    /// A patch that was answered is not read back.
    case believesPatches
    /// One read after an answer that is not as wanted is a verdict.
    case judgesByOneRead
    /// Products older than those remembered count as new.
    case oldIsNew
    /// Our own later edit of the product makes it another.
    case forgetsOwnEdits
    /// A verdict of not applied is forgotten by the next look.
    case forgetsVerdicts
    /// Nobody is told when a copy of a patch arrives after it was sent again or given up.
    case looksAwayFromPatches
  }

  var crashes = 1
  var faults = 2
  var foreignEdits = 0
  var foreignTwins = 0
  var keepsMarker = true
  /// Creates and patches that left whole may arrive at any later step, and servers may answer what is not so.
  var isUnbounded = false
  /// Reads after an answer may come from a copy that lags behind by less than the window.
  var lags = false
  /// Changes are computed from what was seen.
  var isRelative = false
  /// After a crash the later writes of the script come first.
  var laterFirst = false
  /// How many of the newest ids a create remembers.
  var reach = Int.max
  var mutant: Mutant?

  func rules(isCreate: Bool) -> StateMachine.Rules {
    var rules = StateMachine.Rules(settle: Settle(window: .seconds(5)))
    switch mutant {
    case .noWindow, .noWindowAndCreatesOnce, .noWindowAndAllOnce:
      rules.settle = Settle(window: .zero, agreement: .zero)
      rules.repeatsCreates = true
      if mutant == .noWindowAndAllOnce || (mutant == .noWindowAndCreatesOnce && isCreate) { rules.attempts = 1 }
    case .noOpsAreSent: rules.skipsNoOps = false
    case .createsAgain: rules.repeatsCreates = true
    case .believesCreates: rules.confirms = !isCreate
    case .believesPatches: rules.confirms = isCreate
    case .judgesByOneRead: rules.judgesByOneRead = true
    case .journalledAfterSend, .librarySendsAgain, .noHold, .staleBeforeImage, .leavesUnwritten, .oldIsNew,
      .forgetsOwnEdits,
      .forgetsVerdicts, .looksAwayFromPatches, nil:
      break
    }
    return rules
  }
}
