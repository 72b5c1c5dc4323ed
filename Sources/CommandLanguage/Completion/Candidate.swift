import Text

/// A candidate for completion: the text to insert, and a summary.
package struct Candidate: Hashable, Sendable {
  /// The text, already quoted if the language requires it.
  package var text: String
  package var summary: LocalizedText?
  /// A Boolean value that indicates whether a space is inserted after the candidate.
  package var endsWord: Bool

  package init(_ text: String, _ summary: LocalizedText? = nil, endsWord: Bool = true) {
    self.text = text
    self.summary = summary
    self.endsWord = endsWord
  }
}
