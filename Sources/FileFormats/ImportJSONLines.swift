import Catalog
import CommandLanguage
import Foundation
import Networking
import Text

/// The rows of a JSON Lines file: one object per line.
///
/// A null or missing member leaves its field unchanged.
package struct ImportJSONLines {
  package let names: FieldNameTable

  package init(names: FieldNameTable) {
    self.names = names
  }

  package func table(of text: String, _ problems: inout ImportProblems) -> ImportTable {
    var table = ImportTable()
    for (index, line) in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      guard line.contains(where: { ![0x20, 0x09, 0x0D].contains($0) }) else { continue }
      if let row = row(Data(line), index + 1, &table.columns, &problems) { table.rows.append(row) }
    }
    return table
  }

  private func row(
    _ bytes: Data, _ line: Int, _ columns: inout Set<ProductField>, _ problems: inout ImportProblems
  ) -> ImportRow? {
    guard let object = (try? JSON(parsing: bytes))?.object else {
      problems.add(line, LocalizedText("not a JSON object", ko: "JSON 객체가 아닙니다"))
      return nil
    }
    if let twice = object.duplicateKeys.first {
      problems.add(line, LocalizedText("duplicate key \(.foreign(twice))", ko: "\(.foreign(twice), .subject) 두 번 나옵니다"))
      return nil
    }
    var result = ImportRow(line: line, id: nil, cells: [])
    var isFine = true
    for key in object.keys {
      if let field = names.field(key) { columns.insert(field) }
      guard let value = object[key], value != .null else { continue }
      do {
        let field = try ImportColumns.field(key, names)
        if field == .id {
          result.id = try text(value, field).flatMap(ImportColumns.id)
          if result.id == nil { throw JSONTypeError(field: key, found: value) }
        } else if let text = try text(value, field) {
          result.cells.append(.init(field: field, value: .text(text)))
        }
      } catch let misread as ParseError {
        problems.add(line, misread)
        isFine = false
      } catch {
        let found = (error as? JSONTypeError)?.found ?? ""
        problems.add(
          line,
          LocalizedText(
            "invalid value for \(.foreign(key)): \(.foreign(found))",
            ko: "\(.foreign(key)) 값으로 \(.foreign(found), .object) 쓸 수 없습니다"))
        isFine = false
      }
    }
    guard isFine else { return nil }
    return result.cells.isEmpty && result.id == nil ? nil : result
  }

  /// Returns the value as it would be typed, or `nil` for a value that isn't imported, such as a list of pictures
  /// stored on the server.
  private func text(_ value: JSON, _ field: ProductField) throws(JSONTypeError) -> String? {
    switch value {
    case .string(let text): return text
    case .number(let number):
      guard let decimal = number.decimal else { throw JSONTypeError(field: field.rawValue, found: value) }
      return Amount(decimal).description
    case .array(let elements) where field == .images:
      let paths = elements.map { element -> String? in if case .string(let path) = element { path } else { nil } }
      return paths.allSatisfy { $0 != nil } ? paths.compactMap(\.self).joined(separator: ",") : nil
    case .null: return nil
    case .bool, .array, .object, .invalidLiteral: throw JSONTypeError(field: field.rawValue, found: value)
    }
  }
}
