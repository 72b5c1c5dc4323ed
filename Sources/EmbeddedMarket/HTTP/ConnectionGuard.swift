import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// Closes a connection that is too slow or sends too much, and refuses a head that could be read in two ways or not at all.
///
/// Stands between NIO's HTTP decoder and everything else, so nothing behind it ever sees such a request.
final class ConnectionGuard: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private let limits: ServerLimits
  private let handler: RequestHandler
  private let connections: ConnectionTable
  private var hasBytes = false
  private var timer: Scheduled<Void>?
  private var bodyBytes = 0
  private var isRefused = false
  /// Requests whose answers are still on their way.
  private var unanswered = 0
  /// What is refused behind them.
  private var held: Refusal?
  /// Of the request that is being read; what answers a HEAD has no body.
  private var isHead = false

  init(limits: ServerLimits, handler: RequestHandler, connections: ConnectionTable) {
    self.limits = limits
    self.handler = handler
    self.connections = connections
  }

  func handlerAdded(context: ChannelHandlerContext) {
    if context.channel.isActive { begin(context) }
  }

  func channelActive(context: ChannelHandlerContext) {
    begin(context)
    context.fireChannelActive()
  }

  private func begin(_ context: ChannelHandlerContext) {
    closeConnection(in: limits.firstByteTime, context)
    connections.add(context.channel)
  }

  /// Comes with every read, also of bytes that are no whole head yet.
  func channelReadComplete(context: ChannelHandlerContext) {
    if !hasBytes {
      hasBytes = true
      if unanswered == 0, !isRefused { closeConnection(in: limits.headTime, context) }
    }
    context.fireChannelReadComplete()
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    connections.remove(context.channel)
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isRefused else { return }
    switch unwrapInboundIn(data) {
    case .head(let head):
      isHead = head.method == .HEAD
      if let refusal = HeadRule(limits: limits).refusal(of: head) { return refuse(refusal, context) }
      unanswered += 1
      bodyBytes = 0
      hasBytes = true
      closeConnection(in: limits.requestTime, context)
      connections.enter(.receiving, context.channel)
    case .body(let buffer):
      let steps = bodyBytes / limits.progressBytes
      bodyBytes += buffer.readableBytes
      if bodyBytes / limits.progressBytes > steps {
        closeConnection(in: limits.requestTime, context)
        connections.enter(.receiving, context.channel)
      }
      // Beyond its limit a body is answered 413 and only drained so that the answer can be read, up to here.
      if bodyBytes > limits.drainedBytes { return context.close(promise: nil) }
    case .end: connections.enter(.serving, context.channel)
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .end = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
    closeConnection(in: limits.idleTime, context)
    let sent = promise ?? context.eventLoop.makePromise()
    let (connections, channel) = (connections, context.channel)
    // A response that a client reads slowly is not sent yet.
    sent.futureResult.assumeIsolated().whenComplete { [self] _ in
      if unanswered == 0 { connections.enter(.waiting, channel) }
    }
    context.write(data, promise: sent)
    unanswered -= 1
    if unanswered == 0, let held { refuse(held, context) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let error = error as? HTTPParserError else { return context.fireErrorCaught(error) }
    guard !isRefused else { return }
    isHead = false
    refuse(HeadRule.refusal(of: error), context)
  }

  private func closeConnection(in time: TimeAmount, _ context: ChannelHandlerContext) {
    timer?.cancel()
    let channel = context.channel
    timer = context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
  }

  private func refuse(_ refusal: Refusal, _ context: ChannelHandlerContext) {
    isRefused = true
    // Answers come in the order of the requests: this one would be taken for another's.
    guard unanswered == 0 else {
      held = refusal
      return
    }
    let answer = handler.spell(refusal)
    var headers = HTTPHeaders(answer.headers(at: handler.clock()).map { ($0.name.canonicalName, $0.value) })
    headers.add(name: "Content-Length", value: String(answer.body.readableBytes))
    headers.add(name: "Connection", value: "close")
    let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: refusal.status), headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if !isHead { context.write(wrapOutboundOut(.body(.byteBuffer(answer.body))), promise: nil) }
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
  }
}

/// Hummingbird's HTTP/1.1 connection with our guard right behind the decoder.
struct GuardedChannel: ServerChildChannel {
  private let inner: HTTP1Channel
  private let limits: ServerLimits
  private let handler: RequestHandler
  private let connections: ConnectionTable

  init(limits: ServerLimits, handler: RequestHandler) {
    self.limits = limits
    self.handler = handler
    connections = ConnectionTable(limits)
    let decoder = HTTP1Channel.Configuration.DecoderConfiguration(
      maxHeaderFieldSize: limits.headBytes, maxHeaderListSize: limits.headBytes,
      maxHeaderFieldCount: limits.headFields)
    inner = HTTP1Channel(
      responder: { request, writer, _ in try await handler.serve(request, writer) },
      configuration: .init(httpDecoderConfiguration: decoder))
  }

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
    let (limits, handler, connections) = (limits, handler, connections)
    return inner.setup(channel: channel, logger: logger).flatMapThrowing { value in
      let pipeline = channel.pipeline.syncOperations
      let decoder = try pipeline.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self)
      let connection = ConnectionGuard(limits: limits, handler: handler, connections: connections)
      try pipeline.addHandler(connection, position: .after(decoder.handler))
      return value
    }
  }

  func handle(value: HTTP1Channel.Value, logger: Logger) async { await inner.handle(value: value, logger: logger) }
}

/// What goes wrong on purpose, so that those who write clients see how theirs bear it: `--slow` and `--fail` of `serve`.
///
/// The page for people and the OpenAPI document are spared.
package struct FaultInjection: Sendable {
  /// Every answer waits so long first.
  package var delay: Duration
  /// Of the requests, this part is answered 503 and nothing is done; 0 to 1.
  package var failureRate: Double
  /// A number from 0 up to 1, another one each time.
  package var chance: @Sendable () -> Double

  package init(
    delay: Duration = .zero, failureRate: Double = 0,
    chance: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {
    self.delay = delay
    self.failureRate = failureRate
    self.chance = chance
  }

  /// Throws a 503 where it is this request's turn to fail.
  func strike(_ path: String) async throws {
    guard path != "/", path != "/openapi.json" else { return }
    if delay > .zero { try await Task.sleep(for: delay) }
    if failureRate > 0, chance() < failureRate { throw Refusal(503, "Service Unavailable, as --fail asks for") }
  }
}
