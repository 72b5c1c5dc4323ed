import Foundation

/// A file that is written piece by piece and appears whole or not at all: it grows beside its place and is renamed there.
package final class FileDraft {
  private let path: String
  private let draft: String
  private var file: Int32
  private var buffer: [UInt8] = []

  /// Pieces are gathered to this many bytes before they go to the disk.
  private static let capacity = 1 << 18

  /// - Throws: `FileError.cannotWrite` where the folder does not take a file.
  package init(at path: String, mode: mode_t = 0o666) throws(FileError) {
    self.path = path
    draft = path + ".\(getpid()).\(UInt32.random(in: 0 ... .max)).new"
    file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
    guard file >= 0 else { throw .cannotWrite(path: path, errno: errno) }
  }

  deinit { discard() }

  package func append(_ text: String) throws(FileError) {
    if buffer.isEmpty { buffer.reserveCapacity(FileDraft.capacity + 65_536) }
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= FileDraft.capacity { try flush() }
  }

  package func append(_ data: Data) throws(FileError) {
    try flush()
    try check(data.withUnsafeBytes(write))
  }

  /// Puts the file in its place, on the disk.
  package func commit() throws(FileError) {
    try flush()
    try check(fsync(file) == 0 || errno == EINVAL ? 0 : errno)
    close(file)
    file = -1
    guard rename(draft, path) == 0 else {
      let code = errno
      unlink(draft)
      throw .cannotWrite(path: path, errno: code)
    }
  }

  /// Leaves everything as it was.
  package func discard() {
    guard file >= 0 else { return }
    close(file)
    file = -1
    unlink(draft)
  }

  private func flush() throws(FileError) {
    defer { buffer.removeAll(keepingCapacity: true) }
    try check(buffer.withUnsafeBytes(write))
  }

  /// Writes all of it; the `errno` of what went wrong, or 0.
  private func write(_ bytes: UnsafeRawBufferPointer) -> Int32 {
    var done = 0
    while done < bytes.count {
      let count = Foundation.write(file, bytes.baseAddress?.advanced(by: done), bytes.count - done)
      if count > 0 { done += count } else if errno != EINTR { return errno }
    }
    return 0
  }

  private func check(_ problem: Int32) throws(FileError) {
    if problem != 0 { throw .cannotWrite(path: path, errno: problem) }
  }
}
