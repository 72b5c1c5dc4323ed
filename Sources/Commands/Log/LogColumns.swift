import Catalog
import CommandLanguage
import Foundation
import WriteJournal

/// The columns for `log where EXPR`: those of a row, and nested ones such as `before.price` and `after.stock`.
package enum LogColumns {
  static let kinds: [String: ColumnKind] = {
    var kinds: [String: ColumnKind] = [
      "n": .number, "time": .time, "profile": .text, "action": .text, "product": .number, "batch": .number,
      "before": .text, "after": .text, "outcome": .text, "detail": .text, "note": .text,
      "actor": .text, "approver": .text, "name": .text,
    ]
    for field in ProductField.writable where field != .images {
      for side in ["before", "after"] { kinds["\(side).\(field)"] = kind(field) }
    }
    return kinds
  }()

  /// Returns the value of a column as text for conditions, or `nil` if the entry has none.
  package static func value(_ name: String, of entry: JournalEntry) -> String? {
    switch name {
    case "n": return String(entry.id)
    case "time": return entry.time.description
    case "profile": return entry.profile
    case "action": return entry.action.rawValue
    case "product": return entry.product.map { String($0) }
    case "batch": return entry.batch.map { String($0) }
    case "before": return entry.before.map(words)
    case "after": return entry.after.map(words)
    case "outcome": return entry.status.rawValue
    case "detail": return entry.detail
    case "note": return entry.note
    case "actor": return entry.actor?.description
    case "approver": return entry.approver
    case "name": return entry.productName
    case _ where name.hasPrefix("before."): return part(name.dropFirst(7), of: entry.before)
    case _ where name.hasPrefix("after."): return part(name.dropFirst(6), of: entry.after)
    default: return nil
    }
  }

  private static func words(_ fields: ProductValues) -> String {
    fields.assignedFields.map { "\($0) \(fields[$0]?.description ?? "")" }.joined(separator: ", ")
  }

  private static func part(_ name: Substring, of fields: ProductValues?) -> String? {
    guard let field = ProductField(rawValue: String(name)) else { return nil }
    return fields?[field]?.description
  }

  private static func kind(_ field: ProductField) -> ColumnKind {
    switch field.valueType {
    case .number, .amount, .pictures: .number
    case .timestamp: .time
    // The log has the id of the thumbnail.
    case .text: field == .thumbnail ? .number : .text
    }
  }
}
