import Catalog
import CommandLanguage
import Platform
import Presentation
import ShellRuntime
import Text

/// The merge of the rows of an edited export, cell by cell: the base is the export, the sides are the file and the
/// server.
///
/// Cells that changed only in the file are written. Cells that changed on both sides, and those that are an edit only if
/// the file comes from another export than it may, are written only if `keep` says which side wins.
package struct ImportMerge {
  /// A cell that isn't written.
  package struct LeftCell: Hashable, Sendable {
    package var id: Product.ID
    package var field: ProductField
    /// The exported values, the newest first.
    package var exported: [FieldValue] = []
    package var here: String
    package var file: String
    /// The currency of the product in the market.
    package var currency: Currency?

    /// Returns a value of the cell as other messages show it: an amount with its currency.
    fileprivate func words(_ value: FieldValue, _ text: String, ascii: Bool) -> String {
      guard [.price, .discount, .sale].contains(field), let amount = value.numericValue else { return text }
      return amount.formatted(in: currency, ascii: ascii)
    }

    fileprivate func words(_ text: String, ascii: Bool) -> String {
      words(FieldValueParser.comparable(text, of: field), text, ascii: ascii)
    }
  }

  /// A text of the file that a program made of the exported or the current one, without an edit.
  package struct ResavedCell: Hashable, Sendable {
    package var id: Product.ID
    package var field: ProductField
    package var original: String
    package var file: String
    package var kind: ResavedText
  }

  /// The cells that aren't written.
  package struct LeftCells: Hashable, Sendable {
    /// The cells that both sides changed to different values, or that may be unedited.
    package var conflicts: [LeftCell] = []
    /// The cells that are as they were exported, where the market has another value now.
    package var outdated: [LeftCell] = []
    package var resaved: [ResavedCell] = []

    mutating func append(_ other: LeftCells) {
      conflicts += other.conflicts
      outdated += other.outdated
      resaved += other.resaved
    }
  }

  /// The exports, or `nil` to compare with the market only.
  package let bases: ImportBases?
  private let winner: ConflictResolution?

  package init(_ bases: ImportBases?, winner: ConflictResolution?) {
    self.bases = bases
    self.winner = winner
  }

  /// Returns whether the file is an export that contains this product.
  ///
  /// Conflicts of both sides can be detected only for such products.
  package func knows(_ id: Product.ID) -> Bool {
    bases.map { $0.relation != .possible && !$0.cells(of: id).isEmpty } ?? false
  }

  /// Returns whether a row may change its product: it has edited cells, or no export contains the product.
  func mayEdit(_ row: ImportRow) -> Bool { row.id.map { !row.edits.isEmpty || !knows($0) } ?? false }

  /// Returns the row with the state of each cell compared with the exports.
  package func compared(_ row: ImportRow) -> ImportRow {
    guard let bases, let id = row.id else { return row }
    let isComputed = knows(id) && hasComputedSale(row)
    var row = row
    for (index, cell) in row.cells.enumerated() where cell.field.isImported {
      let state = bases.state(of: cell.comparable, cell.field, of: id)
      let follows = cell.field == .sale && isComputed
      row.cells[index].state = !follows ? state : state == .edited ? .computed : .unchanged
    }
    return row
  }

  /// Returns whether the sale price of a row is what its price and discount give, or what they gave when the row was
  /// exported.
  ///
  /// Such a cell isn't an edit: in a spreadsheet it either follows the other columns or has the value from before.
  private func hasComputedSale(_ row: ImportRow) -> Bool {
    func stated(_ field: ProductField) -> Amount? { row.cells.first { $0.field == field }?.value?.numericValue }
    guard let id = row.id, let sale = stated(.sale) else { return false }
    let columns = Set(row.cells.map(\.field))
    return bases?.cells(of: id).contains { cells in
      // After an import of another sale price, the exported one is an edit again.
      guard cells[.sale]?.lastImported == nil else { return false }
      func isSale(_ value: (ProductField) -> Amount?) -> Bool {
        guard let price = value(.price), let discount = value(.discount) else { return false }
        return sale == price - discount
      }
      func exported(_ field: ProductField) -> Amount? { cells[field]?.base.numericValue }
      return isSale(exported) || isSale { columns.contains($0) ? stated($0) : exported($0) }
    } ?? false
  }

  /// Decides which cells of a compared row are written.
  ///
  /// - Returns: The values to be written, of which the sale price may contradict the others, and the cells that aren't.
  package func reconciled(
    _ row: ImportRow, with product: Product
  ) -> (writes: Reconciliation.Values, left: LeftCells) {
    // Most rows of a long list have nothing to decide.
    guard
      row.cells.contains(where: {
        $0.field.isImported && decision($0, product.comparable($0.field), of: product.id) != .unchanged
      })
    else { return ([:], LeftCells()) }
    let cells = Dictionary(row.cells.map { ($0.field, $0) }) { $1 }
    let market = Dictionary(
      ExportBaseline.fields.compactMap { field in product.comparable(field).map { (field, $0) } }
    ) { $1 }
    let merge = Reconciliation(
      mine: cells.mapValues(\.comparable), market: market, in: ExportBaseline.fields, winner: winner
    ) { field in cells[field].map { decision($0, market[field], of: product.id) } ?? .unchanged }
    var (writes, left) = (merge.writes, LeftCells())
    func cell(_ field: ProductField) -> LeftCell {
      LeftCell(
        id: product.id, field: field, exported: bases?.values(of: field, of: product.id) ?? [],
        here: product.text(of: field) ?? "", file: cells[field]?.text ?? "", currency: product.currency)
    }
    // The sale price follows from price and discount, and where it was imported, these follow from it: a difference in it
    // would name the same change twice.
    let isSaleImported =
      cells[.sale].map { sale in
        (sale.state == .edited || sale.state == .computed) && sale.comparable == market[.sale]
      } ?? false
    let hasPriceConflict = merge.conflicts.contains { $0 == .price || $0 == .discount }
    for (field, decision) in merge.decisions {
      let (isPrice, isSale) = (field == .price || field == .discount, field == .sale)
      switch decision {
      case .conflict where winner != .file && !(isSale && hasPriceConflict):
        left.conflicts.append(cell(field))
      case .outdated where !isSale && !(isPrice && isSaleImported) && !isResaved(cells[field], of: field, in: product):
        left.outdated.append(cell(field))
      case .write, .conflict, .outdated, .unchanged, .gone, .created: break
      }
    }
    for field in [ProductField.name, .description] where writes[field] != nil {
      guard let cell = cells[field], !cell.isCleared, let (original, kind) = resaved(cell, product) else { continue }
      left.resaved.append(
        ResavedCell(id: product.id, field: field, original: original, file: cell.text, kind: kind))
      writes[field] = nil
    }
    return (writes, left)
  }

  /// Returns the fields for which a row is reported as left to others.
  func skipped(_ left: LeftCells) -> [ProductField] {
    (winner == nil ? left.conflicts.map(\.field) : []) + (winner == .server ? [] : left.outdated.map(\.field))
  }

  private func decision(
    _ cell: ImportRow.Cell, _ market: FieldValue?, of id: Product.ID
  ) -> Reconciliation.Decision {
    guard cell.comparable != market else { return .unchanged }
    switch cell.state {
    case .computed: return .unchanged
    case .unchanged: return market == nil ? .unchanged : .outdated
    case .uncertain: return market == nil ? .write : .conflict
    case .edited:
      guard let market, let bases else { return .write }
      return bases.isChanged(market, cell.field, of: id) ? .conflict : .write
    }
  }

  /// Returns whether another program made a text of the file from the current one.
  private func isResaved(_ cell: ImportRow.Cell?, of field: ProductField, in product: Product) -> Bool {
    guard field == .name || field == .description, let cell, let here = product.text(of: field) else { return false }
    return ResavedText(cell.text, from: here) != nil
  }

  /// Returns the text that lost characters, or was formatted as a number, when the file was saved, or `nil` for an edit.
  private func resaved(_ cell: ImportRow.Cell, _ product: Product) -> (original: String, kind: ResavedText)? {
    let originals =
      (bases?.values(of: cell.field, of: product.id).map(\.description) ?? [])
      + [product.text(of: cell.field)].compactMap(\.self)
    for original in originals {
      if let kind = ResavedText(cell.text, from: original) { return (original, kind) }
    }
    // Besides the lost characters it was edited, but what they were can't be known.
    guard let last = originals.last, originals.allSatisfy({ ResavedText.holdsReplacement(cell.text, $0) }) else {
      return nil
    }
    return (last, .lostCharacters)
  }

  /// Returns the number of cells that had a value when they were exported and are empty in the file.
  package func emptied(_ row: ImportRow, _ columns: Set<ProductField>) -> Int {
    guard let bases, let id = row.id, knows(id) else { return 0 }
    let filled = Set(row.cells.map(\.field))
    return columns.count { field in
      field.isImported && !filled.contains(field)
        && bases.values(of: field, of: id).contains { !$0.description.isEmpty }
    }
  }
}

