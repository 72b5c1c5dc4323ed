import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import Synchronization

/// Talks HTTP/1.1 over one event loop: one request on the wire for one `send`, no redirect followed, no hidden retry,
/// no cookie, no proxy, nothing kept on disk.
///
/// Made once, at the top; ended with `shutdown()`.
package final class HTTPTransport: Transport {
  private let client: HTTPClient
  private let loops: MultiThreadedEventLoopGroup
  private let userAgent: String
  /// What was made of the base address that came last, which is nearly always the next one's too.
  private let front = Mutex<(base: URL, text: String)?>(nil)
  private let lines: Lines
  private let progress: (@Sendable (_ sent: Int?, _ total: Int) -> Void)?

  /// - Parameters:
  ///   - version: of the program, for `User-Agent: openmarket/VERSION`.
  ///   - progress: told how many bytes of a long body have arrived, as far as the kernel knows, from the thread of the
  ///     loop; nil when there is no more to tell.
  package init(version: String, progress: (@Sendable (_ sent: Int?, _ total: Int) -> Void)? = nil) {
    self.progress = progress
    loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    userAgent = "openmarket/\(version)"
    let lines = Lines()
    self.lines = lines
    var configuration = HTTPClient.Configuration.ours
    configuration.http1_1ConnectionDebugInitializer = { lines.watch($0) }
    client = HTTPClient(eventLoopGroupProvider: .shared(loops), configuration: configuration)
  }

  package func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Reply {
    let end = options.deadline.map { NIODeadline.now() + TimeAmount($0) }
    let upload = request.body.bytes.flatMap { $0.isEmpty ? nil : Upload($0, beforeLastByte: options.beforeLastByte) }
    let message = try message(of: request, to: base, upload)
    if Task.isCancelled { throw TransportFailure(.cancelled, extent: .nothing) }
    if upload == nil, let beforeLastByte = options.beforeLastByte {
      do { try await beforeLastByte() } catch { throw TransportFailure(.init(withheld: error), extent: .nothing) }
    }
    let stalls = StallGuard(request.method, size: upload?.size ?? 0, options.limits, progress: progress)
    let collector = ReplyCollector(limit: request.answerLimit, upload: upload, stalls: stalls, over: lines)
    if request.isMeasured {
      return try await MeasuredExchange(message, collector, on: loops, over: lines, limit: request.answerLimit)
        .run(until: end)
    }
    return try await client.exchange(message, collector, on: loops.next(), until: end, limit: request.answerLimit)
  }

  /// Closes the connections and ends the thread; the transport is of no use afterwards.
  package func shutdown() async {
    try? await client.shutdown()
    try? await loops.shutdownGracefully()
  }

  private func front(of base: URL) throws(TransportFailure) -> String {
    if let last = front.withLock({ $0 }), last.base == base { return last.text }
    let text = try Request.front(of: base)
    front.withLock { $0 = (base, text) }
    return text
  }

  private func message(
    of request: Request, to base: URL, _ upload: Upload?
  ) throws(TransportFailure) -> HTTPClient.Request {
    let address = try front(of: base) + request.target
    var fields = HTTPHeaders([("User-Agent", userAgent), ("Accept-Encoding", "gzip, deflate")])
    // An answer from a cache would be a wrong witness of what a write did.
    if request.method.isRead { fields.add(name: "Cache-Control", value: "no-cache") }
    if let type = request.body.type { fields.add(name: "Content-Type", value: type) }
    for header in request.headers {
      guard header.isSound else { throw TransportFailure(.badHeader(header.name), extent: .nothing) }
      fields.replaceOrAdd(name: header.name, value: header.value)
    }
    if case .multipart(let form) = request.body, !form.isSound {
      throw TransportFailure(.badForm, extent: .nothing)
    }
    do {
      return try HTTPClient.Request(
        url: address, method: HTTPMethod(rawValue: request.method.rawValue), headers: fields,
        body: upload.map { upload in
          .stream(contentLength: Int64(upload.size)) { [loop = loops.next()] in upload.send(to: $0, on: loop) }
        })
    } catch {
      throw TransportFailure(.badAddress(address), extent: .nothing)
    }
  }
}

extension HTTPClient.Configuration {
  /// How every connection of ours behaves.
  static var ours: HTTPClient.Configuration {
    var configuration = HTTPClient.Configuration(
      redirectConfiguration: .disallow,
      timeout: HTTPClient.Configuration.Timeout(connect: .seconds(10)),
      decompression: .enabled(limit: .size(inflationLimit)))
    configuration.httpVersion = .http1Only
    // A request that was not sent is the caller's to send again: only the caller knows whether it may be.
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.tracing.tracer = nil
    return configuration
  }

  /// What a compressed answer may grow to, 64 MiB; the limit of the request itself ends it earlier.
  private static var inflationLimit: Int { 64 << 20 }
}

extension HTTPClient {
  /// One request on the wire; cancelling the task cancels it.
  func exchange(
    _ message: HTTPClient.Request, _ collector: ReplyCollector, on loop: any EventLoop, until end: NIODeadline?,
    limit: Int
  ) async throws -> Reply {
    let exchange = execute(
      request: message, delegate: collector, eventLoop: .delegate(on: loop), deadline: end)
    return try await withTaskCancellationHandler {
      do {
        return try await exchange.get()
      } catch {
        collector.finish()
        throw TransportFailure(.init(error, host: message.host, limit: limit), extent: collector.extent)
      }
    } onCancel: {
      exchange.cancel()
    }
  }
}
