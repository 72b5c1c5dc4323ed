import Catalog

/// A text of `help` in parts, for whoever lays it out: headings over rows of a term and its meaning.
package struct HelpPage: Hashable, Sendable {
  package struct Row: Hashable, Sendable {
    /// What is typed.
    package var term: String
    package var meaning: Wording
  }

  package struct Section: Hashable, Sendable {
    package var title: Wording
    package var rows: [Row]
  }

  package var title: Wording
  /// How the command is written; nil for the overview.
  package var syntax: String?
  package var sections: [Section]

  /// The page as lines, terms of a section padded to one width (they are ASCII, but for examples).
  package func lines(_ tongue: Tongue) -> [StyledText] {
    var lines = [title[tongue]]
    if let syntax { lines += ["", "  \(.command(syntax))"] }
    for section in sections where !section.rows.isEmpty {
      let width = min(section.rows.map(\.term.count).max() ?? 0, 28)
      lines += ["", "\(.strong(section.title[tongue].plain))"]
      for row in section.rows {
        let pad = String(repeating: " ", count: max(0, width - row.term.count) + 2)
        lines.append("  \(.command(row.term))" + StyledText(pad) + row.meaning[tongue])
      }
    }
    return lines
  }
}
