import Foundation

/// The seam: sends one request once and brings the whole answer, or throws `TransportFailure`.
///
/// Real ones talk HTTP; tests put a recorder, a fault or an in-process server here.
package protocol Transport: Sendable {
  /// The whole answer, whatever its status.
  ///
  /// - Throws: `TransportFailure`, which says why none came and how much of the request the server can have seen.
  func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Reply

  /// Told after every answer that was read how long that took; most have no use for it.
  func decoded(in time: Duration)
}

extension Transport {
  package func decoded(in time: Duration) {}
}

/// How one request is sent: how long it is waited for, and what happens before its last byte leaves.
package struct SendOptions: Sendable {
  package var limits: TimeLimits
  /// The way to the server; the straight one where nothing is told.
  package var route: Route
  /// A total limit, from resolving the name to the last byte of the answer: only for what somebody would rather do
  /// without than wait for. Nil lets a request that makes progress take as long as it needs.
  package var deadline: Duration?
  /// Awaited when all of the body but its last bytes has been given to the system, and before the rest goes. When it
  /// throws, the connection is closed and the failure's `extent` is `.partial`: the server cannot apply a body that is
  /// short of its length. For a request without a body it is awaited before anything is sent, and the extent is
  /// `.nothing` when it throws.
  package var beforeLastByte: (@Sendable () async throws -> Void)?
  /// Whether a read may be sent again after a failure that may pass.
  package var retriesReads = true
  /// Called with every attempt that is followed by another one, before the pause between them. A transport that
  /// observes adds itself here, so that it sees each attempt wherever the retries happen.
  package var onRetry: (@Sendable (Retry) -> Void)?
  /// Allows plain `http` to another machine than this one. `PlainHTTPGuard` sets it where the user allows it.
  package var allowsPlainHTTP = false

  package init(
    limits: TimeLimits = TimeLimits(), route: Route = Route(), deadline: Duration? = nil,
    beforeLastByte: (@Sendable () async throws -> Void)? = nil
  ) {
    self.limits = limits
    self.route = route
    self.deadline = deadline
    self.beforeLastByte = beforeLastByte
  }
}

/// Why no complete answer came, and how much of the request the server can have seen.
package struct TransportFailure: Error, Hashable, Sendable {
  /// What went wrong; those that end in "never sent" are found before a connection is made.
  package enum Reason: Hashable, Sendable {
    case nameNotFound(host: String)
    case refused
    case tls(String)
    case timedOut
    case cutOff
    /// What came is no answer of HTTP; the parser's words.
    case notHTTP(String)
    /// `https` was asked where only `http` is spoken.
    case noTLS
    case tooLarge(limit: Int)
    case cancelled
    /// Plain `http` to another machine than this one, which was not allowed; never sent.
    case insecure(host: String)
    /// The address is no `http` or `https` address, or holds a user name; never sent.
    case badAddress(String)
    /// A header of this name holds a line end or another control character, or is no name at all; never sent.
    case badHeader(String)
    /// The boundary of the form is in one of its parts; never sent.
    case badForm
    /// A replay was asked what its recording does not hold; nothing was sent.
    case notRecorded(String)
    /// Something else, in the library's words.
    case other(String)
  }

  package var reason: Reason
  package var extent: SentExtent

  package init(_ reason: Reason, extent: SentExtent) {
    self.reason = reason
    self.extent = extent
  }

  /// False only while it is known that no byte of the request was written.
  package var mayHaveBeenSent: Bool { extent != .nothing }
}

/// How much of a request left.
package enum SentExtent: Hashable, Sendable {
  /// Not one byte.
  case nothing
  /// Some bytes may have left; the last one of the body was never handed to the socket, so the request is short of its
  /// `Content-Length` and cannot be applied.
  case partial
  /// The last byte was handed to the socket, or nobody knows.
  case whole
}

/// How an exchange went on the wire: when it began, what was really sent, and where the time went.
package struct WireTiming: Hashable, Sendable {
  package var started: Date
  /// The header fields as they left, in their order; secrets are in them.
  package var headers: [Header]
  package var phases: Phases

  package init(started: Date, headers: [Header], phases: Phases) {
    self.started = started
    self.headers = headers
    self.phases = phases
  }
}

/// How long a request may make no progress before it is given up. There is no limit on the whole: a picture that goes
/// up a slow line takes the time it takes.
package struct TimeLimits: Hashable, Sendable {
  /// Until the connection stands, TLS included.
  package var connect: Duration
  /// While a body goes up: without a byte that the other side acknowledged or the system took.
  package var upload: Duration
  /// For the first byte of the answer to a write, after its last byte was handed over; `slowestLine` is added.
  package var answer: Duration
  /// Bytes a second. What lies between may take everything at once and deliver it as slowly as this, so the size of the
  /// body at this rate is waited for as well.
  package var slowestLine: Int
  /// For a read: without a byte of its answer. An answer that has begun to come is held to this too, be it to a read or
  /// to a write.
  package var silence: Duration
  /// The profile's `timeout`: the patience for a read, and the least for the answer to a write.
  package var timeout: Duration?

  package init(
    connect: Duration = .seconds(10), upload: Duration = .seconds(60), answer: Duration = .seconds(60),
    slowestLine: Int = 8_000, silence: Duration = .seconds(30), timeout: Duration? = nil
  ) {
    self.connect = connect
    self.upload = upload
    self.answer = answer
    self.slowestLine = slowestLine
    self.silence = silence
    self.timeout = timeout
  }

  /// How long the first byte of an answer is waited for.
  ///
  /// - Parameter size: of the request's body, in bytes.
  package func wait(forAnswerTo method: Method, ofSize size: Int) -> Duration {
    if method.isRead { return silenceOfReads }
    let usual = answer + .seconds(1) * size / max(1, slowestLine)
    return max(usual, timeout ?? .zero)
  }

  /// How long the next byte of an answer is waited for that has begun to come.
  package func wait(forMoreOf method: Method) -> Duration {
    method.isRead ? silenceOfReads : max(silence, timeout ?? .zero)
  }

  private var silenceOfReads: Duration { timeout ?? silence }
}
