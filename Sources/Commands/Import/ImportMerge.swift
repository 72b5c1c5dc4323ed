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
  /// A cell that both sides changed to different values, or that may be unedited.
  package struct Conflict: Hashable, Sendable {
    package var id: Product.ID
    package var field: ProductField
    /// The exported texts, the newest first.
    package var exported: [String]
    package var here: String
    package var file: String
  }

  /// A cell that is as it was exported, where the market has another value now.
  package struct OutdatedCell: Hashable, Sendable {
    package var id: Product.ID
    package var field: ProductField
    package var here: String
    package var file: String
  }

  /// The exports, or `nil` to compare with the market only.
  package var bases: ImportBases?
  private let winner: ConflictResolution?
  private let policy: LimitPolicy

  package init(_ bases: ImportBases?, winner: ConflictResolution?, limits policy: LimitPolicy) {
    self.bases = bases
    self.winner = winner
    self.policy = policy
  }

  /// Returns whether the file is an export that contains this product.
  ///
  /// Conflicts of both sides can be detected only for such products.
  package func knows(_ id: Product.ID) -> Bool {
    bases.map { $0.relation != .possible && !$0.cells(of: id).isEmpty } ?? false
  }

  /// Returns whether a row of changed cells may change its product: it has some, or no export contains the product.
  func mayEdit(_ row: ImportRow) -> Bool { row.id.map { !row.cells.isEmpty || !knows($0) } ?? false }

  /// A Boolean value that indicates that conflicts are left unresolved.
  var leavesOpen: Bool { winner == nil }

  /// Returns the row with only the cells that changed in the file since the export, or the complete row if there is no
  /// export of it.
  package func changed(_ row: ImportRow) -> ImportRow {
    guard let bases, let id = row.id, knows(id) else { return row }
    let isComputed = hasComputedSale(row)
    var row = row
    row.cells.removeAll { cell in
      guard cell.field.isImported, cell.field != .sale || !isComputed else { return true }
      guard let text = text(of: cell) else { return false }
      return bases.state(of: text, cell.field, of: id) == .unchanged
    }
    return row
  }

  /// Returns the cells of a row that are as they were exported, where the product has another value now.
  package func outdated(_ row: ImportRow, with product: Product) -> [OutdatedCell] {
    guard let bases, knows(product.id) else { return [] }
    let followsSale =
      row.cells.first { $0.field == .sale }.flatMap { text(of: $0) }.map { text in
        bases.state(of: text, .sale, of: product.id) == .edited
          && product.text(of: .sale).map { ImportMerge.isSame($0, text, in: .sale) } == true
      } ?? false
    return row.cells.compactMap { cell in
      // The sale price follows from price and discount, and where it was imported, these follow from it.
      guard cell.field.isImported, cell.field != .sale, !followsSale || ![.price, .discount].contains(cell.field),
        let text = text(of: cell),
        bases.state(of: text, cell.field, of: product.id) == .unchanged,
        let here = product.text(of: cell.field), !ImportMerge.isSame(here, text, in: cell.field)
      else { return nil }
      // What another program made of the text was exported in this form.
      if [.name, .description].contains(cell.field), ResavedText(text, from: here) != nil { return nil }
      return OutdatedCell(id: product.id, field: cell.field, here: here, file: text)
    }
  }

  /// Returns whether the sale price of a row is what its price and discount give, or what they gave when the row was
  /// exported.
  ///
  /// Such a cell isn't an edit: in a spreadsheet it either follows the other columns or stays behind them.
  private func hasComputedSale(_ row: ImportRow) -> Bool {
    guard let id = row.id, let cell = row.cells.first(where: { $0.field == .sale }), let text = text(of: cell),
      let sale = Amount(typed: text)
    else { return false }
    return bases?.cells(of: id).contains { cells in
      func exported(_ field: ProductField) -> Amount? { cells[field].flatMap { Amount(typed: $0.base) } }
      func stated(_ field: ProductField) -> Amount? {
        guard let cell = row.cells.first(where: { $0.field == field }) else { return exported(field) }
        return self.text(of: cell).flatMap { Amount(typed: $0) }
      }
      // After an import of another sale price, the exported one is an edit again.
      guard cells[.sale]?.lastImported == nil else { return false }
      if let price = exported(.price), let discount = exported(.discount), sale == price - discount { return true }
      guard let price = stated(.price), let discount = stated(.discount) else { return false }
      return sale == price - discount
    } ?? false
  }

  /// Removes the cells of a changed row that also changed in the market or may be unedited, unless the file wins.
  package func settle(_ row: ImportRow, with product: Product) -> (row: ImportRow, conflicts: [Conflict]) {
    guard let bases, winner != .file else { return (row, []) }
    var (stored, conflicts) = (row, [Conflict]())
    stored.cells.removeAll { cell in
      guard let text = text(of: cell), let here = product.text(of: cell.field),
        !ImportMerge.isSame(text, here, in: cell.field),
        bases.isConflict(text, server: here, cell.field, of: product.id)
      else { return false }
      conflicts.append(
        Conflict(
          id: product.id, field: cell.field, exported: bases.texts(of: cell.field, of: product.id), here: here,
          file: text))
      return true
    }
    // The sale price follows from price and discount: a conflict in it would report the same change twice.
    if conflicts.contains(where: { $0.field == .price || $0.field == .discount }) {
      conflicts.removeAll { $0.field == .sale }
    }
    return (stored, conflicts)
  }

  /// A text of the file that a program made of the exported or the current one, without an edit.
  package struct ResavedCell: Hashable, Sendable {
    package var id: Product.ID
    package var field: ProductField
    package var original: String
    package var file: String
    package var kind: ResavedText
  }

  /// Removes the texts that lost characters, or were formatted as numbers, when the file was saved.
  package func withoutResaved(_ row: ImportRow, of product: Product) -> (row: ImportRow, resaved: [ResavedCell]) {
    var (stored, resaved) = (row, [ResavedCell]())
    stored.cells.removeAll { cell in
      guard cell.field == .name || cell.field == .description, case .text(let text) = cell.value else { return false }
      let originals =
        (bases?.texts(of: cell.field, of: product.id) ?? []) + [product.text(of: cell.field)].compactMap(\.self)
      for original in originals {
        guard let kind = ResavedText(text, from: original) else { continue }
        resaved.append(ResavedCell(id: product.id, field: cell.field, original: original, file: text, kind: kind))
        return true
      }
      // Besides the lost characters it was edited, but what they were can't be known.
      guard let last = originals.last, originals.allSatisfy({ ResavedText.holdsReplacement(text, $0) }) else {
        return false
      }
      resaved.append(
        ResavedCell(id: product.id, field: cell.field, original: last, file: text, kind: .lostCharacters))
      return true
    }
    return (stored, resaved)
  }

  /// Returns the number of cells that had a value when they were exported and are empty in the file.
  package func emptied(_ row: ImportRow, _ columns: Set<ProductField>) -> Int {
    guard let bases, let id = row.id, knows(id) else { return 0 }
    let filled = Set(row.cells.map(\.field))
    return columns.count { field in
      field.isImported && !filled.contains(field) && bases.texts(of: field, of: id).contains { !$0.isEmpty }
    }
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

  /// Returns whether two texts are the same value of a field.
  ///
  /// Numbers are compared as numbers, because a spreadsheet writes 19000 as 19000.00.
  static func isSame(_ one: String, _ other: String, in field: ProductField) -> Bool {
    value(one, of: field) == value(other, of: field)
  }

  /// Returns the value of a text, which is the text itself if it isn't a number or a currency where one is expected.
  static func value(_ text: String, of field: ProductField) -> FieldValue {
    (try? FieldValueParser.value(text, of: field)) ?? .text(text)
  }
}

