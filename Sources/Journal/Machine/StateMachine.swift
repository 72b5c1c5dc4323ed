/// One write from intent to verdict: decides what to do next from what was observed, and does nothing itself.
///
/// No I/O, no clock, no randomness: the runner, recovery and the model test all drive this same value (safety.md 1.3 to
/// 1.6). Times are of one monotonic clock; what outlives a process is only `state` and `attempt`.
package struct StateMachine: Hashable, Sendable {
  package enum State: String, Hashable, Sendable, CaseIterable {
    case planned
    /// Holds its product and may be sent once it is on disk as `sending`.
    case ready
    /// On disk, on its way: after a crash it is `unknown`.
    case sending
    case unsent
    case unknown
    case done
    case refused
    case notApplied
    case asked
    case unchanged
    case drifted
  }

  /// What to do next; `rest` means that `state` is the verdict.
  package enum Order: Hashable, Sendable {
    case look
    case send
    case read
    case pause(Duration)
    case rest
  }

  /// What a look just before sending showed.
  package enum Sight: Hashable, Sendable {
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

  /// What one send answered.
  package enum Answer: Hashable, Sendable {
    case applied
    case refused(isNotFound: Bool)
    case unsent
    case tooMany(Duration?)
    case unknown
  }

  /// What reading back showed.
  package enum Finding: Hashable, Sendable {
    case landed
    case untouched
    /// Neither as it was nor as wanted: someone else wrote too, or it took effect in part.
    case foreign
    case unreadable
  }

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

    package init(settle: Settle) { self.settle = settle }
  }

  package private(set) var state: State
  /// Sends so far.
  package private(set) var attempt: Int
  package let isDelete: Bool
  /// Sends of an earlier round, before `resume` began this one.
  private let earlier: Int
  /// When the doubt began; nil while there is none.
  private var doubt: Duration?
  /// A send of it was in doubt once: what is as wanted may be our own doing.
  package private(set) var isDoubtful: Bool
  private var sawForeign = false
  private var polls = 0
  private var notBefore = Duration.zero
  /// The last finding after the window and when it was first made.
  private var held: Finding?
  private var heldSince = Duration.zero
  private var blanks = 0
  private var isSpent = false

  package init(isDelete: Bool, state: State = .planned, attempt: Int = 0, isDoubtful: Bool = false) {
    self.isDoubtful = isDoubtful
    self.isDelete = isDelete
    self.state = state
    self.attempt = attempt
    earlier = state == .planned ? attempt : 0
  }

  /// How long until a "no" is believed; zero when nothing is in doubt.
  package func left(at now: Duration, by rules: Rules) -> Duration {
    guard state == .unknown, let doubt else { return .zero }
    return max(.zero, doubt + rules.settle.window - now)
  }

  package func next(at now: Duration, by rules: Rules) -> Order {
    switch state {
    case .planned: .look
    case .ready: .send
    case .sending: .rest
    case .unsent:
      isSpent || attempt - earlier >= rules.attempts ? .rest : now < notBefore ? .pause(notBefore - now) : .look
    case .unknown: isSpent ? .rest : now < notBefore ? .pause(notBefore - now) : .read
    case .notApplied: isSpent || attempt - earlier >= rules.attempts ? .rest : .send
    case .done, .refused, .asked, .unchanged, .drifted: .rest
    }
  }

  /// Call when the `sending` record is on disk, before the first byte leaves.
  package mutating func sends() {
    state = .sending
    attempt += 1
  }

  package mutating func looked(_ sight: Sight, by rules: Rules) {
    switch sight {
    case .clear: state = .ready
    case .same: state = rules.skipsNoOps ? .unchanged : .ready
    case .drifted: state = .drifted
    case .gone: state = .refused
    case .landed: state = .done
    case .unclear: state = .asked
    case .unreadable:
      // What was proven not applied stays so.
      if state != .notApplied { state = .unsent }
      isSpent = true
    }
  }

  package mutating func answered(_ answer: Answer, at now: Duration, by rules: Rules) {
    switch answer {
    case .applied: state = .done
    case .refused(let isNotFound): state = isDelete && isNotFound && isDoubtful ? .done : .refused
    case .unsent:
      state = .unsent
      notBefore = now + .milliseconds(500 << min(attempt - 1, 4))
    case .tooMany(let wait):
      state = .unsent
      notBefore = now + max(.zero, wait ?? .seconds(1))
      isSpent = (wait ?? .zero) > rules.longestWait
    case .unknown: doubts(at: now)
    }
  }

  /// Nobody knows: from here on only reading back decides. A crash, a cut and an unreadable answer all end here.
  package mutating func doubts(at now: Duration) {
    state = .unknown
    doubt = now
    isDoubtful = true
    polls = 0
    notBefore = now
    held = nil
    blanks = 0
  }

  package mutating func found(_ finding: Finding, at now: Duration, by rules: Rules) {
    let end = (doubt ?? now) + rules.settle.window
    if finding == .foreign { sawForeign = true }
    if finding == .landed, now >= end || (rules.believesEarly && !sawForeign) {
      state = .done
      return
    }
    guard now >= end else {
      let step = Duration.seconds(1 << min(polls, 3))
      polls += 1
      notBefore = min(now + step, end)
      return
    }
    agree(on: finding, at: now, by: rules)
  }

  /// After the window: two reads, some time apart, must say the same.
  private mutating func agree(on finding: Finding, at now: Duration, by rules: Rules) {
    notBefore = now + rules.settle.agreement
    guard finding != .unreadable else {
      blanks += 1
      held = nil
      isSpent = blanks >= 3
      return
    }
    if held != finding {
      held = finding
      heldSince = now
    }
    guard now - heldSince >= rules.settle.agreement else { return }
    switch finding {
    case .untouched: state = .notApplied
    case .foreign: state = .asked
    case .landed: state = .done
    case .unreadable: break
    }
  }
}
