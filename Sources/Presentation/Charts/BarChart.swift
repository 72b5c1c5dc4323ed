import Catalog
import Pictures
import Text

/// Bars in cells, one a line: a label, the bar and its number; eighths of a cell where the terminal draws them.
package struct BarChart: Hashable, Sendable {
  package struct Bar: Hashable, Sendable {
    package var label: String
    /// Never below 0.
    package var length: Double
    /// The number behind the bar.
    package var number: String

    package init(_ label: String, _ length: Double, _ number: String) {
      self.label = label
      self.length = length
      self.number = number
    }
  }

  private let title: LocalizedText
  private let bars: [Bar]

  package init(_ title: LocalizedText, _ bars: [Bar]) {
    self.title = title
    self.bars = bars
  }

  /// Longer bars compare no better.
  private static let longest = 60
  private static let eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

  /// Harmless lines of at most the options' width; labels give way to the bars.
  package func lines(_ options: RenderOptions) -> [[Drawing.Stroke]] {
    let cells = options.cells
    let width = max(20, (options.isTerminal ? options.width : nil) ?? 80)
    let labels = bars.map { Sanitizer.clean($0.label, limit: 200) }
    let numberWidth = bars.map { cells.of($0.number) }.max() ?? 0
    let wanted = labels.map { cells.of($0) }.max() ?? 0
    let labelWidth = min(wanted, max(8, (width - numberWidth) / 2 - 2))
    let room = min(BarChart.longest, max(4, width - labelWidth - numberWidth - 4))
    let most = bars.map(\.length).max() ?? 0
    let wall = options.drawsPlain ? "|" : "│"
    let head = Drawing.paragraph(title[options.tongue], width: width, options)
    return head
      + zip(labels, bars).map { label, bar in
        let drawn = self.bar(most > 0 ? bar.length / most * Double(room) : 0, options)
        return [
          Drawing.Stroke(cells.padded(label, to: labelWidth, ellipsis: options.ellipsis) + " "),
          Drawing.Stroke(wall, .dim), Drawing.Stroke(drawn, .water),
          Drawing.Stroke((drawn.isEmpty ? "" : " ") + bar.number),
        ]
      }
  }

  /// What is not nothing is seen: an eighth of a cell, or a whole one where there are no eighths.
  private func bar(_ length: Double, _ options: RenderOptions) -> String {
    guard length > 0 else { return "" }
    if options.drawsPlain { return String(repeating: "#", count: max(1, Int(length.rounded()))) }
    let eighths = max(1, Int((length * 8).rounded()))
    return String(repeating: "█", count: eighths / 8) + BarChart.eighths[eighths % 8]
  }
}

/// Something drawn to a width by its own hand, with the data it was drawn from: people get the lines, programs the data.
package struct Drawing: Hashable, Sendable {
  /// What a stretch is painted with.
  package enum Ink: Hashable, Sendable {
    case plain
    case dim
    case strong
    case warning
    case water
    /// A colour of xterm's palette of 256.
    case palette(UInt8)
  }

  /// A stretch of harmless text of one ink.
  package struct Stroke: Hashable, Sendable {
    package var text: String
    package var ink: Ink

    package init(_ text: String, _ ink: Ink = .plain) {
      self.text = text
      self.ink = ink
    }
  }

  package var lines: [[Stroke]]
  /// Above the lines, on a terminal with colours.
  package var picture: TerminalPicture?
  /// For the formats of rows.
  package var table: Table
  /// The whole as one JSON value, written already, on one line.
  package var json: String

  package init(_ lines: [[Stroke]], table: Table, json: String) {
    self.lines = lines
    self.table = table
    self.json = json
  }

  /// A drawing whose data are the rows of a table.
  package init(_ lines: [[Stroke]], table: Table, picture: TerminalPicture? = nil) {
    self.init(lines, table: table, json: JSONText(table).text)
    self.picture = picture
  }

  /// Words in harmless lines of at most so many cells, broken at spaces.
  package static func paragraph(_ text: StyledText, width: Int, _ options: RenderOptions) -> [[Stroke]] {
    Styling.strokes(text, width: width, options)
  }

  /// The lines in colours, or plain where there are none; no line ends in blanks.
  func text(_ options: RenderOptions) -> [String] {
    (options.isTerminal && options.colors ? picture?.lines ?? [] : [])
      + lines.map { painted($0, options) }
  }

  private func painted(_ line: [Stroke], _ options: RenderOptions) -> String {
    var line = line
    while let last = line.last, last.text.allSatisfy({ $0 == " " }) { line.removeLast() }
    return line.map { Styling.paint($0.text, ink: $0.ink, options) }.joined()
  }
}
