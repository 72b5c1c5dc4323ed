/// Updates the terminal from the frame it shows to another one with as few bytes as possible.
///
/// If a row continues in the next, the terminal is made to wrap: the last cell of the first row and the first cell of
/// the second are written without anything in between. Terminals then treat the two as one line. Three rules follow:
/// nothing is erased while a wrap is pending, a pending wrap is left only by a carriage return, and after erasing to
/// the end of a row, which removes the wrap, the pair of cells is written again.
struct FrameDiffRenderer {
  private(set) var columns: Int
  private(set) var height: Int
  /// The part of the frame that the terminal shows, from the first visible row.
  private var shown = Frame()
  /// The first visible row of a frame that is higher than the window.
  private(set) var top = 0
  /// The terminal's cursor relative to the first visible row.
  ///
  /// In the column after the last one a wrap is pending.
  private var cursor = ScreenPosition()
  /// The number of rows that exist from the first one.
  ///
  /// Moving the cursor down creates none.
  private var made = 1
  private var style = ""
  /// Indicates whether nothing is shown yet.
  private var isFresh = true
  private var output = ""

  init(columns: Int, height: Int) { (self.columns, self.height) = (columns, height) }

  /// Returns the bytes that make the terminal show the frame.
  ///
  /// With `showsEnd` the rows below the text take precedence over the cursor.
  mutating func paint(_ frame: Frame, showsEnd: Bool = false) -> String {
    scroll(frame, showsEnd: showsEnd)
    var next = frame
    next.rows = Array(frame.rows[top..<min(frame.rows.count, top + height)])
    next.rows[next.rows.count - 1].isSoftWrapped = false
    next.cursor.row -= top
    if isFresh {
      (cursor, made, shown, isFresh) = (ScreenPosition(), 1, Frame(rows: []), false)
    }
    var isChained = false
    for (index, row) in next.rows.enumerated() {
      if !isChained, index >= made { move(to: ScreenPosition(row: index, column: 0)) }
      isChained = paint(row, at: index, over: index < shown.rows.count ? shown.rows[index] : Row(), isChained)
    }
    setStyle("")
    if shown.rows.count > next.rows.count {
      move(to: ScreenPosition(row: next.rows.count, column: 0))
      output += "\u{1B}[J"
    }
    move(to: next.cursor)
    shown = next
    defer { output = "" }
    return output
  }

  /// Forgets what is shown: the next frame begins in the row of the cursor.
  mutating func reset() { (isFresh, top, style) = (true, 0, "") }

  /// Returns the bytes that move the cursor to the first visible row and erase everything from there.
  mutating func erase() -> String {
    defer { reset() }
    return (cursor.row > 0 ? "\u{1B}[\(cursor.row)A" : "") + "\r\u{1B}[J"
  }

  /// Returns the bytes that prepare for another window size.
  ///
  /// `reflows` means that the terminal has wrapped its rows again, which moves the first one.
  mutating func resize(columns: Int, height: Int, reflows: Bool) -> String {
    defer { (self.columns, self.height) = (columns, height) }
    if isFresh { return "" }
    cursor.row = min(reflows ? rowAfterReflow(to: columns) : cursor.row, height - 1)
    return erase()
  }

  private mutating func scroll(_ frame: Frame, showsEnd: Bool) {
    let most = max(0, frame.rows.count - height)
    if showsEnd { top = most }
    top = min(top, frame.cursor.row, most)
    if frame.cursor.row >= top + height { top = frame.cursor.row - height + 1 }
  }

  // MARK: One row

  /// Paints one row.
  ///
  /// `isChained` means that a wrap is pending after the row above and this row's first cell follows. Returns true if a
  /// wrap is pending after this row.
  private mutating func paint(_ new: Row, at index: Int, over old: Row, _ isChained: Bool) -> Bool {
    // A wide character did not fit: the terminal leaves the last cell free when it wraps.
    let isShort = new.isSoftWrapped && new.cells.count == columns && Self.isBlank(new.cells[columns - 1])
    let wasShort = old.isSoftWrapped && old.cells.count == columns && Self.isBlank(old.cells[columns - 1])
    let count = isShort ? columns - 1 : new.cells.count
    let erases = old.cells.count > count && count < columns && !(isShort && wasShort)
    let chains = new.isSoftWrapped && (!old.isSoftWrapped || (isShort && erases))
    let unchains = old.isSoftWrapped && !new.isSoftWrapped && new.cells.count == columns
    if isChained, new.cells.isEmpty {
      // An empty row after a full one: a space makes the terminal wrap.
      setStyle("")
      put(Cell(scalar: " "))
      move(to: ScreenPosition(row: index, column: 0))
      output += "\u{1B}[K"
      return false
    }
    var last = count - 1
    while last > 0, new.cells[last].width == 0 { last -= 1 }
    var column = 0
    while column < count {
      let cell = new.cells[column]
      let hangs = isChained && column == 0
      let end = new.endOfCluster(from: column)
      if end > column + max(1, cell.width), end <= count {
        let cells = column..<end
        if hangs || cells.contains(where: { new.cells[$0].width > 0 && differs(new.cells[$0], column: $0, old: old) }) {
          // The terminal wraps for the first part, which is written again with the others.
          if hangs { put(Cell(scalar: cell.scalar, width: cell.width, style: cell.style)) }
          move(to: ScreenPosition(row: index, column: column))
          putCluster(new.cells[cells], from: column)
        }
        column = end
        continue
      }
      if hangs || differs(cell, column: column, old: old) || ((chains || unchains) && column == last) {
        if !hangs {
          catchUp(to: column, of: new, at: index)
          move(to: ScreenPosition(row: index, column: column))
        }
        if unchains, column == last {
          setStyle("")
          output += "\u{1B}[K"
        }
        put(cell)
      }
      column += max(1, cell.width)
    }
    if erases {
      setStyle("")
      move(to: ScreenPosition(row: index, column: count))
      output += "\u{1B}[K"
    }
    if chains, isShort { move(to: ScreenPosition(row: index, column: count)) }
    return chains
  }

