import Catalog
import Text

/// What a command is called and takes: the one place that feeds parsing, checking while typing, completion, hints and help.
package struct Declaration: Hashable, Sendable {
  package enum Group: Hashable, Sendable, CaseIterable { case products, vendors, requests, weather, scripting, session }

  package var name: String
  package var aliases: [String]
  package var group: Group
  package var summary: Wording
  /// A command that writes is typed whole, never by a prefix, and takes `yes` and `note TEXT`.
  package var writes: Bool
  /// Takes the clauses `as`, `to` and `|`.
  package var prints: Bool
  package var parameters: [Parameter]
  /// What conditions of this command are about when it is no product: the columns of the log.
  package var columns: [String: ColumnKind]
  /// Each is a line that a test parses.
  package var examples: [Example]

  package struct Example: Hashable, Sendable {
    package var line: String
    package var meaning: Wording
    package init(_ line: String, _ meaning: StyledText, ko: StyledText) {
      self.line = line
      self.meaning = Wording(meaning, ko: ko)
    }
  }

  package init(
    _ name: String, aliases: [String] = [], group: Group, summary: Wording, writes: Bool = false, prints: Bool = false,
    parameters: [Parameter] = [], columns: [String: ColumnKind] = [:], examples: [Example] = []
  ) {
    self.name = name
    self.aliases = aliases
    self.group = group
    self.summary = summary
    self.writes = writes
    self.prints = prints
    self.parameters = parameters
    self.columns = columns
    self.examples = examples
  }

  /// The words that its conditions may use; `names` are those of products.
  func names(_ names: FieldNames) -> FieldNames { columns.isEmpty ? names : FieldNames(columns: columns) }
}
