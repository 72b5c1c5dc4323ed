import Catalog
import Language
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

  package func rows(of text: String, _ problems: inout ImportProblems) -> [ImportRow] {
    let rows: [CSVReader.Row]
    do {
      rows = try CSVReader.rows(of: text)
    } catch {
      problems.add(error.line, error.message)
      return []
    }
    guard let start = rows.firstIndex(where: { !$0.isBlank }) else {
      problems.add(1, LocalizedText("the file is empty", ko: "빈 파일입니다"))
      return []
    }
    guard let columns = columns(rows[start], &problems) else { return [] }
    return rows[(start + 1)...].compactMap { $0.isBlank ? nil : row($0, columns, &problems) }
  }

  /// Returns the field of each column, with `nil` for an ignored column; or `nil` if a column can't be used, because
  /// then no row can.
  private func columns(_ header: CSVReader.Row, _ problems: inout ImportProblems) -> [ProductField?]? {
    var columns: [ProductField?] = []
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
      if columns.contains(field) {
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
    if !unknown.isEmpty { problems.addNote(ImportColumns.skippedColumnsNote(unknown)) }
    return columns
  }

  private func row(_ row: CSVReader.Row, _ columns: [ProductField?], _ problems: inout ImportProblems) -> ImportRow? {
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
      result.id = ImportColumns.id(SpreadsheetNumber(cell.text)?.plain ?? cell.text.trimmed)
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
    case _ where text.trimmed == "-" && !cell.isQuoted: return .init(field: field, value: .clear)
    case .price, .discount, .sale, .stock:
      guard let number = SpreadsheetNumber(text) else { return .init(field: field, value: .text(text.trimmed)) }
      return .init(field: field, value: .text(number.plain), number: number)
    case .currency: return .init(field: field, value: .text(text.trimmed))
    case .id, .name, .description, .vendor, .vendorID, .created, .modified, .thumbnail, .images:
      return .init(field: field, value: .text(text))
    }
  }
}

extension CSVReader.Cell {
  fileprivate var isBlank: Bool { text.allSatisfy(\.isWhitespace) }
}

extension CSVReader.Row {
  fileprivate var isBlank: Bool { cells.allSatisfy(\.isBlank) }
}

/// The mapping of columns to fields.
enum ImportColumns {
  /// Returns the field of a name.
  ///
  /// - Throws: `ParseError` for an unknown name, with the most similar field.
  static func field(_ name: String, _ names: FieldNameTable) throws(ParseError) -> ProductField {
    if let field = names.field(name) { return field }
    throw ParseError(
      SpellingSuggester.closest(name, in: names.allNames).map { near in
        LocalizedText(
          "unknown field \(.foreign(name)); did you mean \(.field(near))?",
          ko: "알 수 없는 필드: \(.foreign(name)). \(.field(near), .object) 뜻하셨나요?")
      }
        ?? LocalizedText(
          "unknown field \(.foreign(name)); available: \(fieldList)", ko: "\(.foreign(name)) 필드는 없습니다. 있는 것은 \(fieldList)"))
  }

  /// Returns the field of a spreadsheet column, ignoring case and spaces; also by its Korean heading.
  static func column(_ name: String, _ names: FieldNameTable) -> ProductField? {
    let plain = name.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: "_")
    return names.field(name) ?? names.field(plain)
      ?? ProductField.allCases.first { $0.title[.korean].plain == name.nfcNormalized.trimmed }
  }

  static func skippedColumnsNote(_ columns: [String]) -> Message {
    let shown = columns.prefix(5).joined(separator: ", ") + (columns.count > 5 ? ", …" : "")
    return .note(
      "Ignored columns that are not product fields: \(.foreign(shown))",
      ko: "필드가 아니어서 읽지 않은 열: \(.foreign(shown))")
  }

  static func noKnownColumnError(_ columns: [String]) -> LocalizedText {
    let shown = columns.prefix(3).joined(separator: ", ")
    return LocalizedText(
      "no column is a product field: \(.foreign(shown)); available: \(fieldList)",
      ko: "필드인 열이 없습니다: \(.foreign(shown)). 있는 것은 \(fieldList)")
  }

  private static var fieldList: String { ProductField.allCases.map(\.rawValue).joined(separator: ", ") }

  /// Returns a product id from 1, or `nil` for an invalid one.
  static func id(_ text: String) -> Product.ID? {
    guard (1...15).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int(text).flatMap { $0 > 0 ? $0 : nil }
  }
}
