import Foundation
import Glibc
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// A channel handler that closes connections that are too slow or send too much, and rejects ambiguous or invalid
/// request heads.
///
/// It is placed directly after NIO's HTTP decoder, so that no other handler ever receives such a request. It writes the
/// log line of every request to which no other handler responds.
final class ConnectionGuard: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// The event that a time limit is for.
  private enum TimeLimit {
    case firstByte
    case head
    case body
    case response
    case nextHead
  }

  private let limits: ServerLimits
  private let handler: RequestHandler
  private let connections: ConnectionTable
  private let meter: ByteMeter
  private var key: ConnectionTable.Key?
  private var hasBytes = false
  /// Indicates that the client was found to be of the account that runs the market.
  private var isOwn = false
  private var timer: Scheduled<Void>?
  /// The last head that was read, and its time.
  private var request: (head: HTTPRequestHead, readAt: NIODeadline)?
  /// The parts of the last request, until it is complete or the bytes that were read together with its head are decoded.
  ///
  /// If they are not a valid body, no other handler gets the request: its response and log line would race with those
  /// of the refusal.
  private var heldParts: [NIOAny] = []
  /// Indicates that other handlers have the head of the last request and not the end of its body.
  private var isBodyOpen = false
  private var bodyBytes = 0
  /// Indicates that the body of the last request is not complete.
  private var isReceiving = false
  private var isRefused = false
  /// Indicates that the refusal is written: no other response follows.
  private var isRefusalSent = false
  /// The number of requests whose responses are not complete.
  private var inFlightCount = 0
  /// The error to send after the responses to earlier requests.
  private var pendingError: MarketHTTPError?
  /// Indicates whether the current request is a HEAD, whose response has no body.
  private var isHead = false

  init(limits: ServerLimits, handler: RequestHandler, connections: ConnectionTable, meter: ByteMeter) {
    self.meter = meter
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
    guard key == nil else { return }
    close(in: limits.firstByteTime, for: .firstByte, context)
    key = connections.add(context.channel)
  }

  /// Called after every read, also of bytes that are not a complete head yet.
  func channelReadComplete(context: ChannelHandlerContext) {
    if !hasBytes {
      hasBytes = true
      enter(.waiting)
      if inFlightCount == 0, !isRefused { close(in: limits.headerTimeout, for: .head, context) }
    }
    if isReceiving, !isRefused, hasOversizedFrame { refuse(.oversizedFrame, context) }
    forwardHeldParts(context)
    context.fireChannelReadComplete()
  }

  /// Indicates that the frame of the body takes much more bytes than its content.
  ///
  /// The frame of the smallest chunks is five times their content.
  private var hasOversizedFrame: Bool {
    !meter.hasLength && meter.count > limits.headBytes + limits.chunkedBytes * max(bodyBytes, 1)
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    if let key { connections.remove(key) }
    logCut("The client closed the connection after \(receivedText)")
    failOpenBody(context)
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard let eviction = event as? ConnectionTable.Eviction else {
      return context.fireUserInboundEventTriggered(event)
    }
    switch eviction.kind {
    case .uploads: logCut("Closed after \(receivedText), because uploads took too much memory")
    case .full, .busy, .share, .silent: logCut("Closed after \(receivedText) in favor of other connections")
    }
    context.close(promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isRefused else { return }
    switch unwrapInboundIn(data) {
    case .head(let received):
      let head = RequestHeadValidator.normalized(received)
      isHead = head.method == .HEAD
      request = (head, .now())
      hasBytes = true
      if let refusal = RequestHeadValidator(limits: limits).refusal(of: head) { return refuse(refusal, context) }
      if handler.servesOwnAccountOnly, !isOwn {
        isOwn = OwnAccount.owns(context.channel)
        guard isOwn else { return refuse(.foreignAccount, context) }
      }
      inFlightCount += 1
      bodyBytes = 0
      meter.count = 0
      meter.hasLength = head.headers.contains(name: "Content-Length")
      isReceiving = true
      close(in: limits.requestTime, for: .body, context)
      enter(.receiving)
      heldParts = [wrapInboundOut(.head(head))]
    case .body(let buffer):
      let steps = bodyBytes / limits.timeoutResetBytes
      bodyBytes += buffer.readableBytes
      if bodyBytes / limits.timeoutResetBytes > steps {
        close(in: limits.requestTime, for: .body, context)
        enter(.receiving)
      }
      // A body beyond its limit gets a 413 and is drained up to this size, so that the client can read the response.
      if bodyBytes > limits.maximumDrainedBytes { return context.close(promise: nil) }
      guard heldParts.isEmpty else { return heldParts.append(data) }
      context.fireChannelRead(data)
    case .end:
      if hasOversizedFrame { return refuse(.oversizedFrame, context) }
      isReceiving = false
      meter.hasLength = false
      timer?.cancel()
      // The response to a request that was too large may be complete already.
      if inFlightCount == 0 { close(in: limits.idleTimeout, for: .nextHead, context) }
      enter(inFlightCount == 0 ? .waiting : .serving)
      forwardHeldParts(context)
      isBodyOpen = false
      context.fireChannelRead(data)
    }
  }

  private func forwardHeldParts(_ context: ChannelHandlerContext) {
    guard !heldParts.isEmpty else { return }
    let parts = heldParts
    heldParts = []
    isBodyOpen = true
    for part in parts { context.fireChannelRead(part) }
  }

  /// Ends a body that is not complete with an error.
  ///
  /// The end of the connection alone would be taken for the end of a body in chunks, and its beginning for a request.
  private func failOpenBody(_ context: ChannelHandlerContext) {
    heldParts = []
    guard isBodyOpen else { return }
    isBodyOpen = false
    context.fireErrorCaught(IncompleteRequest())
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard !isRefusalSent else {
      promise?.fail(ChannelError.ioOnClosedChannel)
      return
    }
    let part = unwrapOutboundIn(data)
    if case .head = part, !isReceiving { close(in: limits.requestTime, for: .response, context) }
    guard case .end = part else { return context.write(data, promise: promise) }
    let sent = promise ?? context.eventLoop.makePromise()
    // A response that the client reads slowly is not sent yet.
    sent.futureResult.assumeIsolated().whenComplete { [self] _ in
      guard inFlightCount == 0, !isReceiving, context.channel.isActive else { return }
      close(in: limits.idleTimeout, for: .nextHead, context)
      enter(.waiting)
    }
    context.write(data, promise: sent)
    inFlightCount -= 1
    if inFlightCount == (isReceiving ? 1 : 0), let pendingError { refuse(pendingError, context) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // After its first error the decoder reports another one for all bytes that follow.
    guard !isRefused else { return }
    guard let error = error as? HTTPParserError else { return context.fireErrorCaught(error) }
    // The head of the request at fault is known only if the error is in its body.
    if !isReceiving { (request, isHead) = (nil, false) }
    refuse(RequestHeadValidator.refusal(of: error), context)
  }

  private func enter(_ phase: ConnectionTable.Phase) {
    guard let key else { return }
    connections.enter(phase, key, bodyBytes: phase == .waiting ? 0 : bodyBytes)
  }

  private func close(in time: TimeAmount, for limit: TimeLimit, _ context: ChannelHandlerContext) {
    timer?.cancel()
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: time) { [self] in
      let seconds = max(1, time.nanoseconds / 1_000_000_000)
      switch limit {
      case .body: logCut("Closed after \(receivedText): less than 1 kB/s arrived for \(seconds) s")
      case .head: log(reason: "Closed without a complete request after \(seconds) s")
      case .firstByte, .response, .nextHead: break
      }
      context.close(promise: nil)
    }
  }

  /// The part of the body that was received.
  private var receivedText: String {
    let length = request?.head.headers.first(name: "Content-Length").flatMap { Int($0) }
    return length.map { "\(bodyBytes) of \($0) bytes of the body" } ?? "\(bodyBytes) bytes of the body"
  }

  /// Logs that the connection is closed before the request was complete, unless it was answered.
  private func logCut(_ reason: @autoclosure () -> String) {
    guard isReceiving, !isRefused, inFlightCount > 0 else { return }
    isReceiving = false
    log(reason: reason())
  }

  private func log(status: Int? = nil, byteCount: Int = 0, reason: String, refusal: LoggedRefusal? = nil) {
    guard let log = handler.log else { return }
    var entry = AccessLogEntry(status: status, byteCount: byteCount, address: key?.address ?? "", reason: reason)
    entry.refusal = refusal
    if let request {
      entry.method = request.head.method.rawValue
      entry.target = request.head.uri
      let query = request.head.uri.split(separator: "?", maxSplits: 1).dropFirst().first
      entry.login = handler.api.login({ request.head.headers.first(name: $0.canonicalName) }, query: query ?? "")
      entry.shownParameters = handler.api.shownParameters
      entry.isOfApp = ReceivedRequests.isOfApp(agent: request.head.headers.first(name: "User-Agent"))
      entry.duration = .nanoseconds((NIODeadline.now() - request.readAt).nanoseconds)
    }
    Task { [entry] in await log.write(entry) }
  }

  /// Sends a refusal and closes the connection.
  private func refuse(_ refusal: MarketHTTPError, _ context: ChannelHandlerContext) {
    isRefused = true
    failOpenBody(context)
    // Responses are in the order of the requests: this one would be taken for that of another request. A request whose
    // body is at fault is not answered by anyone else.
    guard inFlightCount == (isReceiving ? 1 : 0) else {
      // The response to an incomplete request was sent already.
      if inFlightCount == 0 { return context.close(promise: nil) }
      pendingError = refusal
      return
    }
    isReceiving = false
    isRefusalSent = true
    let response = handler.api.response(to: refusal)
    log(
      status: refusal.status, byteCount: response.body.readableBytes, reason: handler.api.logged(refusal).text,
      refusal: handler.api.logged(refusal.general))
    var headers = HTTPHeaders(response.headers(at: handler.clock()).map { ($0.name.canonicalName, $0.value) })
    headers.add(name: "Content-Length", value: String(response.body.readableBytes))
    headers.add(name: "Connection", value: "close")
    let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: refusal.status), headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if !isHead { context.write(wrapOutboundOut(.body(.byteBuffer(response.body))), promise: nil) }
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
  }
}

