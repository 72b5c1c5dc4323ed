import Foundation
import NIOCore
import Synchronization

/// Knows over which connection was written last: of one event loop, the one that the request at hand has just begun to
/// leave by.
final class Lines: Sendable {
  private let last = Mutex<(any Channel)?>(nil)

  /// The connection that was written to last; nil before the first.
  var latest: (any Channel)? { last.withLock { $0 } }

  /// Has every write of the connection noted.
  func watch(_ channel: any Channel) -> EventLoopFuture<Void> {
    channel.pipeline.addHandler(Noter(lines: self), position: .first)
  }

  private final class Noter: ChannelOutboundHandler, Sendable {
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData
    private let lines: Lines
    init(lines: Lines) { self.lines = lines }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      lines.last.withLock { $0 = context.channel }
      context.write(data, promise: promise)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
      lines.last.withLock { if $0 === context.channel { $0 = nil } }
    }
  }
}

/// What the kernel knows of a connection (`TCP_INFO`).
struct LineState: Sendable {
  /// Of the handshake; nil where the kernel does not tell.
  var roundTrip: Duration?
  /// Bytes of ours that the other side has acknowledged since the connection stands; 0 where the kernel does not tell.
  var acknowledged: UInt64

  /// `struct tcp_info` of linux/tcp.h as words of eight bytes; the one of the C library ends before what is wanted.
  private struct Words {
    typealias Four = (UInt64, UInt64, UInt64, UInt64)
    var words: (Four, Four, Four, Four, Four)
  }

  /// Nil where the connection is no socket of this system, or gone.
  static func of(_ channel: any Channel) -> EventLoopFuture<LineState?> {
    guard let socket = channel as? any SocketOptionProvider else { return channel.eventLoop.makeSucceededFuture(nil) }
    let told: EventLoopFuture<Words> = socket.unsafeGetSocketOption(
      level: .tcp, name: .init(rawValue: CInt(TCP_INFO)))
    return told.map { told in
      withUnsafeBytes(of: told) { bytes in
        // Byte 68 is `tcpi_rtt`, in microseconds; byte 120 `tcpi_bytes_acked`.
        let roundTrip = bytes.load(fromByteOffset: 68, as: UInt32.self)
        let acknowledged = bytes.load(fromByteOffset: 120, as: UInt64.self)
        return LineState(
          roundTrip: roundTrip > 0 ? .microseconds(Int64(roundTrip)) : nil, acknowledged: acknowledged)
      }
    }.flatMapErrorThrowing { _ in nil }
  }
}
