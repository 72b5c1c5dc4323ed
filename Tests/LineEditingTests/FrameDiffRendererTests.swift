import TerminalTesting
import TestSupport
import Testing

@testable import LineEditing

/// The drawing on a model of a terminal, compared with the expected screen.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct FrameDiffRendererTests {
  /// Random edits of mixed widths at random sizes: after each, every cell, every soft wrap and the cursor are as in the
  /// model, whatever was shown before.
  @Test(arguments: [false, true], [false, true])
  func screenEqualsTheModelAfterEveryEdit(reflows: Bool, joins: Bool) throws {
    var random = SplitMix64(Trial.seed &+ (reflows ? 1 : 0) &+ (joins ? 2 : 0))
    var rounds = Trial.count(400, long: 50_000)
    while rounds > 0 {
      var board = Board(
        columns: .random(in: 20...200, using: &random), rows: .random(in: 4...24, using: &random), reflows, joins)
      // Earlier output is on the screen already.
      board.screen.write(Array(String(repeating: "earlier\r\n", count: .random(in: 0...30, using: &random)).utf8))
      for _ in 0..<min(rounds, 100) {
        board.change(&random)
        try #require(
          board.problem == nil, "seed \(Trial.seed), \(rounds) rounds left: \(board.problem ?? "")\n\(board)")
      }
      rounds -= 100
    }
  }

  /// Texts, the rows, where `↩` marks a soft wrap, and the position of the cursor after them.
  @Test(arguments: [
    ("", "", 0, 0), ("abc", "abc", 0, 3), ("abcdefghij", "abcdefghij↩\n", 1, 0), ("abcdefghi가", "abcdefghi↩\n가", 1, 2),
    ("a\nb", "a\nb", 1, 1), ("a\tb", "a       b", 0, 9), ("\u{1}", "^A", 0, 2), ("e\u{301}", "e\u{301}", 0, 1),
    ("\u{202E}x", "\u{FFFD}x", 0, 2), ("가나다라마\n", "가나다라마\n", 1, 0),
  ])
  func textIsWrappedIntoTheseRows(text: String, rows: String, row: Int, column: Int) {
    var builder = FrameBuilder(columns: 10)
    builder.write(text: text, styles: [], cursor: text.unicodeScalars.count)
    let drawn = builder.frame.rows.map { row in
      var line = ""
      for cell in row.cells {
        if let scalar = cell.scalar { line.unicodeScalars.append(scalar) }
        line.unicodeScalars.append(contentsOf: cell.combiningScalars)
      }
      return line + (row.isSoftWrapped ? "↩" : "")
    }
    #expect(drawn.joined(separator: "\n").unicodeScalars.elementsEqual(rows.unicodeScalars))
    #expect(builder.frame.cursor == ScreenPosition(row: row, column: column))
  }

  /// A key at the end of a long line takes a few bytes, one at its start as many as the rest of the line.
  @Test func keySendsOnlyChangedCells() {
    var painter = FrameDiffRenderer(columns: 80, height: 24)
    func paint(_ text: String) -> String {
      var builder = FrameBuilder(columns: 80)
      builder.write(styled: "\u{1B}[1;36mshop\u{1B}[0m> ")
      builder.write(text: text, styles: [], cursor: text.unicodeScalars.count)
      return painter.paint(builder.frame)
    }
    _ = paint(String(repeating: "가나 ", count: 60))
    #expect(paint(String(repeating: "가나 ", count: 60) + "x") == "x")
    #expect(paint(String(repeating: "가나 ", count: 60)).utf8.count <= 8)
  }
}

/// A randomly edited text, its painter, and the terminal it paints on.
private struct Board: CustomStringConvertible {
  var screen: Screen
  private(set) var problem: String?
  private var painter: FrameDiffRenderer
  private var text: [Unicode.Scalar] = []
  private var cursor = 0
  private var styles: [String] = []
  private var tail = ""
  private var below: [String] = []
  private var bytes = ""
  private static let letters = Array(
    "abc XYZ 09 가나힣각 漢字あ 🔥🐟 e\u{301}o\u{308}\u{301} 👨\u{200D}👩\u{200D}👧 ❤\u{FE0F} 👍\u{1F3FD} 1\u{FE0F}\u{20E3} \u{200D} \t \n \u{1} \u{7F} ㅋㅋ ․"
      .unicodeScalars)
  private static let colours = ["", "", "1;36", "33", "4;31"]

  init(columns: Int, rows: Int, _ reflows: Bool, _ joins: Bool) {
    screen = Screen(columns: columns, rows: rows)
    (screen.reflows, screen.joinsClusters) = (reflows, joins)
    painter = FrameDiffRenderer(columns: columns, height: rows)
  }

  var description: String {
    "text \(String(String.UnicodeScalarView(text)).debugDescription) at \(cursor), bytes \(bytes.debugDescription)\n"
      + "\(screen.columns)x\(screen.rows), cursor \(screen.cursor)\n\(screen)"
  }

