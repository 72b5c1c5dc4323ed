import AsyncHTTPClient
import Foundation
import NIOCore
import Synchronization

/// Writes a body piece by piece: the next one goes when the system has taken the one before it, and the last bytes wait
/// until they may go.
final class Upload: Sendable {
  /// 64 KiB.
  static let piece = 64 << 10
  /// What is held back where something has to be done before the last byte leaves.
  static let heldBack = 32

  private let bytes: Data
  private let beforeLastByte: (@Sendable () async throws -> Void)?
  private struct State: Sendable {
    /// Of the piece that is on its way.
    var underWay: EventLoopPromise<Void>?
    var isGivenWhole = false
  }
  private let state = Mutex(State())

  init(_ bytes: Data, beforeLastByte: (@Sendable () async throws -> Void)?) {
    self.bytes = bytes
    self.beforeLastByte = beforeLastByte
  }

  var size: Int { bytes.count }

  /// True from the moment on in which the last byte is given away and cannot be called back, though it may still wait
  /// in a buffer of ours.
  var isGivenWhole: Bool { state.withLock { $0.isGivenWhole } }

  /// Where the last piece begins.
  private var lastPiece: Int {
    let rest = bytes.count % Upload.piece
    let usual = bytes.count - (rest == 0 ? min(Upload.piece, bytes.count) : rest)
    return beforeLastByte == nil ? usual : bytes.count - min(Upload.heldBack, bytes.count)
  }

  func send(to writer: HTTPClient.Body.StreamWriter, on loop: any EventLoop) -> EventLoopFuture<Void> {
    send(from: 0, to: writer, on: loop)
  }

  /// The system has taken the piece.
  func pieceWasTaken() { state.withLock { $0.underWay.take() }?.succeed() }

  /// Nothing more of it will leave.
  func end() { state.withLock { $0.underWay.take() }?.fail(ChannelError.alreadyClosed) }

  private func send(
    from start: Int, to writer: HTTPClient.Body.StreamWriter, on loop: any EventLoop
  ) -> EventLoopFuture<Void> {
    let last = lastPiece
    if start < last {
      let end = min(last, start + Upload.piece)
      return write(start..<end, to: writer, on: loop).flatMap { self.send(from: end, to: writer, on: loop) }
    }
    return permission(on: loop).flatMap {
      self.state.withLock { $0.isGivenWhole = true }
      return writer.write(.byteBuffer(self.buffer(last..<self.bytes.count)))
    }
  }

  private func permission(on loop: any EventLoop) -> EventLoopFuture<Void> {
    guard let beforeLastByte else { return loop.makeSucceededVoidFuture() }
    return loop.makeFutureWithTask { try await beforeLastByte() }
  }

  /// The writer's own future only tells that more may be given to it, so the taking is waited for as well.
  private func write(
    _ range: Range<Int>, to writer: HTTPClient.Body.StreamWriter, on loop: any EventLoop
  ) -> EventLoopFuture<Void> {
    let taken = loop.makePromise(of: Void.self)
    state.withLock { $0.underWay = taken }
    let given = writer.write(.byteBuffer(buffer(range)))
    given.whenFailure { error in self.state.withLock { $0.underWay.take() }?.fail(error) }
    return given.and(taken.futureResult).map { _ in }
  }

  private func buffer(_ range: Range<Int>) -> ByteBuffer {
    ByteBuffer(bytes: bytes[(bytes.startIndex + range.lowerBound)..<(bytes.startIndex + range.upperBound)])
  }
}
