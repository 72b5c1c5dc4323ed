import Text

/// What went wrong with a file of ours or of the user's.
package enum FileError: Error, Hashable, Sendable {
  case cannotRead(path: String, errno: Int32)
  case cannotWrite(path: String, errno: Int32)
  case notAFile(path: String)
  case notText(path: String)
  case tooLarge(path: String, limit: Int)
  /// Somebody wrote to it while it was read.
  case changed(path: String)
  /// A file with secrets that others can read, as libpq refuses it.
  case tooOpen(path: String, mode: String)
  /// A settings file that cannot be understood.
  case malformed(path: String, reason: String)
  /// The same, and the line it is about, from 1; the words quote nothing of the file.
  case badLine(path: String, line: Int, reason: Wording)
  /// A file of certificates without one.
  case noCertificate(path: String)
}
