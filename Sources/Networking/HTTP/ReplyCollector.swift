import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Synchronization

/// Gathers one answer up to its limit, and remembers whether anything of the request was written, and when.
final class ReplyCollector: HTTPClientResponseDelegate {
  typealias Response = Reply

  /// More than the request allowed came, or was announced.
  struct TooLarge: Error {}

  private struct State: Sendable {
    var marks: Marks
    var sentHeaders: [Header] = []
    var status = 0
    var headers: [Header] = []
    var body = Data()
  }

  private let limit: Int
  private let started: Date
  private let state: Mutex<State>

  init(limit: Int, marks: Marks = Marks(start: .now), started: Date = Date()) {
    self.limit = limit
    self.started = started
    state = Mutex(State(marks: marks))
  }

  /// False as long as no byte of the request can have left.
  var headWasSent: Bool { state.withLock { $0.marks.headSent != nil } }

  /// The connection stands; with TLS, it is safe.
  func connectionIsReady(roundTrip: Duration?) {
    state.withLock {
      $0.marks.connectionReady = .now
      $0.marks.roundTrip = roundTrip
    }
  }

  func didSendRequestHead(task: HTTPClient.Task<Reply>, _ head: HTTPRequestHead) {
    state.withLock {
      $0.marks.headSent = .now
      $0.sentHeaders = head.headers.map { Header($0.name, $0.value) }
    }
  }

  func didSendRequest(task: HTTPClient.Task<Reply>) { state.withLock { $0.marks.sent = .now } }

  func didReceiveHead(task: HTTPClient.Task<Reply>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
    let announced = head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
    state.withLock {
      $0.marks.headReceived = .now
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
    state.withLock {
      Reply(
        status: $0.status, headers: $0.headers, body: $0.body,
        course: Course(started: started, headers: $0.sentHeaders, phases: $0.marks.phases(until: .now)))
    }
  }
}
