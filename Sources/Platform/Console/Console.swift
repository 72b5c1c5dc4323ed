import Text

/// The output of the program: data goes to standard output, messages for the user go to standard error.
package protocol Console: Sendable {
  var outputIsTerminal: Bool { get }
  var errorIsTerminal: Bool { get }
  /// The number of columns of the terminal, or `nil` without one.
  var width: Int? { get }
  /// The number of rows of the terminal, or `nil` without one.
  var height: Int? { get }
  /// The size of one cell in pixels; a default if the terminal does not report it.
  var cellPixelSize: CellSize { get }
  /// Indicates whether the terminal is known to support hyperlinks (OSC 8).
  var supportsHyperlinks: Bool { get }
  /// Writes all of the text to standard output.
  ///
  /// - Throws: `OutputError`.
  func writeOutput(_ text: String) throws
  /// Writes all of the bytes, which are UTF-8, to standard output.
  ///
  /// - Throws: `OutputError`.
  func writeOutput(_ bytes: [UInt8]) throws
  func writeMessage(_ text: String)
  /// Shows a transient line that the next message or data erases, such as a count or a countdown.
  ///
  /// `nil` erases it.
  ///
  /// The text must be sanitized and fit the width. Nothing is shown if standard error is not a terminal.
  func showStatus(_ text: String?)
  /// Shows the progress of an upload after the transient line, which counts the changes of the batch.
  ///
  /// `nil` erases it.
  func showUpload(_ text: String?)
  /// Shows one frame of the spinner unless a status line is shown.
  ///
  /// `nil` erases it.
  func showSpinner(_ frame: String?)
}

extension Console {
  package var height: Int? { nil }
  package var cellPixelSize: CellSize { .default }
  package var supportsHyperlinks: Bool { false }

  package func writeOutput(_ bytes: [UInt8]) throws { try writeOutput(String(decoding: bytes, as: UTF8.self)) }
  package func showStatus(_ text: String?) {}
  package func showUpload(_ text: String?) { showStatus(text) }
  package func showSpinner(_ frame: String?) {}
}

extension Console {
  /// Shows a status line truncated to the width: a line that wraps would leave a row on the screen with every change.
  package func showTransientStatus(_ text: String) {
    showStatus(WidthMeasurer().truncated(text, to: max(1, (width ?? 80) - 1)))
  }

  /// Writes data that was not formatted by a renderer.
  ///
  /// Control characters are escaped if standard output is a terminal, where text of a server must have no effect;
  /// programs get the data unchanged.
  ///
  /// - Throws: `OutputError`.
  package func writeSanitizedOutput(_ text: String) throws {
    try writeOutput(outputIsTerminal ? Sanitizer.sanitized(text, .keep, limit: .max) : text)
  }

  /// Writes UTF-8 data that was not formatted by a renderer, escaped if standard output is a terminal.
  ///
  /// - Throws: `OutputError`.
  package func writeSanitizedOutput(_ bytes: [UInt8]) throws {
    if outputIsTerminal {
      try writeSanitizedOutput(String(decoding: bytes, as: UTF8.self))
    } else {
      try writeOutput(bytes)
    }
  }
}

/// The size of one terminal cell in pixels.
package struct CellSize: Hashable, Sendable {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The size to assume if the terminal does not report one.
  package static let `default` = CellSize(width: 10, height: 20)
}

/// A console that discards data, and messages too unless `forwardsMessages` is set.
package struct MutedConsole: Console {
  package let console: any Console
  package let forwardsMessages: Bool

  package init(console: any Console, forwardsMessages: Bool) {
    self.console = console
    self.forwardsMessages = forwardsMessages
  }

  package var outputIsTerminal: Bool { console.outputIsTerminal }
  package var errorIsTerminal: Bool { console.errorIsTerminal }
  package var width: Int? { console.width }

  /// Discards the data.
  package func writeOutput(_ text: String) throws {}

  package func writeMessage(_ text: String) {
    if forwardsMessages { console.writeMessage(text) }
  }

  package func showStatus(_ text: String?) { console.showStatus(text) }
  package func showUpload(_ text: String?) { console.showUpload(text) }
}
