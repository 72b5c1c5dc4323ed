import Foundation

/// The timing of an exchange: when it began, the header fields that were sent, and the duration of each phase.
package struct ExchangeMetrics: Hashable, Sendable {
  package var started: Date
  /// The header fields as they were sent, in order.
  ///
  /// They contain secrets.
  package var headers: [HeaderField]
  package var phases: Phases

  package init(started: Date, headers: [HeaderField], phases: Phases) {
    self.started = started
    self.headers = headers
    self.phases = phases
  }
}
