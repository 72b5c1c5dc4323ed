/// How long a write that got no answer may still take effect: no "no" is believed before.
package struct Settle: Hashable, Sendable {
  /// From the moment of doubt; must exceed the server's own request limit.
  package var window: Duration
  /// Between the two reads that have to agree.
  package var agreement: Duration

  package init(window: Duration, agreement: Duration = .seconds(2)) {
    self.window = window
    self.agreement = agreement
  }

  package static let remote = Settle(window: .seconds(60))
  package static let loopback = Settle(window: .seconds(5))
}
