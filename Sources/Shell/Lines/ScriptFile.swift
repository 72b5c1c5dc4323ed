import Foundation
import LineEditing
import Platform

/// The lines of a script in a file.
enum ScriptFile {
  /// Throws `FileError` for what is no regular file; never waits on a FIFO.
  static func lines(_ path: String) throws(FileError) -> [Input] {
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw .cannotRead(path: path, errno: errno) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
    return Array(PlainLines(file))
  }

  /// The same file by whatever name, for telling whether a script comes back to itself.
  static func canonical(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}
