/// The instants of one exchange, as they are met.
struct TimingMarks: Sendable {
  typealias Instant = ContinuousClock.Instant

  let start: Instant
  var lookedUp: Instant?
  var connectionReady: Instant?
  /// The kernel's round trip of the handshake: TCP and TLS of one connection are told apart by it.
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
    let connecting = lookedUp.duration(to: connectionReady)
    let connect = isTLS ? min(roundTrip ?? connecting, connecting) : connecting
    phases.lookup = start.duration(to: lookedUp)
    phases.connect = connect
    phases.tls = isTLS ? connecting - connect : nil
    phases.blocked = connectionReady.duration(to: head)
    return phases
  }
}
