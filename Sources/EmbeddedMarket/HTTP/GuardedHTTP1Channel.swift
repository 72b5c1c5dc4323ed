import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOSSL

/// Hummingbird's HTTP/1.1 channel with the guard directly after the decoder.
struct GuardedHTTP1Channel: ServerChildChannel {
  private let inner: HTTP1Channel
  private let limits: ServerLimits
  private let handler: RequestHandler
  private let connections: ConnectionTable
  private let tls: NIOSSLContext?

  init(limits: ServerLimits, handler: RequestHandler, connections: ConnectionTable, tls: NIOSSLContext?) {
    self.tls = tls
    self.limits = limits
    self.handler = handler
    self.connections = connections
    let decoder = HTTP1Channel.Configuration.DecoderConfiguration(
      maxHeaderFieldSize: limits.headBytes, maxHeaderListSize: limits.headBytes,
      maxHeaderFieldCount: limits.headFields)
    inner = HTTP1Channel(
      responder: { request, writer, channel in
        let key = ConnectionTable.Key(channel)
        let connection = RequestConnection(number: connections.number(of: key)) { connections.isOpen(key) }
        try await handler.serve(request, writer, on: channel, connection)
      },
      configuration: .init(httpDecoderConfiguration: decoder))
  }

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
    let (limits, handler, connections) = (limits, handler, connections)
    if let tls {
      do {
        try channel.pipeline.syncOperations.addHandlers([PlainTextRefusal(), NIOSSLServerHandler(context: tls)])
      } catch {
        return channel.eventLoop.makeFailedFuture(error)
      }
    }
    return inner.setup(channel: channel, logger: logger).flatMapThrowing { value in
      let pipeline = channel.pipeline.syncOperations
      let decoder = try pipeline.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self)
      let meter = ByteMeter()
      let connection = ConnectionGuard(limits: limits, handler: handler, connections: connections, meter: meter)
      try pipeline.addHandler(meter, position: .before(decoder.handler))
      try pipeline.addHandler(connection, position: .after(decoder.handler))
      return value
    }
  }

  func handle(value: HTTP1Channel.Value, logger: Logger) async { await inner.handle(value: value, logger: logger) }
}

/// A channel handler that counts the bytes that arrive, before they are decoded.
///
/// The decoder passes on the content of a body alone: an extension of a chunk (RFC 9112 section 7.1.1) has no end and no
/// effect. Bytes are passed on in steps, so that the count at the head and at the end of a request includes only few bytes
/// of other requests.
final class ByteMeter: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private static let step = 1024

  /// The number of bytes since it was last set to zero. A step is counted before it is passed on.
  var count = 0
  /// Indicates that the body has a Content-Length: it has no frame, and is passed on complete.
  var hasLength = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    while bytes.readableBytes > 0 {
      let length = hasLength ? bytes.readableBytes : min(bytes.readableBytes, ByteMeter.step)
      guard let part = bytes.readSlice(length: length) else { return }
      count += length
      context.fireChannelRead(wrapInboundOut(part))
    }
  }
}

/// A channel handler that responds to a client that speaks http to a port for https, and closes the connection.
private final class PlainTextRefusal: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// The first byte of a TLS connection: a handshake record (RFC 8446 section 5.1).
  private static let handshake: UInt8 = 22
  private var isFirst = true
  private var isRefused = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = unwrapInboundIn(data)
    if isFirst, let first = bytes.readableBytesView.first {
      isFirst = false
      isRefused = first != PlainTextRefusal.handshake
      if isRefused { refuse(context) }
    }
    if !isRefused { context.fireChannelRead(data) }
  }

  private func refuse(_ context: ChannelHandlerContext) {
    let text = "This port accepts https only, and the request was sent in http.\n"
    let response = ByteBuffer(
      string: "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nContent-Length: \(text.utf8.count)\r\n"
        + "Connection: close\r\n\r\n" + text)
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(response)).whenComplete { _ in channel.close(promise: nil) }
  }
}
