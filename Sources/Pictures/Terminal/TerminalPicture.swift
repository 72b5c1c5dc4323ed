/// A picture as a terminal takes it: escape sequences of ours, nothing of the file's own bytes.
package struct TerminalPicture: Hashable, Sendable {
  /// One line a row for half blocks; one line in all for a protocol that sends pixels.
  package var lines: [String]
  /// Cells it covers.
  package var columns: Int
  package var rows: Int

  package init(lines: [String], columns: Int, rows: Int) {
    self.lines = lines
    self.columns = columns
    self.rows = rows
  }
}
