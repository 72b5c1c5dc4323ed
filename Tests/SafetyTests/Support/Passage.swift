import Foundation

/// A request that passes the proxy.
struct Passage: Sendable {
  /// The number among the requests other than GET, from 1.
  var number: Int
  var method: String
  /// The `X-Request-Id`.
  var operation: String?
}

/// A complete HTTP/1.1 message, or the part of it that arrived.
struct HTTPMessage {
  var bytes: Data
  var isWhole: Bool

  /// Reads one message from a stream.
  ///
  /// `pending` contains bytes that follow it.
  init?(from socket: Socket, _ pending: inout Data) {
    let blank = Data("\r\n\r\n".utf8)
    while true {
      if let end = pending.range(of: blank) {
        let head = String(decoding: pending[..<end.lowerBound], as: UTF8.self)
        if HTTPMessage.value("transfer-encoding", in: head)?.lowercased() == "chunked" {
          if let last = pending.range(of: Data("0\r\n\r\n".utf8), in: end.lowerBound..<pending.endIndex) {
            self.init(taking: last.upperBound, from: &pending)
            return
          }
        } else {
          let length = Int(HTTPMessage.value("content-length", in: head) ?? "0") ?? 0
          if pending.endIndex - end.upperBound >= length {
            self.init(taking: end.upperBound + length, from: &pending)
            return
          }
        }
      }
      guard socket.receive(into: &pending) else {
        guard !pending.isEmpty else { return nil }
        self.init(taking: pending.endIndex, from: &pending)
        isWhole = false
        return
      }
    }
  }

  private init(taking end: Data.Index, from pending: inout Data) {
    bytes = Data(pending[..<end])
    isWhole = true
    pending = Data(pending[end...])
  }

  var method: String { String(decoding: bytes.prefix { $0 != 32 }, as: UTF8.self) }

  func header(_ name: String) -> String? {
    guard let end = bytes.range(of: Data("\r\n\r\n".utf8)) else { return nil }
    return HTTPMessage.value(name, in: String(decoding: bytes[..<end.lowerBound], as: UTF8.self))
  }

  private static func value(_ name: String, in head: String) -> String? {
    for line in head.components(separatedBy: "\r\n").dropFirst() {
      let halves = line.split(separator: ":", maxSplits: 1)
      guard halves.count == 2, halves[0].lowercased() == name else { continue }
      return halves[1].trimmingCharacters(in: .whitespaces)
    }
    return nil
  }
}