extension Product {
  /// Returns the value of a field as cells are compared with it.
  func comparable(_ field: ProductField) -> FieldValue? {
    text(of: field).map { FieldValueParser.comparable($0, of: field) }
  }
}

extension ImportMerge {
  /// Returns the message that names the cells in conflict, or `nil` if there are none.
  package func message(conflicts: [LeftCell], ascii: Bool = false) -> Message? {
    guard !conflicts.isEmpty else { return nil }
    let count = conflicts.count
    if winner == .server {
      let stored = LocalizedText(
        "Conflicts in \(count) \(count == 1 ? StyledText("cell") : "cells"): keeping the server's values.",
        ko: "파일과 서버에서 모두 바뀐 칸 \(count)개는 서버의 값을 그대로 둡니다.")
      return Message(.note, stored)
    }
    let message =
      bases?.relation == .path || bases?.exports.count == 1 && bases?.relation == .copy
      ? Message.warning(
        "Conflicts in \(count) \(count == 1 ? StyledText("cell") : "cells"), changed both in the file and on the server since the export. Skipped:",
        ko: "내보낸 뒤 파일과 서버에서 모두 바뀐 칸 \(count)개는 그대로 둡니다:")
      : .warning(
        "Conflicts in \(count) \(count == 1 ? StyledText("cell") : "cells"), which \(count == 1 ? StyledText("differs") : "differ") from the server and may be as exported. Skipped:",
        ko: "서버와 다르지만 내보낸 그대로일 수 있는 칸 \(count)개는 그대로 둡니다:")
    return message.because(first: 10, of: conflicts) { one in
      let exported = one.exported.map { one.words($0, $0.description, ascii: ascii) }.joined(separator: " / ")
      let (here, file) = (one.words(one.here, ascii: ascii), one.words(one.file, ascii: ascii))
      return LocalizedText(
        "product \(one.id), \(.field(one.field)): exported \(.foreign(exported)), server \(.foreign(here)), file \(.foreign(file))",
        ko:
          "\(one.id)번 상품의 \(.field(one.field)): 내보낸 값 \(.foreign(exported)), 서버 \(.foreign(here)), 파일 \(.foreign(file))"
      )
    }.next(
      "Add \(.command("keep file")) to use the file's values or \(.command("keep server")) to keep the server's.",
      ko: "\(.command("keep file"), .object) 붙이면 파일의 값을, \(.command("keep server"), .object) 붙이면 서버의 값을 따릅니다.")
  }
}

