import Catalog
import Platform
import Presentation
import Text

/// Puts data on standard output, through the pager where a person would have to scroll back to read it.
struct PagedOutput {
  private let session: Session
  private let context: Context

  init(_ session: Session, _ context: Context) {
    self.session = session
    self.context = context
  }

  func show(_ text: String) async throws {
    guard let pager, !sendsPixels(text), !fits(text) else { return try context.console.data(text) }
    context.console.status(nil)
    guard await !pager.show(text) else { return }
    if context.environment["PAGER"] != nil {
      context.say(
        .warning("PAGER could not be started; the text follows.", ko: "PAGER를 시작하지 못해 그대로 출력합니다."), session)
    }
    try context.console.data(text)
  }

  /// Says words that are longer than the window in the pager, and then again their end, which a question follows.
  ///
  /// - Throws: as `show`.
  func say(_ text: String, above end: String) async throws {
    if let pager, !fits(text + end) {
      context.console.status(nil)
      if await pager.show(text + end) { return context.console.say(end) }
    }
    context.console.say(text + end)
  }

  /// The pager begun, for a text that comes piece by piece; nil where there is none to be used.
  func fed() -> FedProgram? { pager?.fed() }

  /// Nil where nobody sits at the terminal, or the pager is off.
  private var pager: Pager? {
    guard session.settings.pager, context.asker != nil, context.console.outputIsTerminal,
      context.environment["TERM"] != "dumb"
    else { return nil }
    return Pager(context.environment, context.interruption.departure)
  }

  /// Pictures in a terminal's own protocol would be gibberish in a pager.
  private func sendsPixels(_ text: String) -> Bool {
    ["\u{1B}_", "\u{1B}P", "\u{1B}]"].contains { text.contains($0) }
  }

  /// Whether the text and the next prompt stand on the screen together.
  private func fits(_ text: String) -> Bool {
    guard let height = context.console.height, let width = context.console.width else { return true }
    return PagedOutput.rows(text, width: width, most: height - 1) < height
  }

  /// Rows the text takes, long lines going round; stops counting above `most`.
  static func rows(_ text: String, width: Int, most: Int) -> Int {
    let cells = CellWidth()
    var rows = 0
    for line in text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      rows += max(1, (cells.of(String(plain(line))) + width - 1) / max(1, width))
      if rows > most { break }
    }
    return rows
  }

  /// A line without the colours, which take no cells.
  private static func plain(_ line: Substring.UnicodeScalarView) -> String.UnicodeScalarView {
    guard line.contains("\u{1B}") else { return String.UnicodeScalarView(line) }
    var output = String.UnicodeScalarView()
    var isInside = false
    for scalar in line {
      if scalar == "\u{1B}" {
        isInside = true
      } else if isInside {
        isInside = scalar != "m"
      } else {
        output.append(scalar)
      }
    }
    return output
  }
}
