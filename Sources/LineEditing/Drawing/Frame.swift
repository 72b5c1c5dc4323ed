/// One cell of the screen.
struct Cell: Equatable {
  /// Nil for a cell that nothing was written to.
  var scalar: Unicode.Scalar?
  /// What is drawn into the same cell: accents, the selector of a picture.
  var marks: [Unicode.Scalar] = []
  /// 2 for a wide character, 0 for its right half.
  var width = 1
  /// What stands between `ESC [` and `m`.
  var style = ""
  /// Whether some terminals would draw it into the cell before: a skin tone.
  var joins = false

  /// Whether terminals disagree on how wide it is, so that the cursor is sent to where it ends.
  var isContested: Bool {
    joins || (!marks.isEmpty && (scalar.map { $0.value >= 0x2190 } ?? false))
      || marks.contains(DrawnWidth.pictureSelector)
  }

  static let rightHalf = Cell(width: 0)
}

/// A row of the screen.
struct Row: Equatable {
  /// Up to the last one that was written.
  var cells: [Cell] = []
  /// Whether the next row goes on with it, so that a terminal joins the two when it copies or gets wider.
  var wraps = false

  /// Returns the column behind the character that begins in `column`, with the skin tones behind it.
  func endOfCluster(from column: Int) -> Int {
    var end = column + max(1, cells[column].width)
    while end < cells.count, cells[end].joins { end += max(1, cells[end].width) }
    return min(end, cells.count)
  }
}

/// Where something is drawn, counted from 0.
struct Place: Equatable {
  var row = 0
  var column = 0
}

/// What the editor shows: rows of cells and the cursor. It may be higher than the window.
struct Frame: Equatable {
  var rows: [Row] = [Row()]
  var cursor = Place()
  /// Where the text ends; what is drawn behind and below it is none of it.
  var end = Place()
}

/// The text as it stands, and how many of its scalars are before the cursor.
struct EditedLine: Equatable {
  var text = ""
  var cursor = 0
  var count: Int { text.unicodeScalars.count }
}

extension EditedLine {
  /// The row of the cursor, without the newline behind it.
  var row: Range<Int> { rows.last { $0.lowerBound <= cursor } ?? 0..<count }

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
    let wanted = scalars[own.lowerBound..<cursor].reduce(0) { $0 + DrawnWidth.of($1) }
    var width = 0
    for index in row {
      width += DrawnWidth.of(scalars[index])
      if width > wanted { return index }
    }
    return row.upperBound
  }
}

/// A prompt taken apart: what libedit measures, and what is painted over it.
///
/// libedit has its own way to hide escape sequences in a prompt, but it loses one that stands at the end; so it is
/// given the plain text, and the colours are painted afterwards.
struct StyledPrompt {
  /// Lines above the one that is edited, with their colours.
  var above: [String] = []
  var styled = ""
  var plain = ""

  init(_ text: String) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    styled = lines.popLast() ?? ""
    above = lines
    plain = Self.withoutStyles(styled)
  }

  /// The text without its escape sequences.
  static func withoutStyles(_ text: String) -> String {
    var plain = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "\u{1B}" else {
        plain.append(scalar)
        continue
      }
      guard rest.popFirst() == "[" else { continue }
      while let part = rest.popFirst(), !("@"..."~").contains(part) {}
    }
    return String(plain)
  }
}

/// A part of the line in a colour.
package struct PaintedRange: Sendable, Equatable {
  /// Unicode scalars of the line.
  package var range: Range<Int>
  /// What stands between `ESC [` and `m`: `"1;36"` is bold cyan.
  package var style: String

  package init(_ range: Range<Int>, style: String) {
    self.range = range
    self.style = style
  }
}
