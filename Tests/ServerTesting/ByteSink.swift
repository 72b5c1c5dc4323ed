import Foundation
import NIOCore
import NIOPosix
import Synchronization
import TestSupport

/// A server for one request at a time that records every byte of its body as it arrives, at a given rate.
package final class ByteSink: Sendable {
  private struct State: Sendable {
    var received = Data()
    var isClosed = false
  }

  package let port: Int
  package var url: URL { URL(string: "http://127.0.0.1:\(port)")! }
  private let channel: any Channel
  private let group: MultiThreadedEventLoopGroup
  private let sink: Sink

  /// The received part of the body.
  package var body: Data { sink.body }

  /// Starts the server.
  ///
  /// `answer` is sent when the body is complete, unless it is empty. After `limit` bytes it stops reading, or with
  /// `hangsUp` closes the connection. `bytesPerTick` is the rate of reading, or `nil` for no limit.
  package init(
    answer: String, readsOnly limit: Int? = nil, hangsUp: Bool = false, bytesPerTick: Int? = nil,
    tick: TimeAmount = .milliseconds(20)
  ) async throws {
    let sink = Sink(answer: answer, limit: limit, hangsUp: hangsUp, pace: bytesPerTick, tick: tick)
    self.sink = sink
    group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    channel = try await ServerBootstrap(group: group)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelOption(.socketOption(.so_rcvbuf), value: limit == nil && bytesPerTick == nil ? 1 << 18 : 1 << 14)
      .childChannelOption(.autoRead, value: false)
      .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: bytesPerTick ?? 1 << 16))
      .childChannelOption(.maxMessagesPerRead, value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Reader(sink))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    port = channel.localAddress?.port ?? 0
  }

  package func stop() async {
    try? await channel.close().get()
    try? await group.shutdownGracefully()
  }

  /// Waits until the client has closed the connection.
  package func closed() async throws {
    try await Waiting.until("the end of the connection") { sink.isClosed }
  }

  /// Returns the number of bytes of the body, once at least `count` have arrived and no more follow for a moment.
  package func bodyBytes(settlingAt count: Int) async throws -> Int {
    try await Waiting.until("the body") { sink.body.count >= count }
    try await Task.sleep(for: .milliseconds(30))
    return sink.body.count
  }

  fileprivate final class Sink: Sendable {
    let answer: String
    let limit: Int?
    let hangsUp: Bool
    let pace: Int?
    let tick: TimeAmount
    private let state = Mutex(State())

    init(answer: String, limit: Int?, hangsUp: Bool, pace: Int?, tick: TimeAmount) {
      (self.answer, self.limit, self.hangsUp, self.pace, self.tick) = (answer, limit, hangsUp, pace, tick)
    }

    var isClosed: Bool { state.withLock { $0.isClosed } }
    var body: Data {
      state.withLock { state in
        state.received.range(of: Data("\r\n\r\n".utf8)).map { Data(state.received[$0.upperBound...]) } ?? Data()
      }
    }
    /// Returns `nil` until the head is complete.
    var isWhole: Bool {
      state.withLock { state in
        guard let end = state.received.range(of: Data("\r\n\r\n".utf8)) else { return false }
        let head = String(decoding: state.received[..<end.lowerBound], as: UTF8.self).lowercased()
        let length = head.components(separatedBy: "content-length: ").dropFirst().first
          .flatMap { Int($0.prefix { $0.isNumber }) }
        return state.received.count - end.upperBound >= length ?? 0
      }
    }
    var count: Int { state.withLock { $0.received.count } }
    func add(_ bytes: ByteBufferView) { state.withLock { $0.received.append(contentsOf: bytes) } }
    func close() { state.withLock { $0.isClosed = true } }
  }

  private final class Reader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let sink: Sink
    init(_ sink: Sink) { self.sink = sink }

    func channelActive(context: ChannelHandlerContext) { context.read() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      sink.add(unwrapInboundIn(data).readableBytesView)
      if sink.isWhole, !sink.answer.isEmpty {
        context.channel.writeAndFlush(ByteBuffer(string: sink.answer), promise: nil)
      }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
      if let limit = sink.limit, sink.count >= limit {
        if sink.hangsUp { context.close(promise: nil) }
        return
      }
      guard sink.pace != nil else { return context.read() }
      let channel = context.channel
      context.eventLoop.scheduleTask(in: sink.tick) { channel.read() }
    }

    func channelInactive(context: ChannelHandlerContext) { sink.close() }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
  }
}
