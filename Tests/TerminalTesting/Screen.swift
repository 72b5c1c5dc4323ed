/// A model of a terminal's screen with the subset of xterm that line editors and tables use.
package struct Screen: CustomStringConvertible {
  package struct Cursor: Equatable, Sendable {
    package var row: Int
    package var column: Int

    package init(row: Int = 0, column: Int = 0) { (self.row, self.column) = (row, column) }
  }

  /// A column.
  ///
  /// The second column of a wide character has an empty text.
  package struct Cell: Equatable {
    package var text = " "
    package var style = ""

    package init(text: String = " ", style: String = "") { (self.text, self.style) = (text, style) }
  }

  package private(set) var columns: Int
  package private(set) var rows: Int
  package private(set) var cursor = Cursor()
  /// Indicates whether bracketed paste is on.
  package private(set) var bracketsPaste = false
  /// Indicates whether the cursor is hidden.
  package private(set) var hidesCursor = false
  /// Indicates whether the alternate screen is on.
  ///
  /// Its contents are drawn on the only screen there is.
  package private(set) var isAlternate = false
  /// The number of bells.
  package private(set) var beeps = 0
  package private(set) var cells: [[Cell]]
  /// The rows that continue in the next one because the terminal wrapped them.
  package private(set) var wraps: [Bool]
  /// The number of erasures while a wrap was pending, where terminals differ.
  package private(set) var erasuresWhileHanging = 0
  /// Indicates whether another width wraps the rows again, as on most terminals.
  package var reflows = false
  /// Indicates whether joined emoji are drawn as one, as tmux 3.3 does.
  ///
  /// A character after a joiner goes into the cell to its left, wherever that is, a skin tone replaces the emoji to its
  /// left, and an emoji with U+FE0F has two cells.
  package var joinsClusters = false
  private var joinsNext = false
  /// The rows that were scrolled off the screen.
  private var scrollback: [(cells: [Cell], wraps: Bool)] = []
  private var style = ""
  /// Indicates a pending wrap: a full row is left only by the next character.
  private var hangs = false
  private var saved = Cursor()
  private var waiting: [UInt8] = []

  package init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    cells = Array(repeating: Array(repeating: Cell(), count: columns), count: rows)
    wraps = Array(repeating: false, count: rows)
  }

  /// The rows without spaces at their ends, and without empty ones at the end.
  package var text: String {
    var lines = (0..<rows).map(line)
    while lines.last == "" { lines.removeLast() }
    return lines.joined(separator: "\n")
  }

  /// The row of the cursor without the dimmed text at the right edge.
  package var row: String {
    let cells = cells[cursor.row]
    guard columns > 2, cells[columns - 2].style == "2", cells[columns - 1] == Cell(),
      let gap = cells.indices.last(where: {
        $0 > cursor.column && cells[$0] == Cell() && cells[$0 - 1] == Cell() && $0 < columns - 1
      })
    else { return line(cursor.row) }
    var row = cells[..<gap].map(\.text).joined()
    while row.last == " " { row.removeLast() }
    return row
  }

  package var description: String { text }

  /// The text with the style of each run: `[1;36]list[] pens`.
  package var styledText: String {
    var lines = cells.map { row in
      var line = ""
      var style = ""
      let used = row.lastIndex { $0.text != " " } ?? -1
      for cell in row.prefix(used + 1) {
        if cell.style != style, !cell.text.isEmpty { line += "[\(cell.style)]" }
        if !cell.text.isEmpty { style = cell.style }
        line += cell.text
      }
      return style.isEmpty ? line : line + "[]"
    }
    while lines.last == "" { lines.removeLast() }
    return lines.joined(separator: "\n")
  }

  private func line(_ row: Int) -> String {
    var line = cells[row].map(\.text).joined()
    while line.last == " " { line.removeLast() }
    return line
  }

  package mutating func resize(columns: Int, rows: Int) {
    if reflows { reflow(columns: columns, rows: rows) } else { cut(columns: columns, rows: rows) }
  }

  /// Resizes like a terminal without reflow: rows are truncated or extended.
  private mutating func cut(columns: Int, rows: Int) {
    wraps = wraps.map { $0 && columns == self.columns }
    for index in cells.indices {
      cells[index] = Array((cells[index] + Array(repeating: Cell(), count: columns)).prefix(columns))
    }
    while cells.count > rows {
      let isBelow = cursor.row < cells.count - 1
      if isBelow { cells.removeLast() } else { cells.removeFirst() }
      if isBelow { wraps.removeLast() } else { wraps.removeFirst() }
      cursor.row = min(cursor.row, cells.count - 1)
    }
    while cells.count < rows { cells.append(Array(repeating: Cell(), count: columns)) }
    while wraps.count < rows { wraps.append(false) }
    (self.columns, self.rows) = (columns, rows)
    cursor = Cursor(row: min(cursor.row, rows - 1), column: min(cursor.column, columns - 1))
    hangs = false
  }

  /// Resizes with reflow: wrapped rows are joined and wrapped at the new width; rows that do not fit go to the
  /// scrollback.
  private mutating func reflow(columns: Int, rows: Int) {
    let all = scrollback + zip(self.cells, wraps).map { (cells: $0, wraps: $1) }
    let at = scrollback.count + cursor.row
    let last = max(at, all.lastIndex { row in row.cells.contains { $0 != Cell() } } ?? 0)
    var out: [(cells: [Cell], wraps: Bool)] = []
    var place = Cursor()
    var line: [Cell] = []
    var wanted: Int?
    for index in 0...last {
      let row = all[index]
      if index == at { wanted = line.count + cursor.column }
      var end = (row.cells.lastIndex { $0 != Cell() } ?? -1) + 1
      if row.wraps { end = row.cells.count - (row.cells.last == Cell() ? 1 : 0) }
      line += row.cells.prefix(end)
      if row.wraps, index < last { continue }
      if let wanted { line += Array(repeating: Cell(), count: max(0, wanted - line.count)) }
      var wrapped: [[Cell]] = [[]]
      for (offset, cell) in line.enumerated() where !cell.text.isEmpty {
        let isWide = offset + 1 < line.count && line[offset + 1].text.isEmpty
        if wrapped[wrapped.count - 1].count + (isWide ? 2 : 1) > columns { wrapped.append([]) }
        if offset == wanted { place = Cursor(row: out.count + wrapped.count - 1, column: wrapped.last?.count ?? 0) }
        wrapped[wrapped.count - 1] += isWide ? [cell, line[offset + 1]] : [cell]
      }
      if wanted == line.count {
        if wrapped.last?.count == columns { wrapped.append([]) }
        place = Cursor(row: out.count + wrapped.count - 1, column: wrapped.last?.count ?? 0)
      }
      for (number, row) in wrapped.enumerated() {
        out.append((row + Array(repeating: Cell(), count: columns - row.count), number + 1 < wrapped.count))
      }
      (line, wanted) = ([], nil)
    }
    var first = max(0, out.count - rows)
    first = min(max(first, place.row - rows + 1), place.row)
    scrollback = Array(out[..<first])
    let seen = out[first..<min(out.count, first + rows)]
    let blank = Array(repeating: Cell(), count: columns)
    cells = seen.map(\.cells) + Array(repeating: blank, count: rows - seen.count)
    wraps = seen.map(\.wraps) + Array(repeating: false, count: rows - seen.count)
    (self.columns, self.rows) = (columns, rows)
    cursor = Cursor(row: place.row - first, column: min(place.column, columns - 1))
    hangs = false
  }

  // MARK: Writing

  package mutating func write(_ bytes: some Sequence<UInt8>) {
    waiting += bytes
    var start = 0
    while start < waiting.count, let used = take(waiting[start...]) { start += used }
    waiting.removeFirst(start)
  }

  /// Handles the first character or sequence and returns its length, or `nil` if it is incomplete.
  private mutating func take(_ bytes: ArraySlice<UInt8>) -> Int? {
    let first = bytes[bytes.startIndex]
    if first == 0x1B { return escape(bytes) }
    if first < 0x20 || first == 0x7F {
      control(first)
      return 1
    }
    let length = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    guard bytes.count >= length else { return nil }
    for scalar in String(decoding: bytes.prefix(length), as: UTF8.self).unicodeScalars { put(scalar) }
    return length
  }

  private mutating func put(_ scalar: Unicode.Scalar) {
    let width = Self.width(of: scalar)
    if joinsClusters, joins(scalar) { return }
    if width == 0 {
      let column = hangs ? columns - 1 : cursor.column - 1
      guard column >= 0 else { return }
      let isRightHalf = cells[cursor.row][column].text.isEmpty && column > 0
      cells[cursor.row][isRightHalf ? column - 1 : column].text.unicodeScalars.append(scalar)
      return
    }
    if hangs || cursor.column + width > columns {
      wraps[cursor.row] = true
      cursor.column = 0
      lineFeed()
    }
    hangs = false
    breakWide(at: cursor.column)
    if width == 2, cursor.column + 1 < columns { breakWide(at: cursor.column + 1) }
    cells[cursor.row][cursor.column] = Cell(text: String(scalar), style: style)
    if width == 2, cursor.column + 1 < columns { cells[cursor.row][cursor.column + 1] = Cell(text: "", style: style) }
    cursor.column += width
    if cursor.column >= columns {
      cursor.column = columns - 1
      hangs = true
    }
  }

  /// Draws the scalar into the cell to the left of the cursor if it joins that.
  ///
  /// Returns true then.
  private mutating func joins(_ scalar: Unicode.Scalar) -> Bool {
    var column = hangs ? columns - 1 : cursor.column - 1
    guard column >= 0 else { return false }
    if cells[cursor.row][column].text.isEmpty, column > 0 { column -= 1 }
    let left = cells[cursor.row][column].text.unicodeScalars
    guard let last = left.last, last != " " else { return false }
    if scalar == "\u{FE0F}", column == cursor.column - 1, !hangs, left.count == 1, last.properties.isEmoji {
      cells[cursor.row][column].text.unicodeScalars.append(scalar)
      breakWide(at: cursor.column)
      cells[cursor.row][cursor.column] = Cell(text: "", style: style)
      move(to: Cursor(row: cursor.row, column: cursor.column + 1))
      return true
    }
    if joinsNext {
      joinsNext = false
      cells[cursor.row][column].text.unicodeScalars.append(scalar)
      return true
    }
    if scalar == "\u{200D}" {
      joinsNext = true
      return true
    }
    guard (0x1F3FB...0x1F3FF).contains(scalar.value), last.value > 0x7F else { return false }
    cells[cursor.row][column].text = String(scalar)
    return true
  }

  /// Erases the other half of a wide character of which one half is overwritten.
  private mutating func breakWide(at column: Int) {
    if cells[cursor.row][column].text.isEmpty, column > 0 { cells[cursor.row][column - 1].text = " " }
    if column + 1 < columns, cells[cursor.row][column + 1].text.isEmpty { cells[cursor.row][column + 1].text = " " }
  }

  private mutating func control(_ byte: UInt8) {
    switch byte {
    case 7: beeps += 1
    case 8: cursor.column = max(0, cursor.column - 1)
    case 9: cursor.column = min(columns - 1, (cursor.column / 8 + 1) * 8)
    case 10: lineFeed()
    case 13: cursor.column = 0
    default: break
    }
    if byte != 7, byte != 10 { hangs = false }
  }

  private mutating func lineFeed() {
    hangs = false
    if cursor.row + 1 < rows {
      cursor.row += 1
    } else {
      scrollback.append((cells.removeFirst(), wraps.removeFirst()))
      // Real terminals store about as much; a longer scrollback would be moved at each change of the width.
      if scrollback.count > 200 { scrollback.removeFirst() }
      cells.append(Array(repeating: Cell(), count: columns))
      wraps.append(false)
    }
  }

  // MARK: Escape sequences

  private mutating func escape(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.count > 1 else { return nil }
    let rest = bytes.dropFirst(2)
    switch bytes[bytes.startIndex + 1] {
    case UInt8(ascii: "["):
      guard let end = rest.firstIndex(where: { (0x40...0x7E).contains($0) }) else { return nil }
      sequence(String(decoding: rest[..<end], as: UTF8.self), Unicode.Scalar(bytes[end]))
      return end - bytes.startIndex + 1
    case UInt8(ascii: "]"):
      guard let end = rest.firstIndex(where: { $0 == 7 || $0 == 0x5C }) else { return nil }
      return end - bytes.startIndex + 1
    case UInt8(ascii: "("), UInt8(ascii: ")"): return bytes.count > 2 ? 3 : nil
    case UInt8(ascii: "7"): saved = cursor
    case UInt8(ascii: "8"): move(to: saved)
    case UInt8(ascii: "M"): move(to: Cursor(row: cursor.row - 1, column: cursor.column))
    default: break
    }
    return 2
  }

  private mutating func move(to place: Cursor) {
    cursor = Cursor(row: min(max(0, place.row), rows - 1), column: min(max(0, place.column), columns - 1))
    hangs = false
  }

  private mutating func sequence(_ parameters: String, _ command: Unicode.Scalar) {
    let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) }
    let first = numbers.first.flatMap { $0 }
    let count = max(1, first ?? 1)
    let (row, column) = (cursor.row, cursor.column)
    switch command {
    case "A": move(to: Cursor(row: row - count, column: column))
    case "B": move(to: Cursor(row: row + count, column: column))
    case "C": move(to: Cursor(row: row, column: column + count))
    case "D": move(to: Cursor(row: row, column: column - count))
    case "G": move(to: Cursor(row: row, column: count - 1))
    case "d": move(to: Cursor(row: count - 1, column: column))
    case "H", "f": move(to: Cursor(row: count - 1, column: max(1, numbers.dropFirst().first.flatMap { $0 } ?? 1) - 1))
    case "J", "K":
      if hangs { erasuresWhileHanging += 1 }
      if command == "J" { eraseScreen(first ?? 0) } else { eraseLine(first ?? 0) }
    case "P", "@": shift(command == "@" ? count : -count)
    case "X": for index in column..<min(columns, column + count) { cells[row][index] = Cell() }
    // The code of a keyboard mode.
    case "m" where parameters.hasPrefix(">"): break
    case "m": style = parameters == "0" || parameters.isEmpty ? "" : styled(parameters)
    case "h": turn(parameters, true)
    case "l": turn(parameters, false)
    default: break
    }
  }

  private mutating func turn(_ mode: String, _ isOn: Bool) {
    switch mode {
    case "?2004": bracketsPaste = isOn
    case "?25": hidesCursor = !isOn
    case "?47", "?1047", "?1049": isAlternate = isOn
    default: break
    }
  }

  private func styled(_ parameters: String) -> String {
    if parameters.hasPrefix("0;") { return String(parameters.dropFirst(2)) }
    return style.isEmpty ? parameters : style + ";" + parameters
  }

  private mutating func eraseLine(_ part: Int) {
    if part != 1 { wraps[cursor.row] = false }
    breakWide(at: cursor.column)
    let range = part == 0 ? cursor.column..<columns : part == 1 ? 0..<cursor.column + 1 : 0..<columns
    for index in range { cells[cursor.row][index] = Cell() }
  }

  private mutating func eraseScreen(_ part: Int) {
    let blank = Array(repeating: Cell(), count: columns)
    switch part {
    case 0:
      eraseLine(0)
      for row in (cursor.row + 1)..<max(rows, cursor.row + 1) { (cells[row], wraps[row]) = (blank, false) }
    default: for row in 0..<rows { (cells[row], wraps[row]) = (blank, false) }
    }
  }

  /// Inserts empty cells at the cursor, or deletes cells.
  private mutating func shift(_ count: Int) {
    var row = cells[cursor.row]
    if count > 0 {
      row.insert(contentsOf: Array(repeating: Cell(), count: count), at: cursor.column)
    } else {
      row.removeSubrange(cursor.column..<min(columns, cursor.column - count))
    }
    cells[cursor.row] = Array((row + Array(repeating: Cell(), count: columns)).prefix(columns))
  }

  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
    0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF,
    0x20000...0x3FFFD,
  ]

  private static func width(of scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 { return 1 }
    if value == 0x200D || (0xFE00...0xFE0F).contains(value) || (0x1160...0x11FF).contains(value) { return 0 }
    if [.nonspacingMark, .enclosingMark].contains(scalar.properties.generalCategory) { return 0 }
    return wide.contains { $0.contains(value) } ? 2 : 1
  }
}
