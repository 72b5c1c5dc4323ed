import Catalog

/// How one change of a plan ended, in a form the shell words.
///
/// Indirect: a batch holds an outcome for each of its writes until its end, many hands share it.
package indirect enum Outcome: Hashable, Sendable {
  /// Applied once, and read back; `differences` are the sent fields that do not read as they were wanted.
  case done(Product?, differences: [Difference])
  /// Already as wanted, so nothing was sent; `earlier` is the write of this home that made it so, where it is known.
  case unchanged(Product, earlier: EarlierWrite? = nil)
  case refused(Refusal)
  /// Not a byte reached the server; the evidence.
  case notSent(String)
  /// Broken off before its last byte, so it cannot have been applied; the evidence.
  case cutShort(String)
  /// Nothing was sent, because it could not be written down first.
  case noJournal(JournalFailure)
  /// Nothing was sent: an earlier write to the same product has no outcome yet.
  case held(Holder)
  /// It was sent, and reading back proved that it never took effect.
  case notApplied
  /// The server answered with yes, and these fields, all that were sent, still have their previous values at the end of the
  /// window: the product as it is, and the evidence. Nothing to undo.
  case notStored(Product?, [Field], evidence: String)
  /// Not decided; kept in the journal and settled by the next start or `status`.
  case unknown(String)
  /// Not begun: the batch stopped before it.
  case skipped
  /// Nothing was sent: these fields are no longer what the plan was made from.
  case drifted([Field])
  /// Undecidable from here; the evidence is the question put to the user.
  case asked(String)
  /// It ended so, and that could not be written into the journal: there its outcome is open, and `resume` reads it back.
  case unrecorded(Outcome, JournalFailure)

  /// As it was seen last, where an answer or a reading showed it.
  package var product: Product? {
    switch self {
    case .done(let product, _): product
    case .unchanged(let product, _): product
    case .notStored(let product, _, _): product
    case .unrecorded(let outcome, _): outcome.product
    case .refused, .notSent, .cutShort, .noJournal, .held, .notApplied, .unknown, .skipped, .drifted, .asked: nil
    }
  }

  /// The word of the batch table and the log.
  package var word: String {
    switch self {
    case .done: "done"
    case .unchanged: "unchanged"
    case .refused: "refused"
    case .notSent, .cutShort, .noJournal, .held: "not-sent"
    case .notApplied, .notStored: "not-applied"
    case .unknown, .asked, .unrecorded: "unknown"
    case .skipped: "skipped"
    case .drifted: "drifted"
    }
  }

  /// Counts towards stopping a batch that only fails; what someone else has changed is no trouble of the server.
  package var isFailure: Bool {
    switch self {
    case .done, .unchanged, .skipped, .drifted: false
    case .refused, .notSent, .cutShort, .noJournal, .held, .notApplied, .notStored, .unknown, .asked, .unrecorded: true
    }
  }

  /// As wanted: there is nothing left to do.
  package var isFine: Bool {
    switch self {
    case .done(_, let differences): !differences.isPartial
    case .unchanged: true
    case .refused, .notSent, .cutShort, .noJournal, .held, .notApplied, .notStored, .unknown, .skipped, .drifted,
      .asked, .unrecorded:
      false
    }
  }

  /// `resume` would make it.
  package var canBeResumed: Bool {
    switch self {
    case .notSent, .cutShort, .noJournal, .held, .notApplied, .skipped: true
    case .done, .unchanged, .refused, .notStored, .unknown, .drifted, .asked, .unrecorded: false
    }
  }

  package var isUnknown: Bool {
    switch self {
    case .unknown, .asked, .unrecorded: true
    case .done, .unchanged, .refused, .notSent, .cutShort, .noJournal, .held, .notApplied, .notStored, .skipped,
      .drifted:
      false
    }
  }
}

/// A write that an earlier run left open, and what became of it.
package struct Recovered: Hashable, Sendable {
  package var entry: Int
  package var change: Change
  package var outcome: Outcome
}

/// What goes on while a plan is run, for progress lines and countdowns. `index` counts the plan's changes from 0.
package enum RunnerEvent: Hashable, Sendable {
  /// So many changes are about to be made.
  case began(total: Int)
  case sending(index: Int, attempt: Int)
  /// Nobody knows whether it took effect; it is settled when the rest is done.
  case doubtful(index: Int, evidence: String)
  /// The outcome is being read back; `left` is how long it may take until a "no" is believed. Told several times a second.
  /// `isAnswered` when the server said yes and reading does not show it yet.
  case settling(index: Int, left: Duration, evidence: String, isAnswered: Bool)
  /// Reading back proved that it was not applied, so it is sent once more; `attempt` counts from 1.
  case again(index: Int, attempt: Int, evidence: String)
  /// Waiting before sending again: 429, or nothing could be sent. Told several times a second.
  case pausing(index: Int, Duration)
  /// Another write holds the product.
  case waiting(index: Int, Holder)
  /// A write that an interrupted command left open was settled, because it stood in the way of this one.
  case settled(index: Int, Recovered)
  case finished(index: Int, Outcome)
  /// All that `began` announced is over.
  case ended
}

/// Nothing more is to be sent: the user, or the batch, has stopped.
struct Stopped: Error {}
