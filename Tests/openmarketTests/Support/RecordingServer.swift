import Glibc
import ShellRuntime
import Synchronization

/// A small server that records every request and responds as specified.
///
/// With `nil` it never responds.
final class RecordingServer: Sendable {
  struct Failure: Error {}

  struct Request: Sendable {
    /// The request line, such as `GET /api/products?page=1`.
    var line: String
    var text: String
  }

  let port: UInt16
  private let listener: Int32
  private let got = Mutex<[Request]>([])
  private let answer: @Sendable (Request) -> String?
  private let gone = Mutex(0)

  /// The number of unanswered requests that the other side cancelled.
  var left: Int { gone.withLock { $0 } }
  var url: String { "http://127.0.0.1:\(port)" }
  var requests: [Request] { got.withLock { $0 } }
  /// The requests other than GET.
  var writes: [Request] { requests.filter { !$0.line.hasPrefix("GET ") } }

  init(_ answer: @escaping @Sendable (Request) -> String?) throws {
    self.answer = answer
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let isReady = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &size) == 0
      }
    }
    guard isReady else { throw Failure() }
    port = UInt16(bigEndian: address.sin_port)
    startThread { [weak self] in
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { break }
        guard let self else {
          close(connection)
          break
        }
        startThread { self.serve(connection) }
      }
      // Closed by the accepting thread: closed elsewhere, the number could belong to another server by now.
      close(listener)
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
  }

  private func serve(_ connection: Int32) {
    defer { close(connection) }
    // After this time without data the other side has hung.
    var patience = timeval(tv_sec: 300, tv_usec: 0)
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var bytes: [UInt8] = []
    while let length = length(of: bytes) {
      var part = [UInt8](repeating: 0, count: 65_536)
      if bytes.count < length {
        let count = read(connection, &part, part.count)
        guard count > 0 else { return }
        bytes += part[..<count]
        continue
      }
      let text = String(decoding: bytes, as: UTF8.self)
      let words = text.prefix { $0 != "\r\n" }.split(separator: " ")
      let request = Request(line: words.prefix(2).joined(separator: " "), text: text)
      got.withLock { $0.append(request) }
      guard let answer = answer(request) else {
        // Holds the connection until the other side closes it.
        while read(connection, &part, part.count) > 0 {}
        gone.withLock { $0 += 1 }
        return
      }
      var rest = Array(answer.utf8)[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
      return
    }
  }

  /// Returns the size of the complete request, or more than the received bytes if its header is incomplete.
  private func length(of bytes: [UInt8]) -> Int? {
    let end: [UInt8] = [13, 10, 13, 10]
    guard let head = bytes.indices.first(where: { bytes[$0...].starts(with: end) }) else { return bytes.count + 1 }
    let lines = String(decoding: bytes[..<head], as: UTF8.self).lowercased().split(separator: "\r\n")
    let body = lines.first { $0.hasPrefix("content-length:") }.flatMap { Int($0.dropFirst(15).filter(\.isNumber)) }
    return head + 4 + (body ?? 0)
  }
}

/// Returns a response with its length, after which the connection is closed.
func reply(_ status: String, _ body: String = "", type: String = "application/json") -> String {
  "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
}

private func startThread(_ work: @escaping @Sendable () -> Void) {
  final class Box {
    let work: @Sendable () -> Void
    init(_ work: @escaping @Sendable () -> Void) { self.work = work }
  }
  var thread = pthread_t()
  pthread_create(
    &thread, nil,
    { argument in
      if let argument { Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().work() }
      return nil
    }, Unmanaged.passRetained(Box(work)).toOpaque())
  pthread_detach(thread)
}
