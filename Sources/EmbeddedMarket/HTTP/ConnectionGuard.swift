import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// A channel handler that closes connections that are too slow or send too much, and rejects ambiguous or invalid
/// request heads.
///
/// It is placed directly after NIO's HTTP decoder, so that no other handler ever receives such a request.
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
  /// The number of requests whose responses are not complete.
  private var inFlightCount = 0
  /// The error to send after those responses.
  private var pendingError: MarketHTTPError?
  /// Indicates whether the current request is a HEAD, whose response has no body.
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

  /// Called after every read, also of bytes that are not a complete head yet.
  func channelReadComplete(context: ChannelHandlerContext) {
    if !hasBytes {
      hasBytes = true
      if inFlightCount == 0, !isRefused { closeConnection(in: limits.headerTimeout, context) }
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
      if let refusal = RequestHeadValidator(limits: limits).refusal(of: head) { return refuse(refusal, context) }
      inFlightCount += 1
      bodyBytes = 0
      hasBytes = true
      closeConnection(in: limits.requestTime, context)
      connections.enter(.receiving, context.channel)
    case .body(let buffer):
      let steps = bodyBytes / limits.timeoutResetBytes
      bodyBytes += buffer.readableBytes
      if bodyBytes / limits.timeoutResetBytes > steps {
        closeConnection(in: limits.requestTime, context)
        connections.enter(.receiving, context.channel)
      }
      // A body beyond its limit gets a 413 and is drained up to this size, so that the client can read the response.
      if bodyBytes > limits.maximumDrainedBytes { return context.close(promise: nil) }
    case .end: connections.enter(.serving, context.channel)
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .end = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
    closeConnection(in: limits.idleTimeout, context)
    let sent = promise ?? context.eventLoop.makePromise()
    let (connections, channel) = (connections, context.channel)
    // A response that the client reads slowly is not sent yet.
    sent.futureResult.assumeIsolated().whenComplete { [self] _ in
      if inFlightCount == 0 { connections.enter(.waiting, channel) }
    }
    context.write(data, promise: sent)
    inFlightCount -= 1
    if inFlightCount == 0, let pendingError { refuse(pendingError, context) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let error = error as? HTTPParserError else { return context.fireErrorCaught(error) }
    guard !isRefused else { return }
    isHead = false
    refuse(RequestHeadValidator.refusal(of: error), context)
  }

  private func closeConnection(in time: TimeAmount, _ context: ChannelHandlerContext) {
    timer?.cancel()
    let channel = context.channel
    timer = context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
  }

  private func refuse(_ refusal: MarketHTTPError, _ context: ChannelHandlerContext) {
    isRefused = true
    // Responses are in the order of the requests: this one would be taken for that of another request.
    guard inFlightCount == 0 else {
      pendingError = refusal
      return
    }
    let answer = handler.encodeError(refusal)
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
