import AsyncHTTPClient
import Foundation
import NIOCore
import Synchronization

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
