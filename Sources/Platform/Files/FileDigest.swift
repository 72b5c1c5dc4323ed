import Foundation

/// A checksum that detects whether a file was changed: its size and an FNV-1a hash (64 bits).
///
/// It protects against accidents and the user's own edits, not against forgery.
package struct FileDigest: Hashable, Sendable {
  package var size: Int
  package var sum: UInt64

  private static let piece = 1 << 18

  package init(size: Int, sum: UInt64) {
    self.size = size
    self.sum = sum
  }

  package init(of bytes: Data) {
    self.init()
    bytes.withUnsafeBytes { add($0) }
  }

  /// Creates the digest of an empty file.
  init() { self.init(size: 0, sum: FileDigest.offset) }

  /// Computes the digest of a regular file in chunks, or returns `nil` for anything else.
  ///
  /// With `length` only that many bytes are read.
  package init?(ofFile path: String, first length: Int? = nil) {
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.init()
    var buffer = [UInt8](repeating: 0, count: FileDigest.piece)
    while true {
      let wanted = min(buffer.count, length.map { $0 - size } ?? buffer.count)
      if wanted == 0 { return }
      let count = Foundation.read(file, &buffer, wanted)
      if count == 0 { return }
      if count < 0 {
        if errno == EINTR { continue }
        return nil
      }
      buffer.withUnsafeBytes { add(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
  }

  /// Adds the bytes that follow.
  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    size += bytes.count
    var sum = sum
    for byte in bytes { sum = (sum ^ UInt64(byte)) &* 1_099_511_628_211 }
    self.sum = sum
  }

  private static let offset: UInt64 = 14_695_981_039_346_656_037
}
