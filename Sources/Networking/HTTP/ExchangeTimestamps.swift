/// The instants at which the phases of an exchange ended, recorded as they occur.
struct ExchangeTimestamps: Sendable {
  typealias Instant = ContinuousClock.Instant

  let start: Instant
  var lookedUp: Instant?
  /// When the first connection was begun, its client being there.
  var connecting: Instant?
  var connectionReady: Instant?
  /// The kernel's round-trip time, which separates the TCP handshake from the TLS handshake of the same connection.
  var roundTrip: Duration?
  var isTLS = false
  var headSent: Instant?
  var sent: Instant?
  var headReceived: Instant?

  init(start: Instant) { self.start = start }

  func phases(until end: Instant) -> Phases {
    let head = headSent ?? end
    let out = sent ?? head
    let back = headReceived ?? end
    var phases = Phases(
      blocked: start.duration(to: head), send: head.duration(to: out), wait: out.duration(to: back),
      receive: back.duration(to: end))
    guard let lookedUp, let connectionReady else { return phases }
    let begun = connecting ?? lookedUp
    let whole = begun.duration(to: connectionReady)
    let connect = isTLS ? min(roundTrip ?? whole, whole) : whole
    phases.dns = start.duration(to: lookedUp)
    phases.connect = connect
    phases.tls = isTLS ? whole - connect : nil
    phases.blocked = lookedUp.duration(to: begun) + connectionReady.duration(to: head)
    return phases
  }
}
