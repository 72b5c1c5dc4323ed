import Catalog
import Foundation
import Text

/// The writes of a journal, with what undoing and resuming them needs, as another home gets them.
///
/// They contain no request, no response and no secret. Everything is text, because another program may have written it.
package struct HandedOverLog: Hashable, Sendable {
  /// The finished writes.
  package var writes: [HandedOverWrite] = []
  /// The writes without a final outcome.
  package var pending: [HandedOverPendingWrite] = []
  package var runs: [HandedOverRun] = []
  /// The descriptions of markets with which writes were recorded.
  package var descriptions: [HandedOverDescription] = []
  package var pictures: [HandedOverPicture] = []
  /// The identifiers of all writes of a file by the number of their run, also of those that aren't taken.
  package var members: [Int: [String]] = [:]
  /// The number of pictures that are missing because of their size.
  package var missingPictureCount = 0

  package init() {}
}

/// A write in its stored form; see the columns of `op` in `Schema`.
package struct HandedOverWrite: Hashable, Sendable, Codable {
  /// The identifier of the operation, which is the same in every home.
  package var id: String
  package var profile: String
  package var address: String
  package var generation: String?
  package var vendor: String
  package var run: Int?
  package var place: Int?
  package var batch: Int?
  package var kind: String
  package var product: Int?
  package var state: String
  package var attempt: Int
  package var change: String?
  package var before: String?
  package var after: String?
  package var reference: String?
  package var detail: String?
  package var note: String?
  /// The write that this one undoes, and the one that undoes this one, by their identifiers.
  package var undoOf: String?
  package var undoneBy: String?
  package var depth: Int
  package var replaces: Int?
  package var started: String
  package var ended: String?
  package var actor: String?
  package var approver: String?
  package var description: String?
}

/// A write without a final outcome, with what `resume` needs to go on with it.
package struct HandedOverPendingWrite: Hashable, Sendable, Codable {
  package var write: HandedOverWrite
  /// The products that were there before a create.
  package var known: String?
  /// A Boolean value that indicates that a create may have left completely.
  package var mayHaveLeft: Bool
  /// A Boolean value that indicates that its run was interrupted, so that `resume` sends it.
  package var isInterrupted: Bool
  /// The names of what the write would do again; see `HeldItem`.
  package var held: [String]
  /// The states that it had, oldest first.
  package var events: [HandedOverEvent]
}

/// A state of a pending write, with its time.
package struct HandedOverEvent: Hashable, Sendable, Codable {
  package var at: String
  package var attempt: Int
  package var state: String
  package var evidence: String?
}

/// A run of handed over writes.
package struct HandedOverRun: Hashable, Sendable, Codable {
  package var number: Int
  package var profile: String
  package var address: String
  package var generation: String?
  package var vendor: String
  package var text: String
  package var begun: String
}

/// The meaning of a market's description.
package struct HandedOverDescription: Hashable, Sendable, Codable {
  package var digest: String
  package var file: String
  package var parts: String
}

/// A picture that an undo sends again, by the address that it had if it was saved before a delete.
package struct HandedOverPicture: Hashable, Sendable, Codable {
  package var data: Data
  package var address: String?
  package var name: String?
  package var type: String?
}

/// The result of taking over writes.
package struct TakenLog: Hashable, Sendable {
  /// The number of writes that were added.
  package var added = 0
  /// The number of writes that this journal already had.
  package var known = 0

  package init() {}
}

extension HandedOverWrite {
  /// The maximum length of a stored text in bytes.
  private static let maximumText = 4 << 20
  private static let maximumCount = 1 << 20

  private static let finalStates = Set(
    [.done, .refused, .acknowledgedNotApplied, .noChange, .drifted, .abandoned].map {
      (state: WriteStateMachine.State) in state.rawValue
    })

  /// A Boolean value that indicates that the journal could have written the record of a finished write itself.
  package var isUsable: Bool { HandedOverWrite.finalStates.contains(state) && isWellFormed }

