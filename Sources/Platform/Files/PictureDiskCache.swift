import Foundation
import Text

/// A cache of pictures on disk by URL and market, limited in size; the least recently used are deleted first.
///
/// A missing entry only costs a request.
package struct PictureDiskCache: Sendable {
  private let path: String
  private let limit: Int

  /// Creates a cache of at most `limit` bytes in total.
  package init(_ path: String, limit: Int) {
    self.path = path
    self.limit = limit
  }

  /// Returns a cached picture.
  ///
  /// The file contains the key, so that pictures with the same hash are not confused.
  ///
  /// - Parameter key: A line of text.
  package func read(_ key: String) -> Data? {
    let file = path + "/" + PictureDiskCache.name(key)
    guard let data = try? Files.read(file), let end = data.firstIndex(of: 0x0A),
      String(decoding: data[..<end], as: UTF8.self) == key
    else { return nil }
    utimes(file, nil)
    return Data(data[data.index(after: end)...])
  }

  /// Stores a picture.
  ///
  /// Failures are ignored.
  package func write(_ data: Data, for key: String) {
    guard data.count <= limit / 4 else { return }
    try? Files.createDirectory(path)
    try? Files.write(
      Data((key + "\n").utf8) + data, to: path + "/" + PictureDiskCache.name(key), mode: 0o600)
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

  /// Two hashes of the key with different offset bases.
  private static func name(_ key: String) -> String {
    var second = FNV1a(offsetBasis: 0x9E37_79B9_7F4A_7C15)
    second.combine(key)
    return FNV1a(key).hex + second.hex
  }
}
