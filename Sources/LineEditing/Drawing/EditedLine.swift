/// An edited text and its cursor as an offset in Unicode scalars.
struct EditedLine: Equatable {
  var text = ""
  var cursor = 0
  var count: Int { text.unicodeScalars.count }
}

extension EditedLine {
  /// The range of the row that contains the cursor, without its newline.
  var row: Range<Int> { rows.last { $0.lowerBound <= cursor } ?? 0..<count }

  /// The cursor offset in the row above at the same column, or `nil` in the first row.
  var cursorAbove: Int? {
    let rows = rows
    guard let row = rows.lastIndex(where: { $0.lowerBound <= cursor }), row > 0 else { return nil }
    return place(in: rows[row - 1], below: rows[row])
  }

  /// The cursor offset in the row below at the same column, or `nil` in the last row.
  var cursorBelow: Int? {
    let rows = rows
    guard let row = rows.lastIndex(where: { $0.lowerBound <= cursor }), row + 1 < rows.count else { return nil }
    return place(in: rows[row + 1], below: rows[row])
  }

  /// The ranges of the rows in scalars, without their newlines.
  private var rows: [Range<Int>] {
    let scalars = Array(text.unicodeScalars)
    var rows: [Range<Int>] = []
    var start = 0
    for (index, scalar) in scalars.enumerated() where scalar == "\n" {
      rows.append(start..<index)
      start = index + 1
    }
    return rows + [start..<scalars.count]
  }

  private func place(in row: Range<Int>, below own: Range<Int>) -> Int {
    let scalars = Array(text.unicodeScalars)
    let wanted = scalars[own.lowerBound..<cursor].reduce(0) { $0 + DrawnWidth.of($1) }
    var width = 0
    for index in row {
      width += DrawnWidth.of(scalars[index])
      if width > wanted { return index }
    }
    return row.upperBound
  }
}
