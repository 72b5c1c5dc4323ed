/// A cell of the screen.
struct Cell: Equatable {
  /// The character, or `nil` for a cell that was not written to.
  var scalar: Unicode.Scalar?
  /// The scalars drawn into the same cell: combining marks, VS16.
  var combiningScalars: [Unicode.Scalar] = []
  /// The width: 2 for a wide character, 0 for its right half.
  var width = 1
  /// The parameters of SGR, between `ESC [` and `m`.
  var style = ""
  /// Indicates a skin tone, which some terminals draw into the cell before.
  var joins = false

  /// Indicates whether terminals disagree about the width, so that the cursor is positioned explicitly after it.
  var hasAmbiguousWidth: Bool {
    joins || (!combiningScalars.isEmpty && (scalar.map { $0.value >= 0x2190 } ?? false))
      || combiningScalars.contains(DrawnWidth.pictureSelector)
  }

  static let rightHalf = Cell(width: 0)
}

/// A row of the screen.
struct Row: Equatable {
  /// The cells up to the last one that was written.
  var cells: [Cell] = []
  /// Indicates whether the text continues in the next row, so that a terminal joins the two on copy or resize.
  var isSoftWrapped = false

  /// Returns the column after the character that begins in `column` and the skin tones that follow it.
  func endOfCluster(from column: Int) -> Int {
    var end = column + max(1, cells[column].width)
    while end < cells.count, cells[end].joins { end += max(1, cells[end].width) }
    return min(end, cells.count)
  }
}

/// A position on the screen, counted from 0.
struct ScreenPosition: Equatable {
  var row = 0
  var column = 0
}

/// The rows of cells and the cursor that the editor shows.
///
/// A frame may be higher than the window.
struct Frame: Equatable {
  var rows: [Row] = [Row()]
  var cursor = ScreenPosition()
  /// The position where the text ends.
  ///
  /// Hints after and below it are not part of the text.
  var textEnd = ScreenPosition()
}

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

/// A prompt split into the text that libedit measures and the styled text that is drawn.
///
/// libedit supports escape sequences in a prompt but loses one at its end. So it is given the plain text, and the
/// styled text is drawn over it.
struct StyledPrompt {
  /// The lines above the edited one, with their styles.
  var above: [String] = []
  var styled = ""
  var plain = ""

  init(_ text: String) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    styled = lines.popLast() ?? ""
    above = lines
    plain = Self.withoutStyles(styled)
  }

  /// Returns the text without its escape sequences.
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

/// A styled range of the line.
package struct HighlightedRange: Sendable, Equatable {
  /// The range in Unicode scalars.
  package var range: Range<Int>
  /// The SGR parameters, between `ESC [` and `m`: `"1;36"` is bold cyan.
  package var style: String

  package init(_ range: Range<Int>, style: String) {
    self.range = range
    self.style = style
  }
}
