import Text

/// A parser for RFC 4180: cells separated by commas, rows ended by CR LF, LF or CR, quotes doubled inside quotes, and
/// an optional byte order mark.
///
/// Spreadsheets of many countries write `;` or tabs instead of commas; the first row determines the separator.
package struct CSVReader {
  /// A row of the table, which may span several lines of the file.
  package struct Row: Hashable, Sendable {
    /// The first line of the row, from 1.
    ///
    /// A quoted cell may contain newlines.
    package var line: Int
    package var cells: [Cell]
    package init(line: Int, cells: [Cell]) {
      self.line = line
      self.cells = cells
    }
  }

  /// A cell without its quotes.
  package struct Cell: Hashable, Sendable {
    package var text: String
    package var isQuoted: Bool
    package init(_ text: String, isQuoted: Bool = false) {
      self.text = text
      self.isQuoted = isQuoted
    }
  }

  /// A syntax error.
  ///
  /// All cells after it would be unreliable.
  package struct Fault: Error, Hashable, Sendable {
    package var line: Int
    package var message: LocalizedText
  }

  /// The maximum number of cells in a row, which is that of Excel.
  package static let maximumCells = 16_384

  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var line = 1
  private var separator: Unicode.Scalar = ","
  /// A Boolean value that indicates that reading ends if the task is cancelled, also within a row.
  private let isStoppable: Bool

  private init(_ text: String, separator known: Unicode.Scalar? = nil, isStoppable: Bool = false) {
    self.isStoppable = isStoppable
    scalars = Array(text.unicodeScalars)
    if scalars.first == "\u{FEFF}" { index = 1 }
    let declared = separatorLine()
    separator = known ?? declared ?? usedSeparator
  }

  /// Skips a first line such as `sep=;`, by which a spreadsheet declares the separator, and returns that separator.
  private mutating func separatorLine() -> Unicode.Scalar? {
    let start = scalars[index...].prefix(6)
    guard String(String.UnicodeScalarView(start.prefix(4))).lowercased() == "sep=", start.count >= 5,
      let declared = start.dropFirst(4).first, CSVReader.separators.contains(declared),
      start.count == 5 || ["\n", "\r"].contains(start.last)
    else { return nil }
    index += 5
    endLine()
    return declared
  }

  package static let separators: [Unicode.Scalar] = [",", ";", "\t"]

  /// The separator that occurs most often, outside of quotes, in the first row that contains one.
  private var usedSeparator: Unicode.Scalar {
    var counts = CSVReader.separators.map { _ in 0 }
    var (isQuoted, isFound) = (false, false)
    for position in scalars.indices[index...] {
      // Reading the first row throws then.
      if position & 0xFFFF == 0xFFFF, isStopped { break }
      let scalar = scalars[position]
      if scalar == "\"" { isQuoted.toggle() }
      if isQuoted { continue }
      if scalar == "\n" || scalar == "\r", isFound { break }
      if let number = CSVReader.separators.firstIndex(of: scalar) {
        counts[number] += 1
        isFound = true
      }
    }
    return counts.indices.max { counts[$0] < counts[$1] }.map { CSVReader.separators[$0] } ?? ","
  }

  private var isStopped: Bool { isStoppable && Task.isCancelled }

  private static func interruption(at line: Int) -> Fault {
    Fault(line: line, message: LocalizedText("interrupted", ko: "중단했습니다"))
  }

  /// Returns the rows in order, without empty lines and without a first line that declares the separator.
  ///
  /// If the task is cancelled, reading stops with a fault that names the current line.
  ///
  /// - Parameter separator: The separator, or `nil` for that of the first row that contains one.
  /// - Throws: `Fault` for an unterminated or misplaced quote, a row with too many cells, or a cancelled task.
  package static func rows(of text: String, separator: Unicode.Scalar? = nil) throws(Fault) -> [Row] {
    var reader = CSVReader(text, separator: separator, isStoppable: true)
    var rows: [Row] = []
    while let row = try reader.next() {
      if Task.isCancelled { throw interruption(at: row.line) }
      if row.cells != [Cell("")] { rows.append(row) }
    }
    return rows
  }

  /// The positions of the cells as offsets in Unicode scalars, for changing some cells and preserving the rest of the
  /// text.
  package struct Layout: Hashable, Sendable {
    /// The cells of a row, including their quotes.
    package struct Row: Hashable, Sendable {
      package var line: Int
      package var cells: [Range<Int>]
    }

    package var rows: [Row] = []
    package var separator: Unicode.Scalar
  }

  /// Returns the positions of the cells, without empty rows.
  ///
  /// - Throws: `Fault` for an unterminated or misplaced quote.
  package static func layout(of text: String) throws(Fault) -> Layout {
    var reader = CSVReader(text)
    var layout = Layout(separator: reader.separator)
    while reader.index < reader.scalars.count {
      var row = Layout.Row(line: reader.line, cells: [])
      while true {
        let start = reader.index
        _ = try reader.cell(of: row.line)
        row.cells.append(start..<reader.index)
        guard reader.index < reader.scalars.count, reader.scalars[reader.index] == reader.separator else { break }
        reader.index += 1
      }
      reader.endLine()
      let isBlank = row.cells.allSatisfy { range in
        plain(reader.scalars[range]).allSatisfy(\.isWhitespace)
      }
      if !isBlank { layout.rows.append(row) }
    }
    return layout
  }

  /// Returns the text of a cell of a layout without its quotes.
  package static func plain(_ cell: ArraySlice<Unicode.Scalar>) -> String {
    let text = String(String.UnicodeScalarView(cell))
    guard text.unicodeScalars.first == "\"", text.unicodeScalars.count > 1 else { return text }
    return String(String.UnicodeScalarView(cell.dropFirst().dropLast())).replacing("\"\"", with: "\"")
  }

  private mutating func next() throws(Fault) -> Row? {
    guard index < scalars.count else { return nil }
    var row = Row(line: line, cells: [])
    while true {
      row.cells.append(try cell(of: row.line))
      guard index < scalars.count, scalars[index] == separator else { break }
      if row.cells.count & 0x3FF == 0, isStopped { throw CSVReader.interruption(at: row.line) }
      guard row.cells.count < CSVReader.maximumCells else {
        throw Fault(
          line: row.line,
          message: LocalizedText(
            "more than \(CSVReader.maximumCells) cells in a row", ko: "한 행이 \(CSVReader.maximumCells)칸을 넘습니다"))
      }
      index += 1
    }
    endLine()
    return row
  }

  private mutating func cell(of start: Int) throws(Fault) -> Cell {
    guard index < scalars.count, scalars[index] == "\"" else { return Cell(try unquotedCell()) }
    index += 1
    var text = String.UnicodeScalarView()
    while index < scalars.count {
      let scalar = scalars[index]
      index += 1
      if index & 0xFFFF == 0, isStopped { throw CSVReader.interruption(at: line) }
      guard scalar == "\"" else {
        if scalar == "\n" || (scalar == "\r" && !isNext("\n")) { line += 1 }
        text.append(scalar)
        continue
      }
      if isNext("\"") {
        text.append(scalar)
        index += 1
        continue
      }
      guard index == scalars.count || terminatesCell(scalars[index]) else {
        throw Fault(line: line, message: LocalizedText("text after the closing quote", ko: "닫는 따옴표 뒤에 텍스트가 있습니다"))
      }
      return Cell(String(text), isQuoted: true)
    }
    throw Fault(line: start, message: LocalizedText("unclosed quote", ko: "따옴표가 닫히지 않았습니다"))
  }

  private mutating func unquotedCell() throws(Fault) -> String {
    var text = String.UnicodeScalarView()
    while index < scalars.count, !terminatesCell(scalars[index]) {
      if scalars[index] == "\"" {
        throw Fault(
          line: line,
          message: LocalizedText("quote inside an unquoted cell", ko: "따옴표로 감싸지 않은 칸 안에 따옴표가 있습니다"))
      }
      text.append(scalars[index])
      index += 1
      if index & 0xFFFF == 0, isStopped { throw CSVReader.interruption(at: line) }
    }
    return String(text)
  }

  private func terminatesCell(_ scalar: Unicode.Scalar) -> Bool {
    scalar == separator || scalar == "\n" || scalar == "\r"
  }

  private mutating func endLine() {
    guard index < scalars.count else { return }
    if scalars[index] == "\r" {
      index += 1
      if isNext("\n") { index += 1 }
    } else {
      index += 1
    }
    line += 1
  }

  private func isNext(_ scalar: Unicode.Scalar) -> Bool { index < scalars.count && scalars[index] == scalar }
}
