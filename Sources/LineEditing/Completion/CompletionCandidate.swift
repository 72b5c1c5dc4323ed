/// One completion of a word, with a description that helps to choose it.
package struct CompletionCandidate: Sendable, Equatable {
  package var text: String
  /// The text shown dimmed after the choice; may be empty.
  package var description: String
  /// Indicates whether the choice completes the word, so that a space follows.
  ///
  /// False for `name=` and for folders.
  package var endsWord: Bool

  package init(_ text: String, description: String = "", endsWord: Bool = true) {
    self.text = text
    self.description = description
    self.endsWord = endsWord
  }
}
