import Platform
import Presentation
import Text

/// Writes data to standard output, through the pager if a user would have to scroll.
package struct PagerOutput {
  private let scope: CommandScope

  package init(_ scope: CommandScope) {
    self.scope = scope
  }

  func show(_ text: String) async throws {
    guard try await !isShown(text) else { return }
    try scope.context.program.console.writeOutput(text)
  }

  /// Shows text in the pager, or returns `false` if the text fits the screen or there is no pager.
  private func isShown(_ text: String) async throws -> Bool {
    guard let pager, !sendsPixels(text), !fits(text) else { return false }
    scope.context.program.console.showStatus(nil)
    if await pager.show(text) { return true }
    if scope.context.program.environment["PAGER"] != nil {
      scope.say(
        .warning("Could not start the pager. Showing the output without it.", ko: "페이저를 시작하지 못해 페이저 없이 출력합니다."))
    }
    return false
  }

  /// Shows text that is longer than the window in the pager, and then again its `end`, which a prompt follows.
  ///
  /// - Throws: The errors of `show`.
  package func say(_ text: String, above end: String) async throws {
    if let pager, !fits(text + end) {
      scope.context.program.console.showStatus(nil)
      if await pager.show(text + end) { return scope.context.program.console.writeMessage(end) }
    }
    scope.context.program.console.writeMessage(text + end)
  }

  /// Starts the pager for text that is produced piece by piece, or returns `nil` if no pager is used.
  func startPager() -> StreamingSubprocess? { pager?.streaming() }

  /// The pager, or `nil` if no user is at the terminal, if the pager is off, and after Ctrl-C, which asks for the prompt.
  private var pager: Pager? {
    guard !Task.isCancelled, scope.session.settings.pager, scope.context.program.asker != nil,
      scope.context.program.console.outputIsTerminal,
      scope.context.program.environment["TERM"] != "dumb"
    else { return nil }
    return Pager(scope.context.program.environment, scope.context.program.interruption.shutdown)
  }

  /// Returns whether the text contains pictures in a terminal protocol, which a pager can't show.
  private func sendsPixels(_ text: String) -> Bool {
    ["\u{1B}_", "\u{1B}P", "\u{1B}]"].contains { text.contains($0) }
  }

  /// Returns whether the text and the next prompt fit on the screen together.
  private func fits(_ text: String) -> Bool {
    guard let height = scope.context.program.console.height, let width = scope.context.program.console.width else {
      return true
    }
    return PagerOutput.rows(text, width: width, most: height - 1) < height
  }

  /// Returns the number of rows of the text with long lines wrapped.
  ///
  /// Counting stops above `most`.
  static func rows(_ text: String, width: Int, most: Int) -> Int {
    let cells = WidthMeasurer()
    var rows = 0
    for line in text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      rows += max(1, (cells.of(String(plain(line))) + width - 1) / max(1, width))
      if rows > most { break }
    }
    return rows
  }

  /// Returns a line without color sequences, which have no width.
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
