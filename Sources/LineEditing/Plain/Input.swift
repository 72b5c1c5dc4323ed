/// What came of asking a person (or a pipe) for one line.
package enum Input: Sendable, Equatable {
  /// The text without its line end. Pasted and continued lines keep the newlines between them.
  case line(String)
  /// Ctrl-C: whatever was typed is dropped.
  case interrupted
  /// Ctrl-D on an empty line, the end of the input, or a terminal that went away.
  case end
  /// The line held bytes that are not UTF-8, or a NUL; nothing of it may run.
  case notText
  /// The line was longer than ``LineLimit/bytes``; nothing of it may run.
  case tooLong
}
