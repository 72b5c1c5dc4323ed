/// The durations of the phases of one exchange.
///
/// Their sum is the total.
package struct Phases: Hashable, Sendable {
  /// The time until a connection was available, without the parts in `dns`, `connect` and `tls`.
  package var blocked: Duration
  /// The name lookup; `nil` if not measured separately, zero for an IP literal.
  package var dns: Duration?
  /// The TCP handshake; `nil` if not measured separately.
  package var connect: Duration?
  /// The TLS handshake; `nil` for plain `http`, or if not measured separately.
  package var tls: Duration?
  /// The time to write the request.
  package var send: Duration
  /// The time from the last byte of the request to the first byte of the response.
  package var wait: Duration
  /// The time from the first byte of the response to the last.
  package var receive: Duration

  package init(
    blocked: Duration = .zero, dns: Duration? = nil, connect: Duration? = nil, tls: Duration? = nil,
    send: Duration = .zero, wait: Duration = .zero, receive: Duration = .zero
  ) {
    self.blocked = blocked
    self.dns = dns
    self.connect = connect
    self.tls = tls
    self.send = send
    self.wait = wait
    self.receive = receive
  }

  package var total: Duration {
    blocked + (dns ?? .zero) + (connect ?? .zero) + (tls ?? .zero) + send + wait + receive
  }
}
