import AsyncHTTPClient
import NIOCore
import Synchronization

/// Tracks the channel that was written to most recently.
///
/// All connections share one event loop, so when the library reports that a request head was sent, `lastWritten` is the
/// channel of that request. AsyncHTTPClient does not expose it otherwise.
final class ConnectionTracker: Sendable {
  private let last = Mutex<(any Channel)?>(nil)

  /// The channel that was written to most recently, or `nil` before the first write.
  var lastWritten: (any Channel)? { last.withLock { $0 } }

  /// Installs the write observer on a channel and sets a receive buffer of 64 KiB.
  ///
  /// The adaptive allocator of NIO shrinks the buffer after short responses, which splits the next long response into
  /// many reads.
  func install(_ channel: any Channel) -> EventLoopFuture<Void> {
    channel.setOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 1 << 16)).flatMap {
      channel.pipeline.addHandler(WriteObserver(lines: self), position: .first)
    }
  }

  private final class WriteObserver: ChannelOutboundHandler, Sendable {
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData
    private let lines: ConnectionTracker
    init(lines: ConnectionTracker) { self.lines = lines }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      lines.last.withLock { $0 = context.channel }
      context.write(data, promise: promise)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
      lines.last.withLock { if $0 === context.channel { $0 = nil } }
    }
  }
}
