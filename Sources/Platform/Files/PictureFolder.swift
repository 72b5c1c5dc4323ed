import Foundation

/// Pictures on disk, keyed by their address: bounded, the longest unused leave first. Losing one costs a request.
package struct PictureFolder: Sendable {
  private let path: String
  private let limit: Int

  /// - Parameter limit: bytes of all pictures together.
  package init(_ path: String, limit: Int) {
    self.path = path
    self.limit = limit
  }

  /// The address stands in the file, so that two of one name are never taken for each other.
  package func read(_ url: URL) -> Data? {
    let file = path + "/" + PictureFolder.name(url)
    guard let data = try? Files.read(file), let end = data.firstIndex(of: 0x0A),
      String(decoding: data[..<end], as: UTF8.self) == url.absoluteString
    else { return nil }
    utimes(file, nil)
    return Data(data[data.index(after: end)...])
  }

  /// Keeps a picture where that is possible.
  package func write(_ data: Data, for url: URL) {
    guard data.count <= limit / 4 else { return }
    try? Files.makeFolder(path)
    try? Files.write(
      Data((url.absoluteString + "\n").utf8) + data, to: path + "/" + PictureFolder.name(url), mode: 0o600)
    trim()
  }

  private func trim() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    var files = names.compactMap { name -> (path: String, size: Int, used: Int)? in
      var facts = stat()
      guard stat(path + "/" + name, &facts) == 0 else { return nil }
      return (path + "/" + name, Int(facts.st_size), facts.st_mtim.tv_sec)
    }.sorted { $0.used > $1.used }
    var sum = files.reduce(0) { $0 + $1.size }
    while sum > limit, let oldest = files.popLast() {
      unlink(oldest.path)
      sum -= oldest.size
    }
  }

  /// FNV-1a over the address, twice with different beginnings.
  private static func name(_ url: URL) -> String {
    func hash(_ start: UInt64) -> String {
      let value = url.absoluteString.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
      let digits = String(value, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    return hash(0xCBF2_9CE4_8422_2325) + hash(0x9E37_79B9_7F4A_7C15)
  }
}
