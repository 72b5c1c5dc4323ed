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

  /// Returns the width of a paragraph after an indentation, which only a terminal limits.
  package func paragraphWidth(indent: Int = 0) -> Int {
    max(20, ((isTerminal ? width : nil) ?? 100_000) - indent)
  }

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

/// Applies styles to sanitized text; plain if colors are off.
enum Styling {
  enum ANSIStyle: String {
    case plain = ""
    case strong = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case cyan = "36"
  }

  static func paint(_ text: String, _ style: ANSIStyle, options: RenderOptions) -> String {
    guard options.colors, style != .plain, !text.isEmpty else { return text }
    return "\u{1B}[" + style.rawValue + "m" + text + "\u{1B}[0m"
  }

  static func paint(_ text: String, as style: Figure.Style, _ options: RenderOptions) -> String {
    switch style {
    case .plain: text
    case .dim: paint(text, .dim, options: options)
    case .bold: paint(text, .strong, options: options)
    case .warning: paint(text, .yellow, options: options)
    case .accent: paint(text, .cyan, options: options)
    case .palette(let color):
      options.colors && !text.isEmpty ? "\u{1B}[38;5;\(color)m" + text + "\u{1B}[0m" : text
    }
  }

  /// Returns the text as a hyperlink (OSC 8) if the terminal supports that and the address is an `http` or `https` URL.
  static func link(_ text: String, to address: String?, _ options: RenderOptions) -> String {
    guard options.hasLinks, let address, address.hasPrefix("https://") || address.hasPrefix("http://"),
      address.utf8.count <= 2_000, address.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return text }
    return "\u{1B}]8;;" + address + "\u{1B}\\" + text + "\u{1B}]8;;\u{1B}\\"
  }

  static func style(of meaning: TextStyle) -> ANSIStyle {
    switch meaning {
    case .plain, .value, .foreign, .field: .plain
    case .command: .cyan
    case .before: .red
    case .after: .green
    case .dim: .dim
    case .strong: .strong
    }
  }

  /// Returns sanitized, styled lines of at most `width` cells; without a width the text is broken only at newlines.
  static func lines(_ text: StyledText, width: Int?, _ options: RenderOptions) -> [String] {
    runs(text, width: width, options: options).map { line in
      line.map { paint($0.text, $0.style, options: options) }.joined()
    }
  }

  /// Returns the lines for a figure, which is styled when it is shown.
  static func runs(_ text: StyledText, width: Int?, _ options: RenderOptions) -> [[Figure.Run]] {
    runs(text, width: width, options: options).map { line in line.map { Figure.Run($0.text, $0.style.figureStyle) } }
  }

  /// Returns lines of runs, with neighbours of the same style joined.
  private static func runs(
    _ text: StyledText, width: Int?, options: RenderOptions
  ) -> [[(text: String, style: ANSIStyle)]] {
    Wrapping.wrap(text, width: width, cells: options.cells, commandMark: options.colors ? "" : "`").map { line in
      line.reduce(into: []) { stretches, run in
        let style = style(of: run.meaning)
        if let last = stretches.indices.last, stretches[last].style == style {
          stretches[last].text += run.text
        } else {
          stretches.append((run.text, style))
        }
      }
    }
  }
}

extension Styling.ANSIStyle {
  /// The nearest style of a figure.
  fileprivate var figureStyle: Figure.Style {
    switch self {
    case .plain, .green: .plain
    case .strong: .bold
    case .dim: .dim
    case .red, .yellow: .warning
    case .cyan: .accent
    }
  }
}
