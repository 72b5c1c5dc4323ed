import Foundation

/// A type that sends HTTP requests.
///
/// Tests replace the real one with a recorder, a fault injector or an in-process server.
package protocol Transport: Sendable {
  /// Sends the request and returns the complete response with any status.
  ///
  /// - Throws: `TransportError`, which says why no response arrived and how much of the request the server can have
  ///   seen.
  func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response

  /// Called after a response was decoded, with the time that decoding took.
  ///
  /// The default implementation does nothing.
  func decoded(in time: Duration)
}

extension Transport {
  package func decoded(in time: Duration) {}
}

/// The options for sending one request.
package struct SendOptions: Sendable {
  package var limits: Timeouts
  /// The connection settings: proxy and trust roots.
  package var route: ConnectionSettings
  /// The time limit for the exchange, from name lookup to the last byte of the response, for requests that the user
  /// would rather do without than wait for.
  ///
  /// If `nil`, a request that makes progress may take any time.
  package var deadline: Duration?
  /// A hook that is awaited before the last bytes of the body are sent.
  ///
  /// Until it returns, the server has fewer bytes than `Content-Length` announces and cannot process the request. If it
  /// throws, the connection is closed and the error's `extent` is `.partial`. For a request without a body it is
  /// awaited before anything is sent, and if it throws, the extent is `.none`.
  package var beforeFinalChunk: (@Sendable () async throws -> Void)?
  /// Allows a read to be sent again after a transient failure.
  package var retriesReads = true
  /// Called with every attempt that is followed by another one, before the pause.
  ///
  /// A transport that observes adds itself here, so that it sees each attempt wherever the retries happen.
  package var onRetry: (@Sendable (Retry) -> Void)?
  /// Allows plain `http` to another machine.
  ///
  /// `PlainHTTPGuard` sets it if the user allows that.
  package var allowsPlainHTTP = false

  package init(
    limits: Timeouts = Timeouts(), route: ConnectionSettings = ConnectionSettings(), deadline: Duration? = nil,
    beforeFinalChunk: (@Sendable () async throws -> Void)? = nil
  ) {
    self.limits = limits
    self.route = route
    self.deadline = deadline
    self.beforeFinalChunk = beforeFinalChunk
  }
}

/// The error for an exchange without a complete response: the reason, and how much of the request the server can have
/// seen.
package struct TransportError: Error, Hashable, Sendable {
  /// The cause of a failure.
  ///
  /// For the cases marked "never sent" no connection is opened.
  package enum Reason: Hashable, Sendable {
    case nameNotFound(host: String)
    case connectionRefused
    case tls(String)
    case timedOut
    case connectionClosed
    /// The response is not HTTP; the message of the parser.
    case notHTTP(String)
    /// The URL has `https`, but the server speaks plain `http`.
    case serverDoesNotSpeakTLS
    case tooLarge(limit: Int)
    case cancelled
    /// Plain `http` to another machine, which was not allowed; never sent.
    case insecureHost(host: String)
    /// The URL is not an `http` or `https` URL, or contains a user name; never sent.
    case invalidURL(String)
    /// The header field of this name contains a line break or another control character, or the name is not a token;
    /// never sent.
    case invalidHeader(String)
    /// The boundary of the multipart form occurs in one of its parts; never sent.
    case invalidMultipart
    /// The recording that is replayed does not contain this request; never sent.
    case notRecorded(String)
    /// Another error; the message of the library.
    case other(String)
  }

  package var reason: Reason
  package var extent: RequestProgress

  package init(_ reason: Reason, extent: RequestProgress) {
    self.reason = reason
    self.extent = extent
  }

  /// False only if it is certain that no byte of the request was written.
  package var mayHaveBeenSent: Bool { extent != .none }
}

/// The part of a request that was sent.
package enum RequestProgress: Hashable, Sendable {
  /// No byte was sent.
  case none
  /// Some bytes may have been sent, but the last byte of the body was never handed to the socket: the request is
  /// shorter than its `Content-Length` and cannot be processed.
  case partial
  /// The last byte was handed to the socket, or it is unknown whether it was.
  case complete
}

/// The timing of an exchange: when it began, the header fields that were sent, and the duration of each phase.
package struct ExchangeMetrics: Hashable, Sendable {
  package var started: Date
  /// The header fields as they were sent, in order.
  ///
  /// They contain secrets.
  package var headers: [HeaderField]
  package var phases: Phases

  package init(started: Date, headers: [HeaderField], phases: Phases) {
    self.started = started
    self.headers = headers
    self.phases = phases
  }
}

/// The time limits for a request without progress.
///
/// The total time is not limited: the upload of a picture over a slow connection takes as long as it needs.
package struct Timeouts: Hashable, Sendable {
  /// The limit for establishing the connection, including TLS.
  package var connect: Duration
  /// The limit during the upload without a byte that the peer acknowledged or the system accepted.
  package var upload: Duration
  /// The limit for the first byte of the response to a write, after the last byte of the request was handed over.
  ///
  /// `minimumBytesPerSecond` is added.
  package var firstByte: Duration
  /// The lowest throughput to expect, in bytes per second.
  ///
  /// A device on the path may accept the body at once and deliver it at this rate, so the wait is extended by the time
  /// that the body takes then.
  package var minimumBytesPerSecond: Int
  /// The limit for a read without a byte of its response.
  ///
  /// It also applies to the rest of a response to a write.
  package var idle: Duration
  /// The profile's `timeout`: the limit for reads, and the minimum for the response to a write.
  package var timeout: Duration?

  package init(
    connect: Duration = .seconds(10), upload: Duration = .seconds(60), firstByte: Duration = .seconds(60),
    minimumBytesPerSecond: Int = 8_000, idle: Duration = .seconds(30), timeout: Duration? = nil
  ) {
    self.connect = connect
    self.upload = upload
    self.firstByte = firstByte
    self.minimumBytesPerSecond = minimumBytesPerSecond
    self.idle = idle
    self.timeout = timeout
  }

  /// Returns the time limit for the first byte of a response to a request whose body has `size` bytes.
  package func wait(forAnswerTo method: RequestMethod, ofSize size: Int) -> Duration {
    if method.isSafe { return silenceOfReads }
    let usual = firstByte + .seconds(1) * size / max(1, minimumBytesPerSecond)
    return max(usual, timeout ?? .zero)
  }

  /// Returns the time limit for the next byte of a response that has begun.
  package func wait(forMoreOf method: RequestMethod) -> Duration {
    method.isSafe ? silenceOfReads : max(idle, timeout ?? .zero)
  }

  private var silenceOfReads: Duration { timeout ?? idle }
}
