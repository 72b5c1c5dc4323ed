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
