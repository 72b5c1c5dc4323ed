import Catalog
import Text

/// A text of `help` in parts, for whoever lays it out: headings over rows of a term and its meaning.
package struct HelpPage: Hashable, Sendable {
  /// What can be typed, and what it means.
  package struct Row: Hashable, Sendable {
    /// What is typed.
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

  /// Rows under a heading.
  package struct Section: Hashable, Sendable {
    /// How the rows stand: each on a line with its meaning, or only the terms, side by side after the heading.
    package enum Shape: Hashable, Sendable { case rows, terms }

    package var title: LocalizedText
    package var rows: [Row]
    package var shape: Shape

    package init(_ title: LocalizedText, _ rows: [Row], shape: Shape = .rows) {
      self.title = title
      self.rows = rows
      self.shape = shape
    }
  }

  package var title: LocalizedText
  /// How the command is written, in pieces between which a line may break; empty where nothing is.
  package var syntax: [String]
  package var sections: [Section]
  /// What to look at next; nil where nothing follows.
  package var closing: LocalizedText?

  package init(title: LocalizedText, syntax: [String] = [], sections: [Section], closing: LocalizedText? = nil) {
    self.title = title
    self.syntax = syntax
    self.sections = sections.filter { !$0.rows.isEmpty }
    self.closing = closing
  }
}

/// What `help` explains besides the commands: `help where`, `help exit-codes`.
package enum HelpTopic: String, Hashable, Sendable, CaseIterable {
  case targets
  case `where`
  case fields
  case assignments
  case formats
  case editions
  case exitCodes = "exit-codes"
  case environment
  case keys
  case prefixes
  case habits

  package var page: HelpPage {
    switch self {
    case .targets: HelpTopic.targetsPage
    case .where: HelpTopic.wherePage
    case .fields: HelpTopic.fieldsPage
    case .assignments: HelpTopic.assignmentsPage
    case .formats: HelpTopic.formatsPage
    case .editions: HelpTopic.editionsPage
    case .exitCodes: HelpTopic.exitCodesPage
    case .environment: HelpTopic.environmentPage
    case .keys: HelpTopic.keysPage(vi: false)
    case .prefixes: HelpTopic.prefixesPage
    case .habits: HelpTopic.habitsPage
    }
  }

  /// The topic of that name, or the one that explains the prefix.
  package static func named(_ name: String) -> HelpTopic? {
    let name = name.lowercased()
    if name == "startup" || name == "startup.market" { return .environment }
    return HelpTopic(rawValue: name) ?? (Prefix.words.contains(name) ? .prefixes : nil)
  }
}