  /// A Boolean value that indicates that everything but the state could be that of a record of the journal.
  fileprivate var isWellFormed: Bool {
    let texts: [String?] = [
      profile, address, generation, vendor, change, before, after, reference, detail, note, actor, approver,
      description,
    ]
    guard texts.allSatisfy({ ($0?.utf8.count ?? 0) <= HandedOverWrite.maximumText }), HandedOverWrite.isIdentifier(id),
      undoOf.map(HandedOverWrite.isIdentifier) ?? true, undoneBy.map(HandedOverWrite.isIdentifier) ?? true,
      let action = JournalEntry.Action(rawValue: kind), (0...HandedOverWrite.maximumCount).contains(attempt),
      (0...HandedOverWrite.maximumCount).contains(depth),
      (product ?? 1) > 0, (replaces ?? 1) > 0, (run ?? 1) > 0, (batch ?? 1) > 0, (place ?? 1) >= 0,
      HandedOverWrite.isOneLine(profile), HandedOverWrite.isOneLine(vendor), Timestamp(started)?.isUTC == true,
      ended.map({ Timestamp($0)?.isUTC == true }) ?? true,
      MarketIdentity.canonicalAddress(address) == address, !address.contains("#"),
      generation.map({ MarketGeneration($0) != nil }) ?? true, actor.map({ ChangeActor($0) != nil }) ?? true
    else { return false }
    if let before, JSONColumn.decode(StoredProduct.self, before) == nil { return false }
    if let after, JSONColumn.decode(StoredFields.self, after) == nil { return false }
    if let reference, JSONColumn.decode(StoredProduct.self, reference) == nil { return false }
    guard action != .raw else { return change == nil }
    guard let change = JSONColumn.decode(StoredChange.self, change), change.bare.action == action,
      change.pictures.allSatisfy(HandedOverWrite.isDigest)
    else { return false }
    switch change.bare {
    case .create: return true
    case .edit(let edited, _, _): return edited.id > 0
    case .delete(let deleted): return deleted.id > 0
    }
  }

  /// The change, or `nil` for a raw request.
  package var content: Change? { JSONColumn.decode(StoredChange.self, change)?.bare }

  /// Returns whether a text has no control characters, which a terminal would execute.
  fileprivate static func isOneLine(_ text: String) -> Bool {
    !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  /// Returns a text with a space in place of each control character.
  static func oneLine(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }

  private static func isIdentifier(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 45
      }
  }

  fileprivate static func isDigest(_ text: String) -> Bool {
    text.utf8.count == 64 && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }
}

extension HandedOverPendingWrite {
  private static let maximumItems = 64
  private static let maximumEvents = 10_000
  private static let rawStates: [WriteStateMachine.State] = WriteStateMachine.State.inDoubt + [.needsDecision]

  /// A Boolean value that indicates that the journal could have written the record itself.
  package var isUsable: Bool {
    let isRaw = write.kind == JournalEntry.Action.raw.rawValue
    let states = isRaw ? HandedOverPendingWrite.rawStates : WriteStateMachine.State.open
    // A write that is claimed belongs to a program that lives.
    guard write.isWellFormed, let state = WriteStateMachine.State(rawValue: write.state), states.contains(state),
      state != .claimed, write.undoneBy == nil, held.count <= HandedOverPendingWrite.maximumItems,
      events.count <= HandedOverPendingWrite.maximumEvents, events.allSatisfy(\.isUsable),
      held.allSatisfy(isItem)
    else { return false }
    return known.map { $0.utf8.count <= 1 << 20 && JSONColumn.decode([Product.ID].self, $0) != nil } ?? true
  }

  /// Returns whether a text is the name of what this write does.
  private func isItem(_ text: String) -> Bool {
    guard text.utf8.count <= 512 else { return false }
    switch write.content {
    case .create: return text.hasPrefix("create ") || text.hasPrefix("undo ")
    case .edit(let product, _, _): return text.hasPrefix("edit \(product.id) ") || text.hasPrefix("undo ")
    case .delete: return text.hasPrefix("undo ")
    case nil: return text.hasPrefix("raw ")
    }
  }
}

extension HandedOverEvent {
  fileprivate var isUsable: Bool {
    Timestamp(at)?.isUTC == true && (0...1 << 20).contains(attempt) && WriteStateMachine.State(rawValue: state) != nil
      && (evidence?.utf8.count ?? 0) <= 1 << 16
  }
}

extension HandedOverRun {
  /// A Boolean value that indicates that the journal could have written the record itself.
  package var isUsable: Bool {
    number > 0 && Timestamp(begun)?.isUTC == true && text.utf8.count <= 1 << 16 && HandedOverWrite.isOneLine(text)
      && HandedOverWrite.isOneLine(profile) && HandedOverWrite.isOneLine(vendor)
      && MarketIdentity.canonicalAddress(address) == address && !address.contains("#")
      && generation.map { MarketGeneration($0) != nil } ?? true
  }
}

extension HandedOverDescription {
  /// A Boolean value that indicates that the journal could have written the record itself.
  package var isUsable: Bool {
    digest.utf8.count <= 128 && file.utf8.count <= 4_096 && JSONColumn.decode([String: String].self, parts) != nil
  }
}

extension HandedOverPicture {
  /// The beginning of the key of a picture that another home saved, so that it is never used in place of one that this home
  /// has to save.
  static let keyPrefix = "handover "

  /// A Boolean value that indicates that the journal could have written the record itself.
  package var isUsable: Bool {
    !data.isEmpty && data.count <= BlobStore.largest
      && [address, name, type].allSatisfy { ($0?.utf8.count ?? 0) <= 4_096 }
      && (address == nil || (name != nil && type != nil))
  }
}
