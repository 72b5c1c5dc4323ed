import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// A minimal HTTP client: one connection that sends bytes and reads until the response is complete or the server
/// closes.
///
/// It blocks on a thread of its own, because the few threads of the concurrency pool belong to the server that must
/// respond.
final class Conversation: @unchecked Sendable {
  struct Answer: Sendable {
    var status: Int
    var headers: [String: String]
    var body: Data
    var text: String { String(decoding: body, as: UTF8.self) }
    /// The status and body on one line, for complete comparison.
    var line: String { "\(status) \(text)" }
  }

  private let descriptor: Int32
  private var pending = Data()

  /// Connects; `receiveBuffer` is the number of bytes that arrive without being read.
  init(_ url: URL, receiveBuffer: Int32? = nil) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if var receiveBuffer {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(url.port ?? 80).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    try #require(result == 0)
    // A test that waits forever reports nothing; this limit is far beyond any response.
    var patience = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  /// Makes the end of the conversation one that the server notices, as that of a program that ends with a response unread.
  func reset() {
    var now = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
  }

  func send(_ bytes: Data) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = Data(rest.dropFirst(count))
    }
  }

  func send(_ text: String) { send(Data(text.utf8)) }

  /// The error for a connection that the server closed before the response was complete.
  struct Ended: Error {
    var after: String
  }

  private func receiveMore() throws {
    guard receive() else { throw Ended(after: String(decoding: pending, as: UTF8.self)) }
  }

  /// Reads more bytes.
  ///
  /// Returns false at the end of the stream.
  private func receive() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count > 0 { pending.append(contentsOf: buffer[..<count]) }
    return count > 0
  }

  /// Returns everything until the server closes; the connection cannot be used afterwards.
  func rest() async throws -> String {
    try await onOwnThread {
      while self.receive() {}
      return String(decoding: self.pending, as: UTF8.self)
    }
  }

  /// Returns the response to a request, which has no content after a HEAD (RFC 9110 section 9.3.2).
  func answer(to method: String = "GET") async throws -> Answer {
    try await onOwnThread { try self.readAnswer(hasContent: method != "HEAD") }
  }

  private func onOwnThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result(catching: work)) }
    }
  }

  private func readAnswer(hasContent: Bool) throws -> Answer {
    while pending.range(of: Data("\r\n\r\n".utf8)) == nil { try receiveMore() }
    guard let end = pending.range(of: Data("\r\n\r\n".utf8)) else { throw Ended(after: "") }
    let lines = String(decoding: pending[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let halves = line.split(separator: ":", maxSplits: 1)
      headers[halves[0].lowercased()] = halves[1].trimmingCharacters(in: .whitespaces)
    }
    pending = Data(pending[end.upperBound...])
    let length = hasContent ? Int(headers["content-length"] ?? "0") ?? 0 : 0
    while pending.count < length { try receiveMore() }
    let body = Data(pending.prefix(length))
    pending = Data(pending.dropFirst(length))
    return Answer(status: Int(lines[0].split(separator: " ")[1]) ?? 0, headers: headers, body: body)
  }
}
