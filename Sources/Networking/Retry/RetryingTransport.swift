import Foundation
import Synchronization
import Text

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
  private let now: @Sendable () -> Date

  /// Creates a transport that uses the clock of this machine.
  package init(_ transport: any Transport, bucket: RetryBucket) {
    self.init(transport, bucket: bucket, clock: ContinuousClock())
  }

  /// Creates a transport with a given clock.
  ///
  /// `chance` returns a number in 0..<1 and is called once per retry. `now` is the time with which a date in
  /// `Retry-After` is compared.
  package init(
    _ transport: any Transport, bucket: RetryBucket, clock: some Clock<Duration>,
    chance: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.transport = transport
    self.bucket = bucket
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) }
    self.chance = chance
    self.now = now
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
    case .success(let response):
      if response.status < 500, response.status != 429 { bucket.deposit() }
      return response
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
    case .success(let response):
      guard response.status == 429 || response.status == 503 else { return nil }
      let asked = RetryAfter.seconds(of: response, at: now())
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
    case .networkUnreachable, .tls, .proxyLoginRequired, .serverDoesNotSpeakTLS, .notHTTP, .invalidHTTP,
      .headerFieldsTooLong,
      .undecodableContent, .timedOut, .tooLarge, .cancelled, .insecureHost, .methodNotAllowed, .invalidURL,
      .invalidHeader, .invalidMultipart, .notRecorded, .other:
      false
    }
  }
}

/// A failed attempt that will be followed by another one.
package struct Retry: Sendable {
  package var outcome: Result<Response, TransportError>
  /// The number of the failed attempt, from 1.
  package var number: Int
  /// The pause before the next attempt.
  package var delay: Duration

  package init(outcome: Result<Response, TransportError>, number: Int, delay: Duration) {
    self.outcome = outcome
    self.number = number
    self.delay = delay
  }
}

/// Parses `Retry-After` (RFC 9110 section 10.2.3): seconds, or a date.
///
/// The date is compared with the response's own `Date`, so that the clock of this machine does not matter, and with that
/// clock only if the response has no `Date`.
package enum RetryAfter {
  /// The longest time to wait in seconds: a day.
  ///
  /// A greater value is read as this one, because it can't be meant.
  package static let longest = 86_400

  /// Returns the seconds to wait, from 0 to `longest`, or `nil` if the field is missing or invalid.
  package static func seconds(of response: Response, at now: Date = Date()) -> Int? {
    guard let text = response.header("Retry-After") else { return nil }
    if !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) { return min(Int(text) ?? longest, longest) }
    guard let then = date(text) else { return nil }
    let start = response.header("Date").flatMap(date) ?? Int(now.timeIntervalSince1970)
    return min(max(0, then - start), longest)
  }

  /// Returns the advice to try again after these seconds: `40 s`, `5 min`, `24 h`.
  ///
  /// The time is rounded up to a unit of which there are at least two.
  package static func advice(after seconds: Int) -> LocalizedText {
    switch seconds {
    case ..<120: LocalizedText("Try again in \(seconds) s.", ko: "\(seconds)초 뒤에 다시 시도하세요.")
    case ..<7_200:
      LocalizedText("Try again in \(ceiling(seconds, 60)) min.", ko: "\(ceiling(seconds, 60))분 뒤에 다시 시도하세요.")
    default:
      LocalizedText("Try again in \(ceiling(seconds, 3_600)) h.", ko: "\(ceiling(seconds, 3_600))시간 뒤에 다시 시도하세요.")
    }
  }

  private static func ceiling(_ seconds: Int, _ unit: Int) -> Int { seconds / unit + (seconds % unit > 0 ? 1 : 0) }

  /// Returns the Unix time of `Sun, 06 Nov 1994 08:49:37 GMT`, or `nil` for any other format.
  private static func date(_ text: String) -> Int? {
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[5] == "GMT", let day = number(parts[1], 1...31),
      let year = number(parts[3], 1970...9999), let month = months.firstIndex(of: String(parts[2])),
      let date = CivilDate(year: Int64(year), month: Int64(month + 1), day: Int64(day))
    else { return nil }
    let clock = parts[4].split(separator: ":")
    guard clock.count == 3, let h = number(clock[0], 0...23), let m = number(clock[1], 0...59),
      let s = number(clock[2], 0...60)
    else { return nil }
    return Int(date.daysSince1970) * 86_400 + h * 3600 + m * 60 + s
  }

  private static func number(_ text: Substring, _ range: ClosedRange<Int>) -> Int? {
    guard let number = Int(text), range.contains(number) else { return nil }
    return number
  }

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}

/// A token bucket that limits retries across the process, so that an outage does not multiply the load.
///
/// It holds 50 tokens. A retry costs 5, and a response that needed no retry returns 1: an outage causes ten more
/// requests, then commands fail fast.
package final class RetryBucket: Sendable {
  private let tokens = Mutex(RetryBucket.capacity)

  package init() {}

  /// Takes the tokens for one retry.
  ///
  /// Returns false, and takes none, if there are too few.
  package func tryConsume() -> Bool {
    tokens.withLock {
      guard $0 >= RetryBucket.cost else { return false }
      $0 -= RetryBucket.cost
      return true
    }
  }

  /// Returns one token, for a response that needed no retry.
  package func deposit() { tokens.withLock { $0 = min($0 + 1, RetryBucket.capacity) } }

  private static let capacity = 50
  private static let cost = 5
}
