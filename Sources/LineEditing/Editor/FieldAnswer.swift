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
