import Text

/// The options of the output: the language, the width, and the capabilities of the terminal.
package struct RenderOptions: Hashable, Sendable {
  package var language: MessageLanguage
  /// The number of cells in a line, or `nil` for no limit.
  package var width: Int?
  package var colors: Bool
  /// Draws lines and marks in ASCII only; data is not changed.
  package var usesASCII: Bool
  /// Counts ambiguous characters as two cells, as on terminals with East Asian fonts.
  package var treatsAmbiguousAsWide: Bool
  package var isTerminal: Bool
  /// Indicates whether the terminal supports hyperlinks.
  package var hasLinks: Bool

  package init(
    language: MessageLanguage = .english, width: Int? = nil, colors: Bool = false, usesASCII: Bool = false,
    treatsAmbiguousAsWide: Bool = false, isTerminal: Bool = false, hasLinks: Bool = false
  ) {
    self.language = language
    self.width = width
    self.colors = colors
    self.usesASCII = usesASCII
    self.treatsAmbiguousAsWide = treatsAmbiguousAsWide
    self.isTerminal = isTerminal
    self.hasLinks = hasLinks
  }

  /// The form of messages.
  package var messageFormat = MessageFormat.text

  /// The line ending of CSV: LF for a terminal or a program, CRLF (RFC 4180) for a file that a spreadsheet may open.
  package var csvLineEnding = LineEnding.lf

  /// These options for data that is read line by line.
  var onOneLine: RenderOptions {
    var options = self
    options.isTerminal = false
    return options
  }

  package var cells: WidthMeasurer { WidthMeasurer(ambiguousWide: treatsAmbiguousAsWide) }

  /// The width of a line, at least one cell; `nil` for no limit.
  var lineWidth: Int? { width.map { max(1, $0) } }

  /// Indicates that box drawing characters are not used.
  ///
  /// Their width is ambiguous, so terminals that show them wide get ASCII.
  var usesASCIILines: Bool { usesASCII || treatsAmbiguousAsWide || !isTerminal }

  var ellipsis: String { usesASCII ? ".." : "…" }
  var separator: String { usesASCII ? " - " : " · " }
}

/// The characters that end a line of text.
package enum LineEnding: String, Hashable, Sendable {
  case lf = "\n"
  case crlf = "\r\n"
}
