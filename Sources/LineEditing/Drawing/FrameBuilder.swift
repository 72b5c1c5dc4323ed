/// Lays out text in rows: a wide character is never split, combining marks stay with their base, and a full row
/// continues in the next.
///
/// The parts of a joined emoji (a family) and a skin tone get cells of their own, on every terminal, and the joiner is
/// not drawn. A skin tone that would end in the last cell of a row begins a new row that the terminal does not join to
/// it.
struct FrameBuilder {
  private(set) var frame = Frame()
  private let columns: Int
  private var column = 0
  /// The position of the last character that a combining mark may join.
  private var last: ScreenPosition?
  private static let marksOfOneCell = 8
  /// U+200D, which is never sent to the terminal: terminals disagree on what it joins, and tmux 3.3 joins whatever is
  /// drawn next, at any position.
  private static let joiner: Unicode.Scalar = "\u{200D}"

  init(columns: Int) { self.columns = max(2, columns) }

  private var row: Int { frame.rows.count - 1 }

  /// The position of the next character.
  var position: ScreenPosition {
    column < columns ? ScreenPosition(row: row, column: column) : ScreenPosition(row: row + 1, column: 0)
  }

  mutating func newRow() { startRow(wrapped: false) }

  /// Writes text that may contain styles (SGR).
  mutating func write(styled text: String) {
    var style = ""
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "\u{1B}" else {
        write(scalar, style)
        continue
      }
      guard rest.popFirst() == "[" else { continue }
      var parameters = ""
      while let part = rest.popFirst() {
        if ("@"..."~").contains(part) {
          if part == "m" { style = Self.style(style, parameters) }
          break
        }
        parameters.unicodeScalars.append(part)
      }
    }
    last = nil
  }

  private static func style(_ style: String, _ parameters: String) -> String {
    if parameters.isEmpty || parameters == "0" { return "" }
    if parameters.hasPrefix("0;") { return String(parameters.dropFirst(2)) }
    return style.isEmpty ? parameters : style + ";" + parameters
  }

  /// Writes the edited text and sets the cursor to a scalar offset.
  ///
  /// `styles` has one entry per scalar, or is empty.
  mutating func write(text: String, styles: [String], cursor: Int) {
    last = nil
    var isFound = false
    for (index, scalar) in text.unicodeScalars.enumerated() {
      if index == cursor {
        if scalar == "\n", column == columns { startRow(wrapped: true) }
        frame.cursor = position
        isFound = true
      }
      let isJoined = write(scalar, index < styles.count ? styles[index] : "")
      // On a combining mark the cursor is on its base; a wide character may have moved to the next row.
      if index == cursor, scalar != "\n", scalar != "\t", !DrawnWidth.isControl(scalar), let last {
        frame.cursor =
          isJoined || DrawnWidth.of(scalar) == 2 || frame.rows[last.row].cells[last.column].joins
          ? last : frame.cursor
      }
    }
    // After a full row the cursor is in the next one.
    if column == columns { startRow(wrapped: true) }
    frame.textEnd = position
    if !isFound { frame.cursor = position }
    last = nil
  }

  private mutating func startRow(wrapped: Bool) {
    frame.rows[row].isSoftWrapped = wrapped
    frame.rows.append(Row())
    (column, last) = (0, nil)
  }

  /// Writes a scalar.
  ///
  /// Returns true if it was drawn into the cell of the character before it.
  @discardableResult
  private mutating func write(_ scalar: Unicode.Scalar, _ style: String) -> Bool {
    switch scalar.value {
    case 0x0A:
      startRow(wrapped: false)
      return false
    case 0x09:
      repeat { put(" ", width: 1, style: style) } while column % 8 != 0 && column < columns
      return false
    case 0..<0x20, 0x7F:
      put("^", width: 1, style: style)
      put(Unicode.Scalar(UInt8(scalar.value) ^ 0x40), width: 1, style: style)
      return false
    case 0x80..<0xA0:
      put("\u{FFFD}", width: 1, style: style)
      return false
    default: break
    }
    let width = DrawnWidth.of(scalar)
    if width > 0 {
      put(scalar, width: width, style: style)
      return false
    }
    guard Self.isZeroWidth(scalar) else {
      put("\u{FFFD}", width: 1, style: style)
      return false
    }
    if scalar == Self.joiner, last != nil { return true }
    if let last {
      if frame.rows[last.row].cells[last.column].combiningScalars.count < Self.marksOfOneCell {
        frame.rows[last.row].cells[last.column].combiningScalars.append(scalar)
        if scalar == DrawnWidth.pictureSelector { widen(last) }
      }
      return true
    }
    // A combining mark at the start takes a cell.
    put(" ", width: 1, style: style)
    if scalar != Self.joiner { frame.rows[row].cells[column - 1].combiningScalars.append(scalar) }
    return false
  }

  /// Widens an emoji to two cells.
  ///
  /// Terminals that draw it in one leave the second empty.
  private mutating func widen(_ position: ScreenPosition) {
    let cell = frame.rows[position.row].cells[position.column]
    guard cell.width == 1, position.column == column - 1, cell.scalar?.properties.isEmoji == true else { return }
    frame.rows[row].cells.removeLast()
    column -= 1
    var wide = cell
    wide.width = 2
    put(wide)
  }

  /// Returns true for a scalar without width that may be drawn.
  ///
  /// Others, such as direction controls, would change how their neighbors look.
  static func isZeroWidth(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x200C, 0x200D, 0xFE00...0xFE0F, 0x1160...0x11FF, 0xD7B0...0xD7FF, 0xE0100...0xE01EF: true
    default:
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .spacingMark, .enclosingMark: true
      default: false
      }
    }
  }

  private mutating func put(_ scalar: Unicode.Scalar, width: Int, style: String) {
    put(Cell(scalar: scalar, width: width, style: style, joins: joinsLeft(scalar)))
  }

  private mutating func put(_ cell: Cell) {
    var cell = cell
    if cell.hasAmbiguousWidth, cell.joins || cell.width == 2, column + cell.width >= columns, column > 0 {
      // At the end of a full row it is unknown whether the terminal has wrapped.
      startRow(wrapped: false)
      cell.joins = false
    } else if column + cell.width > columns {
      // The terminal itself leaves the last cell free.
      if column < columns { frame.rows[row].cells.append(Cell()) }
      startRow(wrapped: true)
    }
    last = ScreenPosition(row: row, column: column)
    frame.rows[row].cells.append(cell)
    if cell.width == 2 { frame.rows[row].cells.append(Cell(width: 0, style: cell.style)) }
    column += cell.width
  }

  /// Returns true if a terminal may draw the scalar into the cell to its left.
  private func joinsLeft(_ scalar: Unicode.Scalar) -> Bool {
    guard var left = frame.rows[row].cells.last else { return false }
    if left.width == 0, frame.rows[row].cells.count > 1 {
      left = frame.rows[row].cells[frame.rows[row].cells.count - 2]
    }
    return (0x1F3FB...0x1F3FF).contains(scalar.value)
      && (!left.combiningScalars.isEmpty || (left.scalar?.value ?? 0) > 0x7F)
  }
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
}

/// A position on the screen, counted from 0.
struct ScreenPosition: Equatable {
  var row = 0
  var column = 0
}
