import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// A transport that speaks HTTP/1.1 on one event loop.
///
/// Each `send` puts one request on the wire: no redirects, no hidden retries, no cookies, no proxy other than the
/// configured one, nothing stored on disk. Create one instance per process and end it with `shutdown()`.
package final class HTTPTransport: Transport {
  /// The connection settings that a client was created for, and the client that pools the connections.
  private struct ClientEntry {
    var route: ConnectionSettings
    var connect: Duration
    var client: HTTPClient
  }

  /// The clients, or `nil` after shutdown: a client created later would never be shut down.
  private let clients = Mutex<[ClientEntry]?>([])
  private let eventLoopGroup: MultiThreadedEventLoopGroup
  private let userAgent: String
  /// The most recently used base URL and its normalized text; nearly every request has the same base.
  private let lastBase = Mutex<(base: URL, text: String)?>(nil)
  private let connections = ConnectionTracker()
  /// The times until which servers get a connection for each request, by their base URLs.
  private let distrustedServers = Mutex<[URL: ContinuousClock.Instant]>([:])
  private let stallMonitor: StallWatch
  private let progress: (@Sendable (_ sent: Int?, _ total: Int) -> Void)?
  private let now: @Sendable () -> ContinuousClock.Instant

  /// Creates a transport with its own event loop.
  ///
  /// - Parameters:
  ///   - version: The version of the program, for `User-Agent: openmarket/VERSION`.
  ///   - now: The clock of exchanges, whose first reading is the beginning of one.
  ///   - progress: Called on the event loop with the number of bytes of a long body that the kernel has seen acknowledged, or
  ///     `nil` at its end.
  package init(
    version: String, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    progress: (@Sendable (_ sent: Int?, _ total: Int) -> Void)? = nil
  ) {
    self.progress = progress
    self.now = now
    eventLoopGroup = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    stallMonitor = StallWatch(on: eventLoopGroup.next())
    userAgent = "openmarket/\(version)"
  }

  /// Sends the request once over HTTP/1.1.
  ///
  /// - Throws: `TransportError`. Before the last byte was handed to the system its extent is `.partial` or
  ///   `.none`, whatever the server did afterwards.
  package func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
    let end = options.deadline.map { NIODeadline.now() + TimeAmount($0) }
    let upload = request.body.bytes.flatMap {
      $0.isEmpty ? nil : BodyWriter($0, beforeLastByte: options.beforeFinalChunk)
    }
    if !options.allowsPlainHTTP, let host = Loopback.openHost(of: base) {
      throw TransportError(.insecureHost(host: host), extent: .none)
    }
    let message = try message(of: request, to: base, upload)
    if Task.isCancelled { throw TransportError(.cancelled, extent: .none) }
    if upload == nil, let beforeLastByte = options.beforeFinalChunk {
      do { try await beforeLastByte() } catch { throw TransportError(.init(withheld: error), extent: .none) }
    }
    // Made before the clock of the exchange starts, also where the exchange has a client of its own: the first one sets up
    // a library.
    let client = try client(by: options.route, connect: options.limits.connect)
    let isDistrusted = isDistrusted(base)
    let separate =
      request.recordsPhases || isDistrusted
      ? try HTTPClient.Configuration.make(for: options.route, connect: options.limits.connect) : nil
    let stalls = StallDetector(
      request.method, size: upload?.size ?? 0, options.limits, by: stallMonitor, progress: progress)
    let collector = ResponseAccumulator(
      limit: request.maxResponseBytes, decodesContent: request.decodesContent, upload: upload, stalls: stalls,
      over: connections, now: now)
    if let separate {
      return try await DedicatedConnection(
        message, collector: collector, configuration: separate, on: eventLoopGroup, over: connections,
        limit: request.maxResponseBytes
      ).execute(until: end)
    }
    do {
      return try await client.execute(
        message, collector, on: eventLoopGroup.next(), until: end, limit: request.maxResponseBytes)
    } catch let failure as TransportError where failure.isLostConnection && collector.isOnReusedConnection {
      distrustedServers.withLock { $0[base] = .now + HTTPTransport.distrustDuration }
      throw failure
    }
  }

  /// The time for which a server gets a new connection for each request after it has lost one on a reused connection.
  ///
  /// Such a server would lose every write that follows a read.
  private static let distrustDuration = Duration.seconds(60)

  private func isDistrusted(_ base: URL) -> Bool {
    distrustedServers.withLock { servers in
      guard let end = servers[base] else { return false }
      if end > .now { return true }
      servers[base] = nil
      return false
    }
  }

  /// Closes the connections and ends the event loop.
  ///
  /// Requests in flight and later ones fail.
  package func shutdown() async {
    for entry in clients.withLock({ $0.take() ?? [] }) { try? await entry.client.shutdown() }
    try? await eventLoopGroup.shutdownGracefully()
  }

  /// Closes the connections without waiting for them, when the process is about to exit.
  ///
  /// The event loop's thread ends with the process.
  package func shutdownImmediately() {
    for entry in clients.withLock({ $0.take() ?? [] }) { entry.client.shutdown { _ in } }
  }

  private func client(by route: ConnectionSettings, connect: Duration) throws(TransportError) -> HTTPClient {
    func known(_ entries: [ClientEntry]) -> HTTPClient? {
      entries.first { $0.route == route && $0.connect == connect }?.client
    }
    guard let entries = clients.withLock({ $0 }) else { throw TransportError(.cancelled, extent: .none) }
    if let client = known(entries) { return client }
    var configuration = try HTTPClient.Configuration.make(for: route, connect: connect)
    configuration.http1_1ConnectionDebugInitializer = { [connections] in connections.install($0) }
    let new = HTTPClient(eventLoopGroupProvider: .shared(eventLoopGroup), configuration: configuration)
    let client = self.clients.withLock { entries -> HTTPClient? in
      guard let others = entries else { return nil }
      if let client = known(others) { return client }
      entries?.append(ClientEntry(route: route, connect: connect, client: new))
      return new
    }
    // Another thread created a client at the same time; this one has no connection yet.
    if client !== new { new.shutdown { _ in } }
    guard let client else { throw TransportError(.cancelled, extent: .none) }
    return client
  }

  private func baseText(of base: URL) throws(TransportError) -> String {
    if let last = lastBase.withLock({ $0 }), last.base == base { return last.text }
    let text = try Request.baseURLString(of: base)
    lastBase.withLock { $0 = (base, text) }
    return text
  }

  private func message(
    of request: Request, to base: URL, _ upload: BodyWriter?
  ) throws(TransportError) -> HTTPClient.Request {
    let address = try baseText(of: base) + request.target
    for header in request.headers where !header.isValid {
      throw TransportError(.invalidHeader(header.name), extent: .none)
    }
    let fields = request.hasExactHeaders ? exactFields(of: request) : fields(of: request)
    if case .multipart(let form) = request.body, !form.isValid {
      throw TransportError(.invalidMultipart, extent: .none)
    }
    do {
      return try HTTPClient.Request(
        url: address, method: HTTPMethod(rawValue: request.method.rawValue), headers: fields,
        body: upload.map { upload in
          .stream(contentLength: Int64(upload.size)) { [loop = eventLoopGroup.next()] in upload.send(to: $0, on: loop) }
        })
    } catch {
      throw TransportError(.invalidURL(address), extent: .none)
    }
  }
}

