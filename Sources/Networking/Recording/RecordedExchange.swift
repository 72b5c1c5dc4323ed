/// A request of a recording and its outcome.
package struct RecordedExchange: Hashable, Sendable {
  package var question: RequestKey
  package var outcome: Result<Response, TransportError>

  package init(question: RequestKey, outcome: Result<Response, TransportError>) {
    self.question = question
    self.outcome = outcome
  }
}
