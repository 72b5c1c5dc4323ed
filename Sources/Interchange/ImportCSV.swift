import Catalog
import Language
import Presentation
import Text

/// Rows of a CSV file: a header of fields, a blank cell leaves its field alone, `-` empties it.
package struct ImportCSV {
  package let names: FieldNames

  package init(names: FieldNames) {
    self.names = names
  }

  package func rows(of text: String, _ problems: inout ImportProblems) -> [ImportRow] {
    let rows: [CSVReader.Row]
    do {
      rows = try CSVReader.rows(of: text)
    } catch {
      problems.add(error.line, error.what)
      return []
    }
    guard let header = rows.first else {
      problems.add(1, LocalizedText("the file is empty", ko: "빈 파일입니다"))
      return []
    }
    guard let fields = fields(header, &problems) else { return [] }
    return rows.dropFirst().compactMap { row($0, fields, &problems) }
  }

  /// Nil when a column cannot be used; then no row can.
  private func fields(_ header: CSVReader.Row, _ problems: inout ImportProblems) -> [Field]? {
    var fields: [Field] = []
    for cell in header.cells {
      do throws(ParseError) {
        let field = try ImportColumns.field(cell.text, names)
        if fields.contains(field) {
          problems.add(
            header.line, LocalizedText("column \(.field(field)) comes twice", ko: "\(.field(field)) 열이 두 번 나옵니다"))
        }
        fields.append(field)
      } catch {
        problems.add(header.line, error)
      }
    }
    return problems.isEmpty ? fields : nil
  }

  private func row(_ row: CSVReader.Row, _ fields: [Field], _ problems: inout ImportProblems) -> ImportRow? {
    guard row.cells.count == fields.count else {
      problems.add(
        row.line,
        LocalizedText(
          "the header has \(fields.count) cells, this row \(row.cells.count)",
          ko: "헤더 행은 \(fields.count)칸인데 이 행은 \(row.cells.count)칸입니다"))
      return nil
    }
    var result = ImportRow(line: row.line, id: nil, cells: [])
    for (field, cell) in zip(fields, row.cells) where !cell.text.isEmpty {
      guard field == .id else {
        let isClear = cell.text == "-" && !cell.isQuoted
        result.cells.append(
          .init(field: field, value: isClear ? .clear : .text(FormulaGuard.unguarded(cell.text))))
        continue
      }
      result.id = ImportColumns.id(cell.text)
      if result.id == nil {
        problems.add(
          row.line, LocalizedText("\(.foreign(cell.text)) is no id", ko: "\(.foreign(cell.text), .topic) 상품 번호가 아닙니다"))
        return nil
      }
    }
    return result.cells.isEmpty && result.id == nil ? nil : result
  }
}

/// Which column of a file is which field.
enum ImportColumns {
  /// - Throws: `ParseError` for a word that is no field, with the field that was probably meant.
  static func field(_ name: String, _ names: FieldNames) throws(ParseError) -> Field {
    if let field = names.field(name) { return field }
    throw ParseError(
      Nearest.match(name, in: names.all).map { near in
        LocalizedText(
          "there is no field \(.foreign(name)); did you mean \(.field(near))?",
          ko: "\(.foreign(name)) 필드는 없습니다. \(.field(near), .object) 뜻하셨나요?")
      }
        ?? LocalizedText(
          "there is no field \(.foreign(name)); there are \(known)", ko: "\(.foreign(name)) 필드는 없습니다. 있는 것은 \(known)"))
  }

  private static var known: String { Field.allCases.map(\.rawValue).joined(separator: ", ") }

  /// An id from 1; nil for what is none.
  static func id(_ text: String) -> Product.ID? {
    guard (1...15).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int(text).flatMap { $0 > 0 ? $0 : nil }
  }
}