extension ImportMerge {
  /// Returns the message that names the cells that are as exported and differ from the server, or `nil` if there are none.
  package static func message(outdated: [LeftCell], ascii: Bool = false) -> Message? {
    guard !outdated.isEmpty else { return nil }
    let count = outdated.count
    return Message.warning(
      "\(count) \(count == 1 ? StyledText("cell was") : "cells were") not edited since the export and \(count == 1 ? StyledText("differs") : "differ") from the server now. Left alone:",
      ko: "내보낸 뒤 고치지 않았고 지금 서버와 다른 칸 \(count)개는 그대로 둡니다:"
    ).because(first: 10, of: outdated) { one in
      let (here, file) = (one.words(one.here, ascii: ascii), one.words(one.file, ascii: ascii))
      return LocalizedText(
        "product \(one.id), \(.field(one.field)): server \(.foreign(here)), file \(.foreign(file))",
        ko: "\(one.id)번 상품의 \(.field(one.field)): 서버 \(.foreign(here)), 파일 \(.foreign(file))")
    }.next(
      "Add \(.command("whole")) to write every cell of the file, or \(.command("keep server")) to accept the server's values.",
      ko: "파일의 모든 칸을 쓰려면 \(.command("whole"), .object), 서버의 값을 받아들이려면 \(.command("keep server"), .object) 붙이세요.")
  }

  /// Returns the message that names the texts that aren't edits, or `nil` if there are none.
  package static func message(resaved: [ResavedCell]) -> Message? {
    guard let first = resaved.first else { return nil }
    let count = resaved.count
    return Message.warning(
      "\(count) \(count == 1 ? StyledText("text was") : "texts were") changed by the program that saved the file, not by an edit. Skipped:",
      ko: "파일을 저장한 프로그램이 바꾼 텍스트 \(count)개는 수정으로 보지 않고 그대로 둡니다:"
    ).because(first: 10, of: resaved) { one in
      let reason =
        switch one.kind {
        case .lostCharacters: LocalizedText("characters were lost", ko: "글자가 없어짐")
        case .formattedNumber: LocalizedText("formatted as a number", ko: "숫자로 서식이 바뀜")
        }
      return LocalizedText(
        "product \(one.id), \(.field(one.field)): \(.before(one.original)) -> \(.after(one.file)) (\(reason[.english]))",
        ko: "\(one.id)번 상품의 \(.field(one.field)): \(.before(one.original)) -> \(.after(one.file))(\(reason[.korean]))")
    }.next(
      "Run \(.command("patch \(first.id) \(first.field.rawValue)=TEXT")) to change a text.",
      ko: "텍스트를 바꾸려면 \(.command("patch \(first.id) \(first.field.rawValue)=텍스트"), .object) 실행하세요.")
  }

  /// Returns the note that empty cells change nothing, or `nil` if no exported cell was emptied.
  package static func message(emptied count: Int) -> Message? {
    guard count > 0 else { return nil }
    return .note(
      "\(count) empty \(count == 1 ? StyledText("cell was") : "cells were") left alone.", ko: "빈 칸 \(count)개는 그대로 둡니다."
    ).next(
      "Write \(.value("-")) in a cell to clear a discount or a stock.",
      ko: "할인이나 재고를 비우려면 칸에 \(.value("-"), .object) 쓰세요.")
  }
}
