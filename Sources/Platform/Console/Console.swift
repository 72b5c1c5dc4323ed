import Text

/// Where words and data go: data to standard output, everything said to a person to standard error.
package protocol Console: Sendable {
  var outputIsTerminal: Bool { get }
  var errorIsTerminal: Bool { get }
  /// Cells in a row of the terminal; nil when there is none.
  var width: Int? { get }
  /// Rows of the terminal; nil when there is none.
  var height: Int? { get }
  /// Pixels of one cell, where the terminal tells.
  var cell: CellSize { get }
  /// Whether the terminal is known to take text that leads to an address.
  var takesLinks: Bool { get }
  /// Writes data whole.
  ///
  /// - Throws: `OutputError`.
  func data(_ text: String) throws
  /// The same of a text that is UTF-8 already.
  ///
  /// - Throws: `OutputError`.
  func data(_ bytes: [UInt8]) throws
  func say(_ text: String)
  /// Shows one line that the next words or data wipe away: a count, a countdown. Nil takes it away; nothing is shown
  /// where standard error is no terminal. The text is drawn already and fits the width.
  func status(_ text: String?)
  /// Shows one frame of what turns while something is waited for, where no status is told. Nil takes it away.
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

/// The pixels of one cell of a terminal.
package struct CellSize: Hashable, Sendable {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// What is assumed where the terminal does not tell.
  package static let usual = CellSize(width: 10, height: 20)
}

extension Console {
  /// The line at the bottom, cut to what the window takes: one that wraps would leave a row behind with each change.
  package func transient(_ text: String) { status(CellWidth().fit(text, to: max(1, (width ?? 80) - 1))) }

  /// Data that no renderer has looked at: what a program reads goes as it is, on a terminal no text of a server acts.
  ///
  /// - Throws: `OutputError`.
  package func unrendered(_ text: String) throws {
    try data(outputIsTerminal ? Sanitizer.clean(text, .block, limit: .max) : text)
  }

  /// The same of a text that is UTF-8 already.
  ///
  /// - Throws: `OutputError`.
  package func unrendered(_ bytes: [UInt8]) throws {
    if outputIsTerminal { try unrendered(String(decoding: bytes, as: UTF8.self)) } else { try data(bytes) }
  }
}

/// Lets a command run without its data, and without its words when nobody is to hear them.
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

  /// Writes data to standard output.
  ///
  /// - Throws: `OutputError`; `.closed` where the reader went away.
  package func data(_ text: String) throws {}

  package func say(_ text: String) {
    if keepsWords { console.say(text) }
  }

  package func status(_ text: String?) { console.status(text) }
}