  /// Makes an edit, a resize or a notice, then draws and compares.
  mutating func change(_ random: inout SplitMix64) {
    bytes = ""
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<8: insert(Int.random(in: 1...(Bool.random(using: &random) ? 2 : 30), using: &random), &random)
    case 8..<12 where !text.isEmpty:
      let start = Int.random(in: 0..<text.count, using: &random)
      let end = min(text.count, start + Int.random(in: 1...(Bool.random(using: &random) ? 2 : 40), using: &random))
      text.removeSubrange(start..<end)
      cursor = start
    case 12..<15: cursor = Int.random(in: 0...text.count, using: &random)
    case 15: (text, cursor) = ([], 0)
    case 16: tail = Bool.random(using: &random) ? "\u{1B}[2m  offered\u{1B}[0m" : ""
    case 17: below = Bool.random(using: &random) ? [] : ["first 가", "", "\u{1B}[7m세 번째\u{1B}[0m"]
    case 18: resize(&random)
    default: write(painter.erase() + "printed above 위에\r\n")
    }
    styles = text.map { _ in "" }
    if !text.isEmpty {
      let style = Self.colours.randomElement(using: &random) ?? ""
      for index in 0..<Int.random(in: 0...text.count, using: &random) { styles[index] = style }
    }
    draw()
  }

  private mutating func insert(_ count: Int, _ random: inout SplitMix64) {
    let new = (0..<count).map { _ in Self.letters.randomElement(using: &random) ?? "a" }
    text.insert(contentsOf: new, at: cursor)
    cursor += count
    if text.count > 600 { (text, cursor) = (Array(text.prefix(20)), 20) }
  }

  private mutating func resize(_ random: inout SplitMix64) {
    let columns = Int.random(in: 20...200, using: &random)
    let rows = Int.random(in: 4...24, using: &random)
    screen.resize(columns: columns, rows: rows)
    write(painter.resize(columns: columns, height: rows, reflows: screen.reflows))
  }

  private mutating func write(_ output: String) {
    bytes += output
    screen.write(Array(output.utf8))
  }

  private mutating func draw() {
    var builder = FrameBuilder(columns: screen.columns)
    builder.write(styled: "\u{1B}[1;32m가게\u{1B}[0m> ")
    builder.write(text: String(String.UnicodeScalarView(text)), styles: styles, cursor: cursor)
    if !tail.isEmpty, builder.frame.textEnd.column + 12 < screen.columns { builder.write(styled: tail) }
    for row in below {
      builder.newRow()
      builder.write(styled: row)
    }
    write(painter.paint(builder.frame))
    problem = difference(from: builder.frame)
  }

  /// Returns a difference between the screen and the frame.
  private func difference(from frame: Frame) -> String? {
    if screen.erasuresWhileHanging > 0 { return "erased while the wrap was pending" }
    let seen = Array(frame.rows[painter.top...].prefix(screen.rows))
    let first = screen.cursor.row - (frame.cursor.row - painter.top)
    guard first >= 0, first + seen.count <= screen.rows else { return "the rows are elsewhere" }
    if screen.cursor.column != frame.cursor.column { return "the cursor is not in column \(frame.cursor.column)" }
    for (index, row) in seen.enumerated() {
      let drawn = screen.cells[first + index]
      for column in 0..<screen.columns {
        let cell = column < row.cells.count ? row.cells[column] : Cell()
        var wanted = Screen.Cell(text: Self.text(of: cell), style: cell.style)
        // If an emoji is drawn in one cell, the second is empty.
        let isPicture = column > 0 && column <= row.cells.count && row.cells[column - 1].isPicture
        if cell.width == 0, isPicture, !screen.joinsClusters { wanted.text = " " }
        if drawn[column] != wanted { return "row \(index), column \(column): \(drawn[column]), not \(wanted)" }
      }
      let wraps = row.isSoftWrapped && index + 1 < seen.count
      if screen.wraps[first + index] != wraps { return "row \(index) \(wraps ? "wraps" : "does not wrap")" }
    }
    for index in (first + seen.count)..<max(screen.rows, first + seen.count) {
      if screen.cells[index].contains(where: { $0.text != " " }) { return "row \(index) below is not empty" }
    }
    return nil
  }

  private static func text(of cell: Cell) -> String {
    if cell.width == 0 { return "" }
    var text = String.UnicodeScalarView([cell.scalar ?? " "])
    text.append(contentsOf: cell.combiningScalars)
    return String(text)
  }
}

extension Cell {
  /// Indicates a text character that U+FE0F has widened to two cells.
  fileprivate var isPicture: Bool {
    width == 2 && combiningScalars.contains("\u{FE0F}") && scalar.map { DrawnWidth.of($0) == 1 } == true
  }
}
