/// The result of one attempt with its exchanges.
package struct SendResult: Hashable, Sendable {
  package var outcome: SendOutcome
  /// The exchanges in order, without secrets.
  package var exchanges: [StoredExchange]

  package init(_ attempt: SendOutcome, exchanges: [StoredExchange] = []) {
    self.outcome = attempt
    self.exchanges = exchanges
  }
}
