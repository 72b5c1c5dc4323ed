import Catalog
import Platform

extension CommandScope {
  /// Returns a writer of rows to the destination, or `nil` if all rows must be known before the first can be written.
  ///
  /// A command that used it sets `CommandResult.wasStreamed`.
  package func rowWriter(columns: [ProductField]?) -> StreamingRowWriter? {
    output.streamsRows ? StreamingRowWriter(output.clauses, columns: columns, session, context) : nil
  }

  /// Writes text that is produced piece by piece, or that a terminal interprets, to standard output as it is.
  ///
  /// - Throws: `OutputError`.
  package func writeOutput(_ text: String) throws { try context.console.writeOutput(text) }

  /// Writes rows of text that are produced piece by piece to standard output, on a terminal without control characters.
  ///
  /// - Throws: `OutputError`.
  package func writeSanitizedOutput(_ text: String) throws { try context.console.writeSanitizedOutput(text) }
  package func writeSanitizedOutput(_ bytes: [UInt8]) throws { try context.console.writeSanitizedOutput(bytes) }
}