  private static func isBlank(_ cell: Cell) -> Bool { cell.scalar == nil && cell.width == 1 }

  private func differs(_ cell: Cell, column: Int, old: Row) -> Bool {
    guard column < old.cells.count, old.cells[column] == cell else { return true }
    return cell.width == 2 && (column + 1 >= old.cells.count || old.cells[column + 1].width != 0)
  }

  /// Writes up to four cells again instead of moving the cursor, which takes more bytes.
  private mutating func catchUp(to column: Int, of row: Row, at index: Int) {
    guard cursor.row == index, cursor.column < column, column - cursor.column <= 4 else { return }
    while cursor.column < column {
      let cell = row.cells[cursor.column]
      if cell.width == 0 || cell.style != style || cell.hasAmbiguousWidth || cursor.column + max(1, cell.width) > column
      {
        return
      }
      put(cell)
    }
  }

  // MARK: The terminal

  private mutating func setStyle(_ new: String) {
    if style == new { return }
    output += new.isEmpty ? "\u{1B}[0m" : "\u{1B}[0;\(new)m"
    style = new
  }

  private mutating func move(to position: ScreenPosition) {
    if position.row != cursor.row || cursor.column == columns {
      if cursor.column == columns {
        output += "\r"
        cursor.column = 0
      }
      while made <= position.row {
        sequence(made - 1 - cursor.row, "B")
        setStyle("")
        output += "\r\n"
        (cursor, made) = (ScreenPosition(row: made, column: 0), made + 1)
      }
      sequence(cursor.row - position.row, "A")
      sequence(position.row - cursor.row, "B")
      cursor.row = position.row
    }
    if position.column == cursor.column { return }
    switch position.column - cursor.column {
    case _ where position.column == 0: output += "\r"
    case -1: output += "\u{8}"
    case 1: output += "\u{1B}[C"
    default: output += "\u{1B}[\(position.column + 1)G"
    }
    cursor.column = position.column
  }

  private mutating func sequence(_ count: Int, _ command: Character) {
    if count > 0 { output += count == 1 ? "\u{1B}[\(command)" : "\u{1B}[\(count)\(command)" }
  }

  private mutating func put(_ cell: Cell) {
    let width = max(1, cell.width)
    // A space would go into the last cell, which the terminal leaves free when it wraps a wide character.
    let leavesLastCell = cursor.column < columns && cursor.column + width > columns
    if cursor.column + width > columns {
      cursor = ScreenPosition(row: cursor.row + 1, column: 0)
      made = max(made, cursor.row + 1)
    }
    setStyle(cell.style)
    let column = cursor.column
    if cell.hasAmbiguousWidth, !leavesLastCell, column + width < columns {
      output += String(repeating: " ", count: width) + "\u{1B}[\(column + 1)G"
    }
    output.unicodeScalars.append(cell.scalar ?? " ")
    for mark in cell.combiningScalars { output.unicodeScalars.append(mark) }
    cursor.column += width
    if cell.hasAmbiguousWidth, cursor.column < columns { output += "\u{1B}[\(cursor.column + 1)G" }
  }

  /// Writes an emoji and its skin tone from right to left: when the tone is written, the cell to its left is a space,
  /// so that no terminal joins them and both are at their positions in the frame.
  private mutating func putCluster(_ cells: ArraySlice<Cell>, from column: Int) {
    for cell in cells {
      setStyle(cell.style)
      output += " "
    }
    for (position, cell) in zip(cells.indices, cells).reversed() where cell.width > 0 {
      setStyle(cell.style)
      output += "\u{1B}[\(position + 1)G"
      output.unicodeScalars.append(cell.scalar ?? " ")
      for mark in cell.combiningScalars { output.unicodeScalars.append(mark) }
    }
    cursor.column = column + cells.count
    output += "\u{1B}[\(cursor.column + 1)G"
  }

  // MARK: Reflow

  /// Returns the row of the cursor after the terminal has wrapped the rows again.
  private func rowAfterReflow(to columns: Int) -> Int {
    var (row, column) = (0, 0)
    for (index, shownRow) in shown.rows.enumerated() where index <= cursor.row {
      let end = index == cursor.row ? cursor.column : shownRow.cells.count
      for position in 0..<end {
        let cell = position < shownRow.cells.count ? shownRow.cells[position] : Cell(scalar: " ")
        if cell.width == 0 || (shownRow.isSoftWrapped && Self.isBlank(cell)) { continue }
        if column + cell.width > columns { (row, column) = (row + 1, 0) }
        column += cell.width
      }
      if index == cursor.row { return column >= columns ? row + 1 : row }
      if !shownRow.isSoftWrapped { (row, column) = (row + 1, 0) }
    }
    return row
  }
}
