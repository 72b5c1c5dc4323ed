import Text

/// What a renderer must know of the reader: language, room on the screen, and what the terminal can show.
package struct RenderOptions: Hashable, Sendable {
  package var tongue: Tongue
  /// Cells in a line; nil leaves lines as long as they are.
  package var width: Int?
  package var colors: Bool
  /// Lines and marks drawn with ASCII only; data keeps its letters.
  package var ascii: Bool
  /// Ambiguous letters take two cells, as in terminals set up for East Asian fonts.
  package var ambiguousWide: Bool
  package var isTerminal: Bool

  package init(
    tongue: Tongue = .english, width: Int? = nil, colors: Bool = false, ascii: Bool = false,
    ambiguousWide: Bool = false, isTerminal: Bool = false
  ) {
    self.tongue = tongue
    self.width = width
    self.colors = colors
    self.ascii = ascii
    self.ambiguousWide = ambiguousWide
    self.isTerminal = isTerminal
  }

  package var cells: CellWidth { CellWidth(ambiguousWide: ambiguousWide) }

  /// Never below one cell; nil off a terminal that told no width.
  var lineWidth: Int? { width.map { max(1, $0) } }

  /// Box drawing is of ambiguous width, so a terminal that shows it wide gets plain lines.
  var drawsPlain: Bool { ascii || ambiguousWide || !isTerminal }

  var ellipsis: String { ascii ? ".." : "…" }
  var dot: String { ascii ? " - " : " · " }
}
