import Text

/// A command's name and parameters: the single source for parsing, highlighting, completion, hints and help.
package struct CommandDeclaration: Hashable, Sendable {
  /// The section of `help` that lists the command.
  package enum Group: Hashable, Sendable, CaseIterable {
    case view, change, schedule, review, account, api, weather, scripting, session
  }

  package var name: String
  package var aliases: [String]
  package var group: Group
  package var summary: LocalizedText
  /// The forms of the command as they are typed: `sale TARGETS N% from DATE to DATE`, `sale list`.
  ///
  /// Without any, the form is derived from the parameters.
  package var usage: [String]
  /// The paragraph of `help` about what the command does, or `nil`.
  package var details: LocalizedText?
  /// A Boolean value that indicates whether the command writes to the market.
  ///
  /// Such a command can't be abbreviated, and accepts `yes` and `note TEXT`.
  package var writesToMarket: Bool
  /// A Boolean value that indicates whether the command accepts the clauses `as`, `to` and `|`.
  package var producesData: Bool
  /// The properties needed to run, check and save lines.
  package var traits: Traits
  package var parameters: [Parameter]
  /// The columns that conditions of this command refer to, if its rows aren't products, as in the log.
  package var columns: [String: ColumnKind]
  /// The headings of those columns, with the column that each belongs to.
  package var columnTitles: [String: String]
  /// The words that an earlier version accepted as options, with the words that replace them: `theirs`, `keep server`.
  ///
  /// They are refused, so that an old line isn't read in another way.
  package var replacedWords: [String: String]
  /// The command of which this one is a short form, `raw` of `get`, or `nil`.
  ///
  /// The help of that command lists it.
  package var variantOf: String?
  /// The examples.
  ///
  /// Each is a line that a test parses.
  package var examples: [Example]

  /// The properties of a command that other components need.
  ///
  /// They are part of the declaration, so that no component has its own list of command names.
  package struct Traits: OptionSet, Hashable, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The command ends with one product, which `let NAME = …` stores.
    package static let capturesProduct = Traits(rawValue: 1 << 0)
    /// The command ends with one response, which `let NAME = …` stores.
    package static let capturesResponse = Traits(rawValue: 1 << 1)
    /// The command is omitted from saved scripts.
    package static let excludedFromSavedScripts = Traits(rawValue: 1 << 2)
    /// The command ends the session, even after Ctrl-C.
    package static let endsSession = Traits(rawValue: 1 << 3)
    /// The command needs responses before all its requests are known, because it reads the whole market.
    package static let requiresFullScan = Traits(rawValue: 1 << 4)
    /// The command accepts the name of a place, which has to be found before anything else can be requested.
    package static let resolvesPlaces = Traits(rawValue: 1 << 5)
    /// The command's requests are the same in every edition of the API.
    package static let editionIndependent = Traits(rawValue: 1 << 6)
    /// The command's request is what the user typed, so `curl` prints it even if it would write.
    package static let sendsAsTyped = Traits(rawValue: 1 << 7)
    /// The words after the command's name aren't checked: they are the arguments of a script.
    package static let passesArguments = Traits(rawValue: 1 << 8)
    /// The command explains the last failed command, and never counts as that command itself.
    package static let explainsLastFailure = Traits(rawValue: 1 << 9)
    /// The command collects the changes of other commands in one plan.
    package static let collectsChanges = Traits(rawValue: 1 << 10)
    /// A missing member isn't an error of the line: the command interprets it.
    package static let judgesMissing = Traits(rawValue: 1 << 11)
    /// The command is one of the words of an ordinary day, which `help` lists first.
    package static let daily = Traits(rawValue: 1 << 12)
    /// The command prints a text, which the clause `|` pipes to a program. It has no other clauses, whose words may be
    /// part of the text.
    package static let pipesText = Traits(rawValue: 1 << 13)
    /// The line may contain a secret, so only words known not to be secrets are recorded.
    package static let acceptsSecret = Traits(rawValue: 1 << 14)
  }

  /// A Boolean value that indicates whether a run of the command that didn't end is continued when its line is run again.
  package var isContinued: Bool { writesToMarket || traits.contains(.collectsChanges) }

  /// A line that can be typed, with its meaning.
  package struct Example: Hashable, Sendable {
    package var line: String
    package var meaning: LocalizedText
    package init(_ line: String, _ meaning: StyledText, ko: StyledText) {
      self.line = line
      self.meaning = LocalizedText(meaning, ko: ko)
    }
  }

  package init(
    _ name: String, aliases: [String] = [], group: Group, summary: LocalizedText, usage: [String] = [],
    details: LocalizedText? = nil, writesToMarket: Bool = false, producesData: Bool = false,
    traits: Traits = [], parameters: [Parameter] = [], columns: [String: ColumnKind] = [:],
    columnTitles: [String: String] = [:], replacedWords: [String: String] = [:], variantOf: String? = nil,
    examples: [Example] = []
  ) {
    self.name = name
    self.aliases = aliases
    self.group = group
    self.summary = summary
    self.usage = usage
    self.details = details
    self.writesToMarket = writesToMarket
    self.producesData = producesData
    self.traits = traits
    self.parameters = parameters
    self.columns = columns
    self.columnTitles = columnTitles
    self.replacedWords = replacedWords
    self.variantOf = variantOf
    self.examples = examples
  }

  /// Returns the field names for the command's conditions.
  ///
  /// `names` are those of products.
  package func names(_ names: FieldNameTable) -> FieldNameTable {
    columns.isEmpty ? names : FieldNameTable(columns: columns, titles: columnTitles)
  }
}

/// A word before a command that changes how it is run.
package enum CommandPrefix: Hashable, Sendable {
  case dry
  case curl
  /// Prints the requests as Swift code.
  case swift
  case time
  case trace
  case watch(seconds: Int)

  /// The words to type for the prefixes.
  ///
  /// `watch` is followed by a number of seconds.
  package static let words = ["dry", "curl", "swift", "time", "trace", "watch"]
}
