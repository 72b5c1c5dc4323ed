import Platform

/// The outcome of one line of a script, for the reports.
package struct LineResult: Hashable, Sendable {
  /// The outcome of a line.
  package enum Outcome: Hashable, Sendable {
    case passed
    case failed(ExitStatus, Failing)
    /// The line wasn't run, because an earlier line failed and the script stopped.
    case skipped
  }

  /// The reason of a failure.
  package struct Failing: Hashable, Sendable {
    /// The message in one line.
    package var reason: String
    /// The request and response that it refers to, several lines, with secrets redacted.
    package var evidence: String?

    package init(reason: String, evidence: String? = nil) {
      self.reason = reason
      self.evidence = evidence
    }
  }

  package var file: String
  /// The line number from 1, or 0 for the file itself.
  package var line: Int
  /// The name, unique in its file and without possible secrets.
  package var name: String
  package var outcome: Outcome
  package var seconds: Double
  /// The name without the number that makes it unique.
  let baseName: String

  package init(file: String, line: Int, name: String, outcome: Outcome, seconds: Double) {
    self.file = file
    self.line = line
    self.name = name
    baseName = name
    self.outcome = outcome
    self.seconds = seconds
  }
}
