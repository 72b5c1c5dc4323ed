import Foundation
import Networking
import Synchronization
import Testing
import Text

/// The requests that are retried, how often, and after which pause.
struct RetryingTransportTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    var method = Networking.RequestMethod.get
    var script: [Result<Response, TransportError>]
    var attempts: Int
    var waited: Duration = .zero
    var testDescription: String { name }
  }

  static func status(_ status: Int, _ fields: [HeaderField] = []) -> Result<Response, TransportError> {
    .success(Response(status: status, headers: fields))
  }
  static func failed(_ reason: TransportError.Reason) -> Result<Response, TransportError> {
    .failure(TransportError(reason, extent: .complete))
  }
  static func after(_ text: String) -> [HeaderField] { [HeaderField("retry-after", text)] }

  static let table = [
    Case(name: "a clean answer", script: [status(200)], attempts: 1),
    Case(name: "503 for ever", script: [status(503)], attempts: 3, waited: .milliseconds(750)),
    Case(name: "429 once", script: [status(429), status(200)], attempts: 2, waited: .milliseconds(250)),
    Case(name: "500", script: [status(500)], attempts: 1),
    Case(name: "404", script: [status(404)], attempts: 1),
    Case(
      name: "refused twice", script: [failed(.connectionRefused), failed(.connectionClosed), status(200)], attempts: 3,
      waited: .milliseconds(750)),
    Case(name: "timed out", script: [failed(.timedOut)], attempts: 1),
    Case(name: "cancelled", script: [failed(.cancelled)], attempts: 1),
    Case(name: "TLS", script: [failed(.tls("x"))], attempts: 1),
    Case(name: "a write that was refused", method: .post, script: [failed(.connectionRefused)], attempts: 1),
    Case(name: "a write that met 503", method: .patch, script: [status(503)], attempts: 1),
    Case(name: "a delete that met 429", method: .delete, script: [status(429)], attempts: 1),
    Case(name: "seconds", script: [status(503, after("7")), status(200)], attempts: 2, waited: .seconds(7)),
    Case(name: "more than a minute", script: [status(429, after("61"))], attempts: 1),
    Case(name: "for ever", script: [status(429, after("99999999999999999999"))], attempts: 1),
    Case(name: "negative", script: [status(429, after("-5")), status(200)], attempts: 2, waited: .milliseconds(250)),
    Case(name: "garbage", script: [status(429, after("soon")), status(200)], attempts: 2, waited: .milliseconds(250)),
    Case(
      name: "a date",
      script: [
        status(
          429,
          [
            HeaderField("Date", "Sun, 06 Nov 1994 08:49:37 GMT"),
            HeaderField("Retry-After", "Sun, 06 Nov 1994 08:49:49 GMT"),
          ]),
        status(200),
      ], attempts: 2, waited: .seconds(12)),
    Case(
      name: "a date without the response's own",
      script: [status(429, after("Sun, 06 Nov 1994 08:49:49 GMT")), status(200)], attempts: 2, waited: .seconds(9)),
    Case(name: "a date of next year", script: [status(429, after("Mon, 06 Nov 1995 08:49:49 GMT"))], attempts: 1),
    Case(name: "beyond the deadline", script: [status(503, after("40"))], attempts: 1),
  ]

  @Test(arguments: table) func requestIsRetriedThisOften(_ example: Case) async throws {
    let scripted = ScriptedTransport(example.script)
    let clock = HandClock()
    let transport = RetryingTransport(
      scripted, bucket: RetryBucket(), clock: clock, chance: { 0.5 }, now: { Self.now })
    _ = try? await transport.send(
      Request(example.method, ["a"]), to: base, with: SendOptions(deadline: .seconds(30)))
    #expect(scripted.deadlines.count == example.attempts)
    #expect(clock.now.since == example.waited)
    #expect(scripted.deadlines.last == .seconds(30) - (example.attempts > 1 ? example.waited : .zero))
  }

  @Test func outageCausesAtMostTenRetries() async throws {
    let scripted = ScriptedTransport([Self.failed(.connectionRefused)])
    let transport = RetryingTransport(scripted, bucket: RetryBucket(), clock: HandClock(), chance: { 0 })
    for _ in 0..<40 {
      _ = try? await transport.send(Request(.get, ["a"]), to: base, with: SendOptions(deadline: .seconds(30)))
    }
    #expect(scripted.deadlines.count == 50)
  }

  @Test func observerBelowTheRetriesSeesEveryAttempt() async throws {
    let seen = Mutex<[String]>([])
    let scripted = ScriptedTransport([Self.failed(.connectionRefused), Self.status(200)])
    let observed = ObservedTransport(scripted) { exchange in
      let outcome = (try? exchange.outcome.get().status).map(String.init) ?? "failed"
      seen.withLock { $0.append(exchange.request.target + " " + outcome) }
    }
    let transport = RetryingTransport(observed, bucket: RetryBucket(), clock: HandClock(), chance: { 0 })
    _ = try await transport.send(Request(.get, ["a"]), to: base, with: SendOptions(deadline: .seconds(30)))
    #expect(seen.withLock { $0 } == ["/a failed", "/a 200"])
  }

  /// Logs and `trace` wrap the retrying transport and nevertheless see each attempt with its number and duration.
  @Test func observersAboveTheRetriesSeeEveryAttempt() async throws {
    let seen = Mutex<[[String]]>([[], []])
    let scripted = ScriptedTransport([Self.status(503), Self.failed(.connectionClosed), Self.status(200)])
    let retrying = RetryingTransport(scripted, bucket: RetryBucket(), clock: HandClock(), chance: { 0 })
    func observing(_ transport: any Transport, _ index: Int) -> ObservedTransport {
      ObservedTransport(transport) { exchange in
        let outcome = (try? exchange.outcome.get().status).map(String.init) ?? "failed"
        seen.withLock { $0[index].append("\(exchange.attempt) \(outcome)") }
      }
    }
    let transport = observing(observing(retrying, 0), 1)
    _ = try await transport.send(Request(.get, ["a"]), to: base, with: SendOptions())
    #expect(seen.withLock { $0 } == [["1 503", "2 failed", "3 200"], ["1 503", "2 failed", "3 200"]])
  }

  @Test func singleAttemptIsNotRetried() async throws {
    let scripted = ScriptedTransport([Self.status(503), Self.status(200)])
    let retrying = RetryingTransport(scripted, bucket: RetryBucket(), clock: HandClock(), chance: { 0 })
    let reply = try await ConfiguredTransport(retrying) { $0.retriesReads = false }.send(
      Request(.get, ["a"]), to: base, with: SendOptions())
    #expect(reply.status == 503 && scripted.deadlines.count == 1)
  }

  /// Sun, 06 Nov 1994 08:49:40 GMT.
  private static let now = Date(timeIntervalSince1970: 784_111_780)

  @Test(
    arguments: [
      ("7", 7), ("86400", 86_400), ("86401", 86_400), ("99999999999999999999", 86_400), ("-1", nil), ("soon", nil),
      ("Sun, 06 Nov 1994 08:49:49 GMT", 9), ("Sun, 06 Nov 1994 08:49:00 GMT", 0),
      ("Fri, 31 Dec 9999 23:59:59 GMT", 86_400), ("Sun Nov  6 08:49:49 1994", nil),
    ] as [(String, Int?)])
  func retryAfterIsAtMostADay(_ text: String, _ seconds: Int?) {
    #expect(RetryAfter.seconds(of: Response(status: 429, headers: Self.after(text)), at: Self.now) == seconds)
  }

  /// A time to wait is in the unit in which it is readable.
  @Test(arguments: [
    (0, "0 s", "0초"), (119, "119 s", "119초"), (120, "2 min", "2분"), (121, "3 min", "3분"), (7_199, "120 min", "120분"),
    (7_200, "2 h", "2시간"), (86_400, "24 h", "24시간"), (Int.max, "2562047788015216 h", "2562047788015216시간"),
  ])
  func adviceRoundsTheTimeUp(_ seconds: Int, _ english: String, _ korean: String) {
    let advice = RetryAfter.advice(after: seconds)
    #expect(advice.english.plain == "Try again in \(english).")
    #expect(advice.korean.plain == "\(korean) 뒤에 다시 시도하세요.")
  }

  private let base = URL(string: "http://localhost")!
}
