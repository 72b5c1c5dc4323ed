/// Where the time of one exchange went; together the phases are the whole of it.
package struct Phases: Hashable, Sendable, Codable {
  /// Until a connection was there; with `lookup`, `connect` or `tls` told, what was none of them.
  package var blocked: Duration
  /// Finding the address of the name; nil where it is not told apart, zero for an address in figures.
  package var lookup: Duration?
  /// Until the server took the connection; nil where it is not told apart.
  package var connect: Duration?
  /// Until the connection was safe; nil for plain `http`, and where it is not told apart.
  package var tls: Duration?
  /// Writing the request.
  package var send: Duration
  /// From the last byte of the request to the first of the answer.
  package var wait: Duration
  /// From the first byte of the answer to the last.
  package var receive: Duration

  package init(
    blocked: Duration = .zero, lookup: Duration? = nil, connect: Duration? = nil, tls: Duration? = nil,
    send: Duration = .zero, wait: Duration = .zero, receive: Duration = .zero
  ) {
    self.blocked = blocked
    self.lookup = lookup
    self.connect = connect
    self.tls = tls
    self.send = send
    self.wait = wait
    self.receive = receive
  }

  package var whole: Duration {
    blocked + (lookup ?? .zero) + (connect ?? .zero) + (tls ?? .zero) + send + wait + receive
  }
}
