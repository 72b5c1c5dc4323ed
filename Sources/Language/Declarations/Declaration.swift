import Catalog
import Text

/// What a command is called and takes: the one place that feeds parsing, checking while typing, completion, hints and help.
package struct Declaration: Hashable, Sendable {
  /// Under which heading of `help` it stands.
  package enum Group: Hashable, Sendable, CaseIterable { case products, vendors, requests, weather, scripting, session }

  package var name: String
  package var aliases: [String]
  package var group: Group
  package var summary: LocalizedText
  /// A command that writes is typed whole, never by a prefix, and takes `yes` and `note TEXT`.
  package var writes: Bool
  /// Takes the clauses `as`, `to` and `|`.
  package var prints: Bool
  /// What else those who run, check and save lines must know of it.
  package var traits: Traits
  package var parameters: [Parameter]
  /// What conditions of this command are about when it is no product: the columns of the log.
  package var columns: [String: ColumnKind]
  /// The headings of those columns, with the column each is of.
  package var columnTitles: [String: String]
  /// Each is a line that a test parses.
  package var examples: [Example]

  /// What a command is, beside its words: asked of the declaration, so that nobody keeps a list of names.
  package struct Traits: OptionSet, Hashable, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The standard library's own goes by the protocols of a list, which the runtime looks up at every start.
    package init(arrayLiteral elements: Traits...) { self.init(rawValue: elements.reduce(0) { $0 | $1.rawValue }) }

    /// Ends with one product, which `let NAME = …` can give a name.
    package static let capturesProduct = Traits(rawValue: 1 << 0)
    /// Says nothing in a script that is saved.
    package static let leftOutOfScripts = Traits(rawValue: 1 << 1)
    /// Ends the session: what Ctrl-C has asked for does not hold it up.
    package static let endsSession = Traits(rawValue: 1 << 2)
    /// Must have answers before all its requests are known: it goes through the whole market.
    package static let needsAnswers = Traits(rawValue: 1 << 3)
    /// A place may be named, which has to be found before anything else can be asked for it.
    package static let findsPlaces = Traits(rawValue: 1 << 8)
    /// Its requests are the same in every edition of the API.
    package static let anyEdition = Traits(rawValue: 1 << 4)
    /// Its request is what the person typed: `curl` prints it, whatever it would do.
    package static let sendsAsTyped = Traits(rawValue: 1 << 5)
    /// What stands behind its name may be anything while it is only checked: the arguments of a script.
    package static let passesArguments = Traits(rawValue: 1 << 6)
    /// It is about the command that was refused before it, and is never that command itself.
    package static let asksAboutRefusal = Traits(rawValue: 1 << 9)
    /// A member that its answer does not have is not an error of the line: the command says what it means.
    package static let judgesMissing = Traits(rawValue: 1 << 10)
    /// A secret may stand in its line, of which only harmless words are kept.
    package static let takesSecret = Traits(rawValue: 1 << 7)
  }

  /// A line that can be typed, and what it does.
  package struct Example: Hashable, Sendable {
    package var line: String
    package var meaning: LocalizedText
    package init(_ line: String, _ meaning: StyledText, ko: StyledText) {
      self.line = line
      self.meaning = LocalizedText(meaning, ko: ko)
    }
  }

  package init(
    _ name: String, aliases: [String] = [], group: Group, summary: LocalizedText, writes: Bool = false,
    prints: Bool = false,
    traits: Traits = [], parameters: [Parameter] = [], columns: [String: ColumnKind] = [:],
    columnTitles: [String: String] = [:], examples: [Example] = []
  ) {
    self.name = name
    self.aliases = aliases
    self.group = group
    self.summary = summary
    self.writes = writes
    self.prints = prints
    self.traits = traits
    self.parameters = parameters
    self.columns = columns
    self.columnTitles = columnTitles
    self.examples = examples
  }

  /// The words that its conditions may use; `names` are those of products.
  package func names(_ names: FieldNames) -> FieldNames {
    columns.isEmpty ? names : FieldNames(columns: columns, titles: columnTitles)
  }
}

/// A word in front of a command that changes how it is run.
package enum Prefix: Hashable, Sendable {
  case dry
  case curl
  /// As Swift code.
  case swift
  case time
  case trace
  case watch(seconds: Int)

  /// The words, `watch` being followed by a number of seconds.
  package static let words = ["dry", "curl", "swift", "time", "trace", "watch"]
}
