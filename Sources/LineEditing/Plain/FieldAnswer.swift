import Glibc

/// The result of prompting for one field of a form.
package enum FieldAnswer: Sendable, Equatable {
  case text(String)
  /// The user moved to the field above or below; the text may be incomplete.
  case up(String)
  case down(String)
  /// Esc, Ctrl-C, or the end of the input.
  case cancelled
  case notText
  case tooLong

  init(_ input: Input) {
    switch input {
    case .line(let text): self = .text(text)
    case .interrupted, .endOfFile, .unreadable, .editor: self = .cancelled
    case .invalidUTF8: self = .notText
    case .tooLong: self = .tooLong
    }
  }
}
