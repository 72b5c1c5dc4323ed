import Catalog
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
  /// The headings of `columns`, with the name of the column.
  package var columnTitles: [String: String]
  /// The words that an earlier version accepted as options, with the words that replace them: `theirs`, `keep server`.
  ///
  /// They are refused, so that an old line isn't read in another way.
  package var replacedWords: [String: String]
  /// The command of which this one is a short form, `raw` of `get`, or `nil`.
  ///
  /// The help of that command lists it.
  package var variantOf: String?
  /// Lines that a test parses.
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
    /// The command needs responses before all its requests are known, because it reads all pages of the market.
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
    /// The command is among those that `help` lists first.
    package static let daily = Traits(rawValue: 1 << 12)
    /// The command prints a text, which the clause `|` pipes to a program. It has no other clauses, whose words may be
    /// part of the text.
    package static let pipesText = Traits(rawValue: 1 << 13)
    /// The line may contain a secret, so only words known not to be secrets are recorded.
    package static let acceptsSecret = Traits(rawValue: 1 << 14)
    /// The command is about writes of earlier lines, so that a key of its own (`once`) has no effect.
    package static let takesNoKey = Traits(rawValue: 1 << 15)
  }

  /// A line that can be typed, with its meaning.
  package struct Example: Hashable, Sendable {
    package var line: String
    /// The line with Korean words, for help in Korean, or `nil` if it is the same in both languages.
    package var koreanLine: String?
    package var meaning: LocalizedText
    package init(_ line: String, inKorean koreanLine: String? = nil, _ meaning: StyledText, ko: StyledText) {
      self.line = line
      self.koreanLine = koreanLine
      self.meaning = LocalizedText(meaning, ko: ko)
    }

    /// The line in each language.
    package var lines: [String] { [line] + (koreanLine.map { [$0] } ?? []) }
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

/// A parameter of a command, given by position or by name.
package struct Parameter: Hashable, Sendable {
  /// The syntax by which the parameter's value is recognized.
  package enum Style: Hashable, Sendable {
    /// A value by position: `show 42`.
    case positional(required: Bool)
    /// All remaining bare words: `show 42 name price`, `search blue bag`.
    case rest(required: Bool)
    /// A named value: `page 2`, `--page 2` or `--page=2`.
    case option
    /// A name alone: `all` or `--all`.
    case flag
    /// Any number of assignments in any order: `field=value`, `field+=n` ….
    case assignments
  }

  /// The option's name, or the name shown in help: `TARGET`.
  package var name: String
  package var style: Style
  package var kind: ValueKind
  package var summary: LocalizedText
  /// The name of the value in usage lines, such as `DATE`, or `nil` for the usual name of its kind.
  package var placeholder: String?
  /// A Boolean value that indicates that lines with different values of the parameter do different things.
  ///
  /// It is false for parameters that only change what is asked, shown or recorded.
  package var hasEffect: Bool
  /// A Boolean value that indicates an option that can be given without a value if nothing follows it: `calls show`.
  package var isValueOptional: Bool
  /// The option without which a value by position has no meaning, or `nil`: `api from FILE [FILE]`.
  ///
  /// Completion doesn't offer it without the option.
  package var neededOption: String?
  /// Words that completion offers for a positional parameter in addition to those of its kind.
  package var suggestions: [String]

  package init(
    _ name: String, _ style: Style, kind: ValueKind, summary: LocalizedText, placeholder: String? = nil,
    hasEffect: Bool = true, isValueOptional: Bool = false, neededOption: String? = nil, suggestions: [String] = []
  ) {
    self.suggestions = suggestions
    self.hasEffect = hasEffect
    self.neededOption = neededOption
    self.isValueOptional = isValueOptional
    self.name = name
    self.style = style
    self.kind = kind
    self.summary = summary
    self.placeholder = placeholder
  }
}

extension Parameter {
  /// The parameter with the mark that lines with different values of it have the same effect.
  private var withoutEffect: Parameter {
    var copy = self
    copy.hasEffect = false
    return copy
  }

  /// The options of every command that prints data.
  package static let outputOptions: [Parameter] = [
    Parameter(
      "as", .option, kind: .choice(OutputFormat.allCases.map(\.rawValue)),
      summary: LocalizedText("output format for this command", ko: "이 명령에만 쓸 형식")),
    Parameter(
      "to", .option, kind: .file,
      summary: LocalizedText("save the output to a file; - is the standard output", ko: "데이터를 파일에 저장. -는 표준 출력")),
    replaceFlag,
    Parameter(
      "bom", .flag, kind: .none,
      summary: LocalizedText("start CSV with a byte order mark, for Excel", ko: "CSV 맨 앞에 BOM 추가(엑셀용)")),
  ].map(\.withoutEffect)

  /// The option of commands that write a file named by the user.
  package static let replaceFlag = Parameter(
    "replace", .flag, kind: .none,
    summary: LocalizedText("overwrite a file not written by openmarket", ko: "openmarket이 저장하지 않은 파일도 덮어씀")
  )

  /// The options of every command that writes to the market.
  package static let writeOptions: [Parameter] = [
    Parameter("yes", .flag, kind: .none, summary: LocalizedText("apply without asking", ko: "확인하지 않음")),
    Parameter("outliers", .flag, kind: .none, summary: LocalizedText("allow unusual values", ko: "평소와 크게 다른 값도 진행")),
    Parameter(
      "unproven", .flag, kind: .none,
      summary: LocalizedText("write though contract has not proven the market's description", ko: "검증하지 않은 설명 파일로도 진행")),
    Parameter(
      "again", .flag, kind: .none,
      summary: LocalizedText("make all of it anew, whatever was applied before", ko: "이전에 적용한 것과 상관없이 모두 새로 적용")),
    key,
    Parameter("note", .option, kind: .text, summary: LocalizedText("add a note to the log entry", ko: "로그에 남길 메모")),
    Parameter(
      "jobs", .option, kind: .number(1...8),
      summary: LocalizedText("parallel requests in a batch (default: 4)", ko: "일괄 작업의 동시 요청 수, 기본 4")),
    Parameter(
      "rate", .option, kind: .rate,
      summary: LocalizedText("maximum changes per second, such as 5/s", ko: "초당 최대 변경 수, 5/s")),
    Parameter(
      "stop-after", .option, kind: .number(1...10_000),
      summary: LocalizedText("stop the batch after N failures (default: 5)", ko: "일괄 작업을 멈출 실패 수, 기본 5")),
    failOn,
  ].map(\.withoutEffect)

  /// The key of an intent; see `takesNoKey`.
  package static let key = Parameter(
    "once", .option, kind: .text,
    summary: LocalizedText(
      "a key that names the intent: the same key is applied once", ko: "같은 키는 한 번만 적용"), placeholder: "KEY")

  /// The option of dry runs and comparisons that makes changes a failure.
  package static let failOn = Parameter(
    "fail-on", .option, kind: .choice(["any", "deletes"]),
    summary: LocalizedText("in a dry run, exit with 8 if there are such changes", ko: "모의 실행에서 그런 변경이 있으면 종료 코드 8"))

  static let watchUntilOption = Parameter(
    "until", .option, kind: .expression,
    summary: LocalizedText("stop watching when the condition is met", ko: "조건이 맞으면 멈춤"))
}

extension CommandDeclaration {
  /// The command's own parameters and the shared options.
  ///
  /// Its own take precedence.
  package var effectiveParameters: [Parameter] {
    var result = parameters
    let implied = (producesData ? Parameter.outputOptions : []) + (writesToMarket ? Parameter.writeOptions : [])
    for parameter in implied where !parameters.contains(where: { $0.name == parameter.name }) {
      if traits.contains(.takesNoKey), parameter.name == Parameter.key.name { continue }
      result.append(parameter)
    }
    return result
  }

  /// The options and flags, which are given by name.
  package var options: [Parameter] {
    effectiveParameters.filter { $0.style == .option || $0.style == .flag }
  }

  /// The parameters given by position, in order.
  package var positionals: [Parameter] {
    parameters.filter { parameter in
      switch parameter.style {
      case .positional, .rest: true
      case .option, .flag, .assignments: false
      }
    }
  }

  package var assignmentParameter: Parameter? { parameters.first { $0.style == .assignments } }
}

/// The kind of values that a parameter accepts, which also determines its completion.
package enum ValueKind: Hashable, Sendable {
  case text
  case number(ClosedRange<Int>)
  /// A decimal number such as a coordinate, possibly negative.
  case decimal
  case choice([String])
  case field
  /// One of these fields; others are named by the command.
  case fieldAmong([ProductField])
  /// A list of fields: `a,b,c`.
  case fields
  case target
  case file
  /// A list of files: `a.jpg,b.png`.
  case files
  case currency
  case profile
  /// The name or number of a vendor.
  case vendor
  case setting
  /// A named snapshot of the market.
  case snapshot
  /// A recipe for the files of a supplier, by its name.
  case recipe
  /// A saved report, by its name.
  case report
  case command
  /// A condition, `stock=0 and price>1000`.
  ///
  /// It is stored in the notation that `Condition.read` parses.
  case expression
  /// The rest of the command as typed, to be parsed later: `alias NAME = LINE`, `plan COMMAND... to FILE`.
  case line
  /// An SQL query, captured like `line`, with the words for completion.
  case sql([String])
  /// A write that can be undone, by its number in the log.
  case writeNumber
  /// A batch that can be undone, by its number.
  case batchNumber
  /// A write by its number in the log, or a run by its name: `12`, `r12`.
  case writeOrRun
  /// A rate such as `5/s`, stored as the number.
  case rate
  /// Assignments to product fields and to these names (`identifier`, `url`, `images`).
  ///
  /// `*` allows any name.
  case productAssignments([String])
  /// Assignments to these names only: `url`, `api`.
  case namedAssignments([AssignableSetting])
  /// No value, for a flag.
  case none
}

extension ValueKind {
  /// The facts about a kind that don't need a value.
  private struct Traits {
    /// The placeholder in a usage line.
    var placeholder: String
    /// The role of a value in the highlighted line.
    var role = HighlightRole.value
    /// A Boolean value that indicates that a value continues after a trailing comma.
    var isList = false
    /// A Boolean value that indicates that the text is captured as typed up to the end of the command.
    var capturesRawText = false
  }

  private var traits: Traits {
    switch self {
    case .text: Traits(placeholder: "TEXT")
    case .number, .decimal, .writeNumber, .batchNumber: Traits(placeholder: "N")
    case .writeOrRun: Traits(placeholder: "N|rN")
    case .choice(let choices): Traits(placeholder: choices.count <= 4 ? choices.joined(separator: "|") : "NAME")
    case .field, .fieldAmong: Traits(placeholder: "FIELD", role: .field)
    case .fields: Traits(placeholder: "FIELD,...", role: .field, isList: true)
    case .target: Traits(placeholder: "TARGETS", role: .id, isList: true)
    case .file: Traits(placeholder: "FILE")
    case .files: Traits(placeholder: "FILE,...", isList: true)
    case .currency: Traits(placeholder: "CURRENCY")
    case .profile, .vendor, .setting, .snapshot, .recipe, .report: Traits(placeholder: "NAME")
    case .command: Traits(placeholder: "COMMAND", role: .command)
    case .expression: Traits(placeholder: "EXPR")
    case .line: Traits(placeholder: "TEXT", capturesRawText: true)
    case .sql: Traits(placeholder: "SELECT", capturesRawText: true)
    case .rate: Traits(placeholder: "N/s")
    case .productAssignments, .namedAssignments: Traits(placeholder: "NAME=VALUE")
    case .none: Traits(placeholder: "")
    }
  }

  var placeholder: String { traits.placeholder }

  /// Returns whether the word is one of the words of a choice, which may also name an option: `fail-on deletes`.
  func isChoice(_ word: String) -> Bool {
    if case .choice(let words) = self { words.contains(word) } else { false }
  }

  var role: HighlightRole { traits.role }
  var isList: Bool { traits.isList }
  var capturesRawText: Bool { traits.capturesRawText }
}

/// A name other than a product field that a command accepts in an assignment, with the kind of its values.
package struct AssignableSetting: Hashable, Sendable, ExpressibleByStringLiteral {
  package let name: String
  package let summary: LocalizedText?
  package let kind: ValueKind

  package init(_ name: String, summary: LocalizedText?, kind: ValueKind) {
    self.name = name
    self.summary = summary
    self.kind = kind
  }

  package init(stringLiteral name: String) { self.init(name, summary: nil, kind: .text) }
}

/// The usage of a command, derived from its declaration, for help, hints and errors.
package enum Syntax {
  /// Returns the first usage line: `ls [page N] [size N] [all]`.
  ///
  /// Optional parts are in brackets.
  package static func line(_ declaration: CommandDeclaration) -> String { usage(declaration)[0] }

  /// Returns the usage lines, one for each form of the command.
  package static func usage(_ declaration: CommandDeclaration) -> [String] {
    declaration.usage.isEmpty ? [pieces(declaration).joined(separator: " ")] : declaration.usage
  }

  /// Returns the pieces of a usage line between which it may be broken: words, and groups in brackets.
  package static func pieces(of line: String) -> [String] {
    var pieces: [String] = []
    var depth = 0
    for word in line.split(separator: " ") {
      if depth > 0 { pieces[pieces.count - 1] += " " + word } else { pieces.append(String(word)) }
      depth += word.count { $0 == "[" } - word.count { $0 == "]" }
    }
    return pieces
  }

  /// Returns the usage line in pieces that shouldn't be broken across lines.
  package static func pieces(_ declaration: CommandDeclaration) -> [String] {
    [declaration.name] + declaration.parameters.map(parameter)
  }

  package static func parameter(_ parameter: Parameter) -> String {
    switch parameter.style {
    case .positional(required: true): parameter.name
    case .positional(required: false): "[" + parameter.name + "]"
    case .rest(required: true): parameter.name + "..."
    case .rest(required: false): "[" + parameter.name + "...]"
    case .option: "[" + parameter.name + " " + placeholder(of: parameter) + "]"
    case .flag: "[" + parameter.name + "]"
    case .assignments: assignments(parameter.kind)
    }
  }

  /// Returns the placeholder for the value of a parameter in a usage line.
  package static func placeholder(of parameter: Parameter) -> String {
    parameter.placeholder ?? parameter.kind.placeholder
  }

  private static func assignments(_ kind: ValueKind) -> String {
    switch kind {
    case .namedAssignments(let settings): settings.map { "[" + $0.name + "=VALUE]" }.joined(separator: " ")
    case .productAssignments(let names):
      (["[FIELD=VALUE...]"] + names.filter { $0 != "*" }.map { "[" + $0 + "=VALUE]" }).joined(separator: " ")
    default: "[NAME=VALUE...]"
    }
  }
}

/// The role of a part of a line for highlighting.
package enum HighlightRole: Hashable, Sendable, CaseIterable {
  case command
  case option
  case id
  case field
  case value
  case string
  case comment
  case error
}
