import Foundation
import Glibc

/// Reads a picture file without ever blocking: pipes, devices and folders are rejected without opening them, and at
/// most ``maximumBytes`` are read.
package enum PictureFileReader {
  /// The maximum size of a file: 20 MiB.
  package static let maximumBytes = 20 * 1024 * 1024

  /// Returns the bytes of a file, following links.
  ///
  /// The format is not checked.
  ///
  /// - Throws: `PictureError` for a file that cannot be read, is not a regular file, or is too large.
  package static func read(path: String) throws(PictureError) -> Data {
    // The system would end the path at a NUL and read a file other than the named one.
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .notFound(path: path) }
    var facts = stat()
    // Checked before opening: opening alone wakes the writer of a pipe and rewinds a tape.
    guard stat(path, &facts) == 0 else { throw failure(path) }
    try check(facts, path)
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard file >= 0 else { throw failure(path) }
    defer { close(file) }
    guard fstat(file, &facts) == 0 else { throw failure(path) }
    try check(facts, path)
    return try readToEnd(file, path)
  }

  private static func check(_ facts: stat, _ path: String) throws(PictureError) {
    let kind: FileKind
    switch facts.st_mode & S_IFMT {
    case S_IFREG:
      guard facts.st_size <= maximumBytes else { throw .tooLarge(bytes: Int(facts.st_size), limit: maximumBytes) }
      return
    case S_IFDIR: kind = .directory
    case S_IFIFO: kind = .pipe
    case S_IFSOCK: kind = .socket
    case S_IFCHR: kind = .characterDevice
    case S_IFBLK: kind = .blockDevice
    case _: kind = .other
    }
    throw .notARegularFile(path: path, kind: kind)
  }

  /// Reads to the end instead of to the reported size: files in /proc report zero, and others grow.
  private static func readToEnd(_ file: Int32, _ path: String) throws(PictureError) -> Data {
    var bytes = Data()
    var chunk = [UInt8](repeating: 0, count: 262_144)
    while true {
      let count = Glibc.read(file, &chunk, chunk.count)
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR { continue }
        throw failure(path)
      }
      bytes.append(contentsOf: chunk[..<count])
      guard bytes.count <= maximumBytes else { throw .tooLarge(bytes: bytes.count, limit: maximumBytes) }
    }
  }

  private static func failure(_ path: String) -> PictureError {
    let number = errno
    if number == ENOENT { return .notFound(path: path) }
    return .unreadable(path: path, reason: String(cString: strerror(number)))
  }
}
