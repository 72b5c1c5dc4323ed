import Foundation
import Text

/// A file that the user changes in an editor: in a private folder, and never followed through a symbolic link.
package struct EditorFile: Sendable {
  package let path: String
  private static let limit = 16 << 20

  /// Creates the private folder and the path of the file.
  ///
  /// - Throws: `FileError` if the folder cannot be created.
  package init(in folder: String, named name: String) throws(FileError) {
    try Files.createHomeFolder(folder)
    chmod(folder, 0o700)
    path = folder + "/" + name
  }

  /// Writes a new file, replacing an existing one.
  ///
  /// - Throws: `FileError.cannotWrite`.
  package func write(_ text: String) throws(FileError) {
    unlink(path)
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .cannotWrite(path: path, errno: errno) }
    defer { close(file) }
    do {
      try Descriptor.write(text, to: file, path: path)
    } catch {
      throw .cannotWrite(path: path, errno: ENOSPC)
    }
  }

  /// Returns the text that the user saved.
  ///
  /// - Throws: `FileError` if the file was removed, is not a regular file, not text or too large.
  package func read() throws(FileError) -> String {
    let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw .cannotRead(path: path, errno: errno) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
    guard status.st_size <= Self.limit else { throw .tooLarge(path: path, limit: Self.limit) }
    // One byte more than the size: a file that grows while it is read is rejected.
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size) + 1)
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes { Foundation.read(file, $0.baseAddress! + filled, $0.count - filled) }
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw .cannotRead(path: path, errno: errno) }
      if count == 0 { break }
      filled += count
    }
    guard let text = String(validating: bytes[..<filled], as: UTF8.self) else {
      throw .notText(path: path, at: InvalidByte(inUTF8: Data(bytes[..<filled])))
    }
    return text
  }

  package func remove() { unlink(path) }
}
