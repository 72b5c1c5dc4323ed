import FoundationEssentials
import Images
import Text

/// Preformatted lines for terminals together with the table and JSON that they represent, which data formats use.
package struct Figure: Hashable, Sendable {
  /// The style of a run.
  package enum Style: Hashable, Sendable {
    case plain
    case dim
    case bold
    case warning
    case accent
    /// A color of xterm's palette of 256.
    case palette(UInt8)
  }

  /// A run of sanitized text in one style.
  package struct Run: Hashable, Sendable {
    package var text: String
    package var style: Style

    package init(_ text: String, _ style: Style = .plain) {
      self.text = text
      self.style = style
    }
  }

  package var lines: [[Run]]
  /// The picture above the lines, shown on a terminal with colors.
  package var picture: TerminalPicture?
  /// The table for row formats.
  package var table: Table
  private var value: Value
  /// The bytes to write to a program or file instead of the lines: a body exactly as it was received.
  package var exactBytes: Data?

  /// The complete data, of which a format renders what it needs.
  private enum Value: Hashable {
    case table
    case cell(Table.Cell)
    /// One JSON value on one line.
    case json(String)
  }

  /// Creates a figure whose data is a JSON value on one line.
  package init(_ lines: [[Run]], table: Table, json: String) {
    self.lines = lines
    self.table = table
    value = .json(json)
  }

  /// Creates a figure whose data is `value`, or the table if it is `nil`.
  package init(_ lines: [[Run]], table: Table, value: Table.Cell? = nil, picture: TerminalPicture? = nil) {
    self.lines = lines
    self.table = table
    self.value = value.map(Value.cell) ?? .table
    self.picture = picture
  }

  /// The complete data as one JSON value on one line.
  package var json: String {
    get {
      switch value {
      case .table: OutputJSON(table).text
      case .cell(let cell): OutputJSON(cell).text
      case .json(let text): text
      }
    }
    set { value = .json(newValue) }
  }

  /// Returns a text wrapped at spaces into sanitized lines of at most `width` cells.
  package static func paragraph(_ text: StyledText, width: Int, _ options: RenderOptions) -> [[Run]] {
    Styling.runs(text, width: width, options)
  }

  /// Returns the lines with styles, or plain without colors.
  ///
  /// No line ends in spaces.
  func text(_ options: RenderOptions) -> [String] {
    (options.isTerminal && options.colors ? picture?.lines ?? [] : [])
      + lines.map { painted($0, options) }
  }

  private func painted(_ line: [Run], _ options: RenderOptions) -> String {
    var line = line
    while let last = line.last, last.text.allSatisfy({ $0 == " " }) { line.removeLast() }
    return line.map { Styling.paint($0.text, as: $0.style, options) }.joined()
  }
}

/// A line of a figure under construction: runs and their total width in cells.
struct FigureLine: Sendable {
  let cells: WidthMeasurer
  private(set) var runs: [Figure.Run] = []
  private(set) var width = 0

  init(_ cells: WidthMeasurer, _ text: String = "", style: Figure.Style = .plain) {
    self.cells = cells
    add(text, style)
  }

  mutating func add(_ text: String, _ style: Figure.Style = .plain) {
    guard !text.isEmpty else { return }
    width += cells.of(text)
    if let last = runs.last, last.style == style {
      runs[runs.count - 1].text += text
    } else {
      runs.append(Figure.Run(text, style))
    }
  }

  mutating func add(_ line: FigureLine) {
    for run in line.runs { add(run.text, run.style) }
  }

  /// Appends spaces up to a column.
  mutating func pad(to column: Int) { add(String(repeating: " ", count: max(0, column - width))) }

  /// Appends text aligned to the right within `room` cells.
  mutating func appendTrailing(_ text: String, in room: Int, _ style: Figure.Style = .plain) {
    add(String(repeating: " ", count: max(0, room - cells.of(text))))
    add(text, style)
  }

  mutating func appendLeading(_ text: String, in room: Int, _ style: Figure.Style = .plain) {
    let end = width + room
    add(text, style)
    pad(to: end)
  }

  /// Returns the line without trailing spaces, truncated with an ellipsis if it is too wide.
  func truncated(to limit: Int, ellipsis: String) -> FigureLine {
    if width <= limit { return trimmed }
    var short = FigureLine(cells)
    let dots = cells.of(ellipsis) <= limit ? ellipsis : ""
    let room = limit - cells.of(dots)
    for run in runs {
      for character in run.text {
        guard short.width + cells.of(String(character)) <= room else {
          short.add(dots, .dim)
          return short
        }
        short.add(String(character), run.style)
      }
    }
    return short.trimmed
  }

  private var trimmed: FigureLine {
    var left = runs
    while var last = left.popLast() {
      while last.text.hasSuffix(" ") { last.text.removeLast() }
      guard last.text.isEmpty else {
        left.append(last)
        break
      }
    }
    var line = FigureLine(cells)
    for run in left { line.add(run.text, run.style) }
    return line
  }
}

extension FigureLine {
  /// Arranges pieces in lines of at most `limit` cells without breaking any.
  static func wrap(_ pieces: [FigureLine], gap: Int, within limit: Int) -> [FigureLine] {
    var lines: [FigureLine] = []
    for piece in pieces {
      if var last = lines.last, last.width + gap + piece.width <= limit {
        last.pad(to: last.width + gap)
        last.add(piece)
        lines[lines.count - 1] = last
      } else {
        lines.append(piece)
      }
    }
    return lines
  }
}
