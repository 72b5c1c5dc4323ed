import Catalog
import CommandLanguage
import Foundation
import Networking
import Presentation
import Text

/// Inserts the ids of created products into the file they were imported from.
///
/// All other bytes stay the same.
package struct ImportedIDs {
  /// The ids by the line on which their row begins, counted from 1.
  private let ids: [Int: Product.ID]
  private let names: FieldNameTable

  package init(_ ids: [Int: Product.ID], names: FieldNameTable) {
    self.ids = ids
    self.names = names
  }

  /// Returns the text of a CSV file with the ids in its `id` column, which is added as the first column if it is
  /// missing.
  ///
  /// - Throws: `CSVReader.SyntaxError` for a text that isn't valid CSV.
  package func inserted(intoCSV text: String) throws(CSVReader.Fault) -> String {
    let layout = try CSVReader.layout(of: text)
    guard let header = layout.rows.first else { return text }
    let scalars = Array(text.unicodeScalars)
    let column = header.cells.firstIndex { cell in
      ImportColumns.column(CSVReader.plain(scalars[cell]).trimmed, names) == .id
    }
    var result = String.UnicodeScalarView()
    var start = 0
    func put(_ text: String, at range: Range<Int>) {
      result.append(contentsOf: scalars[start..<range.lowerBound])
      result.append(contentsOf: text.unicodeScalars)
      start = range.upperBound
    }
    let separator = String(layout.separator)
    for (index, row) in layout.rows.enumerated() {
      let id = ids[row.line].map { String($0) }
      if let column {
        if let id, index > 0, column < row.cells.count { put(id, at: row.cells[column]) }
      } else if let first = row.cells.first?.lowerBound {
        put((index == 0 ? ProductField.id.rawValue : id ?? "") + separator, at: first..<first)
      }
    }
    result.append(contentsOf: scalars[start...])
    return String(result)
  }

  /// Returns the text of a file of JSON lines with the ids as the first members of their objects.
  package func inserted(intoJSONLines text: String) -> String {
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.enumerated().map { index, line -> String in
      guard let id = ids[index + 1], let brace = line.firstIndex(of: "{") else { return String(line) }
      let object = (try? JSON(parsing: Data(String(line).utf8)))?.object
      if let object, let key = object.keys.first(where: { names.field($0) == .id }) {
        // For `"id": null`, the member is replaced, because a repeated member would be rejected.
        let members = object.keys.map { name -> (String, JSON) in
          (name, name == key ? .int(id) : object[name] ?? .null)
        }
        return JSON.object(members).serialized + (line.last == "\r" ? "\r" : "")
      }
      let rest = line[line.index(after: brace)...]
      let isEmpty = object?.keys.isEmpty != false
      return String(line[...brace]) + "\"id\":\(id)" + (isEmpty ? "" : ",") + String(rest)
    }.joined(separator: "\n")
  }
}
