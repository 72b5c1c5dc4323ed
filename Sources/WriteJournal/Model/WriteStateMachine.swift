/// The life cycle of one write from intent to verdict.
///
/// It decides the next step from observations and has no side effects.
///
/// There is no I/O, clock or randomness in it: the runner, recovery and the model test all use this same value. Times
/// are of one monotonic clock. Only `state`, `attempt` and `mayHaveLeft` outlive a process.
package struct WriteStateMachine: Hashable, Sendable {
  /// The kind of write, which determines what may be sent again and what proves that it was applied.
  package enum Kind: Hashable, Sendable {
    case create
    case patch
    case delete
  }

  /// The state of a write.
  ///
  /// The raw values are stored on disk.
  package enum State: String, Hashable, Sendable, CaseIterable {
    case planned
    /// The write has claimed its product, and may be sent once it is recorded as `sending`.
    case claimed = "ready"
    /// The write is recorded and being sent.
    ///
    /// After a crash, a create in this state wasn't applied, because its last bytes wait for `leaving`; anything else
    /// is `unknown`.
    case sending
    /// The last bytes of a create are being sent, which is recorded first.
    ///
    /// From here on it may be applied at any time.
    case sendingFinalBytes = "leaving"
    case notSent = "unsent"
    /// Rejected for now with 429: not processed, and `resume` may send it.
    case rateLimited = "deferred"
    case unknown
    /// Confirmed by the server, and not yet read: the writes of a batch are read at its end.
    ///
    /// Until then the write holds its product, and after a crash reading decides as for `unknown`.
    case acknowledged = "answered"
    case done
    case refused
    case notApplied
    /// Confirmed by the server, but reading shows that it wasn't applied.
    ///
    /// This is final: it is never sent again and there is nothing to undo.
    case acknowledgedNotApplied = "notStored"
    case needsDecision = "asked"
    case noChange = "unchanged"
    case drifted
    /// Abandoned by the user or replaced by another write: neither pending nor applied.
    case abandoned = "dismissed"
  }

  /// The next step.
  ///
  /// `finished` means that `state` is the verdict.
  package enum NextStep: Hashable, Sendable {
    case preflight
    case send
    case readBack
    case wait(Duration)
    case finished
  }

  /// The result of reading the product directly before sending.
  package enum Preflight: Hashable, Sendable {
    case ready
    /// All values are already as wanted.
    ///
    /// Such a change is never sent, because a late delivery could revert a later write.
    case alreadyApplied
    case drifted
    case missing
    case applied
    /// There is a product that may or may not be that of an earlier attempt.
    case ambiguous
    /// The product shows what an earlier write of ours replaced, so the read is older than that write; to be read again
    /// at the given time.
    case stale(until: Duration)
    case unreadable
  }

  /// A complete response to the last attempt, which reading has to confirm.
  package enum Acknowledgement: Hashable, Sendable {
    case success
    /// Status 404 for a patch or a delete.
    case noSuchProduct
  }

  /// The result of reading after sending.
  package enum ReadBack: Hashable, Sendable {
    /// Every sent field has the wanted value, or the form in which the server stores it; a deleted product doesn't
    /// exist.
    case applied
    /// No sent field has its previous value, and some have a third one.
    ///
    /// `isOurs` indicates that another has the wanted value.
    case changed(isOurs: Bool)
    /// Some sent fields have their previous value and others don't.
    ///
    /// `isOurs` indicates that one of these has the wanted value.
    case partial(isOurs: Bool)
    /// Every sent field has its previous value, and the product's modification time has changed.
    case restored
    /// Every sent field has its previous value; a deleted product exists; a created one doesn't.
    case notApplied
    /// The product of a patch doesn't exist any more.
    case gone
    /// Several products could be the created one, or one that could be another vendor's.
    case unclear
    /// The product exists and shows none of the sent fields.
    case hidden
    case unreadable
  }

  /// The limits for sending and confirming a write.
  package struct Rules: Hashable, Sendable {
    package var window: ConfirmationWindow
    /// The maximum number of attempts in a round.
    package var attempts = 3
    /// The longest `Retry-After` that is waited for.
    package var longestWait = Duration.seconds(60)
    /// A Boolean value that indicates whether changes without effect are skipped.
    ///
    /// The model test disables it to check that it notices.
    package var skipsNoOps = true
    /// A Boolean value that indicates whether finding the wanted values ends an unknown outcome before the window does.
    package var believesEarly = true
    /// A Boolean value that is false if the server confirms writes without storing them, so that nothing arrives late.
    package var keepsWrites = true
    /// The time at which a 2xx response is verified by reading.
    package var confirmation = Confirmation.immediate
    /// A Boolean value that indicates whether one contradicting read after a 2xx response proves that the write wasn't
    /// applied.
    ///
    /// The model test enables it to check that it notices.
    package var judgesByOneRead = false
    /// A Boolean value that indicates whether a create that may have been sent completely is sent again.
    ///
    /// The model test enables it to check that it notices.
    package var repeatsCreates = false
    /// A Boolean value that indicates whether a create is sent although the create of the same row of a plan or file
    /// was found done.
    ///
    /// The simulation enables it to check that it notices.
    package var ignoresFoundCreates = false

    package init(window: ConfirmationWindow) { self.window = window }
  }

  /// The time at which a 2xx response is verified by reading.
  package enum Confirmation: Hashable, Sendable {
    /// Before the next step.
    case immediate
    /// At the end of the batch; until then the write is `acknowledged`.
    case atBatchEnd
    /// Never: the response is trusted.
    case never
  }

  package private(set) var state: State
  /// The number of attempts so far.
  package private(set) var attempt: Int
  /// The number of attempts in this round, of which there are at most as many as the rules allow.
  package var attemptOfRound: Int { attempt - previousAttempts }
  package let kind: Kind
  /// A Boolean value that indicates an edit to values that were computed from those that were read.
  ///
  /// Another client may have computed the same, so after a rejection they aren't taken for our own.
  private let isRelative: Bool
  /// A Boolean value that indicates a create with an attempt that may have been sent completely and had no response, so
  /// that it may still be applied.
  package private(set) var mayHaveLeft: Bool
  /// The number of attempts before `resume` started this round.
  private var previousAttempts: Int
  /// A Boolean value that indicates that the user checked the market and approved sending although an earlier attempt
  /// may still arrive.
  private var isPermitted: Bool
  private var wasMaybeSent = false
  /// The complete response to the last attempt until reading has decided, or `nil`.
  package private(set) var acknowledgement: Acknowledgement?
  /// The time since which the outcome is unknown, or `nil`.
  private var doubt: Duration?
  /// A Boolean value that indicates an attempt with an unknown outcome that no verdict has resolved.
  ///
  /// Wanted values that are found may then be our own.
  package private(set) var isDoubtful: Bool
  /// A Boolean value that indicates whether the product was read since the last attempt.
  package private(set) var wasRead = false
  /// A Boolean value that indicates a write that the server confirmed to a program that ended before it was read.
  private let wasConfirmedEarlier: Bool
  private var sawConflict = false
  private var readCount = 0
  private var notBefore = Duration.zero
  /// The time of the next read before sending, after a stale one.
  private var nextPreflight = Duration.zero
  /// The last finding after the window, and the time when it was first made.
  private var candidateFinding: ReadBack?
  private var candidateSince = Duration.zero
  private var unreadableCount = 0
  private var isExhausted = false
  /// A Boolean value that indicates a write that was rejected with 429 for longer than is waited, and that is looked for
  /// once before it is left: a proxy may have passed it on.
  package private(set) var isUnchecked = false
  /// A Boolean value that indicates an edit to computed values with an attempt that was answered with 429.
  ///
  /// A proxy may have passed it on. A product that differs from what the values were computed from may show its effect
  /// or another client's, which can't be distinguished, so that only the user decides.
  package private(set) var mayBePassedOn: Bool
  /// A Boolean value that indicates an undecided write that is read once more.
  private var rereads: Bool

  /// Creates the state machine of a write.
  ///
  /// - Parameters:
  ///   - kind: The kind of write.
  ///   - state: The recorded state.
  ///   - attempt: The number of attempts so far.
  ///   - isRelative: Whether it is an edit to values that were computed from those that were read.
  ///   - isDoubtful: Whether an attempt has an unresolved outcome.
  ///   - mayHaveLeft: Whether an attempt of a create may still arrive.
  ///   - isPermitted: Whether the user approved sending a create that may still arrive.
  ///   - mayBePassedOn: Whether an attempt of an edit to computed values was answered with 429.
  ///   - rereads: Whether an undecided write is read once more before it is left as it is.
  package init(
    _ kind: Kind, isRelative: Bool = false, state: State = .planned, attempt: Int = 0, isDoubtful: Bool = false,
    mayHaveLeft: Bool = false, isPermitted: Bool = false, mayBePassedOn: Bool = false,
    rereads: Bool = false
  ) {
    self.kind = kind
    self.isRelative = isRelative
    self.state = state
    self.attempt = attempt
    self.isDoubtful = isDoubtful
    self.mayHaveLeft = mayHaveLeft
    self.isPermitted = isPermitted
    self.mayBePassedOn = mayBePassedOn
    self.rereads = rereads
    wasConfirmedEarlier = state == .acknowledged
    previousAttempts = state == .planned ? attempt : 0
    if state == .rateLimited { (isExhausted, isUnchecked) = (true, kind == .create) }
  }

  /// Returns the time until "not applied" can be concluded, or zero if the outcome isn't unknown.
  package func remainingWindow(at now: Duration, by rules: Rules) -> Duration {
    guard state == .unknown, let doubt else { return .zero }
    return max(.zero, doubt + rules.window.duration - now)
  }

  /// The state to record if nothing was sent in this round: pending for `resume`, or undecided as before.
  package var stateIfNothingSent: State { forbidsResend ? .needsDecision : .planned }

  /// A Boolean value that prevents the program from sending a create again that may have been sent completely.
  private var forbidsResend: Bool { kind == .create && mayHaveLeft && !isPermitted }

  package func next(at now: Duration, by rules: Rules) -> NextStep {
    switch state {
    case .planned: now < nextPreflight ? .wait(nextPreflight - now) : .preflight
    case .claimed: .send
    case .sending, .sendingFinalBytes: .finished
    case .rateLimited where isUnchecked && !wasRead: .readBack
    case .notSent, .rateLimited:
      isExhausted || attemptOfRound >= rules.attempts
        ? .finished : now < notBefore ? .wait(notBefore - now) : .preflight
    case .unknown: isExhausted ? .finished : now < notBefore ? .wait(notBefore - now) : .readBack
    case .notApplied:
      isExhausted || attemptOfRound >= rules.attempts
        ? .finished : now < nextPreflight ? .wait(nextPreflight - now) : .send
    case .needsDecision: rereads ? .readBack : .finished
    case .acknowledged, .done, .refused, .acknowledgedNotApplied, .noChange, .drifted, .abandoned: .finished
    }
  }

  /// Records an attempt.
  ///
  /// Call it after the state `sending` is durable and before the first byte is sent.
  package mutating func willSend() {
    state = .sending
    attempt += 1
    wasMaybeSent = mayHaveLeft
  }

  /// Records that the last bytes of a create are being sent.
  ///
  /// Call it after the state `leaving` is durable and before they are sent.
  package mutating func willSendFinalBytes() {
    state = .sendingFinalBytes
    mayHaveLeft = true
  }

  /// Begins another round of attempts with a write of which nothing was sent, after the server couldn't be reached.
  package mutating func willTryAgain() {
    guard state == .notSent else { return }
    (isExhausted, previousAttempts, notBefore) = (false, attempt, .zero)
  }

  package mutating func didPreflight(_ sight: Preflight, by rules: Rules) {
    switch sight {
    case .ready: state = forbidsResend && !rules.repeatsCreates ? .needsDecision : .claimed
    case .alreadyApplied: state = rules.skipsNoOps ? .noChange : .claimed
    case .drifted: state = .drifted
    case .missing: state = .refused
    case .applied: state = .done
    case .ambiguous:
      state = .needsDecision
      if kind == .create { mayHaveLeft = true }
    case .stale(let time):
      nextPreflight = time
      if state == .claimed { state = .planned }
    case .unreadable:
      // A write that a read has shown not applied is not known to be so any more: its copy may have arrived since.
      if forbidsResend { state = .needsDecision } else { state = state == .notApplied ? .unknown : .notSent }
      isExhausted = true
    }
  }

  package mutating func didReceive(_ outcome: SendOutcome, at now: Duration, by rules: Rules) {
    switch outcome {
    case .succeeded, .accepted:
      switch rules.confirmation {
      case .immediate:
        didLoseOutcome(at: now)
        acknowledgement = .success
      case .atBatchEnd: state = .acknowledged
      case .never: state = .done
      }
    // The product existed directly before sending. Either it was deleted in between, or a duplicate of this write did
    // it, or the response is wrong; reading decides.
    case .refused(let refusal) where refusal.kind == .notFound && kind != .create:
      didLoseOutcome(at: now)
      acknowledgement = .noSuchProduct
    case .refused:
      state = .refused
      mayHaveLeft = wasMaybeSent
    case .drifted:
      state = .drifted
      mayHaveLeft = wasMaybeSent
    case .unsent:
      state = .notSent
      mayHaveLeft = wasMaybeSent
      notBefore = now + .milliseconds(500 << min(attempt - 1, 4))
    case .aborted:
      state = .notSent
      mayHaveLeft = wasMaybeSent
      notBefore = now
    case .rateLimited(let wait):
      state = .rateLimited
      mayHaveLeft = wasMaybeSent
      notBefore = now + max(.zero, wait ?? .seconds(1))
      isExhausted = (wait ?? .zero) > rules.longestWait
      isUnchecked = isExhausted || attemptOfRound >= rules.attempts
      // A proxy may have passed the write on: if the product shows it, it was this one.
      if isRelative, kind == .patch { mayBePassedOn = true } else if kind != .create { isDoubtful = true }
      wasRead = false
    case .unknown: didLoseOutcome(at: now)
    }
  }

  /// Makes the outcome unknown, after a crash, an incomplete or an unreadable response.
  ///
  /// From here on only reading decides.
  package mutating func didLoseOutcome(at now: Duration) {
    state = .unknown
    (acknowledgement, wasRead) = (nil, false)
    doubt = now
    isDoubtful = true
    isPermitted = false
    if kind == .create { mayHaveLeft = true }
    readCount = 0
    notBefore = now
    candidateFinding = nil
    unreadableCount = 0
  }

  package mutating func didReadBack(_ finding: ReadBack, at now: Duration, by rules: Rules) {
    guard state != .needsDecision else {
      rereads = false
      if finding == .applied { state = .done }
      return
    }
    if state == .rateLimited {
      wasRead = true
      if finding != .unreadable { isUnchecked = false }
      if mayBePassedOn {
        if finding.showsWrite { state = .needsDecision }
      } else if finding == .applied {
        state = .done
      } else if finding == .unclear {
        (state, mayHaveLeft) = (.needsDecision, true)
      }
      return
    }
    wasRead = true
    let end = (doubt ?? now) + rules.window.duration
    if finding.isForeign { sawConflict = true }
    if rules.judgesByOneRead, acknowledgement == .success, ![.applied, .hidden, .unreadable].contains(finding) {
      state = .acknowledgedNotApplied
      return
    }
    if endsAtOnce(finding, isOver: now >= end, by: rules) { return }
    guard finding != .unreadable else {
      candidateFinding = nil
      wait(at: now, until: end, by: rules)
      guard now >= end else { return }
      unreadableCount += 1
      isExhausted = unreadableCount >= 3
      return
    }
    if candidateFinding != finding {
      candidateFinding = finding
      candidateSince = now
    }
    wait(at: now, until: end, by: rules)
    // Without a response, reads before the end of the window don't show what arrives after it.
    if acknowledgement == nil, now < end {
      candidateFinding = nil
      return
    }
    let isFinal = now >= end || acknowledgement == .success && finding.endsEarly
    // Reads that keep contradicting each other, for example from two replicas, must come to an end too.
    let isLate = now >= end + rules.window.agreementInterval * 4 && finding != .notApplied
    guard isFinal, now - candidateSince >= rules.window.agreementInterval || isLate else { return }
    state = verdict(on: finding, by: rules)
  }

  /// Decides if one read is sufficient, and returns whether it is.
  private mutating func endsAtOnce(_ finding: ReadBack, isOver: Bool, by rules: Rules) -> Bool {
    switch (finding, acknowledgement) {
    // A server that sent a response won't apply this write later.
    case (.applied, .some), (.hidden, .success): state = .done
    case (.applied, nil) where isOver || rules.believesEarly && !sawConflict: state = .done
    case (.gone, .noSuchProduct), (.hidden, .noSuchProduct): state = .refused
    default: return false
    }
    return true
  }

  /// Sets the time of the next read: often at first, at the end of the window, and then at the interval between two
  /// reads that have to agree.
  private mutating func wait(at now: Duration, until end: Duration, by rules: Rules) {
    if now >= end || candidateFinding?.endsEarly == true && acknowledgement == .success {
      notBefore = now + rules.window.agreementInterval
    } else {
      notBefore = min(now + .seconds(1 << min(readCount, 3)), end)
      readCount += 1
    }
  }

  /// Returns the verdict for a finding confirmed by two reads.
  private func verdict(on finding: ReadBack, by rules: Rules) -> State {
    switch (finding, acknowledgement) {
    case (.applied, _), (.hidden, .success), (.partial(isOurs: true), _), (.changed(isOurs: true), _): .done
    // Confirmed by the server and no longer as before: it was applied, and written again since or stored in another
    // form.
    case (.changed, .success), (.partial, .success), (.gone, .success): .done
    case (.notApplied, .success) where !rules.keepsWrites: .acknowledgedNotApplied
    // A create that was sent completely may be applied at any later time, so not finding it is no proof.
    case (.notApplied, _) where kind == .create && !rules.repeatsCreates: .needsDecision
    // Since the program ended, another client may have set it back.
    case (.notApplied, .success): wasConfirmedEarlier ? .needsDecision : .acknowledgedNotApplied
    case (.notApplied, .noSuchProduct), (.gone, .noSuchProduct), (.hidden, .noSuchProduct): .refused
    case (.notApplied, nil): .notApplied
    // Either it was applied and reverted, or it wasn't applied while another client wrote; or there was no response,
    // and another client wrote.
    case (.restored, _), (.changed, _), (.partial, _), (.gone, nil), (.unclear, _), (.hidden, nil), (.unreadable, _):
      .needsDecision
    }
  }
}

