import Catalog

@testable import WriteJournal

/// The faults to explore, and the rule of the design that is removed.
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
    /// A create that may have been sent completely is sent again if it isn't found.
    case createsAgain
    /// The last bytes of a create are sent before that is recorded.
    case leavesUnwritten
    /// The response to a create is trusted without checks.
    case believesCreates
    /// A patch with a response isn't read back.
    case believesPatches
    /// A single read after an unexpected response is a verdict.
    case judgesByOneRead
    /// Products older than the remembered ones count as new.
    case oldIsNew
    /// A later edit by this home makes the product another one.
    case forgetsOwnEdits
    /// A verdict of not applied is forgotten by the next look.
    case forgetsVerdicts
    /// The late copy of a patch that was sent again or abandoned isn't reported.
    case looksAwayFromPatches
    /// A computed edit that was answered with 429 is sent again although a later write may have put its value back.
    case forgetsLaterEdits
  }

  var crashes = 1
  var faults = 2
  var foreignEdits = 0
  var foreignTwins = 0
  var keepsMarker = true
  /// A Boolean value that indicates that complete creates and patches may arrive at any later step, and responses may
  /// be wrong.
  var isUnbounded = false
  /// A Boolean value that indicates that reads after a response may lag by less than the confirmation window.
  var lags = false
  /// A Boolean value that indicates that changes are computed from the values that were read.
  var isRelative = false
  /// A Boolean value that indicates that after a crash the later writes of the script come first.
  var laterFirst = false
  /// The number of newest ids that a create remembers.
  var reach = Int.max
  var mutant: Mutant?

  func rules(isCreate: Bool) -> WriteStateMachine.Rules {
    var rules = WriteStateMachine.Rules(window: ConfirmationWindow(duration: .seconds(5)))
    switch mutant {
    case .noWindow, .noWindowAndCreatesOnce, .noWindowAndAllOnce:
      rules.window = ConfirmationWindow(duration: .zero, agreementInterval: .zero)
      rules.repeatsCreates = true
      if mutant == .noWindowAndAllOnce || (mutant == .noWindowAndCreatesOnce && isCreate) { rules.attempts = 1 }
    case .noOpsAreSent: rules.skipsNoOps = false
    case .createsAgain: rules.repeatsCreates = true
    case .believesCreates: rules.confirmation = isCreate ? .never : .immediate
    case .believesPatches: rules.confirmation = isCreate ? .immediate : .never
    case .judgesByOneRead: rules.judgesByOneRead = true
    case .journalledAfterSend, .librarySendsAgain, .noHold, .staleBeforeImage, .leavesUnwritten, .oldIsNew,
      .forgetsOwnEdits,
      .forgetsVerdicts, .looksAwayFromPatches, .forgetsLaterEdits, nil:
      break
    }
    return rules
  }
}
