import Foundation

/// How an exchange went on the wire: when it began, what was really sent, and where the time went.
package struct Course: Hashable, Sendable {
  package var started: Date
  /// The header fields as they left, in their order; secrets are in them.
  package var headers: [Header]
  package var phases: Phases

  package init(started: Date, headers: [Header], phases: Phases) {
    self.started = started
    self.headers = headers
    self.phases = phases
  }
}
