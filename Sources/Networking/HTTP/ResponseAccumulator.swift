import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Synchronization

/// A response delegate that collects one response up to a limit and records how much of the request was sent and when.
///
/// Its `StallDetector` fails the exchange when it makes no progress.
final class ResponseAccumulator: HTTPClientResponseDelegate {
  typealias Response = Networking.Response

  /// The error for a response that is longer than the request's limit, by its `Content-Length` or by its body.
  struct TooLarge: Error {}

  private struct State: Sendable {
    var marks: ExchangeTimestamps
    /// Indicates that the connection had carried an earlier request.
    var isOnReusedConnection = false
    var sentHeaders: [HeaderField] = []
    var status = 0
    var headers: [HeaderField] = []
    var body = Data()

    /// Appends a buffer as raw bytes, which avoids the generic path of `Data`.
    mutating func append(_ piece: ByteBuffer) {
      piece.withUnsafeReadableBytes { body.append($0.assumingMemoryBound(to: UInt8.self)) }
    }
  }

  private let limit: Int
  /// Indicates whether the content is decoded by its `Content-Encoding`.
  private let decodesContent: Bool
  private let started = Date()
  private let lines: ConnectionTracker
  private let stalls: StallDetector
  /// The upload of the body, or `nil` for a request without one.
  private let upload: BodyWriter?
  private let state: Mutex<State>
  private let now: @Sendable () -> ContinuousClock.Instant

  /// Begins the exchange: whatever it needs is there.
  init(
    limit: Int, decodesContent: Bool, upload: BodyWriter?, stalls: StallDetector, over lines: ConnectionTracker,
    now: @escaping @Sendable () -> ContinuousClock.Instant
  ) {
    state = Mutex(State(marks: ExchangeTimestamps(start: now())))
    self.now = now
    self.limit = limit
    self.decodesContent = decodesContent
    self.upload = upload
    self.stalls = stalls
    self.lines = lines
  }

  /// The part of the request that was sent.
  ///
  /// If that is uncertain, the larger part is reported.
  var extent: RequestProgress {
    guard state.withLock({ $0.marks.headSent != nil }) else { return .none }
    return upload.map { $0.isGivenWhole ? .complete : .partial } ?? .complete
  }

  /// The status of the response, or `nil` before its head arrived.
  var status: Int? { state.withLock { $0.status == 0 ? nil : $0.status } }

  /// Indicates whether the request was sent over a connection that an earlier request had used.
  var isOnReusedConnection: Bool { state.withLock { $0.isOnReusedConnection } }

  /// Notes the present instant of the exchange.
  func mark(_ note: (inout ExchangeTimestamps, ExchangeTimestamps.Instant) -> Void) {
    let now = now()
    state.withLock { note(&$0.marks, now) }
  }

  func didSendRequestHead(task: HTTPClient.Task<Response>, _ head: HTTPRequestHead) {
    let now = now()
    let isOnReusedConnection = lines.countRequest() > 1
    state.withLock {
      $0.marks.headSent = now
      $0.isOnReusedConnection = isOnReusedConnection
      $0.sentHeaders = head.headers.map { HeaderField($0.name, $0.value) }
    }
    stalls.didStart(task, over: lines.lastWritten)
  }

  func didSendRequestPart(task: HTTPClient.Task<Response>, _ part: IOData) {
    stalls.didWrite(part.readableBytes)
    upload?.pieceWasTaken()
  }

  func didSendRequest(task: HTTPClient.Task<Response>) {
    mark { $0.sent = $1 }
    stalls.didSendRequest()
  }

  func didReceiveHead(task: HTTPClient.Task<Response>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
    let announced = head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
    let now = now()
    state.withLock {
      $0.marks.headReceived = now
      $0.status = Int(head.status.code)
      $0.headers = head.headers.map { HeaderField($0.name, $0.value) }
      $0.body.reserveCapacity(min(max(announced, 0), limit))
    }
    stalls.didReceiveBytes()
    return announced > limit
      ? task.eventLoop.makeFailedFuture(TooLarge()) : task.eventLoop.makeSucceededVoidFuture()
  }

  func didReceiveBodyPart(task: HTTPClient.Task<Response>, _ buffer: ByteBuffer) -> EventLoopFuture<Void> {
    let fits = state.withLock {
      guard buffer.readableBytes <= limit - $0.body.count else { return false }
      $0.append(buffer)
      return true
    }
    stalls.didReceiveBytes()
    return fits ? task.eventLoop.makeSucceededVoidFuture() : task.eventLoop.makeFailedFuture(TooLarge())
  }

