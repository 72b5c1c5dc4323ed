import Foundation
import NIOCore

/// The kernel's information about a connection (`TCP_INFO`).
struct TCPInfo: Sendable {
  /// The smoothed round-trip time, or `nil` if the kernel does not report it.
  var roundTrip: Duration?
  /// The number of bytes that the peer has acknowledged since the connection was established; 0 if the kernel does not
  /// report it.
  var acknowledged: UInt64

  /// The storage of `struct tcp_info` from linux/tcp.h.
  ///
  /// The struct of the C library ends before the fields needed here.
  private struct RawTCPInfo {
    typealias Four = (UInt64, UInt64, UInt64, UInt64)
    var words: (Four, Four, Four, Four, Four)
  }

  /// Reads the information, or returns `nil` if the channel is not a socket of this system or is closed.
  static func read(_ channel: any Channel) -> EventLoopFuture<TCPInfo?> {
    guard let socket = channel as? any SocketOptionProvider else { return channel.eventLoop.makeSucceededFuture(nil) }
    let info: EventLoopFuture<RawTCPInfo> = socket.unsafeGetSocketOption(
      level: .tcp, name: .init(rawValue: CInt(TCP_INFO)))
    return info.map { info in
      withUnsafeBytes(of: info) { bytes in
        // Byte 68 is `tcpi_rtt` in microseconds, byte 120 `tcpi_bytes_acked`.
        let roundTrip = bytes.load(fromByteOffset: 68, as: UInt32.self)
        let acknowledged = bytes.load(fromByteOffset: 120, as: UInt64.self)
        return TCPInfo(
          roundTrip: roundTrip > 0 ? .microseconds(Int64(roundTrip)) : nil, acknowledged: acknowledged)
      }
    }.flatMapErrorThrowing { _ in nil }
  }
}
