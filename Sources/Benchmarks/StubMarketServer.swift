import Foundation
import Synchronization

/// A stub server of edition `open` on a loopback port that only lists products.
final class StubMarketServer: Sendable {
  let count: Int
  let port: UInt16
  private let listener: Int32
  /// The pages that were requested, because building one takes longer than sending it.
  private let pages = Mutex<[[Int]: String]>([:])

  init(_ count: Int) throws {
    self.count = count
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let isReady = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 64) == 0 && getsockname(listener, $0, &size) == 0
      }
    }
    guard isReady else { throw BenchmarkError.failed("a loopback port") }
    port = UInt16(bigEndian: address.sin_port)
  }

  var url: String { "http://127.0.0.1:\(port)" }

  /// Serves until the process ends.
  func start() {
    Thread.detachNewThread { [self] in
      while true {
        let connection = accept(listener, nil, nil)
        if connection < 0 { return }
        Thread.detachNewThread { self.serve(connection) }
      }
    }
  }

  private func serve(_ connection: Int32) {
    defer { close(connection) }
    var bytes = [UInt8](repeating: 0, count: 16_384)
    while true {
      let got = read(connection, &bytes, bytes.count)
      guard got > 0 else { return }
      let line = String(decoding: bytes[..<got].prefix { $0 != 13 }, as: UTF8.self)
      let body = cached(number("page_no", line) ?? 1, of: number("items_per_page", line) ?? 20)
      let head =
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
      var rest = Array((head + body).utf8)[...]
      while !rest.isEmpty {
        let sent = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        guard sent > 0 else { return }
        rest = rest.dropFirst(sent)
      }
    }
  }

  private func number(_ name: String, _ line: String) -> Int? {
    line.range(of: name + "=").flatMap { Int(line[$0.upperBound...].prefix { $0.isNumber }) }
  }

  private func cached(_ number: Int, of size: Int) -> String {
    if let page = pages.withLock({ $0[[number, size]] }) { return page }
    let page = page(number, of: size)
    pages.withLock { $0[[number, size]] = page }
    return page
  }

  private func page(_ number: Int, of size: Int) -> String {
    let last = (count + size - 1) / size
    let first = (number - 1) * size
    let rows = (first..<max(first, min(count, first + size))).map { index in
      """
      {"id":\(count - index),"vendor_id":15,"vendorName":"red123","name":"\(name(index))","description":"Made to be found.",\
      "thumbnail":"http://127.0.0.1:9/t.jpg","currency":"KRW","price":3500.0,"bargain_price":3400.0,\
      "discounted_price":100.0,"stock":2,"created_at":"2022-10-18T00:00:00","issued_at":"2022-10-18T00:00:00"}
      """
    }
    return """
      {"pageNo":\(number),"itemsPerPage":\(size),"totalCount":\(count),"offset":\(first),"limit":\(first + size),\
      "lastPage":\(last),"hasNext":\(number < last),"hasPrev":\(number > 1),"pages":[\(rows.joined(separator: ","))]}
      """
  }

  private func name(_ index: Int) -> String {
    let things = ["우유병 텀블러", "Stone lamp", "접이식 의자", "Cotton shirt", "불꽃 등잔 🔥"]
    return "\(things[index % things.count]) \(index)"
  }
}
