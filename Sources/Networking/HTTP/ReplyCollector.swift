import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Synchronization

/// Gathers one answer up to its limit, and remembers whether anything of the request was written.
final class ReplyCollector: HTTPClientResponseDelegate {
  typealias Response = Reply

  /// More than the request allowed came, or was announced.
  struct TooLarge: Error {}

  private struct State: Sendable {
    var headWasSent = false
    var status = 0
    var headers: [Header] = []
    var body = Data()
  }

  private let limit: Int
  private let state = Mutex(State())

  init(limit: Int) { self.limit = limit }

  /// False as long as no byte of the request can have left.
  var headWasSent: Bool { state.withLock { $0.headWasSent } }

  func didSendRequestHead(task: HTTPClient.Task<Reply>, _ head: HTTPRequestHead) {
    state.withLock { $0.headWasSent = true }
  }

  func didReceiveHead(task: HTTPClient.Task<Reply>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
    let announced = head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
    state.withLock {
      $0.status = Int(head.status.code)
      $0.headers = head.headers.map { Header($0.name, $0.value) }
      $0.body.reserveCapacity(min(max(announced, 0), limit))
    }
    return announced > limit
      ? task.eventLoop.makeFailedFuture(TooLarge()) : task.eventLoop.makeSucceededVoidFuture()
  }

  func didReceiveBodyPart(task: HTTPClient.Task<Reply>, _ buffer: ByteBuffer) -> EventLoopFuture<Void> {
    let fits = state.withLock {
      guard buffer.readableBytes <= limit - $0.body.count else { return false }
      $0.body.append(contentsOf: buffer.readableBytesView)
      return true
    }
    return fits ? task.eventLoop.makeSucceededVoidFuture() : task.eventLoop.makeFailedFuture(TooLarge())
  }

  func didFinishRequest(task: HTTPClient.Task<Reply>) throws -> Reply {
    state.withLock { Reply(status: $0.status, headers: $0.headers, body: $0.body) }
  }
}
