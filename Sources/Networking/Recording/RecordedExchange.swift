import Foundation

/// A request of a recording and its outcome.
package struct RecordedExchange: Hashable, Sendable {
  package var question: RecordedQuestion
  package var outcome: Result<Reply, TransportFailure>

  package init(question: RecordedQuestion, outcome: Result<Reply, TransportFailure>) {
    self.question = question
    self.outcome = outcome
  }
}
