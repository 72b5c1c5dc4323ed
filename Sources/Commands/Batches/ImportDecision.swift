import Catalog
import Engine
import Foundation
import Journal
import Platform

/// What is to be made of an imported file.
struct ImportDecision {
  var verdicts: [PlanVerdict]
  /// Where the cells of the export are kept; nil for a file from elsewhere.
  var path: String?
  /// What the file says of each product that it changes.
  var cells: [Product.ID: [(Field, String)]]

  /// What would be written, with the targets that would not change in their places.
  var plan: Plan {
    var plan = Plan([])
    for verdict in verdicts {
      if let change = verdict.change {
        plan.changes.append(change)
      } else if case .unchanged(let product) = verdict.outcome {
        plan.unchanged[plan.count] = product
      }
    }
    return plan
  }

  /// What was written is what the file and the market agree on from now on. Where that cannot be kept, the next import
  /// takes the same cells for changed, and asks once too often.
  func remember(_ outcomes: [Outcome]) {
    guard let path else { return }
    var lines = ""
    for (change, outcome) in zip(verdicts.compactMap(\.change), outcomes) where outcome.isFine {
      guard case .edit(let product, _, let to) = change, let cells = cells[product.id] else { continue }
      let written = cells.filter { field, _ in
        to.set.contains(field) || field == .sale && (to.price != nil || to.discount != nil)
      }
      lines += ExportedCells.line(imported: written, of: product.id)
    }
    try? ExportMemory.add(lines, to: path)
  }

  /// The export that a file comes from: by its place, else by what it says; nil for a file from elsewhere, and for one of
  /// another market.
  static func export(
    _ path: String, _ text: String, at market: String, in home: Home
  ) -> (cells: ExportedCells, path: String, made: Timestamp?)? {
    let files = WrittenFiles(home)
    let there = files.record(of: path).flatMap { $0.base == nil || $0.market != market ? nil : $0 }
    let record = there ?? files.export(saying: FileDigest(of: Data(text.utf8)))
    guard let record, record.market == market, let base = record.base else { return nil }
    let place = home.exportsFolder + "/" + base
    return ExportedCells(at: place).map { ($0, place, record.made) }
  }
}
