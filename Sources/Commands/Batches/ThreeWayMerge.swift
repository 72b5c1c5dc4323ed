import Catalog
import Engine
import Foundation
import Interchange
import Journal
import Language
import Platform
import Presentation
import Text

/// The three-way merge of an edited export: the base is the export, the sides are the file and the market.
///
/// Cells that changed only in the file are written. Cells that changed on both sides are written only if `mine` or
/// `theirs` resolves them.
package struct ThreeWayMerge {
  /// The side whose value is used if both changed a cell.
  package enum Resolution { case file, market }

  /// A cell that both sides changed to different values.
  package struct Conflict: Hashable, Sendable {
    package var id: Product.ID
    package var field: ProductField
    package var exported: String
    package var here: String
    package var file: String
  }

  private let cells: ExportBaseline?
  private let winner: Resolution?
  private let policy: LimitPolicy

  package init(_ cells: ExportBaseline?, winner: Resolution?, _ policy: LimitPolicy) {
    self.cells = cells
    self.winner = winner
    self.policy = policy
  }

  /// Returns whether the export contains this product.
  ///
  /// Conflicts can be detected only for such products.
  package func knows(_ id: Product.ID) -> Bool { cells?.holds(id) ?? false }

  /// A Boolean value that indicates that conflicts are left unresolved.
  var leavesOpen: Bool { winner == nil }

  /// Returns the row with only the cells that changed in the file since the export, or the complete row if there is no
  /// export of it.
  package func changed(_ row: ImportRow) -> ImportRow {
    guard let cells, let id = row.id, cells.holds(id) else { return row }
    var row = row
    row.cells.removeAll { cell in
      guard cell.field.isImported else { return true }
      guard let known = cells.cell(cell.field, of: id), let text = text(of: cell) else { return false }
      let isAsExported = ThreeWayMerge.isSame(text, known.base, cell.field)
      return isAsExported && (known.lastImported.map { ThreeWayMerge.isSame(text, $0, cell.field) } ?? true)
    }
    return row
  }

  /// Removes the cells of a changed row that also changed in the market, unless the file wins.
  package func settle(_ row: ImportRow, _ product: Product) -> (row: ImportRow, clashes: [Conflict]) {
    guard let cells, winner != .file else { return (row, []) }
    var (kept, clashes) = (row, [Conflict]())
    kept.cells.removeAll { cell in
      guard let known = cells.cell(cell.field, of: product.id), let text = text(of: cell) else { return false }
      guard let here = product.text(of: cell.field) else { return false }
      let isOurs = [known.base, known.lastImported].contains { text in
        text.map { ThreeWayMerge.isSame($0, here, cell.field) } ?? false
      }
      guard !isOurs, !ThreeWayMerge.isSame(text, here, cell.field) else { return false }
      clashes.append(
        Conflict(id: product.id, field: cell.field, exported: known.base, here: here, file: text))
      return true
    }
    // The sale price follows from price and discount: a conflict in it would report the same change twice.
    if clashes.contains(where: { $0.field == .price || $0.field == .discount }) {
      clashes.removeAll { $0.field == .sale }
    }
    return (kept, clashes)
  }

  /// Returns the values of a changed row by field.
  package func texts(of row: ImportRow) -> [(ProductField, String)] {
    row.cells.compactMap { cell in text(of: cell).map { (cell.field, $0) } }
  }

  /// Returns the value of a cell, or `nil` if an import doesn't set its field.
  package func text(of cell: ImportRow.Cell) -> String? {
    guard cell.field.isImported else { return nil }
    switch cell.value {
    case .text(let text): return text
    case .clear: return try? ImportPlanner.clearedValue(cell.field, policy)
    }
  }

  /// Returns whether two texts are the same value.
  ///
  /// Numbers are compared as numbers, because a spreadsheet writes 19000 as 19000.00.
  private static func isSame(_ one: String, _ other: String, _ field: ProductField) -> Bool {
    if one == other { return true }
    switch field {
    case .price, .discount, .sale:
      guard let one = Amount(typed: one), let other = Amount(typed: other) else { return false }
      return one == other
    case .stock:
      guard let one = try? FieldValueParser.stock(one), let other = try? FieldValueParser.stock(other) else { return false }
      return one == other
    case .currency:
      guard let one = try? FieldValueParser.currency(one), let other = try? FieldValueParser.currency(other) else { return false }
      return one == other
    case .name, .description, .id, .vendor, .vendorID, .created, .modified, .thumbnail, .images: return false
    }
  }
}

extension ThreeWayMerge {
  /// Returns the message that names the cells in conflict, or `nil` if there are none.
  package func message(_ clashes: [Conflict]) -> Message? {
    guard !clashes.isEmpty else { return nil }
    let count = clashes.count
    if winner == .market {
      let kept = LocalizedText(
        "Conflicts in \(count) \(count == 1 ? StyledText("cell") : "cells"): keeping the server's values.",
        ko: "파일과 서버에서 모두 바뀐 칸 \(count)개는 서버의 값을 그대로 둡니다.")
      return Message(.note, kept)
    }
    var message = Message.warning(
      "Conflicts in \(count) \(count == 1 ? StyledText("cell") : "cells"), changed both in the file and on the server since the export. Skipped:",
      ko: "내보낸 뒤 파일과 서버에서 모두 바뀐 칸 \(count)개는 그대로 둡니다:")
    for clash in clashes.prefix(10) {
      message = message.because(
        "product \(clash.id), \(.field(clash.field)): exported \(.foreign(clash.exported)), server \(.foreign(clash.here)), file \(.foreign(clash.file))",
        ko:
          "\(clash.id)번 상품의 \(.field(clash.field)): 내보낸 값 \(.foreign(clash.exported)), 서버 \(.foreign(clash.here)), 파일 \(.foreign(clash.file))"
      )
    }
    if count > 10 { message = message.because("and \(count - 10) more", ko: "그 밖에 \(count - 10)개") }
    return message.next(
      "Add \(.command("mine")) to use the file's values or \(.command("theirs")) to keep the server's.",
      ko: "\(.command("mine"))을 붙이면 파일의 값을, \(.command("theirs"))를 붙이면 서버의 값을 따릅니다.")
  }
}

