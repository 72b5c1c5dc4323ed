/// One write from intent to verdict: decides what to do next from what was observed, and does nothing itself.
///
/// No I/O, no clock, no randomness: the runner, recovery and the model test all drive this same value. Times are of one
/// monotonic clock; what outlives a process is only `state`, `attempt` and `mayHaveLeft`.
package struct StateMachine: Hashable, Sendable {
  /// What is written: what may be sent again, and what proves it, differ by it.
  package enum Kind: Hashable, Sendable {
    case create
    case patch
    case delete
  }

  /// Where a write stands; by these names it stands on disk.
  package enum State: String, Hashable, Sendable, CaseIterable {
    case planned
    /// Holds its product and may be sent once it is on disk as `sending`.
    case ready
    /// On disk, on its way. A create found so after a crash was not applied: its last bytes wait for `leaving`. Anything
    /// else found so is `unknown`.
    case sending
    /// On disk: the last bytes of a create go now. From here on it may be applied at any time.
    case leaving
    case unsent
    /// Refused for now, by 429: not processed, and `resume` may send it.
    case deferred
    case unknown
    case done
    case refused
    case notApplied
    /// Answered with yes, and reading shows that it did not happen: final, never sent again, nothing to undo.
    case notStored
    case asked
    case unchanged
    case drifted
    /// Given up by a person, or replaced by another: neither open nor made.
    case dismissed
  }

  /// What to do next; `rest` means that `state` is the verdict.
  package enum NextStep: Hashable, Sendable {
    case look
    case send
    case read
    case pause(Duration)
    case rest
  }

  /// What a look just before sending showed.
  package enum Preflight: Hashable, Sendable {
    case clear
    /// All is as wanted already: a no-op is never sent, because a late one could undo a later write.
    case same
    case drifted
    case gone
    case landed
    /// A product that could be ours, and nobody can say.
    case unclear
    case unreadable
  }

  /// What one send was answered with.
  package enum Answer: Hashable, Sendable {
    /// A complete 2xx: the server says yes. Only reading tells whether it happened.
    case accepted
    case refused(isNotFound: Bool)
    /// Nothing left.
    case unsent
    /// Broken off before the last byte: certainly not applied.
    case cut
    case tooMany(Duration?)
    case unknown
  }

  /// A complete answer to the last send, which reading has to agree with.
  package enum Reply: Hashable, Sendable {
    case yes
    /// 404 to a patch or a delete.
    case noSuchProduct
  }

  /// What reading back showed.
  package enum ReadBack: Hashable, Sendable {
    /// Every sent field is as wanted, or in the form in which the server stores it; a deleted product is gone.
    case landed
    /// No sent field has its previous value, and some have a third one; `isOurs` when another is as wanted.
    case changed(isOurs: Bool)
    /// Some sent fields have their previous value and others have not; `isOurs` when one of these is as wanted.
    case partial(isOurs: Bool)
    /// Every sent field has its previous value, and the product says that it was modified since.
    case restored
    /// Every sent field has its previous value; a deleted product is still there; a created one is not there.
    case untouched
    /// The product of a patch is not there any more.
    case gone
    /// More than one product could be the created one, or one that could be another's.
    case unclear
    /// The product is there and shows none of the sent fields.
    case hidden
    case unreadable
  }

  /// How long and how often a write is tried and looked for.
  package struct Rules: Hashable, Sendable {
    package var settle: Settle
    /// Sends of one write in a round, at most.
    package var attempts = 3
    /// The longest `Retry-After` that is waited for.
    package var longestWait = Duration.seconds(60)
    /// False never looks for a no-op; only the model test does that, to be caught.
    package var skipsNoOps = true
    /// A landed finding ends the doubt before the window does.
    package var believesEarly = true
    /// A 2xx is read back by this machine; false leaves that to the end of the batch, or believes it.
    package var confirms = true
    /// True takes one read after a 2xx that is not as wanted for a proof that the write was not applied; only the model
    /// test does that, to be caught.
    package var judgesByOneRead = false
    /// True sends a create again that may have left whole; only the model test does that, to be caught.
    package var repeatsCreates = false

    package init(settle: Settle) { self.settle = settle }
  }

  package private(set) var state: State
  /// Sends so far.
  package private(set) var attempt: Int
  package let kind: Kind
  /// Of a create: a send of it may have left whole and was not answered, so it may still be applied at any time.
  package private(set) var mayHaveLeft: Bool
  /// Sends of an earlier round, before `resume` began this one.
  private let earlier: Int
  /// A person has looked and wants it sent although an earlier send may have left.
  private var isPermitted: Bool
  private var hadLeft = false
  /// The complete answer to the last send, while reading has not decided yet; nil where none came.
  package private(set) var reply: Reply?
  /// When the doubt began; nil while there is none.
  private var doubt: Duration?
  /// A send of it was in doubt, and no verdict has ended that doubt: what is as wanted may be our own doing.
  package private(set) var isDoubtful: Bool
  /// It was read at least once since the last send.
  package private(set) var wasRead = false
  private var sawForeign = false
  private var polls = 0
  private var notBefore = Duration.zero
  /// The last finding after the window and when it was first made.
  private var held: ReadBack?
  private var heldSince = Duration.zero
  private var blanks = 0
  private var isSpent = false
  /// An open question of which one more read is made.
  private var rereads: Bool

  /// - Parameters:
  ///   - isPermitted: a person wants this create sent whatever may still arrive.
  ///   - rereads: of a question: read once more before it is left as it is.
  package init(
    _ kind: Kind, state: State = .planned, attempt: Int = 0, isDoubtful: Bool = false, mayHaveLeft: Bool = false,
    isPermitted: Bool = false, rereads: Bool = false
  ) {
    self.kind = kind
    self.state = state
    self.attempt = attempt
    self.isDoubtful = isDoubtful
    self.mayHaveLeft = mayHaveLeft
    self.isPermitted = isPermitted
    self.rereads = rereads
    earlier = state == .planned ? attempt : 0
  }

  /// How long until a "no" is believed; zero when nothing is in doubt.
  package func left(at now: Duration, by rules: Rules) -> Duration {
    guard state == .unknown, let doubt else { return .zero }
    return max(.zero, doubt + rules.settle.window - now)
  }

  /// The state to leave it in when nothing of this round was sent: open for `resume`, or the question it was before.
  package var untouched: State { isBarred ? .asked : .planned }

  /// A create that may have left whole is never sent again by the program.
  private var isBarred: Bool { kind == .create && mayHaveLeft && !isPermitted }

  package func next(at now: Duration, by rules: Rules) -> NextStep {
    switch state {
    case .planned: .look
    case .ready: .send
    case .sending, .leaving: .rest
    case .unsent, .deferred:
      isSpent || attempt - earlier >= rules.attempts ? .rest : now < notBefore ? .pause(notBefore - now) : .look
    case .unknown: isSpent ? .rest : now < notBefore ? .pause(notBefore - now) : .read
    case .notApplied: isSpent || attempt - earlier >= rules.attempts ? .rest : .send
    case .asked: rereads ? .read : .rest
    case .done, .refused, .notStored, .unchanged, .drifted, .dismissed: .rest
    }
  }

  /// Call when the `sending` record is on disk, before the first byte leaves.
  package mutating func sends() {
    state = .sending
    attempt += 1
    hadLeft = mayHaveLeft
  }

  /// Call when the `leaving` record of a create is on disk, before its last bytes leave.
  package mutating func leaves() {
    state = .leaving
    mayHaveLeft = true
  }

  package mutating func looked(_ sight: Preflight, by rules: Rules) {
    switch sight {
    case .clear: state = isBarred && !rules.repeatsCreates ? .asked : .ready
    case .same: state = rules.skipsNoOps ? .unchanged : .ready
    case .drifted: state = .drifted
    case .gone: state = .refused
    case .landed: state = .done
    case .unclear: state = .asked
    case .unreadable:
      // What was proven not applied stays so, and a question stays a question.
      if isBarred { state = .asked } else if state != .notApplied { state = .unsent }
      isSpent = true
    }
  }

  package mutating func answered(_ answer: Answer, at now: Duration, by rules: Rules) {
    switch answer {
    case .accepted:
      guard rules.confirms else {
        state = .done
        return
      }
      doubts(at: now)
      reply = .yes
    // The product was there at the look before the send, so either it went in between, or a copy of this write did it, or
    // the answer is wrong: reading decides.
    case .refused(isNotFound: true) where kind != .create:
      doubts(at: now)
      reply = .noSuchProduct
    case .refused:
      state = .refused
      mayHaveLeft = hadLeft
    case .unsent:
      state = .unsent
      mayHaveLeft = hadLeft
      notBefore = now + .milliseconds(500 << min(attempt - 1, 4))
    case .cut:
      state = .unsent
      mayHaveLeft = hadLeft
      notBefore = now
    case .tooMany(let wait):
      state = .deferred
      mayHaveLeft = hadLeft
      notBefore = now + max(.zero, wait ?? .seconds(1))
      isSpent = (wait ?? .zero) > rules.longestWait
    case .unknown: doubts(at: now)
    }
  }

  /// From here on only reading back decides. A crash, a cut and an unreadable answer all end here.
  package mutating func doubts(at now: Duration) {
    state = .unknown
    (reply, wasRead) = (nil, false)
    doubt = now
    isDoubtful = true
    isPermitted = false
    if kind == .create { mayHaveLeft = true }
    polls = 0
    notBefore = now
    held = nil
    blanks = 0
  }

  package mutating func found(_ finding: ReadBack, at now: Duration, by rules: Rules) {
    guard state != .asked else {
      rereads = false
      if finding == .landed { state = .done }
      return
    }
    wasRead = true
    let end = (doubt ?? now) + rules.settle.window
    if finding.isForeign { sawForeign = true }
    if rules.judgesByOneRead, reply == .yes, ![.landed, .hidden, .unreadable].contains(finding) {
      state = .notStored
      return
    }
    if endsAtOnce(finding, isOver: now >= end, by: rules) { return }
    guard finding != .unreadable else {
      held = nil
      wait(at: now, until: end, by: rules)
      guard now >= end else { return }
      blanks += 1
      isSpent = blanks >= 3
      return
    }
    if held != finding {
      held = finding
      heldSince = now
    }
    wait(at: now, until: end, by: rules)
    // Without an answer, what was read before the end of the window says nothing of what came after it.
    if reply == nil, now < end {
      held = nil
      return
    }
    let isFinal = now >= end || reply == .yes && finding.endsEarly
    // Reads that contradict each other for ever, as from two replicas, come to an end too.
    let isLate = now >= end + rules.settle.agreement * 4 && finding != .untouched
    guard isFinal, now - heldSince >= rules.settle.agreement || isLate else { return }
    state = verdict(on: finding, by: rules)
  }

  /// Ends the doubt where one read is enough.
  private mutating func endsAtOnce(_ finding: ReadBack, isOver: Bool, by rules: Rules) -> Bool {
    switch (finding, reply) {
    // A server that answered has nothing of this write left to apply.
    case (.landed, .some), (.hidden, .yes): state = .done
    case (.landed, nil) where isOver || rules.believesEarly && !sawForeign: state = .done
    case (.gone, .noSuchProduct), (.hidden, .noSuchProduct): state = .refused
    default: return false
    }
    return true
  }

  /// When to read next: often at first, at the end of the window, and then as far apart as two reads that agree have to be.
  private mutating func wait(at now: Duration, until end: Duration, by rules: Rules) {
    if now >= end || held?.endsEarly == true && reply == .yes {
      notBefore = now + rules.settle.agreement
    } else {
      notBefore = min(now + .seconds(1 << min(polls, 3)), end)
      polls += 1
    }
  }

  /// The verdict on what two reads have shown, some time apart.
  private func verdict(on finding: ReadBack, by rules: Rules) -> State {
    switch (finding, reply) {
    case (.landed, _), (.hidden, .yes), (.partial(isOurs: true), _), (.changed(isOurs: true), _): .done
    // Answered with yes, and no longer as before: it was applied, and written again since or stored in another form.
    case (.changed, .yes), (.partial, .yes), (.gone, .yes): .done
    // A create that left whole may be applied at any later time: that it is not seen is no proof.
    case (.untouched, _) where kind == .create && !rules.repeatsCreates: .asked
    case (.untouched, .yes): .notStored
    case (.untouched, .noSuchProduct), (.gone, .noSuchProduct), (.hidden, .noSuchProduct): .refused
    case (.untouched, nil): .notApplied
    // Applied and set back, or not applied while somebody wrote something else; not answered, and somebody else wrote.
    case (.restored, _), (.changed, _), (.partial, _), (.gone, nil), (.unclear, _), (.hidden, nil), (.unreadable, _):
      .asked
    }
  }
}

