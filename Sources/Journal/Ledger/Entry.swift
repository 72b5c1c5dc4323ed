import Catalog

/// One write in the log (see Language).
package struct Entry: Hashable, Sendable {
  /// What was done, as `log` names it.
  package enum Action: String, Hashable, Sendable {
    case create
    case patch
    case delete
    case raw
  }

  /// What was to be written.
  package enum Work: Hashable, Sendable {
    /// As it was sent, pictures without their bytes: it can be looked for and taken back.
    case change(Change)
    /// A raw request: nobody can tell from outside what it did.
    case raw
    /// The record of a change cannot be read any more.
    case unreadable(Action)
  }

  /// How it ended, as `log` names it.
  package enum Result: String, Hashable, Sendable {
    case done
    case refused
    case notSent = "not-sent"
    case notApplied = "not-applied"
    case unknown
    case undone
  }

  package var n: Int
  /// `Idempotency-Key` and `X-Request-Id` of its requests.
  package var operation: String
  package var time: Timestamp
  package var ended: Timestamp?
  package var profile: String
  package var baseURL: String
  package var work: Work
  package var product: Product.ID?
  /// Nil for a write that was decided alone.
  package var batch: Int?
  /// The fields concerned, as they were and as they became; a delete has no `after`, a create no `before`.
  package var before: Fields?
  package var after: Fields?
  package var outcome: Result
  package var detail: String?
  package var note: String?
  package var undoOf: Int?
  package var undoneBy: Int?
  /// The whole product as it was just before.
  package var snapshot: Product?
  package var state: StateMachine.State
  /// How many undos lie between this and an ordinary write: odd ones take back, even ones make again.
  package var depth: Int
  /// Of a create that was not answered for: when its last bytes left.
  package var leftWhole: Timestamp?
  /// Of a create: a send of it that was not answered for may still arrive.
  package var mayHaveLeft = false
  /// Of a create: ids that were there just before it was sent.
  package var known: Set<Product.ID> = []
  /// The record is not what was written: it is neither undone nor resumed.
  package var isAltered = false

  package var action: Action {
    switch work {
    case .change(let change): change.action
    case .raw: .raw
    case .unreadable(let action): action
    }
  }

  /// Nil where there is none that could be made again.
  package var change: Change? {
    guard case .change(let change) = work else { return nil }
    return change
  }

  /// The outcome is a question that only the user can answer.
  package var isQuestion: Bool { state == .asked }
}

/// One step of a write, for `log show`.
package struct EntryEvent: Hashable, Sendable {
  package var time: Timestamp
  package var attempt: Int
  package var state: String
  package var evidence: String?
}

/// A write that is in the journal: its number in the log and its name on the wire.
struct Ticket: Hashable, Sendable {
  var entry: Int
  var operation: String
  var change: Change
  /// See `Plan.isRelative`.
  var isRelative = false
  /// The user asked for another one beside an equal earlier create.
  var isAnother = false
  var state: StateMachine.State
  /// A send of it was in doubt, and no verdict has ended that doubt.
  var isDoubtful = false
  /// Of a create: an earlier send of it may have left whole.
  var mayHaveLeft = false
  /// A person has looked for it and wants it sent again.
  var isPermitted = false
  var attempt: Int
  var known: [Product.ID]
  var detail: String
  /// Of a create: when the last bytes of its last send left.
  var leftAt: Timestamp?
  /// Apart from the ticket: in a long batch most writes have not been looked at yet.
  var image: BeforeImage?

  /// The product as it was just before the write; nil until it was looked at.
  var before: Product? {
    get { if case .product(let product) = image { product } else { nil } }
    set { image = newValue.map(BeforeImage.product) }
  }

  indirect enum BeforeImage: Hashable, Sendable {
    case product(Product)
  }
}

/// Kinds of writes as SQL has them, parted by commas.
func quoted(_ actions: Entry.Action...) -> String { quoted(actions) }
