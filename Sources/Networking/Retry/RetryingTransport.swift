import Foundation

/// A transport that sends reads again, at most twice, if the connection failed or the status is 429 or 503.
///
/// Writes are never sent again.
///
/// Each attempt that is followed by another one is reported through `SendOptions.onRetry`. A deadline covers all
/// attempts together. The clock and the source of randomness are parameters.
package struct RetryingTransport: Transport {
  private let transport: any Transport
  private let bucket: RetryBucket
  /// The time since the transport was created.
  private let elapsed: @Sendable () -> Duration
  private let sleep: @Sendable (Duration) async throws -> Void
  private let chance: @Sendable () -> Double

  /// Creates a transport that uses the clock of this machine.
  package init(_ transport: any Transport, bucket: RetryBucket) {
    self.init(transport, bucket: bucket, clock: ContinuousClock())
  }

  /// Creates a transport with a given clock.
  ///
  /// `chance` returns a number in 0..<1 and is called once per retry.
  package init(
    _ transport: any Transport, bucket: RetryBucket, clock: some Clock<Duration>,
    chance: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {
    self.transport = transport
    self.bucket = bucket
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) }
    self.chance = chance
  }

  /// Sends the request, and sends it again if it is a read.
  ///
  /// - Throws: `TransportError` of the last attempt.
  package func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
    guard request.method.isSafe, options.retriesReads else {
      return try await transport.send(request, to: base, with: options)
    }
    let start = elapsed()
    let retryWindow = min(options.deadline ?? Self.retryWindow, Self.retryWindow)
    var attempt = 0
    while true {
      var rest = options
      rest.deadline = options.deadline.map { $0 - (elapsed() - start) }
      let outcome = try await outcome(of: request, to: base, with: rest)
      attempt += 1
      guard let delay = delay(before: attempt, after: outcome), attempt <= 2,
        elapsed() - start + delay < retryWindow, bucket.tryConsume()
      else { return try complete(outcome) }
      options.onRetry?(Retry(outcome: outcome, number: attempt, delay: delay))
      try await pause(delay)
    }
  }

  /// The time after the start of the first attempt within which a retry may start.
  ///
  /// An attempt itself may take longer.
  private static var retryWindow: Duration { .seconds(30) }

  private func outcome(
    of request: Request, to base: URL, with options: SendOptions
  ) async throws -> Result<Response, TransportError> {
    do {
      return .success(try await transport.send(request, to: base, with: options))
    } catch let failure as TransportError {
      return .failure(failure)
    }
  }

  private func complete(_ outcome: Result<Response, TransportError>) throws -> Response {
    switch outcome {
    case .failure(let failure): throw failure
    case .success(let reply):
      if reply.status < 500, reply.status != 429 { bucket.deposit() }
      return reply
    }
  }

  private func pause(_ delay: Duration) async throws {
    do {
      try await sleep(delay)
    } catch {
      throw TransportError(.cancelled, extent: .complete)
    }
  }

  /// Returns the pause before the next attempt, or `nil` if another attempt would be useless.
  private func delay(before number: Int, after outcome: Result<Response, TransportError>) -> Duration? {
    switch outcome {
    case .success(let reply):
      guard reply.status == 429 || reply.status == 503 else { return nil }
      let asked = RetryAfter.seconds(of: reply)
      guard asked ?? 0 <= 60 else { return nil }
      return asked.map { Duration.seconds($0) } ?? jitter(number)
    case .failure(let failure): return failure.reason.isTransient ? jitter(number) : nil
    }
  }

  /// Returns a pause with full jitter: random between zero and 0.5 s, 1 s, … 5 s.
  private func jitter(_ number: Int) -> Duration {
    min(.milliseconds(500) * (1 << (number - 1)), .seconds(5)) * min(max(chance(), 0), 1)
  }
}

extension TransportError.Reason {
  /// Indicates whether the failure is one of the connection and may be transient.
  var isTransient: Bool {
    switch self {
    case .nameNotFound, .connectionRefused, .connectionClosed: true
    case .tls, .serverDoesNotSpeakTLS, .notHTTP, .headerFieldsTooLong, .undecodableContent, .timedOut, .tooLarge,
      .cancelled, .insecureHost, .methodNotAllowed, .invalidURL, .invalidHeader, .invalidMultipart, .notRecorded,
      .other:
      false
    }
  }
}
