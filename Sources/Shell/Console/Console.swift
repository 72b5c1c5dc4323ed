/// Where words and data go: data to standard output, everything said to a person to standard error.
package protocol Console: Sendable {
  var outputIsTerminal: Bool { get }
  var errorIsTerminal: Bool { get }
  /// Cells in a row of the terminal; nil when there is none.
  var width: Int? { get }
  /// Writes data whole; throws `OutputError`.
  func data(_ text: String) throws
  func say(_ text: String)
}
