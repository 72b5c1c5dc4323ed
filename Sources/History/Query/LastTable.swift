/// The rows of the table `last`, a list that was shown.
package struct LastTable: Hashable, Sendable {
  package struct Column: Hashable, Sendable {
    package var name: String
    /// A Boolean value that indicates that texts of digits are stored as numbers.
    package var isNumber: Bool

    package init(_ name: String, isNumber: Bool) {
      self.name = name
      self.isNumber = isNumber
    }
  }

  package var columns: [Column]
  package var rows: [[SQLValue]]

  /// Creates a table.
  ///
  /// Names that are used twice are numbered.
  package init(columns: [Column], rows: [[SQLValue]]) {
    var used: [String: Int] = [:]
    self.columns = columns.map { column in
      used[column.name.lowercased(), default: 0] += 1
      let count = used[column.name.lowercased()] ?? 1
      return Column(count == 1 ? column.name : "\(column.name)_\(count)", isNumber: column.isNumber)
    }
    self.rows = rows
  }

  var createTableSQL: String {
    let declarations = columns.map { column in
      "\"" + column.name.replacing("\"", with: "\"\"") + "\" " + (column.isNumber ? "NUMERIC" : "TEXT")
    }
    return "CREATE TEMP TABLE last(\(declarations.joined(separator: ", ")))"
  }
}
