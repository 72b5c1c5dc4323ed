import CommandLanguage

/// The destination of a command's output, given by the clauses of its line.
package struct CommandOutput: Sendable {
  package let clauses: Clauses
  /// A Boolean value that indicates whether rows may be written as they arrive, because no prefix needs the complete
  /// report.
  package let streamsRows: Bool

  package init(_ clauses: Clauses = Clauses(), streamsRows: Bool = false) {
    self.clauses = clauses
    self.streamsRows = streamsRows
  }
}
