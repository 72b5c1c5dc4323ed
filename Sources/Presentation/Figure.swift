import FoundationEssentials
import Images
import Text

/// Preformatted lines for terminals together with the table and JSON that they represent, which data formats use.
package struct Figure: Hashable, Sendable {
  /// The style of a stroke.
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
    package var ink: Style

    package init(_ text: String, _ ink: Style = .plain) {
      self.text = text
      self.ink = ink
    }
  }

  package var lines: [[Run]]
  /// The picture above the lines, shown on a terminal with colors.
  package var picture: TerminalPicture?
  /// The table for row formats.
  package var table: Table
  /// The complete data as one JSON value on one line.
  package var json: String
  /// The bytes to write to a program or file instead of the lines: a body exactly as it was received.
  package var exactBytes: Data?

  package init(_ lines: [[Run]], table: Table, json: String) {
    self.lines = lines
    self.table = table
    self.json = json
  }

  /// Creates a drawing whose data is a table.
  package init(_ lines: [[Run]], table: Table, picture: TerminalPicture? = nil) {
    self.init(lines, table: table, json: OutputJSON(table).text)
    self.picture = picture
  }

  /// Returns a text wrapped at spaces into sanitized lines of at most `width` cells.
  package static func paragraph(_ text: StyledText, width: Int, _ options: RenderOptions) -> [[Run]] {
    Styling.strokes(text, width: width, options)
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
    return line.map { Styling.paint($0.text, ink: $0.ink, options) }.joined()
  }
}
