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

/// What came of asking for one field of a form.
package enum FieldAnswer: Sendable, Equatable {
  case text(String)
  /// The person went to the field above or below; what stands here may be unfinished.
  case up(String)
  case down(String)
  /// Esc, Ctrl-C, or the end of the input.
  case left
  case notText
  case tooLong

  init(_ input: Input) {
    switch input {
    case .line(let text): self = .text(text)
    case .interrupted, .end: self = .left
    case .notText: self = .notText
    case .tooLong: self = .tooLong
    }
  }
}
