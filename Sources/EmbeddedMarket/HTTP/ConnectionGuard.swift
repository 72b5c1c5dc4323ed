import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// Closes a connection that is too slow or sends too much, and answers 400 to a head that could be read in two ways.
///
/// Stands between NIO's HTTP decoder and everything else, so nothing behind it ever sees such a request.
final class ConnectionGuard: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private let limits: ServerLimits
  private var timer: Scheduled<Void>?
  private var bodyBytes = 0
  private var isRefused = false
  /// Requests whose answers are still on their way.
  private var unanswered = 0
  /// What is refused behind them.
  private var held: HTTPResponseStatus?

  init(limits: ServerLimits) { self.limits = limits }

  func handlerAdded(context: ChannelHandlerContext) {
    if context.channel.isActive { closeConnection(in: limits.headTime, context) }
  }

  func channelActive(context: ChannelHandlerContext) {
    closeConnection(in: limits.headTime, context)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isRefused else { return }
    switch unwrapInboundIn(data) {
    case .head(let head):
      if let refusal = HeadRule(limits: limits).refusal(of: head) { return refuse(refusal, context) }
      unanswered += 1
      bodyBytes = 0
      closeConnection(in: limits.requestTime, context)
    case .body(let buffer):
      bodyBytes += buffer.readableBytes
      // Beyond its limit a body is answered 413 and only drained so that the answer can be read, up to here.
      if bodyBytes > limits.drainedBytes { return context.close(promise: nil) }
    case .end: break
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .end = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
    closeConnection(in: limits.idleTime, context)
    context.write(data, promise: promise)
    unanswered -= 1
    if unanswered == 0, let held { refuse(held, context) }
  }

  private func closeConnection(in time: TimeAmount, _ context: ChannelHandlerContext) {
    timer?.cancel()
    let channel = context.channel
    timer = context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
  }

  private func refuse(_ status: HTTPResponseStatus, _ context: ChannelHandlerContext) {
    isRefused = true
    // Answers come in the order of the requests: this one would be taken for another's.
    guard unanswered == 0 else {
      held = status
      return
    }
    let headers: HTTPHeaders = ["Content-Length": "0", "Connection": "close"]
    context.write(
      wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))), promise: nil)
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
  }
}

/// Hummingbird's HTTP/1.1 connection with our guard right behind the decoder.
struct GuardedChannel: ServerChildChannel {
  private let inner: HTTP1Channel
  private let limits: ServerLimits

  init(limits: ServerLimits, responder: @escaping HTTPChannelHandler.Responder) {
    self.limits = limits
    let decoder = HTTP1Channel.Configuration.DecoderConfiguration(
      maxHeaderFieldSize: limits.headBytes, maxHeaderListSize: limits.headBytes,
      maxHeaderFieldCount: limits.headFields)
    inner = HTTP1Channel(responder: responder, configuration: .init(httpDecoderConfiguration: decoder))
  }

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
    let limits = limits
    return inner.setup(channel: channel, logger: logger).flatMapThrowing { value in
      let pipeline = channel.pipeline.syncOperations
      let decoder = try pipeline.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self)
      try pipeline.addHandler(ConnectionGuard(limits: limits), position: .after(decoder.handler))
      return value
    }
  }

  func handle(value: HTTP1Channel.Value, logger: Logger) async { await inner.handle(value: value, logger: logger) }
}