  func didFinishRequest(task: HTTPClient.Task<Response>) throws -> Response {
    finish()
    let now = now()
    var response = state.withLock {
      Response(
        status: $0.status, headers: $0.headers, body: $0.body,
        timing: ExchangeMetrics(started: started, headers: $0.sentHeaders, phases: $0.marks.phases(until: now)))
    }
    let codings = response.headers.filter { $0.name.lowercased() == "content-encoding" }.map(\.value)
    if decodesContent, !codings.isEmpty {
      response.body = try ContentDecoder(fields: codings, limit: limit).decode(response.body)
    }
    return response
  }

  func didReceiveError(task: HTTPClient.Task<Response>, _ error: any Error) { finish() }

  /// Ends the stall detection and the upload.
  ///
  /// Called again by the caller, because the library does not inform the delegate of a request that never got a
  /// connection.
  func finish() {
    stalls.didEnd()
    upload?.end()
  }
}

/// Streams a request body in chunks.
///
/// Each chunk is written when the system has accepted the one before it; the last one waits for `beforeFinalChunk`.
final class BodyWriter: Sendable {
  /// The size of a chunk: 64 KiB.
  static let chunkSize = 64 << 10
  /// The number of bytes that are held back until `beforeFinalChunk` returns.
  static let finalChunkSize = 32

  private let bytes: Data
  private let beforeLastByte: (@Sendable () async throws -> Void)?
  private struct State: Sendable {
    /// The promise for the chunk being written, completed when the system has accepted it.
    var pendingWrite: EventLoopPromise<Void>?
    var isGivenWhole = false
  }
  private let state = Mutex(State())

  init(_ bytes: Data, beforeLastByte: (@Sendable () async throws -> Void)?) {
    self.bytes = bytes
    self.beforeLastByte = beforeLastByte
  }

  var size: Int { bytes.count }

  /// Indicates whether the final chunk was handed to the channel.
  ///
  /// From then on the request may reach the server, even if the bytes are still buffered locally.
  var isGivenWhole: Bool { state.withLock { $0.isGivenWhole } }

  /// The offset at which the final chunk begins.
  private var lastPiece: Int {
    let rest = bytes.count % BodyWriter.chunkSize
    let usual = bytes.count - (rest == 0 ? min(BodyWriter.chunkSize, bytes.count) : rest)
    return beforeLastByte == nil ? usual : bytes.count - min(BodyWriter.finalChunkSize, bytes.count)
  }

  func send(to writer: HTTPClient.Body.StreamWriter, on loop: any EventLoop) -> EventLoopFuture<Void> {
    send(from: 0, to: writer, on: loop)
  }

  /// Completes the chunk being written: the system has accepted it.
  func pieceWasTaken() { state.withLock { $0.pendingWrite.take() }?.succeed() }

  /// Fails the chunk being written: nothing more will be sent.
  func end() { state.withLock { $0.pendingWrite.take() }?.fail(ChannelError.alreadyClosed) }

  private func send(
    from start: Int, to writer: HTTPClient.Body.StreamWriter, on loop: any EventLoop
  ) -> EventLoopFuture<Void> {
    let last = lastPiece
    if start < last {
      let end = min(last, start + BodyWriter.chunkSize)
      return write(start..<end, to: writer, on: loop).flatMap { self.send(from: end, to: writer, on: loop) }
    }
    return awaitHook(on: loop).flatMap {
      self.state.withLock { $0.isGivenWhole = true }
      return writer.write(.byteBuffer(self.buffer(last..<self.bytes.count)))
    }
  }

  private func awaitHook(on loop: any EventLoop) -> EventLoopFuture<Void> {
    guard let beforeLastByte else { return loop.makeSucceededVoidFuture() }
    return loop.makeFutureWithTask { try await beforeLastByte() }
  }

  /// Writes a chunk.
  ///
  /// The writer's future only says that it accepts more, so the promise of the chunk is awaited as well.
  private func write(
    _ range: Range<Int>, to writer: HTTPClient.Body.StreamWriter, on loop: any EventLoop
  ) -> EventLoopFuture<Void> {
    let taken = loop.makePromise(of: Void.self)
    state.withLock { $0.pendingWrite = taken }
    let given = writer.write(.byteBuffer(buffer(range)))
    given.whenFailure { error in self.state.withLock { $0.pendingWrite.take() }?.fail(error) }
    return given.and(taken.futureResult).map { _ in }
  }

  private func buffer(_ range: Range<Int>) -> ByteBuffer {
    ByteBuffer(bytes: bytes[(bytes.startIndex + range.lowerBound)..<(bytes.startIndex + range.upperBound)])
  }
}
