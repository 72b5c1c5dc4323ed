import Foundation
import Synchronization

/// A transport that sends reads again, at most twice, when the connection failed or the server said 429 or 503; writes
/// never.
///
/// Each attempt that is followed by another one is reported through `SendOptions.onRetry`. A deadline is for all attempts
/// together. Clock and chance are handed in.
package struct RetryingTransport: Transport {
  private let transport: any Transport
  private let bucket: RetryBucket
  /// Since the transport was made.
  private let elapsed: @Sendable () -> Duration
  private let sleep: @Sendable (Duration) async throws -> Void
  private let chance: @Sendable () -> Double

  /// By the clock of this machine.
  package init(_ transport: any Transport, bucket: RetryBucket) {
    self.init(transport, bucket: bucket, clock: ContinuousClock())
  }

  /// - Parameter chance: a number in 0..<1, asked once a retry.
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

  /// - Throws: `TransportFailure` of the last attempt; of a write, of the only one.
  package func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Reply {
    guard request.method.isRead, options.retriesReads else {
      return try await transport.send(request, to: base, with: options)
    }
    let start = elapsed()
    let patience = min(options.deadline ?? Self.patience, Self.patience)
    var attempt = 0
    while true {
      var rest = options
      rest.deadline = options.deadline.map { $0 - (elapsed() - start) }
      let outcome = try await outcome(of: request, to: base, with: rest)
      attempt += 1
      guard let delay = delay(before: attempt, after: outcome), attempt <= 2,
        elapsed() - start + delay < patience, bucket.take()
      else { return try finish(outcome) }
      options.onRetry?(Retry(outcome: outcome, number: attempt, delay: delay))
      try await pause(delay)
    }
  }

  /// Nothing is asked again later than this after the first attempt began; an attempt itself may take longer.
  private static var patience: Duration { .seconds(30) }

  private func outcome(
    of request: Request, to base: URL, with options: SendOptions
  ) async throws -> Result<Reply, TransportFailure> {
    do {
      return .success(try await transport.send(request, to: base, with: options))
    } catch let failure as TransportFailure {
      return .failure(failure)
    }
  }

  private func finish(_ outcome: Result<Reply, TransportFailure>) throws -> Reply {
    switch outcome {
    case .failure(let failure): throw failure
    case .success(let reply):
      if reply.status < 500, reply.status != 429 { bucket.refill() }
      return reply
    }
  }

  private func pause(_ delay: Duration) async throws {
    do {
      try await sleep(delay)
    } catch {
      throw TransportFailure(.cancelled, extent: .whole)
    }
  }

  /// Returns the pause before the next attempt, or `nil` where another one would be of no use.
  private func delay(before number: Int, after outcome: Result<Reply, TransportFailure>) -> Duration? {
    switch outcome {
    case .success(let reply):
      guard reply.status == 429 || reply.status == 503 else { return nil }
      let asked = RetryAfter.seconds(of: reply)
      guard asked ?? 0 <= 60 else { return nil }
      return asked.map { Duration.seconds($0) } ?? jitter(number)
    case .failure(let failure): return failure.reason.mayPass ? jitter(number) : nil
    }
  }

  /// Full jitter: anywhere between nothing and 0.5 s, 1 s, … 5 s.
  private func jitter(_ number: Int) -> Duration {
    min(.milliseconds(500) * (1 << (number - 1)), .seconds(5)) * min(max(chance(), 0), 1)
  }
}

extension TransportFailure.Reason {
  /// A failure of the connection, which may be gone a moment later.
  fileprivate var mayPass: Bool {
    switch self {
    case .nameNotFound, .refused, .cutOff: true
    case .tls, .noTLS, .notHTTP, .timedOut, .tooLarge, .cancelled, .insecure, .badAddress, .badHeader, .badForm,
      .notRecorded, .other:
      false
    }
  }
}

/// An attempt that failed and is about to be followed by another one.
package struct Retry: Sendable {
  package var outcome: Result<Reply, TransportFailure>
  /// The number of the attempt that failed, from 1.
  package var number: Int
  /// The pause before the next attempt.
  package var delay: Duration

  package init(outcome: Result<Reply, TransportFailure>, number: Int, delay: Duration) {
    self.outcome = outcome
    self.number = number
    self.delay = delay
  }
}

/// A transport that sends every request once: for checks that must see each answer of the server.
package struct SingleAttemptTransport: Transport {
  private let transport: any Transport

  package init(_ transport: any Transport) { self.transport = transport }

  /// - Throws: `TransportFailure` of the only attempt.
  package func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Reply {
    var options = options
    options.retriesReads = false
    return try await transport.send(request, to: base, with: options)
  }

  package func decoded(in time: Duration) { transport.decoded(in: time) }
}

/// Keeps an outage from becoming a storm: retries of the whole process are paid from one bucket, which clean answers fill.
///
/// 50 tokens, 5 a retry, 1 back for a clean answer: an outage costs ten more requests, then commands fail fast.
package final class RetryBucket: Sendable {
  private let tokens = Mutex(RetryBucket.capacity)

  package init() {}

  /// True when there was enough for one more retry; then it is paid.
  package func take() -> Bool {
    tokens.withLock {
      guard $0 >= RetryBucket.price else { return false }
      $0 -= RetryBucket.price
      return true
    }
  }

  /// Puts one token back, for an answer that needed no retry.
  package func refill() { tokens.withLock { $0 = min($0 + 1, RetryBucket.capacity) } }

  private static let capacity = 50
  private static let price = 5
}

/// Reads `Retry-After` (RFC 9110 section 10.2.3): seconds, or a date that is compared with the answer's own `Date`, so
/// that a wrong clock on this machine decides nothing.
package enum RetryAfter {
  /// The seconds to wait, at least 0; nil without the header and for what cannot be read.
  package static func seconds(of reply: Reply) -> Int? {
    guard let text = reply.header("Retry-After") else { return nil }
    if !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) { return Int(text) ?? Int.max }
    guard let then = date(text), let now = reply.header("Date").flatMap(date) else { return nil }
    return max(0, then - now)
  }

  /// Seconds since 1970 of `Sun, 06 Nov 1994 08:49:37 GMT`; nil for anything else.
  private static func date(_ text: String) -> Int? {
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[5] == "GMT", let day = number(parts[1], 1...31),
      let year = number(parts[3], 1970...9999),
      let month = months.firstIndex(of: String(parts[2]))
    else { return nil }
    let clock = parts[4].split(separator: ":")
    guard clock.count == 3, let h = number(clock[0], 0...23), let m = number(clock[1], 0...59),
      let s = number(clock[2], 0...60)
    else { return nil }
    return days(year, month + 1, day) * 86_400 + h * 3600 + m * 60 + s
  }

  private static func number(_ text: Substring, _ range: ClosedRange<Int>) -> Int? {
    guard let number = Int(text), range.contains(number) else { return nil }
    return number
  }

  /// Days since 1970-01-01 (Hinnant, "chrono-Compatible Low-Level Date Algorithms").
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let y = month <= 2 ? year - 1 : year
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return y * 365 + y / 4 - y / 100 + y / 400 + dayOfYear - 719_468
  }

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
