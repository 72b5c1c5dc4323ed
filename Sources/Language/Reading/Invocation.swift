import Catalog
import Text

/// One command as typed and understood: its declaration's name and what was given to each parameter, read by its kind.
package struct Invocation: Hashable, Sendable {
  package var command: String
  /// What was given, by parameter name; a flag that was given has an empty list; a rest parameter has all its words.
  package var arguments: [String: [Argument]]
  package var assignments: [Assignment]
  package var clauses: Clauses
  /// `dry`, `curl`, `time`, `trace`, `watch SECONDS`, in the order typed.
  package var prefixes: [Prefix] = []
  /// When `watch` stops.
  package var until: Expression?
  /// A word of it had a variable without a value, which only a check lets pass: what it says cannot be judged yet.
  package var isUncertain = false
  /// The text of this command alone, as typed.
  package var text: String
  /// The line as it is written here, where it was typed out of habit of another program; nil for one that was meant as typed.
  package var meaning: String?
  /// The words it was read with: a command that holds another line (`let`, `alias`) reads that with them.
  package let grammar: Grammar

  init(
    command: String, grammar: Grammar, arguments: [String: [Argument]] = [:], assignments: [Assignment] = [],
    clauses: Clauses = Clauses(),
    text: String = ""
  ) {
    self.command = command
    self.grammar = grammar
    self.arguments = arguments
    self.assignments = assignments
    self.clauses = clauses
    self.text = text
  }

  /// True also for a flag, which has no value.
  package func has(_ name: String) -> Bool { arguments[name] != nil }
  /// The first or only word of a parameter, in its plain form.
  package func text(_ name: String) -> String? { arguments[name]?.first?.text }
  /// The texts of a parameter that takes several words.
  package func all(_ name: String) -> [String] { arguments[name]?.map(\.text) ?? [] }

  // What was read once, while the line was checked; nil where nothing was given, and for a word that is not known yet.

  package func number(_ name: String) -> Int? {
    if case .number(let number)? = arguments[name]?.first?.value { number } else { nil }
  }

  package func target(_ name: String) -> Target? {
    if case .target(let target)? = arguments[name]?.first?.value { target } else { nil }
  }

  package func condition(_ name: String) -> Expression? {
    if case .expression(let expression)? = arguments[name]?.first?.value { expression } else { nil }
  }

  package func named(_ name: String) -> NamedValue? {
    if case .named(let value)? = arguments[name]?.first?.value { value } else { nil }
  }

  /// The fields of one list, `name,price`, or of several words; nil where none was given.
  package func fields(_ name: String) -> [Field]? {
    arguments[name]?.flatMap { argument -> [Field] in
      if case .fields(let fields) = argument.value { fields } else { [] }
    }
  }
}

/// What one word, list or condition was read as.
package struct Argument: Hashable, Sendable {
  /// The value that the text was read as.
  package enum Value: Hashable, Sendable {
    /// A text, or a word whose variable has no value yet.
    case text
    case number(Int)
    case target(Target)
    case expression(Expression)
    case fields([Field])
    /// A variable as a whole word, with the type of its value.
    case named(NamedValue)
  }

  /// In its plain form: fields by shared name, a currency in capitals, a rate without `/s`, a condition as it is printed.
  package var text: String
  package var value: Value

  package init(_ text: String, _ value: Value = .text) {
    self.text = text
    self.value = value
  }

  init(_ expression: Expression) { self.init(expression.description, .expression(expression)) }
}

/// Where a command's data goes: `as json to FILE | program`.
package struct Clauses: Hashable, Sendable {
  package var format: OutputFormat?
  package var file: String?
  /// `replace`: the file is overwritten, whoever wrote it.
  package var replaces = false
  /// `bom`: the byte order mark that spreadsheets look for stands in front of CSV.
  package var hasMark = false
  /// For `/bin/sh`, the user's own text from after the bar to the end of the line.
  package var pipe: String?
  /// What is answered goes into a file or a program, and not to the person.
  package var areAway: Bool { file != nil || pipe != nil }

  package init(format: OutputFormat? = nil, file: String? = nil, pipe: String? = nil) {
    self.format = format
    self.file = file
    self.pipe = pipe
  }

  /// Files of spreadsheets themselves, which nobody here writes.
  ///
  /// - Throws: `ParseError` with the formats there are, for a name with such an ending.
  package static func refuseWorkbook(_ file: String, at range: Range<Int>? = nil) throws(ParseError) {
    guard let dot = file.lastIndex(of: "."),
      ["xlsx", "xls", "xlsm", "ods", "numbers"].contains(file[file.index(after: dot)...].lowercased())
    else { return }
    let ending = String(file[file.index(after: dot)...])
    throw ParseError(
      LocalizedText(
        "No \(.value(ending)) is written here; there are csv, tsv, json, jsonl, md and txt.",
        ko: "\(.value(ending)) 형식으로는 쓰지 않습니다. csv, tsv, json, jsonl, md, txt가 있습니다."),
      next: LocalizedText(
        "Excel opens \(.command("to \(file[..<dot]).csv bom"))", ko: "엑셀에서는 \(.command("to \(file[..<dot]).csv bom"))"),
      at: range)
  }

  /// `bom` where no CSV is written.
  package static let markOutsideCSV = ParseError(
    LocalizedText("\(.field("bom")) goes with CSV alone.", ko: "\(.field("bom"))은 CSV에만 붙일 수 있습니다."),
    next: LocalizedText(
      "\(.command("as csv")), or a file that ends in .csv", ko: "\(.command("as csv"))나 .csv로 끝나는 파일과 함께 씁니다."))
}
