import Text

/// A help text as data, independent of layout: sections with rows of a term and its meaning.
package struct HelpPage: Hashable, Sendable {
  /// A term that can be typed, with its meaning.
  package struct Row: Hashable, Sendable {
    /// The text to type.
    package var term: String
    package var meaning: LocalizedText

    package init(_ term: String, _ meaning: LocalizedText) {
      self.term = term
      self.meaning = meaning
    }

    package init(_ term: String, _ meaning: StyledText, ko: StyledText) {
      self.init(term, LocalizedText(meaning, ko: ko))
    }
  }

  /// Rows with a heading.
  package struct Section: Hashable, Sendable {
    /// The layout of the rows: each on a line with its meaning, or only the terms in one line after the heading.
    package enum Shape: Hashable, Sendable { case rows, terms }

    package var title: LocalizedText
    package var rows: [Row]
    package var shape: Shape

    /// A Boolean value that indicates whether the rows are lines that can be typed as they are.
    var isOfExamples: Bool { title.english.plain == "Examples" }

    package init(_ title: LocalizedText, _ rows: [Row], shape: Shape = .rows) {
      self.title = title
      self.rows = rows
      self.shape = shape
    }
  }

  package var title: LocalizedText
  /// The forms of the command, each as it is typed, or an empty list.
  package var usage: [String]
  /// The paragraph about what the command does, or `nil`.
  package var details: LocalizedText?
  package var sections: [Section]
  /// The reference to further help, or `nil`.
  package var closing: LocalizedText?

  package init(
    title: LocalizedText, usage: [String] = [], details: LocalizedText? = nil, sections: [Section],
    closing: LocalizedText? = nil
  ) {
    self.title = title
    self.usage = usage
    self.details = details
    self.sections = sections.filter { !$0.rows.isEmpty }
    self.closing = closing
  }
}
