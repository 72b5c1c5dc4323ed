import Catalog
import FoundationEssentials
import Pictures
import Text

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
  /// What goes to a program or a file where the lines would go to a person: a body exactly as it was received.
  package var exactBytes: Data?

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