/// The changes to be made from an imported file.
struct ImportPlan {
  var verdicts: [RevalidatedChange]
  /// The notes to show before the question.
  var notes: [Message]
  /// The origins of the changes that are to be applied.
  var origins: [WriteOrigin]
  var file: (path: String, bytes: Data, text: DecodedText)
  /// The path of the stored cells of the export, or `nil` if the file wasn't exported from this home.
  var path: String?
  /// The values in the file for each product that it changes.
  var cells: [Product.ID: [(ProductField, String)]]

  /// The plan, with the positions of the products that would not change.
  var plan: Plan {
    var plan = Plan([])
    for verdict in verdicts {
      if let change = verdict.change {
        plan.changes.append(change)
      } else if case .unchanged(let product, let earlier) = verdict.outcome {
        plan.earlier[plan.count] = earlier
        plan.unchanged[plan.count] = product
      }
    }
    return plan
  }

  static func isJSONLines(_ text: String, named file: String) -> Bool {
    let kind = OutputFormat(ending: file)
    let beginsAsObject = text.first { !$0.isWhitespace && $0 != "\u{FEFF}" } == "{"
    return kind == .jsonl || kind == .json || (kind != .csv && beginsAsObject)
  }

  /// Returns the ids of the products that belong to rows without an id, by line number.
  func ids(_ outcomes: [Outcome]) -> [Int: Product.ID] {
    var ids: [Int: Product.ID] = [:]
    var rest = outcomes[...]
    for verdict in verdicts {
      let outcome = verdict.change == nil ? verdict.outcome : rest.popFirst() ?? .notStarted
      guard let line = verdict.line, outcome.isSuccess else { continue }
      ids[line] = outcome.product?.id
    }
    return ids
  }

  /// Writes the ids into the file, unless the file has changed since it was read.
  ///
  /// - Throws: `FileError` if it can't be written.
  func write(_ ids: [Int: Product.ID], named name: String, _ session: Session, _ context: CommandContext) throws {
    let isSame = (try? StableFileReader.data(file.path, limit: file.bytes.count)) == file.bytes
    let names = session.server.fieldNames
    let text: String?
    if ImportPlan.isJSONLines(file.text.text, named: name) {
      text = ImportedIDs(ids, names: names).inserted(intoJSONLines: file.text.text)
    } else {
      text = try? ImportedIDs(ids, names: names).inserted(intoCSV: file.text.text)
    }
    guard isSame, file.text.encoding == .utf8, let text else {
      let reason =
        isSame
        ? LocalizedText("It is not UTF-8.", ko: "UTF-8 파일이 아닙니다.")
        : LocalizedText("It changed in the meantime.", ko: "그사이 파일이 바뀌었습니다.")
      return context.say(
        .warning(
          "The new IDs were not saved to \(.value(name)).", ko: "새 상품 번호를 \(.value(name))에 저장하지 못했습니다."
        ).because(reason), session)
    }
    let mark = file.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? [0xEF, 0xBB, 0xBF] : [UInt8]()
    try Files.write(Data(mark + Array(text.utf8)), to: file.path)
    let count = ids.count
    context.say(
      .success(
        "Saved \(count) \(count == 1 ? StyledText("ID") : "IDs") to \(.value(name)).",
        ko: "새 상품 번호 \(count)개를 \(.value(name))에 저장했습니다."), session)
  }

  /// Stores the written values as the new merge base.
  ///
  /// If that fails, the next import treats the same cells as changed and asks an unnecessary question.
  func remember(_ outcomes: [Outcome]) {
    guard let path else { return }
    var lines = ""
    for (change, outcome) in zip(verdicts.compactMap(\.change), outcomes) where outcome.isSuccess {
      guard case .edit(let product, _, let to) = change, let cells = cells[product.id] else { continue }
      let written = cells.filter { field, _ in
        to.assignedFields.contains(field) || field == .sale && (to.price != nil || to.discount != nil)
      }
      lines += ExportBaseline.line(imported: written, of: product.id)
    }
    try? ExportBaselineWriter.add(lines, to: path)
  }

  /// Returns the export that a file comes from, found by path or otherwise by content.
  ///
  /// Returns `nil` for a file that wasn't exported from this home, or that was exported from another market.
  static func export(
    _ path: String, _ bytes: Data, at market: String, in home: AppDirectories
  ) -> (cells: ExportBaseline, path: String, made: Timestamp?)? {
    let files = WrittenFiles(home)
    let there = files.record(of: path).flatMap { $0.base == nil || $0.market != market ? nil : $0 }
    let record = there ?? files.export(saying: FileDigest(of: bytes))
    guard let record, record.market == market, let base = record.base else { return nil }
    let place = home.exportsFolder + "/" + base
    return ExportBaseline(at: place).map { ($0, place, record.made) }
  }
}
