import Catalog
import Foundation
import Text

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
  /// The run, or `nil` for a write of a version before runs.
  package var run: Int?
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
  package var detail: Evidence?
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
  /// The times between which the write ended, if its own times don't tell: it was recorded with an earlier time than a write
  /// before it, because the clock was set back or the logs of two homes were joined, or as ended before it began.
  ///
  /// `Journal.entries(since:at:includesHandedOver:)` sets it.
  package var uncertainTime: ClosedRange<Timestamp>?

  /// The time at which the write ended, or of its beginning if it hasn't.
  package var end: Timestamp { ended ?? time }

  /// Returns true if the write ended between two times, or may have if its time is uncertain.
  ///
  /// The times are in seconds since 1970, UTC; `last` is `nil` for all times after `first`.
  package func mayHaveEnded(since first: Int64, through last: Int64? = nil) -> Bool {
    let times = uncertainTime ?? end...end
    return times.upperBound.seconds >= first && last.map { times.lowerBound.seconds <= $0 } ?? true
  }

  /// Returns true if the write certainly ended between two times; see `mayHaveEnded(since:through:)`.
  package func hasEnded(since first: Int64, through last: Int64? = nil) -> Bool {
    let times = uncertainTime ?? end...end
    return times.lowerBound.seconds >= first && last.map { times.upperBound.seconds <= $0 } ?? true
  }

  /// A Boolean value that indicates that the log doesn't have its write in the order of the times.
  package var isOutOfOrder: Bool { uncertainTime.map { time < $0.lowerBound } ?? false }

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

  /// A Boolean value that indicates an unknown outcome of a write that isn't over; that of a write that was given up stays
  /// unknown.
  package var isUnresolved: Bool { status == .unknown && state != .abandoned }
}

/// Returns actions as a comma-separated list of SQL strings.
func sqlList(_ actions: JournalEntry.Action...) -> String { quoted(actions) }

/// A state transition of a write, for `log show`.
package struct Transition: Hashable, Sendable {
  package var time: Timestamp
  package var attempt: Int
  package var state: String
  package var evidence: Evidence?
}

/// A journaled write while it is being executed.
struct PendingWrite: Hashable, Sendable {
  var entryID: Int
  var operation: String
  var change: Change
  /// The value of `Plan.isComputed(_:)`.
  var isRelative = false
  /// A Boolean value that indicates that the user wants another product like one created earlier.
  var isAnother = false
  var state: WriteStateMachine.State
  /// A Boolean value that indicates an attempt with an unknown outcome that hasn't been resolved.
  var isOutcomeUnknown = false
  /// A Boolean value that indicates an edit to computed values with an attempt that was answered with 429.
  var mayBePassedOn = false
  /// A Boolean value that indicates that `resume` sends the write.
  var isResumed = false
  /// A Boolean value that indicates that another client has changed products that the same run wrote.
  var isRunChangedByOthers = false
  /// A Boolean value that indicates a create with an earlier attempt that may have been sent completely.
  var mayHaveLeft = false
  /// A Boolean value that indicates that the user checked the market and approved sending it again.
  var isResendApproved = false
  var attempt: Int
  var known: [Product.ID]
  var detail: Evidence?
  /// The product that the server named in its response to an `acknowledged` create.
  var respondedID: Product.ID?
  /// The time when the last bytes of a create's last attempt were sent.
  var leftAt: Timestamp?
  /// The product before the write, stored indirectly, because most writes of a long batch haven't been checked yet.
  var image: IndirectProduct?

  /// A Boolean value that indicates an edit to values that were computed from those that were read.
  var isRelativeEdit: Bool { isRelative && change.kind == .patch }

  /// The product directly before the write, or `nil` if it hasn't been read yet.
  var before: Product? {
    get { if case .product(let product) = image { product } else { nil } }
    set { image = newValue.map(IndirectProduct.product) }
  }

  indirect enum IndirectProduct: Hashable, Sendable {
    case product(Product)
  }
}

/// A market where writes are left open, by the name of the profile or address they were written from.
package struct PendingDestination: Hashable, Sendable {
  package let profile: String
  /// The address where the market was seen last.
  package let baseURL: String
  package var count: Int
}

/// The row of a plan, file, folder or market from which a product is created.
///
/// Its products are counted by content: a row that was created from there before, and whose product exists, isn't created
/// again. Any other change of it is decided by reading the product.
package struct CreateSource: Hashable, Sendable {
  /// The plan, file, folder or pair of markets: `plan 01J…`, `import /srv/new.csv`.
  package var name: String
  /// The content of the row.
  ///
  /// Equal rows are numbered: `create 5f3a…#1`.
  package var part: String

  package init(name: String, part: String) {
    self.name = name
    self.part = part
  }

  /// The content of the row without the number among equal ones: `create 5f3a…`.
  package var content: String { part.lastIndex(of: "#").map { String(part[..<$0]) } ?? part }
}

extension Change {
  /// The product of the change or, for a create, a hash of its content.
  var subject: String {
    switch self {
    case .create(let draft): "create " + SHA256.hex(Data(ProductValues(of: draft).json.utf8)).prefix(16)
    case .edit(let product, _, _): "edit \(product.id)"
    case .delete(let product): "delete \(product.id)"
    }
  }
}

/// The person or program that decided a change.
package enum ChangeActor: Hashable, Sendable {
  /// A user at a terminal.
  case person
  /// A script, by the name of its file.
  case script(String)
  /// A line of `-c`, of the words after the options, or of standard input.
  case line
  /// A scheduled plan that `due apply` executed.
  case timer
  /// An agent, by the name it gave: it planned the change over MCP, or its variables were in the environment.
  case agent(String)
}

extension ChangeActor {
  /// A Boolean value that indicates that no person decided the change.
  package var isAgent: Bool { if case .agent = self { true } else { false } }

  /// Returns whether the actor is meant by `name`: `agent claude-code`, or one of its two words.
  package func matches(_ name: String) -> Bool {
    let (own, name) = (description.lowercased(), name.lowercased())
    return own == name || own.hasPrefix(name + " ") || own.hasSuffix(" " + name)
  }
}

extension ChangeActor: LosslessStringConvertible {
  /// The actor as the journal and plan files store it: `person`, `script tidy.market`, `agent claude-code`.
  package var description: String {
    switch self {
    case .person: "person"
    case .script(let name): "script " + name
    case .line: "line"
    case .timer: "timer"
    case .agent(let name): "agent " + name
    }
  }

  /// Parses the stored form, or returns `nil` for other text.
  package init?(_ description: String) {
    let words = description.split(separator: " ", maxSplits: 1).map(String.init)
    switch (words.first, words.count) {
    case ("person", 1): self = .person
    case ("line", 1): self = .line
    case ("timer", 1): self = .timer
    case ("script", 2): self = .script(words[1])
    case ("agent", 2): self = .agent(words[1])
    default: return nil
    }
  }
}

/// The actor that decided a change, and the person who approved it, as the journal records them.
package struct Attribution: Hashable, Sendable {
  package var actor: ChangeActor
  /// The signer of the plan, or the account that typed the number of products of an agent's plan; `nil` if the actor's
  /// own confirmation was enough.
  package var approver: String?

  package init(_ actor: ChangeActor = .person, approver: String? = nil) {
    self.actor = actor
    self.approver = approver
  }
}
