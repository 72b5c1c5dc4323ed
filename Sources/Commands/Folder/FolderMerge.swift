import Catalog
import FileFormats

/// The three-way merge of one product: as it was pulled, in its file, and on the market.
///
/// It is a value without effects; the pictures are digests.
struct FolderMerge {
  typealias Cells = [ProductField: ProductFile.Cell]

  /// The new values of the file, for fields that changed.
  private(set) var changes: Cells = [:]
  /// The new base.
  private(set) var base: Cells
  /// The fields to be written to the market by a push, with their values.
  private(set) var writes: Cells = [:]
  private(set) var verdicts: [(field: ProductField, verdict: CellMerge)] = []

  /// Merges a product.
  ///
  /// - Parameters:
  ///   - base: The values that were pulled; none for a product that wasn't.
  ///   - local: The values of the file.
  ///   - market: The values of the market.
  ///   - winner: The side that wins conflicts, or `nil` to leave both sides as they are.
  init(base: Cells, local: Cells, market: Cells, winner: ConflictResolution?) {
    self.base = base
    for field in ProductFile.fields {
      let verdict = CellMerge(base: base[field], local: local[field], market: market[field])
      if verdict != .same { verdicts.append((field, verdict)) }
      switch (verdict, winner) {
      case (.same, _): self.base[field] = market[field] ?? base[field]
      case (.market, _), (.conflict, .server):
        changes[field] = market[field]
        self.base[field] = market[field]
      case (.local, _): writes[field] = local[field]
      case (.conflict, .file):
        writes[field] = local[field]
        self.base[field] = market[field]
      case (.conflict, nil): break
      }
    }
  }

  var hasConflicts: Bool { verdicts.contains { $0.verdict == .conflict } }
}
