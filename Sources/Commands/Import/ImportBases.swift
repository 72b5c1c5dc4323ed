import Catalog
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// The exports that an imported file may come from: the merge bases of the import.
///
/// A file at the path of an export comes from the last export to that path. Another file is a copy of an export if it has
/// its columns and its products; which of several such exports it is can't be known, so that a cell counts as edited only
/// if it differs from all of them. In any other file a cell that equals one of an export may be from there.
package struct ImportBases: Sendable {
  /// The relation of the file to its exports.
  package enum Relation: Hashable, Sendable {
    /// The export to the path of the file.
    case path
    /// Exports of the columns and products of the file, which is a copy of one of them.
    case copy
    /// Exports that have products of the file.
    case possible
  }

  /// An export.
  package struct Export: Sendable {
    /// The path of the stored cells.
    fileprivate(set) var cellsFile: String
    /// The path to which the products were exported.
    package fileprivate(set) var path: String
    package fileprivate(set) var made: Timestamp?
    /// The cells as exported, with those that imports of the file wrote.
    fileprivate var cells: ExportBaseline
  }

  /// The state of a cell of the file.
  package enum State: Hashable, Sendable {
    /// It is as exported, whatever export the file comes from.
    case unchanged
    /// It was edited, whatever export the file comes from.
    case edited
    /// It was edited if the file comes from one of the exports, and not if it comes from another one.
    case uncertain
    /// It is a sale price that follows from the price and the discount of its row.
    case computed
  }

  package let relation: Relation
  /// The exports, the newest first.
  package let exports: [Export]

  /// Finds the exports of a file, or returns `nil` if none in this home has to do with it.
  ///
  /// - Parameters:
  ///   - file: The path of the file, as `WrittenFiles` records it.
  ///   - table: The rows and columns of the file.
  ///   - market: The market of the import.
  ///   - home: The home folder.
  init?(of file: String, table: ImportTable, market: MarketIdentity, in home: AppDirectories) {
    let ids = Set(table.rows.compactMap(\.id))
    guard !ids.isEmpty else { return nil }
    let known = WrittenFiles(home).exports(of: market)
    let digest = ProductIDDigest(ids)
    let copied = known.filter { $0.export?.products == digest && ImportBases.hasColumns(table, of: $0) }
    let own = known.first { $0.path == file }
    let records: [WrittenFiles.Record]
    if let own {
      (relation, records) = (.path, [own])
    } else if !copied.isEmpty {
      (relation, records) = (.copy, copied)
    } else {
      (relation, records) = (.possible, known)
    }
    let isOwn = own != nil
    exports = records.compactMap { record in
      guard let export = record.export else { return nil }
      let path = home.exportsFolder + "/" + export.base
      guard var cells = ExportBaseline(at: path, of: ids), !cells.isEmpty else { return nil }
      // An earlier version recorded no source, because only the export itself was recognized.
      cells.take(importsOf: isOwn ? [file, nil] : [file])
      return Export(cellsFile: path, path: record.path, made: export.made, cells: cells)
    }
    if exports.isEmpty { return nil }
  }

  static func hasColumns(_ table: ImportTable, of record: WrittenFiles.Record) -> Bool {
    record.export?.columns.allSatisfy(table.columns.contains) ?? false
  }

  /// Returns the cells of a product in each export that contains it.
  func cells(of id: Product.ID) -> [[ProductField: ExportBaseline.Cell]] {
    exports.compactMap { $0.cells.cells(of: id) }
  }

  /// Returns the different values of a cell as exported, the newest first.
  func values(of field: ProductField, of id: Product.ID) -> [FieldValue] {
    cells(of: id).compactMap { $0[field]?.base }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Returns what a product was when it was exported last, or `nil` if it wasn't or an earlier version exported it.
  func reference(to id: Product.ID) -> ProductReference? {
    exports.lazy.compactMap { $0.cells.reference(to: id) }.first
  }

  /// Returns the state of a cell with that value.
  func state(of value: FieldValue, _ field: ProductField, of id: Product.ID) -> State {
    let edits = cells(of: id).map { cells in
      Reconciliation.Decision(bases: cells[field]?.all ?? [], mine: value, market: nil) != .unchanged
    }
    if edits.isEmpty { return .edited }
    // A file that only may come from these exports doesn't have to have one of them as its base.
    guard edits.contains(true) else { return relation == .possible ? .uncertain : .unchanged }
    if edits.contains(false) { return .uncertain }
    // A file that was saved from another copy has what an import of that copy wrote.
    let isCopied = exports.contains { $0.cells.imported(field, of: id).contains(value) }
    return isCopied && relation != .path ? .uncertain : .edited
  }

  /// Returns whether the market has another value of a cell than one of the exports.
  ///
  /// If the file only may come from the exports, the result is false: a value that differs from all of them is an edit.
  func isChanged(_ market: FieldValue, _ field: ProductField, of id: Product.ID) -> Bool {
    relation != .possible && cells(of: id).contains { $0[field].map { !$0.all.contains(market) } ?? false }
  }

  /// Records cells that an import of the file wrote, or found in the market, as bases of its next import.
  ///
  /// - Throws: `FileError`, `OutputError`.
  func record(_ lines: String) throws {
    guard relation != .possible else { return }
    for export in exports { try ExportBaselineWriter.add(lines, to: export.cellsFile) }
  }

  /// Returns the note about the base that the file is compared with.
  ///
  /// - Parameters:
  ///   - path: The path of the file, as `WrittenFiles` records it.
  ///   - changed: The number of rows with a cell that was edited or may have been.
  ///   - count: The number of rows with an id.
  func note(of path: String, _ changed: Int, of count: Int) -> Message {
    let newest = exports.first
    let made = newest?.made.map { LocalTime($0).description } ?? "?"
    let rows = count == 1 ? StyledText("row") : "rows"
    // It agrees with the rows it is one of: "0 of 1 row was", "1 of 4 rows was".
    let were = changed == 1 || count == 1 ? StyledText("was") : "were"
    switch relation {
    case .path:
      return .note(
        "\(changed) of \(count) \(rows) \(were) changed in the file since the export at \(made).",
        ko: "\(made)에 내보낸 \(count)행 중 파일에서 바뀐 것은 \(changed)행입니다.")
    case .copy where exports.count == 1:
      let path = newest?.path ?? ""
      return .note(
        "\(changed) of \(count) \(rows) \(were) changed in the file since the export to \(.value(path)) at \(made).",
        ko: "\(made)에 \(.value(path), .toward) 내보낸 \(count)행 중 파일에서 바뀐 것은 \(changed)행입니다.")
    case .copy:
      return Message.note(
        "This file may be a copy of \(exports.count) exports. A cell counts as edited only if it differs from all of them.",
        ko: "내보낸 파일 \(exports.count)개 중 하나의 사본일 수 있습니다. 모두와 다른 칸만 고친 것으로 봅니다."
      ).because(first: 2, of: exports) { export in
        let made = export.made.map { LocalTime($0).description } ?? "?"
        return LocalizedText("\(.value(export.path)) at \(made)", ko: "\(.value(export.path)), \(made)")
      }
    case .possible: return ImportBases.notExported
    }
  }

  /// The note that a file wasn't exported from this home.
  static let notExported = Message.note(
    "This file was not exported by openmarket, so it is compared with the server only. Values changed on the server since the file was made will be overwritten.",
    ko: "openmarket에서 내보낸 파일이 아니므로 현재 서버의 값하고만 비교합니다. 파일을 만든 뒤 서버에서 바뀐 값은 파일의 값으로 덮어씁니다.")
}
