/// What Tab may put in place of a part of the line.
package struct Completion: Sendable, Equatable {
  /// The Unicode scalars of the line that a choice replaces.
  package var range: Range<Int>
  package var candidates: [Choice]
  /// Whether there are more than these, so that what they share says nothing.
  package var isCut: Bool

  package init(range: Range<Int>, candidates: [Choice], isCut: Bool = false) {
    self.range = range
    self.candidates = candidates
    self.isCut = isCut
  }

  /// Nothing to offer: Tab only beeps.
  package static let none = Completion(range: 0..<0, candidates: [])
}

/// One way to complete a word, with what a person should know to choose it.
package struct Choice: Sendable, Equatable {
  package var text: String
  /// Shown dim beside the text; may be empty.
  package var description: String
  /// Whether the word is over with it, so that a space follows. False for `name=` and for folders.
  package var endsWord: Bool

  package init(_ text: String, description: String = "", endsWord: Bool = true) {
    self.text = text
    self.description = description
    self.endsWord = endsWord
  }
}
