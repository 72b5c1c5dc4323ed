import Text

/// One thing Tab offers: what would stand in the line, and what it is.
package struct Candidate: Hashable, Sendable {
  /// Already quoted where the language needs it.
  package var text: String
  package var summary: Wording?
  /// A space follows it when it is taken.
  package var endsWord: Bool

  package init(_ text: String, _ summary: Wording? = nil, endsWord: Bool = true) {
    self.text = text
    self.summary = summary
    self.endsWord = endsWord
  }
}
