import Catalog

/// The outcome of one change of a plan, as data that the shell turns into messages.
///
/// It is indirect, because a batch stores an outcome for each of its writes and several components share it.
package indirect enum Outcome: Hashable, Sendable {
  /// Applied exactly once, and verified.
  ///
  /// `differences` are the sent fields that aren't read with the wanted value.
  case done(Product?, differences: [FieldDifference])
  /// Already as wanted, so nothing was sent.
  ///
  /// `earlier` is the write of this journal that made it so, if known.
  case unchanged(Product, earlier: EarlierWrite? = nil)
  case refused(Rejection)
  /// Not a single byte of the write reached the server, for the given reason.
  ///
  /// `isAnswered` indicates that the server responded to the read before it.
  case notSent(Evidence, isAnswered: Bool = false)
  /// Aborted before its last bytes, so it can't have been applied; with the reason.
  case aborted(Evidence)
  /// Nothing was sent, because it couldn't be recorded first.
  ///
  /// `isPending` indicates that the intent is recorded, so that `resume` would send it.
  case journalUnavailable(JournalError, isPending: Bool = false)
  /// Nothing was sent, because an earlier write to the same product has no outcome yet.
  case locked(ConflictingWrite)
  /// It was sent, and reading proved that it didn't take effect.
  ///
  /// `isAnswered` indicates that the server responded to it, as the evidence says.
  case notApplied(Evidence?, isAnswered: Bool)
  /// The server confirmed it, but at the end of the window all sent fields have their previous values.
  ///
  /// There is nothing to undo.
  case notStored(Product?, [ProductField], evidence: Evidence)
  /// The outcome isn't known yet.
  ///
  /// It is resolved at the next start or by `status`.
  case unknown(Evidence)
  /// Not started, because the batch stopped before it.
  case notStarted
  /// Nothing was sent, because these fields differ from the base of the plan.
  case drifted([ProductField])
  /// Nothing was sent, because the id names another product now than the one that was meant.
  case otherProduct(ProductMismatch)
  /// Nothing was sent, because the row was created before, as this product, which doesn't exist any more.
  ///
  /// The mismatch is that of another product that has its id now.
  case createdAndGone(Product.ID, ProductMismatch? = nil)
  /// It can't be decided from here.
  ///
  /// The evidence is shown to the user, who decides.
  case needsDecision(Evidence)
  /// The outcome couldn't be recorded in the journal.
  ///
  /// There it is pending, and `resume` resolves it.
  case unrecorded(Outcome, JournalError)

  /// The product as seen last in a response or by reading, if any.
  package var product: Product? {
    switch self {
    case .done(let product, _): product
    case .unchanged(let product, _): product
    case .notStored(let product, _, _): product
    case .unrecorded(let outcome, _): outcome.product
    case .refused, .notSent, .aborted, .journalUnavailable, .locked, .notApplied, .unknown, .notStarted, .drifted,
      .otherProduct, .createdAndGone, .needsDecision:
      nil
    }
  }

  /// The kind of outcome, as batches and the log name it.
  package var kind: OutcomeKind {
    switch self {
    case .done: .done
    case .unchanged: .unchanged
    case .refused: .refused
    case .notSent, .aborted, .journalUnavailable, .locked: .notSent
    case .notApplied, .notStored: .notApplied
    case .unknown, .needsDecision, .unrecorded: .unknown
    case .notStarted: .skipped
    case .drifted, .otherProduct, .createdAndGone: .drifted
    }
  }

  /// The word of ``kind``.
  package var label: String { kind.rawValue }

  /// A Boolean value that indicates whether the outcome counts towards stopping a batch.
  ///
  /// A conflict with another client's change isn't a failure of the server.
  package var isFailure: Bool {
    switch kind {
    case .done, .unchanged, .skipped, .drifted: false
    case .refused, .notSent, .notApplied, .unknown: true
    }
  }

  /// A Boolean value that indicates whether nothing is left to do.
  package var isSuccess: Bool {
    if case .done(_, let differences) = self { return !differences.isPartial }
    return kind == .unchanged
  }

  /// A Boolean value that indicates whether `resume` would make the write.
  package var canBeResumed: Bool {
    if case .notApplied = self { return true }
    if case .journalUnavailable(_, let isPending) = self { return isPending }
    return kind == .notSent || kind == .skipped
  }

  package var isUnknown: Bool { kind == .unknown }

  /// A Boolean value that indicates that the product has values that another client wrote after this write, or may have.
  var showsChangeByOthers: Bool {
    switch self {
    case .done(_, let differences): differences.contains { [.changed, .gone].contains($0.kind) }
    case .needsDecision: true
    default: false
    }
  }

  /// A Boolean value that indicates that the server reported success, and that the product wasn't read since, because it could
  /// not be or the user did not wait.
  package var isAcceptedUnread: Bool {
    switch self {
    case .unknown(.reportedSuccess(nil)), .unknown(.reportedSuccessUnread): true
    default: false
    }
  }
}

/// A write that an earlier run left pending, with its outcome.
package struct RecoveredWrite: Hashable, Sendable {
  package var entry: Int
  package var change: Change
  package var outcome: Outcome

  package init(entry: Int, change: Change, outcome: Outcome) {
    self.entry = entry
    self.change = change
    self.outcome = outcome
  }
}
