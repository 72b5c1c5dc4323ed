import Catalog
import Text

/// A text of `help` in parts, for whoever lays it out: headings over rows of a term and its meaning.
package struct HelpPage: Hashable, Sendable {
  /// What can be typed, and what it means.
  package struct Row: Hashable, Sendable {
    /// What is typed.
    package var term: String
    package var meaning: Wording

    package init(_ term: String, _ meaning: Wording) {
      self.term = term
      self.meaning = meaning
    }

    package init(_ term: String, _ meaning: StyledText, ko: StyledText) { self.init(term, Wording(meaning, ko: ko)) }
  }

  /// Rows under a heading.
  package struct Section: Hashable, Sendable {
    /// How the rows stand: each on a line with its meaning, or only the terms, side by side after the heading.
    package enum Shape: Hashable, Sendable { case rows, terms }

    package var title: Wording
    package var rows: [Row]
    package var shape: Shape

    package init(_ title: Wording, _ rows: [Row], shape: Shape = .rows) {
      self.title = title
      self.rows = rows
      self.shape = shape
    }
  }

  package var title: Wording
  /// How the command is written, in pieces between which a line may break; empty where nothing is.
  package var syntax: [String]
  package var sections: [Section]
  /// What to look at next; nil where nothing follows.
  package var closing: Wording?

  package init(title: Wording, syntax: [String] = [], sections: [Section], closing: Wording? = nil) {
    self.title = title
    self.syntax = syntax
    self.sections = sections.filter { !$0.rows.isEmpty }
    self.closing = closing
  }
}