extension StateMachine.ReadBack {
  /// Somebody else has written too, or may have.
  fileprivate var isForeign: Bool {
    switch self {
    case .changed, .partial, .restored, .gone, .unclear: true
    case .landed, .untouched, .hidden, .unreadable: false
    }
  }

  /// After a yes this is decided before the window is over: no field has its previous value any more.
  fileprivate var endsEarly: Bool {
    switch self {
    case .changed, .gone: true
    case .landed, .partial, .restored, .untouched, .unclear, .hidden, .unreadable: false
    }
  }
}

extension StateMachine.State {
  /// What may be on its way or applied, and nobody has said how it ended.
  package static let inDoubt: [Self] = [.sending, .leaving, .unknown]
  /// What `resume` would make.
  package static let unfinished: [Self] = [.planned, .ready, .unsent, .deferred, .notApplied]
  /// What has no verdict that stays.
  package static let open = inDoubt + [.asked] + unfinished
}

/// How long a write that got no answer may still take effect: no "no" is believed before.
package struct Settle: Hashable, Sendable {
  /// From the moment of doubt; must exceed the server's own request limit.
  package var window: Duration
  /// Between the two reads that have to agree.
  package var agreement: Duration

  package init(window: Duration, agreement: Duration = .seconds(2)) {
    self.window = window
    self.agreement = agreement
  }

  package static let remote = Settle(window: .seconds(60))
  package static let loopback = Settle(window: .seconds(5))
}

/// States as SQL has them, parted by commas: a query cannot name a state that there is not.
func quoted(_ states: StateMachine.State...) -> String { quoted(states) }

/// Names as SQL has them, parted by commas.
func quoted(_ names: [some RawRepresentable<String>]) -> String {
  names.map { "'\($0.rawValue)'" }.joined(separator: ", ")
}
