import Foundation
import LineEditing
import Platform

/// The lines of a script file.
enum ScriptFile {
  /// Returns the lines of a file.
  ///
  /// Never blocks on a FIFO.
  ///
  /// - Throws: `FileError` if it can't be read or isn't a regular file.
  static func lines(_ path: String) throws(FileError) -> [Input] {
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw .cannotRead(path: path, errno: errno) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
    return Array(LineReader(file))
  }

  /// Returns the canonical path of a file, to detect a script that runs itself.
  static func canonicalPath(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}
