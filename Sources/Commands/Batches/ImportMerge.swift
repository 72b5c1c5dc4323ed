import Catalog
import Engine
import Foundation
import Interchange
import Journal
import Language
import Platform
import Presentation
import Text

/// Tells apart what the person changed in a file and what others changed in the market since the file was exported: only
/// the former is written, and a cell that both changed only when it is said whose value wins.
package struct ImportMerge {
  /// Whose value stands where both changed a cell.
  package enum Winner { case file, market }

  /// A cell that both sides changed, each to another value.
  package struct Clash: Hashable, Sendable {
    package var id: Product.ID
    package var field: Field
    package var exported: String
    package var here: String
    package var file: String
  }

  private let cells: ExportedCells?
  private let winner: Winner?
  private let policy: LimitPolicy

  package init(_ cells: ExportedCells?, winner: Winner?, _ policy: LimitPolicy) {
    self.cells = cells
    self.winner = winner
    self.policy = policy
  }

  /// Whether the export wrote this product; what a clash is can only be told of those.
  package func knows(_ id: Product.ID) -> Bool { cells?.holds(id) ?? false }

  /// Cells that both sides changed are a question that is not answered yet.
  var leavesOpen: Bool { winner == nil }

  /// The row with the cells that the file changed since it was exported; whole where that is not known.
  package func changed(_ row: ImportRow) -> ImportRow {
    guard let cells, let id = row.id, cells.holds(id) else { return row }
    var row = row
    row.cells.removeAll { cell in
      guard cell.field.isImported else { return true }
      guard let known = cells.cell(cell.field, of: id), let text = text(of: cell) else { return false }
      let isAsExported = ImportMerge.isSame(text, known.exported, cell.field)
      return isAsExported && (known.imported.map { ImportMerge.isSame(text, $0, cell.field) } ?? true)
    }
    return row
  }

  /// Takes the cells out of a changed row that others have changed too, unless the file wins.
  package func settle(_ row: ImportRow, _ product: Product) -> (row: ImportRow, clashes: [Clash]) {
    guard let cells, winner != .file else { return (row, []) }
    var (kept, clashes) = (row, [Clash]())
    kept.cells.removeAll { cell in
      guard let known = cells.cell(cell.field, of: product.id), let text = text(of: cell) else { return false }
      guard let here = product.text(of: cell.field) else { return false }
      let isOurs = [known.exported, known.imported].contains { text in
        text.map { ImportMerge.isSame($0, here, cell.field) } ?? false
      }
      guard !isOurs, !ImportMerge.isSame(text, here, cell.field) else { return false }
      clashes.append(
        Clash(id: product.id, field: cell.field, exported: known.exported, here: here, file: text))
      return true
    }
    // The sale price follows from the others: one that clashes with them tells nothing more.
    if clashes.contains(where: { $0.field == .price || $0.field == .discount }) {
      clashes.removeAll { $0.field == .sale }
    }
    return (kept, clashes)
  }

  /// What a changed row says, field by field.
  package func texts(of row: ImportRow) -> [(Field, String)] {
    row.cells.compactMap { cell in text(of: cell).map { (cell.field, $0) } }
  }

  /// The value a cell stands for; nil for what no import sets.
  package func text(of cell: ImportRow.Cell) -> String? {
    guard cell.field.isImported else { return nil }
    switch cell.value {
    case .text(let text): return text
    case .clear: return try? ImportPlanner.emptied(cell.field, policy)
    }
  }

  /// Numbers are compared as numbers: a spreadsheet writes 19000 as 19000.00.
  private static func isSame(_ one: String, _ other: String, _ field: Field) -> Bool {
    if one == other { return true }
    switch field {
    case .price, .discount, .sale:
      guard let one = Amount(typed: one), let other = Amount(typed: other) else { return false }
      return one == other
    case .stock:
      guard let one = try? FieldReader.stock(one), let other = try? FieldReader.stock(other) else { return false }
      return one == other
    case .currency:
      guard let one = try? FieldReader.currency(one), let other = try? FieldReader.currency(other) else { return false }
      return one == other
    case .name, .description, .id, .vendor, .vendorID, .created, .modified, .thumbnail, .images: return false
    }
  }
}

