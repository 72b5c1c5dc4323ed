import Catalog
import Foundation
import MarketOperations
import Networking
import Text
import WriteJournal

/// A plan as tools return it: a row for each field, with the values before and after as text.
struct PlanView {
  private let plan: PlanFile
  private let path: String
  private let programLine: String

  init(_ plan: PlanFile, at path: String, programLine: String) {
    self.plan = plan
    self.path = path
    self.programLine = programLine
  }

  /// The line that a person types to apply the plan.
  var applyLine: String { "\(programLine) apply \(POSIXWord.quoted(path))" }

  var members: [(String, JSON)] {
    let rows = plan.plan.changes.flatMap(PlanView.rows)
    return [
      ("plan_id", .string(plan.id)), ("line", .string(plan.command)),
      ("note", plan.note.map { .string($0) } ?? .null), ("changes", .int(plan.plan.changes.count)),
      ("rows", .array(rows)), ("returned", .int(rows.count)), ("total", .int(rows.count)), ("truncated", .bool(false)),
      ("path", .string(path)), ("digest", .string(plan.digest)),
      ("expires", plan.expires.map { .string($0.description) } ?? .null), ("apply_line", .string(applyLine)),
    ]
  }

  private static func rows(of change: Change) -> [JSON] {
    switch change {
    case .create(let draft):
      fields(nil, from: nil, to: ProductValues(of: draft)) + pictures(nil, draft.pictures)
    case .edit(let product, let from, let to):
      fields(product.id, from: from, to: to) + pictures(product.id, to.pictures ?? [])
    case .delete(let product):
      [row(product.id, field: "product", from: .string(product.name ?? ""), to: .null)]
    }
  }

  private static func fields(_ id: Product.ID?, from: ProductValues?, to: ProductValues) -> [JSON] {
    to.assignedFields.filter { $0 != .images }.map { field in
      row(
        id, field: field.rawValue, from: from?[field].map { .string($0.description) } ?? .null,
        to: to[field].map { .string($0.description) } ?? .null)
    }
  }

  private static func pictures(_ id: Product.ID?, _ pictures: [PictureFile]) -> [JSON] {
    pictures.isEmpty
      ? []
      : [
        row(
          id, field: "images", from: .null,
          to: .string(pictures.map { $0.statedPath ?? $0.name }.joined(separator: ", ")))
      ]
  }

  private static func row(_ id: Product.ID?, field: String, from: JSON, to: JSON) -> JSON {
    .object([("id", id.map { .int($0) } ?? .null), ("field", .string(field)), ("from", from), ("to", to)])
  }
}
