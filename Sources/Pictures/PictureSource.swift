import Foundation
import Glibc

/// Reads a picture from the user's own disk without ever hanging: pipes, devices and directories are refused
/// unopened, and no more than ``mostBytes`` is read.
package enum PictureSource {
  /// 20 MiB.
  package static let mostBytes = 20 * 1024 * 1024

  /// The file's bytes, read once; links are followed. What they are is not looked at here.
  ///
  /// - Throws: `PictureError` for a file that cannot be read, is no file or is too large.
  package static func read(path: String) throws(PictureError) -> Data {
    // A NUL would end the path early for the system, and another file would be read than the one named.
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .notFound(path: path) }
    var facts = stat()
    // Looking before opening: opening alone wakes a pipe's writer and rewinds a tape.
    guard stat(path, &facts) == 0 else { throw failure(path) }
    try check(facts, path)
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard file >= 0 else { throw failure(path) }
    defer { close(file) }
    guard fstat(file, &facts) == 0 else { throw failure(path) }
    try check(facts, path)
    return try drain(file, path)
  }

  private static func check(_ facts: stat, _ path: String) throws(PictureError) {
    let kind: FileKind
    switch facts.st_mode & S_IFMT {
    case S_IFREG:
      guard facts.st_size <= mostBytes else { throw .tooLarge(bytes: Int(facts.st_size), limit: mostBytes) }
      return
    case S_IFDIR: kind = .directory
    case S_IFIFO: kind = .pipe
    case S_IFSOCK: kind = .socket
    case S_IFCHR: kind = .characterDevice
    case S_IFBLK: kind = .blockDevice
    case _: kind = .other
    }
    throw .notAFile(path: path, kind: kind)
  }

  /// Reads to the end rather than to the size that was told: files under /proc tell zero, others grow.
  private static func drain(_ file: Int32, _ path: String) throws(PictureError) -> Data {
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
      guard bytes.count <= mostBytes else { throw .tooLarge(bytes: bytes.count, limit: mostBytes) }
    }
  }

  private static func failure(_ path: String) -> PictureError {
    let number = errno
    if number == ENOENT { return .notFound(path: path) }
    return .unreadable(path: path, reason: String(cString: strerror(number)))
  }
}

/// What stands at a path, when it is something a picture cannot be read from.
package enum FileKind: String, Hashable, Sendable {
  case directory, pipe, socket, characterDevice, blockDevice, other
}
