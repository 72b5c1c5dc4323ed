import Catalog

/// A journaled write, as shown by `log`.
package struct JournalEntry: Hashable, Sendable {
  /// The operation, as `log` names it.
  package enum Action: String, Hashable, Sendable {
    case create
    case patch
    case delete
    case raw
  }

  /// The content of the write.
  package enum Payload: Hashable, Sendable {
    /// A change as it was sent, with pictures without their data.
    ///
    /// It can be searched for and undone.
    case change(Change)
    /// A raw request, whose effect can't be determined.
    case raw
    /// A change whose record can't be decoded.
    case unreadable(Action)
  }

  /// The final status, as `log` names it.
  package enum Status: String, Hashable, Sendable {
    case done
    case refused
    case notSent = "not-sent"
    case notApplied = "not-applied"
    case unknown
    case undone
  }

  package var id: Int
  /// The value of `Idempotency-Key` and `X-Request-Id` in its requests.
  package var operation: String
  package var time: Timestamp
  package var ended: Timestamp?
  package var profile: String
  package var baseURL: String
  package var work: Payload
  package var product: Product.ID?
  /// The batch, or `nil` for a single write.
  package var batch: Int?
  /// The fields concerned, before and after the write.
  ///
  /// A delete has no `after`, a create no `before`.
  package var before: ProductValues?
  package var after: ProductValues?
  /// The fields of a patch that someone else wrote at about the same time.
  ///
  /// `after` has the values that were sent. The values before the patch aren't known.
  package var contested: Set<ProductField> = []
  package var status: Status
  package var detail: String?
  package var note: String?
  /// The actor who decided the write, or `nil` for a record of a version that didn't store it.
  package var actor: ChangeActor?
  /// The person who approved it; see `Attribution`.
  package var approver: String?
  package var undoOf: Int?
  package var undoneBy: Int?
  /// The complete product as it was directly before the write.
  package var snapshot: Product?
  package var state: WriteStateMachine.State
  /// The undo depth: 0 for an ordinary write, odd for an undo, even for a redo.
  package var undoDepth: Int
  /// The time when the last bytes of a create without a response were sent.
  package var leftWhole: Timestamp?
  /// A Boolean value that indicates a create with an attempt that had no response and may still arrive.
  package var mayHaveLeft = false
  /// The ids that existed directly before a create was sent.
  package var idsBeforeSend: Set<Product.ID> = []
  /// A Boolean value that indicates that the record doesn't match its checksum.
  ///
  /// It is neither undone nor resumed.
  package var hasInvalidChecksum = false

  package var action: Action {
    switch work {
    case .change(let change): change.action
    case .raw: .raw
    case .unreadable(let action): action
    }
  }

  /// The change, or `nil` if there is none that could be repeated.
  package var change: Change? {
    guard case .change(let change) = work else { return nil }
    return change
  }

  /// A Boolean value that indicates that only the user can decide the outcome.
  package var isQuestion: Bool { state == .needsDecision }
}

/// Returns actions as a comma-separated list of SQL strings.
func sqlList(_ actions: JournalEntry.Action...) -> String { quoted(actions) }

/// A state transition of a write, for `log show`.
package struct Transition: Hashable, Sendable {
  package var time: Timestamp
  package var attempt: Int
  package var state: String
  package var evidence: String?
}
