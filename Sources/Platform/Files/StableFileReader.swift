import Foundation

/// Reads a file that must not change during the read: one that another program writes to is rejected rather than half
/// understood.
package enum StableFileReader {
  /// Returns the contents as text.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - limit: The maximum size in bytes.
  ///   - whileReading: Called between the read and the check; for tests.
  /// - Returns: The text.
  /// - Throws: `FileError`: `.notText` if it is not UTF-8, `.modifiedWhileReading` if it was written to during the read,
  ///   `.cannotRead` also if it does not exist.
  package static func text(
    _ path: String, limit: Int, whileReading: () -> Void = {}
  ) throws(FileError) -> String {
    let bytes = try data(path, limit: limit, whileReading: whileReading)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .notText(path: path, at: InvalidByte(inUTF8: bytes))
    }
    return text
  }

  /// Returns the contents.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - limit: The maximum size in bytes.
  ///   - whileReading: Called between the read and the check; for tests.
  /// - Returns: The bytes.
  /// - Throws: `FileError`: `.modifiedWhileReading` if the file was written to during the read, `.cannotRead` also if it does not
  ///   exist.
  package static func data(
    _ path: String, limit: Int, whileReading: () -> Void = {}
  ) throws(FileError) -> Data {
    let before = try state(path)
    guard let bytes = try Files.read(path, limit: limit) else { throw .cannotRead(path: path, errno: ENOENT) }
    whileReading()
    guard try state(path) == before, before.size == bytes.count else { throw .modifiedWhileReading(path: path) }
    return bytes
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
