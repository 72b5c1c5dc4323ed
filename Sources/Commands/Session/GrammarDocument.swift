import CommandLanguage
import Networking
import Presentation
import Text

/// The commands as data for programs: `help all as json`, `help ls as json`.
///
/// All members are always there; one without a value is null.
struct GrammarDocument {
  private let language: MessageLanguage

  init(_ language: MessageLanguage) { self.language = language }

  /// Returns every command, the prefixes, the output formats, and the codes of exits and of messages.
  func all(_ declarations: [CommandDeclaration]) -> JSON {
    .object([
      ("format", .int(1)), ("commands", .array(declarations.map(command))),
      ("prefixes", .array(CommandPrefix.words.map { .string($0) })),
      ("output_formats", .array(OutputFormat.names.map { .string($0) })),
      (
        "exit_codes",
        .array(
          HelpTopic.exitCodes.page.sections[0].rows.map {
            .object([("code", .string($0.term)), ("meaning", text($0.meaning))])
          })
      ), ("message_codes", .array(MessageCode.allCases.map { .string($0.rawValue) })),
    ])
  }

  func command(_ declaration: CommandDeclaration) -> JSON {
    .object([
      ("name", .string(declaration.name)), ("aliases", .array(declaration.aliases.map { .string($0) })),
      ("group", .string("\(declaration.group)")), ("summary", text(declaration.summary)),
      ("details", declaration.details.map(text) ?? .null),
      ("usage", .array(Syntax.usage(declaration).map { .string($0) })), ("writes", .bool(declaration.writesToMarket)),
      ("prints_data", .bool(declaration.producesData)),
      ("parameters", .array(declaration.effectiveParameters.map(parameter))),
      (
        "examples",
        .array(declaration.examples.map { .object([("line", .string($0.line)), ("meaning", text($0.meaning))]) })
      ),
    ])
  }

  private func parameter(_ parameter: Parameter) -> JSON {
    let (style, isRequired) =
      switch parameter.style {
      case .positional(let required): ("positional", required)
      case .rest(let required): ("rest", required)
      case .option: ("option", false)
      case .flag: ("flag", false)
      case .assignments: ("assignments", false)
      }
    let kind = GrammarDocument.kind(parameter.kind)
    return .object([
      ("name", .string(parameter.name)), ("place", .string(style)), ("required", .bool(isRequired)),
      ("kind", .string(kind.name)), ("choices", kind.choices.map { .array($0.map { .string($0) }) } ?? .null),
      ("minimum", kind.range.map { .int($0.lowerBound) } ?? .null),
      ("maximum", kind.range.map { $0.upperBound == .max ? .null : .int($0.upperBound) } ?? .null),
      ("default", GrammarDocument.defaultValue(of: parameter).map { .string($0) } ?? .null),
      ("summary", text(parameter.summary)),
    ])
  }

  /// Returns the value without the parameter, which its summary names: `(default: 4)`.
  private static func defaultValue(of parameter: Parameter) -> String? {
    parameter.summary.english.plain.firstMatch(of: /\(default: ([^)]*)\)/).map { String($0.1) }
  }

  private static func kind(_ kind: ValueKind) -> (name: String, choices: [String]?, range: ClosedRange<Int>?) {
    switch kind {
    case .text: ("text", nil, nil)
    case .number(let range): ("number", nil, range)
    case .decimal: ("decimal", nil, nil)
    case .choice(let words): ("choice", words, nil)
    case .field, .fieldAmong: ("field", nil, nil)
    case .fields: ("fields", nil, nil)
    case .target: ("target", nil, nil)
    case .file: ("file", nil, nil)
    case .files: ("files", nil, nil)
    case .currency: ("currency", nil, nil)
    case .profile: ("profile", nil, nil)
    case .vendor: ("vendor", nil, nil)
    case .setting: ("setting", nil, nil)
    case .snapshot: ("snapshot", nil, nil)
    case .recipe: ("recipe", nil, nil)
    case .report: ("report", nil, nil)
    case .command: ("command", nil, nil)
    case .expression: ("condition", nil, nil)
    case .line: ("line", nil, nil)
    case .sql: ("sql", nil, nil)
    case .writeNumber: ("log entry", nil, nil)
    case .batchNumber: ("batch", nil, nil)
    case .writeOrRun: ("log entry or run", nil, nil)
    case .rate: ("rate", nil, nil)
    case .productAssignments: ("product assignments", nil, nil)
    case .namedAssignments(let settings): ("assignments", settings.map(\.name), nil)
    case .none: ("none", nil, nil)
    }
  }

  private func text(_ text: LocalizedText) -> JSON { .string(text[language].plain) }
}
