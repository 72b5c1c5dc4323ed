import AsyncHTTPClient
import Foundation
import NIOCore

/// Writes a long body piece by piece; the next one goes when the one before it has left.
struct UploadInPieces: Sendable {
  /// 64 KiB.
  static let piece = 64 << 10

  private let bytes: Data
  private let writer: HTTPClient.Body.StreamWriter
  private let progress: @Sendable (Int, Int) -> Void

  init(_ bytes: Data, to writer: HTTPClient.Body.StreamWriter, progress: @escaping @Sendable (Int, Int) -> Void) {
    self.bytes = bytes
    self.writer = writer
    self.progress = progress
  }

  func send(from start: Int) -> EventLoopFuture<Void> {
    let end = min(bytes.count, start + UploadInPieces.piece)
    let part = bytes[(bytes.startIndex + start)..<(bytes.startIndex + end)]
    let sent = writer.write(.byteBuffer(ByteBuffer(bytes: part)))
    return sent.flatMap {
      progress(end, bytes.count)
      return end < bytes.count ? send(from: end) : sent.eventLoop.makeSucceededVoidFuture()
    }
  }
}
