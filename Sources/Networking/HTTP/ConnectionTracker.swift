import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Synchronization

/// Tracks the channel that was written to most recently, and the number of requests on each.
///
/// All connections share one event loop, so when the library reports that a request head was sent, `lastWritten` is the
/// channel of that request. AsyncHTTPClient does not expose it otherwise.
final class ConnectionTracker: Sendable {
  private struct State {
    var last: (any Channel)?
    var requests: [ObjectIdentifier: Int] = [:]
  }

  private let state = Mutex(State())

  /// The channel that was written to most recently, or `nil` before the first write.
  var lastWritten: (any Channel)? { state.withLock { $0.last } }

  /// Counts a request on that channel; returns the number of its requests so far.
  func countRequest() -> Int {
    state.withLock { state in
      guard let last = state.last else { return 0 }
      state.requests[ObjectIdentifier(last), default: 0] += 1
      return state.requests[ObjectIdentifier(last), default: 0]
    }
  }

  private func didWrite(_ channel: any Channel) { state.withLock { $0.last = channel } }

  private func didRemove(_ channel: any Channel) {
    state.withLock { state in
      if state.last === channel { state.last = nil }
      state.requests[ObjectIdentifier(channel)] = nil
    }
  }

  /// Installs the write observer and the status check on a channel, and sets a receive buffer of 64 KiB.
  ///
  /// The adaptive allocator of NIO shrinks the buffer after short responses, which splits the next long response into
  /// many reads.
  func install(_ channel: any Channel) -> EventLoopFuture<Void> {
    channel.setOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 1 << 16)).flatMap {
      channel.eventLoop.submit {
        let pipeline = channel.pipeline.syncOperations
        let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
        try pipeline.addHandler(StatusCheck(), position: .after(decoder))
        try pipeline.addHandler(WriteObserver(lines: self), position: .first)
      }
    }
  }

  private final class WriteObserver: ChannelOutboundHandler, Sendable {
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData
    private let lines: ConnectionTracker
    init(lines: ConnectionTracker) { self.lines = lines }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      lines.didWrite(context.channel)
      context.write(data, promise: promise)
    }

    func handlerRemoved(context: ChannelHandlerContext) { lines.didRemove(context.channel) }
  }

  /// Rejects a response whose status is below 100.
  ///
  /// AsyncHTTPClient takes it for an informational response and traps at the body that follows.
  private final class StatusCheck: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart
    private var hasRejected = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      if hasRejected { return }
      guard case .head(let head) = unwrapInboundIn(data), head.status.code < 100 else {
        return context.fireChannelRead(data)
      }
      hasRejected = true
      context.fireErrorCaught(HTTPParserError.invalidStatus)
      context.close(promise: nil)
    }
  }
}
