import Foundation
import Text

/// A checksum that detects whether a file was changed: its size and an FNV-1a hash (64 bits).
///
/// It protects against accidents and the user's own edits, not against forgery.
package struct FileDigest: Hashable, Sendable {
  package var size: Int
  package var hash: UInt64

  private static let chunkSize = 1 << 18

  package init(size: Int, hash: UInt64) {
    self.size = size
    self.hash = hash
  }

  package init(of bytes: Data) {
    self.init()
    bytes.withUnsafeBytes { update($0) }
  }

  /// Creates the digest of an empty file.
  init() { self.init(size: 0, hash: FNV1a().value) }

  /// Reads a regular file in chunks, or returns `nil` for anything else.
  package init?(ofFile path: String) {
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.init()
    var buffer = [UInt8](repeating: 0, count: FileDigest.chunkSize)
    while true {
      let count = Foundation.read(file, &buffer, buffer.count)
      if count == 0 { return }
      if count < 0 {
        if errno == EINTR { continue }
        return nil
      }
      buffer.withUnsafeBytes { update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
  }

  /// Adds the bytes that follow.
  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    size += bytes.count
    var hash = FNV1a(offsetBasis: self.hash)
    hash.combine(bytes)
    self.hash = hash.value
  }
}
