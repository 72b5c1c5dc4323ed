import Catalog
import CommandLanguage
import ShellRuntime
import Text
import WriteJournal

/// The writes that `undo` can undo at this profile, newest first, for completion.
struct UndoableWrites {
  /// The maximum number of entries read.
  ///
  /// Older writes can be found with `log`.
  private static let maximumCount = 20

  private let session: Session

  init(_ session: Session) { self.session = session }

  /// Returns the writes, or none if the journal can't be read, which `undo` itself reports.
  func list(_ journal: Journal) -> CompletionDataSource.Undoable {
    var list = CompletionDataSource.Undoable()
    let found = try? journal.entries(limit: UndoableWrites.maximumCount, profile: session.server.name) { entry in
      entry.status == .done && entry.action != .raw && entry.undoDepth % 2 == 0
    }
    var batches: [Int: Int] = [:]
    for entry in found ?? [] {
      list.writes.append(.init(entry.id, UndoableWrites.words(for: entry)))
      if let batch = entry.batch { batches[batch, default: 0] += 1 }
    }
    for entry in found ?? [] {
      guard let batch = entry.batch, batches.removeValue(forKey: batch) != nil else { continue }
      let count = (try? journal.batch(batch))?.count(where: { $0.status == .done }) ?? 0
      let words = UndoableWrites.words(for: entry)
      list.batches.append(
        .init(
          batch,
          LocalizedText(
            "\(count) \(count == 1 ? StyledText("change") : "changes"), last: \(words[.english])",
            ko: "변경 \(count)건, 마지막: \(words[.korean])")))
    }
    return list
  }

  /// Returns the description of a write: `42 price 19000 -> 17100`, `145 was made: 우유병`.
  private static func words(for entry: JournalEntry) -> LocalizedText {
    let id = entry.product.map { String($0) } ?? "-"
    let name = LocalizedText(same: "\(.foreign(String((entry.change?.name ?? "").prefix(24))))")
    switch entry.action {
    case .create: return LocalizedText("created product \(id), \(name[.english])", ko: "\(id)번 등록: \(name[.korean])")
    case .delete: return LocalizedText("deleted product \(id), \(name[.english])", ko: "\(id)번 삭제: \(name[.korean])")
    case .patch:
      let moves = (entry.after ?? ProductValues()).assignedFields.prefix(2).map { field -> String in
        func shown(_ fields: ProductValues?) -> String { String((fields?[field]?.description ?? "-").prefix(16)) }
        return "\(field.rawValue) \(shown(entry.before)) -> \(shown(entry.after))"
      }
      return LocalizedText(same: "\(id) \(.foreign(moves.joined(separator: ", ")))")
    case .raw: return LocalizedText(same: "\(id)")
    }
  }
}
