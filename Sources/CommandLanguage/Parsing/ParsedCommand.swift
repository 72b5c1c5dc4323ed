import Catalog
import Text

/// A parsed command: the name of its declaration and the arguments of each parameter, by their kind.
package struct ParsedCommand: Hashable, Sendable {
  package var command: String
  /// The arguments by parameter name.
  ///
  /// A flag has an empty list, a rest parameter all its words.
  package var arguments: [String: [Argument]]
  package var assignments: [Assignment]
  package var clauses: Clauses
  /// The prefixes in the order typed: `dry`, `curl`, `swift`, `time`, `trace`, `watch SECONDS`.
  package var prefixes: [CommandPrefix] = []
  /// The condition that ends `watch`.
  package var until: Condition?
  /// A Boolean value that indicates a word with a variable without a value.
  ///
  /// Only a check accepts it, and the command can't be fully checked.
  package var hasUnresolvedVariables = false
  /// The text of this command alone, as typed.
  package var text: String
  /// The line in the notation of this language if it was typed in that of another program, otherwise `nil`.
  package var canonicalText: String?
  /// The grammar it was parsed with.
  ///
  /// A command that captures another line (`let`, `alias`) parses that line with it.
  package let grammar: CommandParser

  init(
    command: String, grammar: CommandParser, arguments: [String: [Argument]] = [:], assignments: [Assignment] = [],
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

  /// Returns whether a parameter was given, including a flag, which has no value.
  package func has(_ name: String) -> Bool { arguments[name] != nil }
  /// Returns the first or only word of a parameter, in its canonical form.
  package func text(_ name: String) -> String? { arguments[name]?.first?.text }
  /// Returns the texts of a parameter that accepts several words.
  package func all(_ name: String) -> [String] { arguments[name]?.map(\.text) ?? [] }

  // The values that were parsed when the line was checked; `nil` if the parameter wasn't given, and for a word with an
  // unknown value.

  package func number(_ name: String) -> Int? {
    if case .number(let number)? = arguments[name]?.first?.value { number } else { nil }
  }

  package func target(_ name: String) -> ProductSelector? {
    if case .target(let target)? = arguments[name]?.first?.value { target } else { nil }
  }

  package func condition(_ name: String) -> Condition? {
    if case .expression(let expression)? = arguments[name]?.first?.value { expression } else { nil }
  }

  package func named(_ name: String) -> NamedValue? {
    if case .named(let value)? = arguments[name]?.first?.value { value } else { nil }
  }

  /// Returns the fields of a list, `name,price`, or of several words, or `nil` if none were given.
  package func fields(_ name: String) -> [ProductField]? {
    arguments[name]?.flatMap { argument -> [ProductField] in
      if case .fields(let fields) = argument.value { fields } else { [] }
    }
  }
}

/// The destination of a command's data: `as json to FILE | program`.
package struct Clauses: Hashable, Sendable {
  package var format: OutputFormat?
  package var file: String?
  /// The clause `to -`: the data goes to the standard output, in the form for a file or a program.
  package var namesStandardOutput = false
  /// The clause `replace`: the file is overwritten even if another program wrote it.
  package var overwrites = false
  /// The clause `bom`: CSV begins with a byte order mark, which spreadsheets look for.
  package var includesBOM = false
  /// The command for `/bin/sh`: the user's text from the bar to the end of the line.
  package var pipe: String?
  /// A Boolean value that indicates whether the output goes to a file or a program instead of the user.
  package var isRedirected: Bool { file != nil || pipe != nil }

  /// Sets the destination of `to`, in which `-` is the standard output.
  package mutating func setDestination(_ name: String) {
    if name == "-" { namesStandardOutput = true } else { file = name }
  }

  /// A Boolean value that indicates an HTTP archive by its name, unless a format is given.
  package var isNamedHAR: Bool { format == nil && file?.lowercased().hasSuffix(".har") == true }

  package init(format: OutputFormat? = nil, file: String? = nil, pipe: String? = nil) {
    self.format = format
    self.file = file
    self.pipe = pipe
  }

  /// A form of files that a program for people opens.
  package enum DocumentForm: Hashable, Sendable {
    /// An Excel workbook.
    case workbook
    /// A page of HTML.
    case page
  }

  /// The form of the file by its extension, or `nil` for data, whose format is an `OutputFormat`.
  package var documentForm: DocumentForm? { file.flatMap { Clauses.documentForm(of: $0, format) } }

  /// Returns the form of a file by its extension, or `nil` for data.
  package static func documentForm(of file: String, _ format: OutputFormat?) -> DocumentForm? {
    guard format == nil, let ending = ending(of: file)?.lowercased() else { return nil }
    if ending == workbook { return .workbook }
    return ["html", "htm"].contains(ending) ? .page : nil
  }

  /// The extension of the workbooks that are written.
  private static let workbook = "xlsx"

  private static func ending(of file: String) -> Substring? {
    file.lastIndex(of: ".").map { file[file.index(after: $0)...] }
  }

  /// Rejects the file names of other spreadsheet workbooks, which this program can't write.
  ///
  /// - Throws: `ParseError` with the supported formats, for such a file name.
  package static func refuseWorkbook(_ file: String, at range: Range<Int>? = nil) throws(ParseError) {
    guard let ending = ending(of: file), ["xls", "xlsm", "ods", "numbers"].contains(ending.lowercased()) else { return }
    let other = "to \(file.dropLast(ending.count))\(workbook)"
    throw ParseError(
      LocalizedText(
        "Unsupported file extension: \(.value(ending)). Use csv, tsv, json, jsonl, md, txt, html or xlsx.",
        ko: "지원하지 않는 확장자입니다: \(.value(ending)). csv, tsv, json, jsonl, md, txt, html, xlsx를 쓰세요."),
      suggestion: LocalizedText("For Excel, use \(.command(other))", ko: "엑셀에서는 \(.command(other))"), at: range)
  }

  /// Rejects a workbook as the file of a command whose files have a form of their own.
  ///
  /// - Throws: `ParseError` for such a file name.
  package func refuseWorkbook() throws(ParseError) {
    guard let file, let ending = Clauses.ending(of: file), ending.lowercased() == Clauses.workbook else { return }
    throw ParseError(
      LocalizedText(
        "This command does not write a table, so \(.value(file)) cannot be a workbook.",
        ko: "표를 저장하는 명령이 아니어서 \(.value(file)) 파일을 통합 문서로 저장할 수 없습니다."),
      suggestion: LocalizedText("Use another file extension.", ko: "다른 확장자를 쓰세요."))
  }

  /// Rejects a workbook in the format of data.
  ///
  /// - Throws: `ParseError` for `as FORMAT` or `bom` with such a file name.
  package func checkWorkbook() throws(ParseError) {
    guard let file, let ending = Clauses.ending(of: file), ending.lowercased() == Clauses.workbook else { return }
    guard let format else {
      if includesBOM { throw Clauses.markOutsideCSV }
      return
    }
    throw ParseError(
      LocalizedText(
        "\(.value(file)) would be a workbook, not \(format.rawValue).",
        ko: "\(.value(file)) 파일은 통합 문서입니다. \(format.rawValue) 형식으로 저장할 수 없습니다."),
      suggestion: LocalizedText(
        "Leave out \(.command("as \(format.rawValue)")), or use another file extension.",
        ko: "\(.command("as \(format.rawValue)"), .object) 빼거나 다른 확장자를 쓰세요."))
  }

  /// The error for `bom` with another format than CSV.
  package static let markOutsideCSV = ParseError(
    LocalizedText("\(.field("bom")) can only be used with CSV.", ko: "\(.field("bom"), .topic) CSV에만 쓸 수 있습니다."),
    suggestion: LocalizedText(
      "Add \(.command("as csv")), or use a file name that ends in .csv",
      ko: "\(.command("as csv"))나 .csv로 끝나는 파일과 함께 씁니다."))
}

/// The error for `ls > out.csv`.
///
/// There is no redirection with `>`, because in conditions it is a comparison.
enum Redirection {
  /// Returns the error for `ls >= 3`, which compares nothing.
  static func comparison(_ text: String, at range: Range<Int>?) -> ParseError {
    ParseError(
      LocalizedText("Missing field before \(.command(text)).", ko: "\(.command(text)) 앞에 필드가 없습니다."),
      suggestion: LocalizedText(
        "Write a condition as \(.command("where stock >= 3")).", ko: "조건은 \(.command("where stock >= 3"))처럼 씁니다."),
      at: range)
  }

  static func hint(_ file: String, at range: Range<Int>?) -> ParseError {
    let shown = "to " + (file.isEmpty ? "FILE" : Quoting.quote(file))
    return ParseError(
      LocalizedText("\(.command(">")) cannot be used to save output.", ko: "\(.command(">"))로는 파일에 저장할 수 없습니다."),
      suggestion: LocalizedText("Use \(.command(shown)) instead.", ko: "이렇게 적습니다: \(.command(shown))"), at: range)
  }
}

/// The selection of products for a command: `42`, `42,43`, `40-45`, `@3`, `@1-5`, `@all`, `_`, `mine`, `where EXPR`.
package enum ProductSelector: Hashable, Sendable {
  case ids([ClosedRange<Int>])
  /// Rows of the last listing, counted from 1.
  case rows([ClosedRange<Int>])
  case allRows
  /// The last product shown, created or changed: `_`.
  case last
  case mine
  /// Every product of the market that satisfies a condition: `where EXPR`.
  case matching(Condition)

  /// The condition of the selected products, or `nil` for products that are selected by number.
  package var condition: Condition? {
    switch self {
    case .mine: .compare(.field(.vendorID), .equal, .me)
    case .matching(let condition): condition
    case .ids, .rows, .allRows, .last: nil
    }
  }

  /// The maximum number of products selected by number, so that a typing error doesn't cause a million requests.
  package static let maxCount = 10_000

  /// Parses a target: one word, or `where` and an expression.
  ///
  /// - Throws: `ParseError` for other text.
  package static func read(_ text: String, at range: Range<Int>? = nil) throws(ParseError) -> ProductSelector {
    switch text {
    case "_": return .last
    case "mine": return .mine
    case "@all": return .allRows
    default: break
    }
    if text.hasPrefix("where ") { return .matching(try Condition.read(String(text.dropFirst(6)))) }
    let isRows = text.hasPrefix("@")
    let ranges = try IDRanges.read(isRows ? String(text.dropFirst()) : text, whole: text, at: range)
    return isRows ? .rows(ranges) : .ids(ranges)
  }
}