extension ImportMerge {
  /// Names the cells that both sides changed, or `nil` if there is none.
  package func message(_ clashes: [Clash]) -> Message? {
    guard !clashes.isEmpty else { return nil }
    let count = clashes.count
    if winner == .market {
      let kept = LocalizedText(
        "\(count) \(count == 1 ? StyledText("cell") : "cells") changed both in the file and in the market; the market's stay.",
        ko: "파일과 서버에서 모두 바뀐 칸 \(count)개는 서버의 값을 그대로 둡니다.")
      return Message(.note, kept)
    }
    var message = Message.warning(
      "\(count) \(count == 1 ? StyledText("cell") : "cells") changed both in the file and in the market since the export; left alone:",
      ko: "내보낸 뒤 파일과 서버에서 모두 바뀐 칸 \(count)개는 그대로 둡니다:")
    for clash in clashes.prefix(10) {
      message = message.because(
        "product \(clash.id), \(.field(clash.field)): \(.foreign(clash.exported)) exported, \(.foreign(clash.here)) in the market, \(.foreign(clash.file)) in the file",
        ko:
          "\(clash.id)번 상품의 \(.field(clash.field)): 내보낸 값 \(.foreign(clash.exported)), 서버 \(.foreign(clash.here)), 파일 \(.foreign(clash.file))"
      )
    }
    if count > 10 { message = message.because("and \(count - 10) more", ko: "그 밖에 \(count - 10)개") }
    return message.next(
      "\(.command("mine")) writes the file's values, \(.command("theirs")) keeps the market's.",
      ko: "\(.command("mine"))을 붙이면 파일의 값을, \(.command("theirs"))를 붙이면 서버의 값을 따릅니다.")
  }
}

/// What is to be made of an imported file.
struct ImportDecision {
  var verdicts: [PlanVerdict]
  /// What must be known before the question.
  var notes: [Message]
  /// The origins of the changes that are to be made.
  var origins: [WriteOrigin]
  /// The file as it was read.
  var file: (path: String, bytes: Data, text: DecodedText)
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

  /// The ids of the products that rows without one stand for, by the lines of the file.
  func ids(_ outcomes: [Outcome]) -> [Int: Product.ID] {
    var ids: [Int: Product.ID] = [:]
    var rest = outcomes[...]
    for verdict in verdicts {
      let outcome = verdict.change == nil ? verdict.outcome : rest.popFirst() ?? .skipped
      guard let line = verdict.line, outcome.isFine else { continue }
      ids[line] = outcome.product?.id
    }
    return ids
  }

  /// Writes the ids into the file, unless it has changed since it was read.
  ///
  /// - Throws: `FileError` where it cannot be written.
  func write(_ ids: [Int: Product.ID], named name: String, _ session: Session, _ context: Context) throws {
    let isSame = (try? SteadyFile.data(file.path, limit: file.bytes.count)) == file.bytes
    let names = session.server.fieldNames
    let text: String?
    if ImportDecision.isJSONLines(file.text.text, named: name) {
      text = ImportedIDs(ids, names: names).inserted(intoJSONLines: file.text.text)
    } else {
      text = try? ImportedIDs(ids, names: names).inserted(intoCSV: file.text.text)
    }
    guard isSame, file.text.encoding == .utf8, let text else {
      let reason =
        isSame
        ? LocalizedText("It is not UTF-8.", ko: "UTF-8 파일이 아닙니다.")
        : LocalizedText("It was changed meanwhile.", ko: "그사이 파일이 바뀌었습니다.")
      return context.say(
        .warning(
          "The new ids were not written into \(.value(name)).", ko: "\(.value(name))에 새 상품 번호를 저장하지 않았습니다."
        ).because(reason), session)
    }
    let mark = file.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? [0xEF, 0xBB, 0xBF] : [UInt8]()
    try Files.write(Data(mark + Array(text.utf8)), to: file.path)
    let count = ids.count
    context.say(
      .success(
        "\(count) \(count == 1 ? StyledText("id was") : "ids were") written into \(.value(name)).",
        ko: "새 상품 번호 \(count)개를 \(.value(name))에 저장했습니다."), session)
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
    _ path: String, _ bytes: Data, at market: String, in home: Home
  ) -> (cells: ExportedCells, path: String, made: Timestamp?)? {
    let files = WrittenFiles(home)
    let there = files.record(of: path).flatMap { $0.base == nil || $0.market != market ? nil : $0 }
    let record = there ?? files.export(saying: FileDigest(of: bytes))
    guard let record, record.market == market, let base = record.base else { return nil }
    let place = home.exportsFolder + "/" + base
    return ExportedCells(at: place).map { ($0, place, record.made) }
  }
}
