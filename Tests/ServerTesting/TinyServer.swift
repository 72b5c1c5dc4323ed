import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// A real server on a loopback port that performs a scripted action for every complete request.
package final class TinyServer: Sendable {
  /// The action for a request.
  package enum Act: Sendable {
    /// Sends the bytes and leaves the connection open.
    case say(String)
    case sayBytes([UInt8])
    /// Sends the bytes and closes the connection.
    case sayAndClose(String)
    case close
    case silence
    /// Sends one byte of the text every 20 ms.
    case drip(String)
    /// Sends the head, then zeros without end.
    case endless(String)
  }

  package let port: Int
  package var url: URL { URL(string: "http://127.0.0.1:\(port)")! }
  private let channel: any Channel
  private let group: MultiThreadedEventLoopGroup
  private let log: RequestLog

  /// All complete requests as text.
  package var requests: [String] { log.all }

  /// Creates a server whose action depends on the number of a request on its connection.
  package static func perConnection(
    _ act: @escaping @Sendable (_ number: Int, _ request: String) -> Act
  ) async throws -> TinyServer {
    try await TinyServer(act, countsPerConnection: true)
  }

  package convenience init(_ act: @escaping @Sendable (_ number: Int, _ request: String) -> Act) async throws {
    try await self.init(act, countsPerConnection: false)
  }

  private init(_ act: @escaping @Sendable (Int, String) -> Act, countsPerConnection: Bool) async throws {
    let log = RequestLog()
    group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    self.log = log
    channel = try await ServerBootstrap(group: group)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(
            Actor(log: log, act: act, countsPerConnection: countsPerConnection))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    port = channel.localAddress?.port ?? 0
  }

  package convenience init(always act: Act) async throws { try await self.init { _, _ in act } }

  package func stop() async {
    try? await channel.close().get()
    try? await group.shutdownGracefully()
  }
}

final class RequestLog: Sendable {
  private let list = Mutex<[String]>([])
  var all: [String] { list.withLock { $0 } }
  func add(_ text: String) -> Int {
    list.withLock {
      $0.append(text)
      return $0.count
    }
  }
}

private final class Actor: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  private let log: RequestLog
  private let act: @Sendable (Int, String) -> TinyServer.Act
  private let countsPerConnection: Bool
  private var received: [UInt8] = []
  private var count = 0

  init(log: RequestLog, act: @escaping @Sendable (Int, String) -> TinyServer.Act, countsPerConnection: Bool) {
    self.log = log
    self.act = act
    self.countsPerConnection = countsPerConnection
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    received += unwrapInboundIn(data).readableBytesView
    // In bytes, because a picture in the body is not text.
    guard let end = Data(received).range(of: Data("\r\n\r\n".utf8)) else { return }
    let head = String(decoding: received[..<end.lowerBound], as: UTF8.self).lowercased()
    let length =
      head.components(separatedBy: "content-length: ").dropFirst().first.flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
    guard received.count - end.upperBound >= length else { return }
    let text = String(decoding: received, as: UTF8.self)
    received = []
    let channel = context.channel
    count += 1
    let number = log.add(text)
    switch act(countsPerConnection ? count : number, text) {
    case .say(let answer): write(Array(answer.utf8), to: channel)
    case .sayBytes(let bytes): write(bytes, to: channel)
    case .sayAndClose(let answer):
      channel.writeAndFlush(ByteBuffer(string: answer)).whenComplete { _ in channel.close(promise: nil) }
    case .close: channel.close(promise: nil)
    case .silence: break
    case .drip(let answer): drip(Array(answer.utf8)[...], to: channel)
    case .endless(let head):
      write(Array(head.utf8), to: channel)
      pour(to: channel)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  private func write(_ bytes: [UInt8], to channel: any Channel) {
    channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
  }

  private func drip(_ bytes: ArraySlice<UInt8>, to channel: any Channel) { Actor.drip(bytes, to: channel) }

  private static func drip(_ bytes: ArraySlice<UInt8>, to channel: any Channel) {
    guard let byte = bytes.first, channel.isActive else { return }
    channel.writeAndFlush(ByteBuffer(bytes: [byte]), promise: nil)
    channel.eventLoop.scheduleTask(in: .milliseconds(20)) { drip(bytes.dropFirst(), to: channel) }
  }

  private func pour(to channel: any Channel) { Actor.pour(to: channel) }

  private static func pour(to channel: any Channel) {
    channel.writeAndFlush(ByteBuffer(repeating: 0, count: 1 << 16)).whenSuccess { pour(to: channel) }
  }
}
