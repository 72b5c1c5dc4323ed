import Glibc

/// The result of prompting a user, or reading a pipe, for one line.
package enum Input: Sendable, Equatable {
  /// The text without its line end.
  ///
  /// Pasted and continued lines contain newlines.
  case line(String)
  /// Ctrl-C: the typed text is discarded.
  case interrupted
  /// The line is to be changed in an external editor and prompted for again.
  case editor(String)
  /// Ctrl-D on an empty line, the end of the input, or a hung-up terminal.
  case endOfFile
  /// The line contained bytes that are not UTF-8, or a NUL; nothing of it may run.
  case invalidUTF8
  /// The line was longer than ``LineLimit/bytes``; nothing of it may run.
  case tooLong
  /// Reading failed; the value is the `errno`.
  ///
  /// No input follows.
  case unreadable(Int32)
}
