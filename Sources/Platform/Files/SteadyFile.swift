import Foundation

/// Reads a file that must stay as it is meanwhile: one that grows, shrinks or is written to is refused, not half understood.
package enum SteadyFile {
  /// - Parameter limit: bytes; a longer file is refused.
  package static func text(
    _ path: String, limit: Int, whileReading: () -> Void = {}
  ) throws(FileError) -> String {
    let before = try state(path)
    guard let text = try Files.text(path, limit: limit) else { throw .cannotRead(path: path, errno: ENOENT) }
    whileReading()
    guard try state(path) == before, before.size == text.utf8.count else { throw .changed(path: path) }
    return text
  }

  private struct State: Equatable {
    var file: UInt64
    var size: Int
    var seconds: Int
    var nanoseconds: Int
  }

  private static func state(_ path: String) throws(FileError) -> State {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .cannotRead(path: path, errno: errno) }
    return State(
      file: UInt64(status.st_ino), size: Int(status.st_size), seconds: status.st_mtim.tv_sec,
      nanoseconds: status.st_mtim.tv_nsec)
  }
}
