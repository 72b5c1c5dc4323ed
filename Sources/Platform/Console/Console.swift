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
  var cell: CellSize { get }
  /// Indicates whether the terminal is known to support hyperlinks (OSC 8).
  var takesLinks: Bool { get }
  /// Writes all of the text to standard output.
  ///
  /// - Throws: `OutputError`.
  func data(_ text: String) throws
  /// Writes all of the bytes, which are UTF-8, to standard output.
  ///
  /// - Throws: `OutputError`.
  func data(_ bytes: [UInt8]) throws
  func say(_ text: String)
  /// Shows a transient line that the next message or data erases, such as a count or a countdown.
  ///
  /// `nil` erases it.
  ///
  /// The text must be sanitized and fit the width. Nothing is shown if standard error is not a terminal.
  func status(_ text: String?)
  /// Shows one frame of the spinner unless a status line is shown.
  ///
  /// `nil` erases it.
  func turn(_ frame: String?)
}

extension Console {
  package var height: Int? { nil }
  package var cell: CellSize { .usual }
  package var takesLinks: Bool { false }

  package func data(_ bytes: [UInt8]) throws { try data(String(decoding: bytes, as: UTF8.self)) }
  package func status(_ text: String?) {}
  package func turn(_ frame: String?) {}
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
  package static let usual = CellSize(width: 10, height: 20)
}

extension Console {
  /// Shows a status line truncated to the width: a line that wraps would leave a row on the screen with every change.
  package func transient(_ text: String) { status(CellWidth().fit(text, to: max(1, (width ?? 80) - 1))) }

  /// Writes data that was not formatted by a renderer.
  ///
  /// Control characters are escaped if standard output is a terminal, where text of a server must have no effect;
  /// programs get the data unchanged.
  ///
  /// - Throws: `OutputError`.
  package func unrendered(_ text: String) throws {
    try data(outputIsTerminal ? Sanitizer.clean(text, .block, limit: .max) : text)
  }

  /// Writes UTF-8 data that was not formatted by a renderer, escaped if standard output is a terminal.
  ///
  /// - Throws: `OutputError`.
  package func unrendered(_ bytes: [UInt8]) throws {
    if outputIsTerminal { try unrendered(String(decoding: bytes, as: UTF8.self)) } else { try data(bytes) }
  }
}

/// A console that discards data, and messages too unless `keepsWords` is set.
package struct MutedConsole: Console {
  package let console: any Console
  package let keepsWords: Bool

  package init(console: any Console, keepsWords: Bool) {
    self.console = console
    self.keepsWords = keepsWords
  }

  package var outputIsTerminal: Bool { console.outputIsTerminal }
  package var errorIsTerminal: Bool { console.errorIsTerminal }
  package var width: Int? { console.width }

  /// Discards the data.
  package func data(_ text: String) throws {}

  package func say(_ text: String) {
    if keepsWords { console.say(text) }
  }

  package func status(_ text: String?) { console.status(text) }
}
