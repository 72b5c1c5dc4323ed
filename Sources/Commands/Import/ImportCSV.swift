import Catalog
import CommandLanguage
import Presentation
import Text

/// The rows of a CSV file with a header of field names.
///
/// An empty cell leaves its field unchanged, `-` clears it.
///
/// Changes that spreadsheets make are tolerated: additional columns, headings with capitals and spaces, empty columns
/// and rows at the ends, formatted numbers.
package struct ImportCSV {
  package let names: FieldNameTable

  package init(names: FieldNameTable) {
    self.names = names
  }

  package func table(of text: String, _ problems: inout ImportProblems) -> ImportTable {
    let rows: [CSVReader.Row]
    do {
      rows = try CSVReader.rows(of: text)
    } catch {
      problems.add(error.line, error.message)
      return ImportTable()
    }
    return table(of: rows, &problems)
  }

  /// Returns the products of the rows of a table whose first row is the header.
  ///
  /// It ends early if the task is cancelled; the caller looks for that before it uses the table.
  ///
  /// - Parameters:
  ///   - formulas: The number of formulas of a workbook with a saved value, by column. Those that an import uses are noted.
  ///   - uncomputed: The cells of a workbook that have no value yet. They are errors in the columns that an import uses, and in
  ///     the header.
  ///   - problems: The collected errors.
  package func table(
    of rows: [CSVReader.Row], formulas: [Int: Int] = [:], uncomputed: [Workbook.Position] = [],
    _ problems: inout ImportProblems
  ) -> ImportTable {
    guard let start = rows.firstIndex(where: { !$0.isBlank }) else {
      problems.add(1, LocalizedText("the file is empty", ko: "빈 파일입니다"))
      return ImportTable()
    }
    guard let columns = columns(rows[start], &problems) else { return ImportTable() }
    func isUsed(_ column: Int) -> Bool { columns.indices.contains(column) && columns[column]?.isUsedByImport == true }
    if let note = ImportCSV.note(on: formulas, in: isUsed) { problems.addNote(note) }
    for cell in uncomputed {
      guard isUsed(cell.column) || cell.line <= rows[start].line else { continue }
      problems.add(
        cell.line,
        LocalizedText(
          "a formula has no saved value; open the workbook in a spreadsheet program and save it",
          ko: "수식에 저장된 값이 없습니다. 스프레드시트에서 통합 문서를 열어 저장하세요"))
    }
    var found: [ImportRow] = []
    for next in rows[(start + 1)...] where !next.isBlank {
      if Task.isCancelled { break }
      if let row = row(next, columns: columns, problems: &problems) { found.append(row) }
    }
    return ImportTable(rows: found, columns: Set(columns.compactMap(\.self)))
  }

  /// Returns the note that cells are formulas, or `nil` if none of a used column is one.
  static func note(on formulas: [Int: Int], in isUsed: (Int) -> Bool) -> Message? {
    let computed = formulas.reduce(0) { $0 + (isUsed($1.key) ? $1.value : 0) }
    guard computed > 0 else { return nil }
    return .note(
      "\(computed) \(computed == 1 ? StyledText("cell is a formula") : "cells are formulas"); the values that were saved with the workbook are used.",
      ko: "수식 \(computed)개는 통합 문서에 저장된 값을 사용합니다.")
  }

  /// Returns the field of each column, with `nil` for an ignored column; or `nil` if a column can't be used, because
  /// then no row can.
  private func columns(_ header: CSVReader.Row, _ problems: inout ImportProblems) -> [ProductField?]? {
    var columns: [ProductField?] = []
    var known: Set<ProductField> = []
    var unknown: [String] = []
    for cell in header.cells {
      let name = cell.text.trimmed
      guard let field = ImportColumns.column(name, names) else {
        columns.append(nil)
        if let near = SpellingSuggester.closest(name.lowercased(), in: names.allNames) {
          problems.add(
            header.line,
            LocalizedText(
              "unknown field \(.foreign(name)); did you mean \(.field(near))?",
              ko: "알 수 없는 필드: \(.foreign(name)). \(.field(near), .object) 뜻하셨나요?"))
        } else if !name.isEmpty {
          unknown.append(name)
        }
        continue
      }
      if !known.insert(field).inserted {
        problems.add(
          header.line, LocalizedText("duplicate column \(.field(field))", ko: "\(.field(field)) 열이 두 번 나옵니다"))
      }
      columns.append(field)
    }
    guard problems.isEmpty else { return nil }
    guard columns.contains(where: { $0 != nil }) else {
      problems.add(header.line, ImportColumns.noKnownColumnError(header.cells.map(\.text)))
      return nil
    }
    if !unknown.isEmpty { problems.ignore(columns: unknown) }
    return columns
  }

  private func row(_ row: CSVReader.Row, columns: [ProductField?], problems: inout ImportProblems) -> ImportRow? {
    let surplus = row.cells.dropFirst(columns.count)
    let missing = columns.dropFirst(row.cells.count)
    guard surplus.allSatisfy(\.isBlank), missing.allSatisfy({ $0 == nil }) else {
      problems.add(
        row.line,
        LocalizedText(
          "this row has \(row.cells.count) cells, but the header has \(columns.count)",
          ko: "헤더 행은 \(columns.count)칸인데 이 행은 \(row.cells.count)칸입니다"))
      return nil
    }
    var result = ImportRow(line: row.line, id: nil, cells: [])
    for (field, cell) in zip(columns, row.cells) where !cell.isBlank {
      guard let field else { continue }
      guard field == .id else {
        result.cells.append(ImportCSV.cell(field, cell))
        continue
      }
      let number = SpreadsheetNumber(cell.text)
      // `1.32E+02` shows all digits of 132; `4e1` may be any of 35 to 44.
      if let resolution = number?.resolution, resolution > Amount(1) {
        problems.add(
          row.line,
          LocalizedText(
            "the product ID \(.foreign(cell.text)) may be rounded. Format the column as plain numbers and save again",
            ko: "상품 번호 \(.foreign(cell.text)), 가려진 자릿수가 있을 수 있습니다. 열을 숫자 서식으로 바꿔 다시 저장하세요"))
        return nil
      }
      // An amount with a currency is no id.
      let plain = number.flatMap { $0.currency == nil ? $0.plain : nil }
      result.id = ImportColumns.id(plain ?? cell.text.trimmed)
      if result.id == nil {
        problems.add(
          row.line,
          LocalizedText("invalid product ID: \(.foreign(cell.text))", ko: "\(.foreign(cell.text), .topic) 상품 번호가 아닙니다"))
        return nil
      }
    }
    return result.cells.isEmpty && result.id == nil ? nil : result
  }

  private static func cell(_ field: ProductField, _ cell: CSVReader.Cell) -> ImportRow.Cell {
    let text = CSVInjection.unescape(cell.text)
    switch field {
    case _ where text.trimmed == "-" && !cell.isQuoted: return .init(clearing: field)
    case .price, .discount, .sale, .stock:
      let number = SpreadsheetNumber(text)
      return .init(field, number?.plain ?? text.trimmed, number: number)
    case .currency: return .init(field, text.trimmed)
    case .id, .name, .description, .vendor, .vendorID, .created, .modified, .thumbnail, .images:
      return .init(field, text)
    }
  }
}

extension CSVReader.Cell {
  var isBlank: Bool { text.allSatisfy(\.isWhitespace) }
}

extension CSVReader.Row {
  var isBlank: Bool { cells.allSatisfy(\.isBlank) }
}