extension TransportError {
  /// Indicates whether the connection ended before a response began.
  fileprivate var isLostConnection: Bool { reason == .connectionClosed && status == nil }
}

extension Request {
  /// Indicates whether the content of the response is decoded: not for a user's own header fields without
  /// `Accept-Encoding`.
  fileprivate var decodesContent: Bool {
    !hasExactHeaders || headers.contains { $0.name.lowercased() == "accept-encoding" }
  }
}

extension HTTPTransport {
  private func fields(of request: Request) -> HTTPHeaders {
    var fields = HTTPHeaders([("User-Agent", userAgent), ("Accept-Encoding", "gzip, deflate")])
    // A cached response would be wrong evidence of what a write did.
    if request.method.isSafe { fields.add(name: "Cache-Control", value: "no-cache") }
    if let type = request.body.type { fields.add(name: "Content-Type", value: type) }
    for header in request.headers { fields.replaceOrAdd(name: header.name, value: header.value) }
    return fields
  }

  /// Returns the request's own header fields and the media type of its body, adding `User-Agent` only where it is
  /// missing.
  private func exactFields(of request: Request) -> HTTPHeaders {
    var fields = HTTPHeaders(request.headers.map { ($0.name, $0.value) })
    if !fields.contains(name: "User-Agent") { fields.add(name: "User-Agent", value: userAgent) }
    if let type = request.body.type { fields.add(name: "Content-Type", value: type) }
    return fields
  }
}

