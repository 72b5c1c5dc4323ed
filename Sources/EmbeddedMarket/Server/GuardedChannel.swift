import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

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
