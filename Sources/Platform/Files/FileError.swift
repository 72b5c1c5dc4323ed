import Foundation
import Text

/// An error with a file of the program or of the user.
package enum FileError: Error, Hashable, Sendable {
  case cannotRead(path: String, errno: Int32)
  case cannotWrite(path: String, errno: Int32)
  case notAFile(path: String)
  case notText(path: String, at: InvalidByte? = nil)
  case tooLarge(path: String, limit: Int)
  /// The file was written to while it was read.
  case modifiedWhileReading(path: String)
  /// A file with secrets that other users can read; libpq rejects such a file too.
  case insecurePermissions(path: String, mode: String)
  /// A settings file that cannot be parsed.
  case malformed(path: String, reason: String)
  /// A settings file that cannot be parsed, with the line, from 1.
  ///
  /// The reason quotes no value of a file that may contain secrets.
  case syntax(path: String, line: Int, reason: LocalizedText)
  /// A certificate file without a certificate.
  case noCertificate(path: String)
}

/// An `errno`.
struct Errno: Error, Hashable {
  var code: Int32
}

/// The error for data that could not be written to standard output or a file.
package enum OutputError: Error, Hashable, Sendable {
  /// The reader closed the pipe, as `| head` does.
  case closed
  case failed(path: String?, errno: Int32)
}
