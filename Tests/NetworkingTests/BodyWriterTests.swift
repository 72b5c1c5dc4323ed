import Foundation
import NIOCore
import Networking
import ServerTesting
import Synchronization
import TestSupport
import Testing

/// The reported extent is never less than what was sent, and the last byte waits for the hook.
@Suite(.timeLimit(Trial.limit)) struct BodyWriterTests {
  private struct Refused: Error {}
  private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

  private func sending(
    _ request: Request, to url: URL, measured: Bool = false, _ options: SendOptions
  ) async -> Result<Response, TransportError> {
    let transport = HTTPTransport(version: "1.0")
    var request = request
    request.recordsPhases = measured
    let outcome: Result<Response, TransportError>
    do {
      outcome = .success(try await transport.send(request, to: url, with: options))
    } catch {
      outcome = .failure(error as? TransportError ?? TransportError(.other("\(error)"), extent: .complete))
    }
    await transport.shutdown()
    return outcome
  }

  private static func body(_ size: Int) -> Request {
    Request(.post, ["p"], body: .data(Data(repeating: 65, count: size), type: "text/plain"))
  }

  /// When the hook runs, the server has everything but the end of the body, however long it is.
  @Test(.timeLimit(.minutes(20)), arguments: [1, 31, 32, 33, 1000, 65_536, 65_568, 65_569, 1_300_000], [false, true])
  func lastBytesWaitForTheHook(size: Int, measured: Bool) async throws {
    let sink = try await ByteSink(answer: Self.ok)
    let seen = Mutex<[Int]>([])
    let whole = Mutex(0)
    let options = SendOptions(beforeFinalChunk: {
      let before = try await sink.bodyBytes(settlingAt: max(0, size - 32))
      seen.withLock { $0.append(before) }
    })
    let outcome = await sending(Self.body(size), to: sink.url, measured: measured, options)
    whole.withLock { $0 = sink.body.count }
    await sink.stop()
    #expect((try? outcome.get().status) == 200)
    #expect(seen.withLock { $0 } == [max(0, size - 32)])
    #expect(whole.withLock { $0 } == size)
  }

  @Test(.timeLimit(.minutes(20)), arguments: [1, 20, 400, 70_000], [false, true])
  func withheldLastByteIsAnIncompleteRequest(size: Int, measured: Bool) async throws {
    let sink = try await ByteSink(answer: Self.ok)
    let outcome = await sending(
      Self.body(size), to: sink.url, measured: measured, SendOptions(beforeFinalChunk: { throw Refused() }))
    try await sink.closed()
    let body = sink.body
    await sink.stop()
    #expect(outcome == .failure(TransportError(.other("the request failed unexpectedly"), extent: .partial)))
    #expect(body.count < size)
  }

  /// A request without a body has no last byte, so nothing is sent before the hook.
  @Test func requestWithoutBodyIsNotSentBeforeTheHook() async throws {
    let server = try await TinyServer(always: .say(Self.ok))
    let outcome = await sending(
      Request(.delete, ["p"]), to: server.url, SendOptions(beforeFinalChunk: { throw CancellationError() }))
    #expect(outcome == .failure(TransportError(.cancelled, extent: .none)))
    #expect(server.requests.isEmpty)
    await server.stop()
  }

  /// If the server closes the connection or stops reading before it has everything, the extent is `.partial`.
  @Test(.timeLimit(.minutes(20)), arguments: [true, false])
  func interruptedUploadIsPartial(hangsUp: Bool) async throws {
    let sink = try await ByteSink(answer: Self.ok, readsOnly: 100_000, hangsUp: hangsUp)
    var options = SendOptions(beforeFinalChunk: {})
    options.limits.upload = .seconds(3)
    let outcome = await sending(Self.body(30_000_000), to: sink.url, options)
    await sink.stop()
    #expect(outcome == .failure(TransportError(hangsUp ? .connectionClosed : .timedOut, extent: .partial)))
  }

  /// If the request is cancelled while the hook runs, the last bytes are never sent, even if the hook succeeds
  /// afterwards.
  @Test(.timeLimit(.minutes(20))) func cancellationInTheHookSendsNothingMore() async throws {
    let sink = try await ByteSink(answer: Self.ok)
    let (hook, gate) = (Gate(), Gate())
    let task = Task {
      await sending(
        Self.body(500), to: sink.url,
        SendOptions(beforeFinalChunk: {
          await hook.open()
          await gate.wait()
        }))
    }
    await hook.wait()
    task.cancel()
    let outcome = await task.value
    await gate.open()
    try await sink.closed()
    #expect(outcome == .failure(TransportError(.cancelled, extent: .partial)))
    #expect(sink.body.count < 500)
    await sink.stop()
  }

  /// The wait for a response includes the time that the body takes at the slowest rate; after it the extent is
  /// `.whole`.
  @Test(.timeLimit(.minutes(20))) func requestWithoutResponseIsComplete() async throws {
    let sink = try await ByteSink(answer: "")
    var options = SendOptions(beforeFinalChunk: {})
    options.limits.firstByte = .seconds(3)
    options.limits.minimumBytesPerSecond = 10_000_000
    let outcome = await sending(Self.body(1_000_000), to: sink.url, options)
    let body = sink.body
    await sink.stop()
    #expect(outcome == .failure(TransportError(.timedOut, extent: .complete)))
    #expect(body.count == 1_000_000)
  }

  /// A slow connection that makes progress is not given up, although each limit is far below the total time.
  @Test(.timeLimit(.minutes(20))) func uploadWithProgressHasNoTotalLimit() async throws {
    var statuses: [Int?] = []
    // A busy machine may make no progress for a second, and then has more time.
    for seconds in [1, 4, 16] as [Int64] where statuses.last != 200 {
      // Three times the limit.
      let sink = try await ByteSink(answer: Self.ok, bytesPerTick: 12_000, tick: .milliseconds(4 * seconds))
      let limit = Duration.seconds(seconds)
      var options = SendOptions()
      options.limits = Timeouts(upload: limit, firstByte: limit, minimumBytesPerSecond: 1_000_000_000, idle: limit)
      let outcome = await sending(Self.body(9_000_000), to: sink.url, options)
      await sink.stop()
      statuses.append(try? outcome.get().status)
    }
    #expect(statuses.last == 200, "\(statuses)")
  }

  @Test func responseTimeLimitGrowsWithTheBody() {
    var limits = Timeouts()
    #expect(limits.wait(forResponseTo: .post, ofSize: 0) == .seconds(60))
    #expect(limits.wait(forResponseTo: .post, ofSize: 1_200_000) == .seconds(210))
    #expect(limits.wait(forResponseTo: .get, ofSize: 0) == .seconds(30))
    limits.timeout = .seconds(90)
    #expect(limits.wait(forResponseTo: .post, ofSize: 0) == .seconds(90))
    #expect(limits.wait(forResponseTo: .post, ofSize: 1_200_000) == .seconds(210))
    #expect(limits.wait(forResponseTo: .get, ofSize: 0) == .seconds(90))
    limits.timeout = .seconds(5)
    #expect(limits.wait(forResponseTo: .post, ofSize: 0) == .seconds(60))
    #expect(limits.wait(forResponseTo: .get, ofSize: 0) == .seconds(5))
  }
}

/// A gate that is opened once and then lets all waiting tasks continue.
private actor Gate {
  private var isOpen = false
  private var waiting: [CheckedContinuation<Void, Never>] = []
  func open() {
    isOpen = true
    for each in waiting { each.resume() }
    waiting = []
  }
  func wait() async {
    if isOpen { return }
    await withCheckedContinuation { waiting.append($0) }
  }
}
