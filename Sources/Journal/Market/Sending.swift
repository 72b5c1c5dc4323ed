/// One send of one write: what is known of it, and what went over the wire.
package struct Sending: Hashable, Sendable {
  package var attempt: Attempt
  /// In the order they were made; without secrets.
  package var exchanges: [KeptExchange]

  package init(_ attempt: Attempt, exchanges: [KeptExchange] = []) {
    self.attempt = attempt
    self.exchanges = exchanges
  }
}