extension WriteStateMachine.ReadBack {
  /// A Boolean value that indicates that another client has or may have written.
  var isForeign: Bool {
    switch self {
    case .changed, .partial, .restored, .gone, .unclear: true
    case .applied, .notApplied, .hidden, .unreadable: false
    }
  }

  /// A Boolean value that indicates that a sent field hasn't its previous value.
  var showsWrite: Bool {
    switch self {
    case .applied, .changed, .partial: true
    case .restored, .notApplied, .gone, .unclear, .hidden, .unreadable: false
    }
  }

  /// A Boolean value that indicates that after a confirmation the finding is decided before the end of the window,
  /// because no field has its previous value any more.
  var endsEarly: Bool {
    switch self {
    case .changed, .gone: true
    case .applied, .partial, .restored, .notApplied, .unclear, .hidden, .unreadable: false
    }
  }
}

extension WriteStateMachine.State {
  /// The states of writes that may be in flight or applied, without a known outcome.
  package static let inDoubt: [Self] = [.sending, .sendingFinalBytes, .unknown, .acknowledged]
  /// The states of writes that `resume` would send.
  package static let unfinished: [Self] = [.planned, .claimed, .notSent, .rateLimited, .notApplied]
  /// The states without a final verdict.
  package static let open = inDoubt + [.needsDecision] + unfinished
}

/// Returns states as a comma-separated list of SQL strings, so that a query can't name a state that doesn't exist.
func quoted(_ states: WriteStateMachine.State...) -> String { quoted(states) }

/// Returns raw values as a comma-separated list of SQL strings.
func quoted(_ names: [some RawRepresentable<String>]) -> String {
  names.map { "'\($0.rawValue)'" }.joined(separator: ", ")
}