extension ImportMerge {
  /// Returns the message that names the cells in conflict, or `nil` if there are none.
  package func message(_ conflicts: [Conflict]) -> Message? {
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
      let exported = one.exported.joined(separator: " / ")
      return LocalizedText(
        "product \(one.id), \(.field(one.field)): exported \(.foreign(exported)), server \(.foreign(one.here)), file \(.foreign(one.file))",
        ko:
          "\(one.id)번 상품의 \(.field(one.field)): 내보낸 값 \(.foreign(exported)), 서버 \(.foreign(one.here)), 파일 \(.foreign(one.file))"
      )
    }.next(
      "Add \(.command("keep file")) to use the file's values or \(.command("keep server")) to keep the server's.",
      ko: "\(.command("keep file"), .object) 붙이면 파일의 값을, \(.command("keep server"), .object) 붙이면 서버의 값을 따릅니다.")
  }
}

extension ImportMerge {
  /// Returns the message that names the cells that are as exported and differ from the server, or `nil` if there are none.
  package static func message(_ outdated: [OutdatedCell]) -> Message? {
    guard !outdated.isEmpty else { return nil }
    let count = outdated.count
    return Message.warning(
      "\(count) \(count == 1 ? StyledText("cell was") : "cells were") not edited since the export and \(count == 1 ? StyledText("differs") : "differ") from the server now. Left alone:",
      ko: "내보낸 뒤 고치지 않았고 지금 서버와 다른 칸 \(count)개는 그대로 둡니다:"
    ).because(first: 10, of: outdated) { one in
      LocalizedText(
        "product \(one.id), \(.field(one.field)): server \(.foreign(one.here)), file \(.foreign(one.file))",
        ko: "\(one.id)번 상품의 \(.field(one.field)): 서버 \(.foreign(one.here)), 파일 \(.foreign(one.file))")
    }.next(
      "Add \(.command("whole")) to write every cell of the file, or \(.command("keep server")) to accept the server's values.",
      ko: "파일의 모든 칸을 쓰려면 \(.command("whole"), .object), 서버의 값을 받아들이려면 \(.command("keep server"), .object) 붙이세요.")
  }

  /// Returns the message that names the texts that aren't edits, or `nil` if there are none.
  package static func message(_ resaved: [ResavedCell]) -> Message? {
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

extension ConflictResolution {
  /// Reads the value of `keep`, or returns `nil` if the line doesn't have one.
  init?(_ invocation: ParsedCommand) {
    guard let side = invocation.text("keep").flatMap({ ConflictResolution(rawValue: $0) }) else { return nil }
    self = side
  }

  /// The words of versions before 0.3, in which `mine` also chose the vendor's own products.
  static let replacedWords = ["mine": "keep file", "theirs": "keep server"]

  /// Returns the parameter, whose summary says what becomes of the values.
  static func parameter(_ summary: LocalizedText) -> Parameter {
    Parameter("keep", .option, kind: .choice(ConflictResolution.allCases.map(\.rawValue)), summary: summary)
  }
}
