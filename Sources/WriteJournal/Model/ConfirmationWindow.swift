/// The confirmation window: how long a write without a response may still take effect.
///
/// "Not applied" isn't concluded before its end.
package struct ConfirmationWindow: Hashable, Sendable {
  /// The duration from the moment of the unknown outcome.
  ///
  /// It must exceed the server's own request timeout.
  package var duration: Duration
  /// The interval between the two reads that have to agree.
  package var agreementInterval: Duration

  package init(duration: Duration, agreementInterval: Duration = .seconds(2)) {
    self.duration = duration
    self.agreementInterval = agreementInterval
  }

  package static let remote = ConfirmationWindow(duration: .seconds(60))
  package static let loopback = ConfirmationWindow(duration: .seconds(5))
}
