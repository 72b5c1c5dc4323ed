import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// A slow connection: it accepts any amount of data at once and delivers it at its own rate, even after the sender has
/// closed.
///
/// Responses are passed on immediately.
///
/// With `.connect` it is a proxy with the method `CONNECT`; otherwise every connection leads to one port.
package final class Tunnel: Sendable {
  package enum Kind: Hashable, Sendable {
    case straight
    case connect
  }

  fileprivate struct State: Sendable {
    var port = 0
    var bytesPerSecond: Int?
    /// The prefix of connections that are not delivered until `release`.
    var held: String?
    var heads: [String] = []
    var connected: [String] = []
  }

  package let port: Int
  package var url: URL { URL(string: "http://127.0.0.1:\(port)")! }
  private let channel: any Channel
  private let group: MultiThreadedEventLoopGroup
  private let shared: Shared

  /// The first line of every request that began a connection or arrived alone; for a proxy, of those within the tunnel.
  package var firstLines: [String] { shared.state.withLock { $0.heads } }
  /// The targets requested from a proxy: `HOST:PORT`.
  package var asked: [String] { shared.state.withLock { $0.connected } }

  package init(_ kind: Kind = .straight) async throws {
    let shared = Shared()
    self.shared = shared
    group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    channel = try await ServerBootstrap(group: group)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Entrance(shared, kind))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    port = channel.localAddress?.port ?? 0
  }

  /// Directs new connections to a port of this machine.
  package func lead(to port: Int) { shared.state.withLock { $0.port = port } }
  /// Sets the rate of delivery; `nil` delivers immediately.
  package func deliver(bytesPerSecond: Int?) { shared.state.withLock { $0.bytesPerSecond = bytesPerSecond } }
  /// Holds requests that begin with the prefix, complete or in part.
  package func hold(_ beginning: String) { shared.state.withLock { $0.held = beginning } }
  package func release() { shared.state.withLock { $0.held = nil } }

  package func stop() async {
    try? await channel.close().get()
    try? await group.shutdownGracefully()
  }

  fileprivate final class Shared: Sendable {
    let state = Mutex(State())
  }
}

/// The listening side: buffers received data and delivers it gradually.
private final class Entrance: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  private static let tick = TimeAmount.milliseconds(10)

  private let shared: Tunnel.Shared
  private let kind: Tunnel.Kind
  private var isAsked: Bool
  private var kept: [UInt8] = []
  private var delivered = 0
  private var isOver = false
  private var exit: (any Channel)?
  private var isConnecting = false
  private var isTicking = false
  /// The number of bytes that may be delivered, in thousandths.
  private var allowance = 0

  init(_ shared: Tunnel.Shared, _ kind: Tunnel.Kind) {
    self.shared = shared
    self.kind = kind
    isAsked = kind == .straight
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = Array(unwrapInboundIn(data).readableBytesView)
    if isAsked, let line = Entrance.requestLine(bytes) { shared.state.withLock { $0.heads.append(line) } }
    kept += bytes
    if !isAsked { answerTheQuestion(context) }
    if isAsked { open(context, to: shared.state.withLock { $0.port }) }
    step(context)
  }

  /// Handles `CONNECT HOST:PORT HTTP/1.1` and its header fields.
  private func answerTheQuestion(_ context: ChannelHandlerContext) {
    guard let end = Data(kept).range(of: Data("\r\n\r\n".utf8)) else { return }
    let words = String(decoding: kept[..<end.lowerBound], as: UTF8.self).prefix { $0 != "\r\n" }.split(separator: " ")
    kept.removeFirst(end.upperBound)
    guard words.count == 3, words[0] == "CONNECT", let port = words[1].split(separator: ":").last.flatMap({ Int($0) })
    else {
      context.writeAndFlush(NIOAny(ByteBuffer(string: "HTTP/1.1 405 No\r\nContent-Length: 0\r\n\r\n")), promise: nil)
      return
    }
    shared.state.withLock {
      $0.connected.append(String(words[1]))
      $0.port = port
    }
    isAsked = true
    context.writeAndFlush(NIOAny(ByteBuffer(string: "HTTP/1.1 200 Connection established\r\n\r\n")), promise: nil)
  }

  private func open(_ context: ChannelHandlerContext, to port: Int) {
    guard exit == nil, !isConnecting else { return }
    isConnecting = true
    let (near, entrance, bound) = (
      context.channel, NIOLoopBound(self, eventLoop: context.eventLoop),
      NIOLoopBound(context, eventLoop: context.eventLoop)
    )
    ClientBootstrap(group: context.eventLoop)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Exit(near)) }
      }
      .connect(host: "127.0.0.1", port: port).whenComplete { result in
        switch result {
        case .success(let channel):
          entrance.value.exit = channel
          entrance.value.step(bound.value)
        case .failure: near.close(promise: nil)
        }
      }
  }

  /// Delivers what is allowed now, and schedules the rest.
  private func step(_ context: ChannelHandlerContext) {
    guard let exit else { return }
    let (pace, held) = shared.state.withLock { ($0.bytesPerSecond, $0.held) }
    let isHeld = held.map { kept.starts(with: $0.utf8) || delivered > 0 && kept.isEmpty == false } ?? false
    if !isHeld, !kept.isEmpty {
      var count = kept.count
      if let pace {
        if isTicking { return }
        allowance += pace * 10
        count = min(kept.count, allowance / 1000)
        allowance -= count * 1000
      }
      if count > 0 {
        exit.writeAndFlush(ByteBuffer(bytes: kept.prefix(count)), promise: nil)
        kept.removeFirst(count)
        delivered += count
      }
    }
    if kept.isEmpty {
      allowance = 0
      delivered = 0
      if isOver { exit.close(promise: nil) }
      return
    }
    guard !isTicking else { return }
    isTicking = true
    let (entrance, bound) = (
      NIOLoopBound(self, eventLoop: context.eventLoop), NIOLoopBound(context, eventLoop: context.eventLoop)
    )
    context.eventLoop.scheduleTask(in: Entrance.tick) {
      entrance.value.isTicking = false
      entrance.value.step(bound.value)
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if let event = event as? ChannelEvent, event == .inputClosed { end(context) }
  }

  func channelInactive(context: ChannelHandlerContext) { end(context) }
  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  private func end(_ context: ChannelHandlerContext) {
    isOver = true
    step(context)
  }

  private static func requestLine(_ bytes: [UInt8]) -> String? {
    let methods = ["GET ", "POST ", "PATCH ", "DELETE ", "PUT ", "HEAD "]
    let beginning = String(decoding: bytes.prefix(200), as: UTF8.self)
    guard methods.contains(where: beginning.hasPrefix) else { return nil }
    return String(beginning.prefix { $0 != "\r\n" })
  }
}

/// The side connected to the server, whose responses are passed on immediately.
private final class Exit: ChannelInboundHandler, Sendable {
  typealias InboundIn = ByteBuffer
  private let near: any Channel
  init(_ near: any Channel) { self.near = near }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    near.writeAndFlush(unwrapInboundIn(data), promise: nil)
  }
  func channelInactive(context: ChannelHandlerContext) { near.close(promise: nil) }
  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