extension MarketHTTPError {
  static let oversizedFrame = MarketHTTPError(
    400, "Bad Request: The chunks of the body have more extensions than content")
  static let foreignAccount = MarketHTTPError(
    403, "This market serves only the account that started it. Start one for others with openmarket serve")
}

/// A report that connections were closed or have to wait, for the user who runs the server.
///
/// Each kind is reported once a minute.
package struct ConnectionNotice: Hashable, Sendable {
  /// The reason for which connections are closed.
  package enum Kind: Hashable, Sendable, CaseIterable {
    /// All connections are in use, and the one that was idle for longest was closed.
    case full
    /// All connections are in use and none is idle: new ones wait.
    case busy
    /// Almost all connections are in use, and the address has more than its share.
    case share
    /// The address has too many connections that have not sent a byte.
    case silent
    /// The uploads that are being received take too much memory.
    case uploads
  }

  package var kind: Kind
  /// The address of the client whose connection was closed last; "" if it is unknown.
  package var address: String
  /// The number of connections that were closed for this reason since the last report; 0 if they wait.
  package var closedCount: Int
  /// The limit: a number of connections, or of bytes for `uploads`.
  package var limit: Int

  /// The reason in the log, which is English only.
  var reason: String {
    switch kind {
    case .full: "All \(limit) connections are in use: closed \(closedCount) that were idle for longest"
    case .busy: "All \(limit) connections are in use and none is idle: new connections wait"
    case .share: "The address had more than its share of \(limit) connections: closed \(closedCount) that were idle"
    case .silent: "The address had more than \(limit) connections without a request: closed \(closedCount)"
    case .uploads: "Uploads took more than \(limit / 1_048_576) MiB of memory: closed \(closedCount)"
    }
  }
}

/// The number of files and sockets that this process may have open (`RLIMIT_NOFILE`).
package enum DescriptorLimit {
  /// The current limit.
  static var current: Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
    return Int(clamping: limit.rlim_cur)
  }

  /// Raises the limit, as far as the system allows, so that a server can accept all its connections.
  ///
  /// For a process that serves only: programs that it starts inherit the limit, and `select` of an older one fails
  /// beyond 1,024.
  package static func raise() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    let wanted = rlim_t(ServerLimits().connections + 512)
    guard limit.rlim_cur < wanted else { return }
    limit.rlim_cur = min(wanted, limit.rlim_max)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
