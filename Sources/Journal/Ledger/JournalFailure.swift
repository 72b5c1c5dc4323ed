/// Why the journal cannot be read or written; while it cannot be written, nothing is sent.
package enum JournalFailure: Error, Hashable, Sendable {
  /// The directory or a file in it could not be made, opened or written.
  case unwritable(path: String, reason: String)
  case diskFull
  /// The pictures of writes that are still open take all the bytes that pictures may.
  case quota(bytes: Int)
  /// Another shell has given the write up, or goes on with it.
  case takenOver(Int)
  /// The write is taken back already, or is just being taken back, by another.
  case takenBack(Int, by: Int)
  /// Others may read or write it; `mode` is its permissions.
  case tooOpen(path: String, mode: Int)
  /// Belongs to another user, or is a link or a special file.
  case notOurs(path: String)
  /// Written by a newer program: its log can be read here, nothing can be added.
  case newer(version: Int)
  /// Not a journal any more; the evidence.
  case damaged(String)
  /// An earlier commit failed, so what is on disk is not certain until the program starts again.
  case poisoned(String)
  /// Another shell kept it locked for too long.
  case busy
  /// None was opened.
  case absent
}
