import Foundation
import Synchronization

/// A proxy between shells and a local market that handles each write as the test says.
final class Proxy: Sendable {
  let port: Int
  private let market: Int
  private let listener: Int32
  private let judge = Mutex<@Sendable (Passage) -> Fate>({ _ in .pass })
  private let seen = Mutex<[Passage]>([])

  init(to market: Int) throws {
    self.market = market
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    let descriptor = listener
    let result = Socket.withAddress(0) { bind(descriptor, $0, $1) }
    guard result == 0, listen(listener, 64) == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    port = Int(in_port_t(bigEndian: address.sin_port))
    Thread.detachNewThread { self.accept() }
  }

  func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

  /// Sets the handling of later requests and counts them from 1 again.
  ///
  /// `judge` runs on the thread of the connection and may block.
  func decide(_ judge: @escaping @Sendable (Passage) -> Fate) {
    seen.withLock { $0 = [] }
    self.judge.withLock { $0 = judge }
  }

  /// The requests other than GET since `decide`.
  var passages: [Passage] { seen.withLock { $0 } }

  private func accept() {
    var wanted = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
    while true {
      wanted.revents = 0
      if poll(&wanted, 1, -1) < 0, errno == EINTR { continue }
      let client = Foundation.accept(listener, nil, nil)
      guard client >= 0 else { break }
      Thread.detachNewThread { self.serve(Socket(client)) }
    }
    close(listener)
  }

  private func serve(_ client: Socket) {
    guard let server = Socket(port: market) else { return client.reset() }
    var early = Data()
    var late = Data()
    while let request = HTTPMessage(from: client, &early) {
      guard request.isWhole else {
        server.send(request.bytes)
        break
      }
      let fate = request.method == "GET" ? Fate.pass : judged(request)
      guard pass(request, fate, client, server, &late) else { return }
    }
    server.finish()
    client.finish()
  }

  private func judged(_ request: HTTPMessage) -> Fate {
    let passage = seen.withLock { seen in
      let passage = Passage(
        number: seen.count + 1, method: request.method, operation: request.header("x-request-id"))
      seen.append(passage)
      return passage
    }
    return judge.withLock { $0 }(passage)
  }

  /// Passes on a request, and returns `false` if the connections are closed.
  private func pass(
    _ request: HTTPMessage, _ fate: Fate, _ client: Socket, _ server: Socket, _ pending: inout Data
  ) -> Bool {
    switch fate {
    case .cutRequest(let share, let end):
      server.send(request.bytes.prefix(request.bytes.count * share / 1000))
      if end == .reset { server.reset() } else { server.finish() }
      self.end(client, end)
      return false
    case .late, .held:
      delay(client, fate)
      server.send(request.bytes)
      _ = HTTPMessage(from: server, &pending)
      server.finish()
      return false
    case .twice:
      server.send(request.bytes)
      _ = HTTPMessage(from: server, &pending)
      server.send(request.bytes)
    case .pass, .cutAnswer, .answered, .delivered: server.send(request.bytes)
    }
    guard let answer = HTTPMessage(from: server, &pending) else {
      server.finish()
      client.finish()
      return false
    }
    switch fate {
    case .cutAnswer(let share, let end):
      client.send(answer.bytes.prefix(answer.bytes.count * share / 1000))
      server.finish()
      self.end(client, end)
      return false
    case .answered(let call):
      call()
      client.send(answer.bytes)
    case .delivered(let call):
      client.send(answer.bytes)
      call()
    case .pass, .cutRequest, .late, .held, .twice: client.send(answer.bytes)
    }
    return true
  }

  /// Ends the client's connection without a response, and waits.
  private func delay(_ client: Socket, _ fate: Fate) {
    switch fate {
    case .late(let wait, let end):
      self.end(client, end)
      usleep(UInt32(wait) * 1000)
    case .held(let turnstile, let end):
      self.end(client, end)
      turnstile.pass()
    case .pass, .cutRequest, .cutAnswer, .twice, .answered, .delivered: break
    }
  }

  private func end(_ client: Socket, _ end: Fate.End) {
    switch end {
    case .fin: client.finish()
    case .reset: client.reset()
    case .stall:
      usleep(300_000)
      client.reset()
    }
  }
}
