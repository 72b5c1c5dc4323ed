/// The text as it stands, and how many of its scalars are before the cursor.
struct EditedLine: Equatable {
  var text = ""
  var cursor = 0
  var count: Int { text.unicodeScalars.count }
}

extension EditedLine {
  /// Where the cursor goes in the row above, as far from its left edge in cells; nil in the first row.
  var cursorAbove: Int? {
    let rows = rows
    guard let row = rows.lastIndex(where: { $0.lowerBound <= cursor }), row > 0 else { return nil }
    return place(in: rows[row - 1], below: rows[row])
  }

  /// The same for the row below; nil in the last row.
  var cursorBelow: Int? {
    let rows = rows
    guard let row = rows.lastIndex(where: { $0.lowerBound <= cursor }), row + 1 < rows.count else { return nil }
    return place(in: rows[row + 1], below: rows[row])
  }

  /// The scalars of each row, without the newline behind them.
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
    let wanted = scalars[own.lowerBound..<cursor].reduce(0) { $0 + FrameBuilder.width(of: $1) }
    var width = 0
    for index in row {
      width += FrameBuilder.width(of: scalars[index])
      if width > wanted { return index }
    }
    return row.upperBound
  }
}
