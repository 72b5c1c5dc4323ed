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
  /// Writes data whole; throws `OutputError`.
  func data(_ text: String) throws
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
