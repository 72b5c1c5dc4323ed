import Platform

/// What one line of a script came to, for a report on the whole run.
package struct RunPoint: Hashable, Sendable {
  package enum Outcome: Hashable, Sendable {
    case passed
    /// `reason` in the words of the message, one line.
    case failed(ExitStatus, reason: String)
    /// An earlier line failed, and the script stopped.
    case skipped
  }

  package var file: String
  package var line: Int
  /// As written; without what may be a secret.
  package var text: String
  package var outcome: Outcome
  package var seconds: Double

  package init(file: String, line: Int, text: String, outcome: Outcome, seconds: Double) {
    self.file = file
    self.line = line
    self.text = text
    self.outcome = outcome
    self.seconds = seconds
  }
}