extension HTTPClient.Configuration {
  /// Returns the client configuration for a route.
  ///
  /// Proxy variables of the environment are ignored.
  ///
  /// - Throws: `TransportError` with extent `.none` if a certificate cannot be read.
  static func make(for route: ConnectionSettings, connect: Duration) throws(TransportError) -> HTTPClient.Configuration
  {
    var tls: TLSConfiguration?
    if let authorities = route.authorities {
      var configuration = TLSConfiguration.makeClientConfiguration()
      do {
        configuration.additionalTrustRoots = [
          .certificates(try NIOSSLCertificate.fromPEMBytes(Array(authorities.pem)))
        ]
      } catch {
        throw TransportError(.tls("no certificate in the CA file"), extent: .none)
      }
      tls = configuration
    }
    var configuration = HTTPClient.Configuration(
      tlsConfiguration: tls,
      redirectConfiguration: .disallow,
      timeout: HTTPClient.Configuration.Timeout(connect: TimeAmount(connect)),
      proxy: route.proxy.map { .server(host: $0.host, port: $0.port) })
    configuration.httpVersion = .http1Only
    // Sending a request again is the caller's decision: only the caller knows whether that is safe.
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.tracing.tracer = nil
    return configuration
  }
}

extension HTTPClient {
  /// Performs one exchange.
  ///
  /// Cancelling the task cancels it.
  func execute(
    _ message: HTTPClient.Request, _ collector: ResponseAccumulator, on loop: any EventLoop, until end: NIODeadline?,
    limit: Int
  ) async throws -> Networking.Response {
    let exchange = execute(
      request: message, delegate: collector, eventLoop: .delegate(on: loop), deadline: end)
    return try await withTaskCancellationHandler {
      do {
        return try await exchange.get()
      } catch {
        collector.finish()
        throw TransportError(
          .init(error, host: message.host, limit: limit), extent: collector.extent, status: collector.status)
      }
    } onCancel: {
      exchange.cancel()
    }
  }
}

/// Tracks the channel that was written to most recently, and the number of requests on each.
///
/// All connections share one event loop, so when the library reports that a request head was sent, `lastWritten` is the
/// channel of that request. AsyncHTTPClient does not expose it otherwise.
final class ConnectionTracker: Sendable {
  private struct State {
    var last: (any Channel)?
    var requests: [ObjectIdentifier: Int] = [:]
  }

  private let state = Mutex(State())

  /// The channel that was written to most recently, or `nil` before the first write.
  var lastWritten: (any Channel)? { state.withLock { $0.last } }

  /// Counts a request on that channel; returns the number of its requests so far.
  func countRequest() -> Int {
    state.withLock { state in
      guard let last = state.last else { return 0 }
      state.requests[ObjectIdentifier(last), default: 0] += 1
      return state.requests[ObjectIdentifier(last), default: 0]
    }
  }

  private func didWrite(_ channel: any Channel) { state.withLock { $0.last = channel } }

  private func didRemove(_ channel: any Channel) {
    state.withLock { state in
      if state.last === channel { state.last = nil }
      state.requests[ObjectIdentifier(channel)] = nil
    }
  }

  /// Installs the write observer and the status check on a channel, and sets a receive buffer of 64 KiB.
  ///
  /// The adaptive allocator of NIO shrinks the buffer after short responses, which splits the next long response into
  /// many reads.
  func install(_ channel: any Channel) -> EventLoopFuture<Void> {
    channel.setOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 1 << 16)).flatMap {
      channel.eventLoop.submit {
        let pipeline = channel.pipeline.syncOperations
        let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
        try pipeline.addHandler(StatusCheck(), position: .after(decoder))
        try pipeline.addHandler(WriteObserver(lines: self), position: .first)
      }
    }
  }

  private final class WriteObserver: ChannelOutboundHandler, Sendable {
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData
    private let lines: ConnectionTracker
    init(lines: ConnectionTracker) { self.lines = lines }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      lines.didWrite(context.channel)
      context.write(data, promise: promise)
    }

    func handlerRemoved(context: ChannelHandlerContext) { lines.didRemove(context.channel) }
  }

  /// Rejects a response whose status is below 100.
  ///
  /// AsyncHTTPClient takes it for an informational response and traps at the body that follows.
  private final class StatusCheck: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart
    private var hasRejected = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      if hasRejected { return }
      guard case .head(let head) = unwrapInboundIn(data), head.status.code < 100 else {
        return context.fireChannelRead(data)
      }
      hasRejected = true
      context.fireErrorCaught(HTTPParserError.invalidStatus)
      context.close(promise: nil)
    }
  }
}
