import Catalog
import Text

/// The parser for the words after a command's name, based on its declaration.
///
/// `parse` throws the first error. `outlined` skips errors and returns the structure of the line; the same functions
/// record the role of each word.
struct CommandArgumentParser {
  private let declaration: CommandDeclaration
  private let names: FieldNameTable
  private let mode: ParsingMode
  private let values: ValueParser
  private let segment: CommandSource
  private let words: ArraySlice<Word>
  private let line: String
  private let worded: [Parameter]
  private let placed: [Parameter]
  private var index: Int
  private var placedIndex = 0
  private var isTextOnly = false
  /// A Boolean value that indicates that the text after `|` belongs to a captured line.
  private var pipeBelongsToRawLine = false
  /// The start of the part of the line that is captured to be parsed later.
  private(set) var rawLineStart: Int?
  private var invocation: ParsedCommand
  private var outline: CommandOutline

  /// Creates the parser.
  ///
  /// - Parameters:
  ///   - isWatched: Whether `watch` precedes the command, which adds the option `until`.
  ///   - outline: The structure of the words before.
  init(
    _ declaration: CommandDeclaration, grammar: CommandParser, segment: CommandSource, words: ArraySlice<Word>,
    line: String, names: FieldNameTable, mode: ParsingMode, isWatched: Bool, outline: CommandOutline
  ) {
    self.declaration = declaration
    self.names = names
    self.mode = mode
    self.values = ValueParser(grammar: grammar, names: names)
    self.segment = segment
    self.words = words
    self.line = line
    self.worded = declaration.options + (isWatched ? [.watchUntilOption] : [])
    self.placed = declaration.positionals
    self.index = words.startIndex
    self.invocation = ParsedCommand(command: declaration.name, grammar: grammar, text: segment.text)
    self.outline = outline
  }

  /// Returns the command.
  ///
  /// - Throws: `ParseError` for the first error.
  mutating func parse() throws(ParseError) -> ParsedCommand {
    while index < words.endIndex { try step() }
    try pipe()
    try requireAll()
    try invocation.clauses.checkWorkbook()
    return invocation
  }

  /// Returns the structure of the words, whatever is wrong with them.
  mutating func outlined() -> CommandOutline {
    outline.next = .anything
    while index < words.endIndex {
      let start = index
      do throws(ParseError) {
        try step()
      } catch {
        index = max(index, start + 1)
      }
    }
    outline.options = worded
    outline.remainingPositionals = Array(placed[placedIndex...])
    if outline.next == .anything, let parameter = outline.nextPositional, parameter.kind.capturesRawText {
      outline.next = parameter.kind == .line ? .line : .value(parameter)
    }
    return outline
  }

  private mutating func mark(_ role: HighlightRole, at wordIndex: Int) { outline.roles[wordIndex] = role }

  private mutating func step() throws(ParseError) {
    if takesLine, !namesOwnOption { return takeLine() }
    let word = try required(words[index])
    if !isTextOnly, let bare = word.bare {
      if bare == "--" {
        isTextOnly = true
        index += 1
        return
      }
      if try parseLongOption(bare, word) { return }
      if !asksAboutWord, let parameter = worded.first(where: { $0.name == bare }) {
        return try take(parameter, named: word)
      }
      if let replacement = declaration.replacedWords[bare] {
        throw ArgumentError.replaced(bare, by: replacement, of: declaration, at: word.range)
      }
    }
    if try parseLeadingValue(word) { return }
    if try assign(word) { return }
    try parsePositional(word)
  }

  /// A Boolean value that indicates that the only word is what the command is about: `help as`, `help to`.
  private var asksAboutWord: Bool { words.count == 1 && placed.first?.kind == .command }

  /// Returns the word if its variables have values, or if the command itself handles missing ones.
  private func required(_ word: Word) throws(ParseError) -> Word {
    if mode != .run || (declaration.traits.contains(.judgesMissing) && word.unknown == nil) { return word }
    return try word.known()
  }

  /// Parses the value that precedes an option: `$p matches {…}`.
  private mutating func parseLeadingValue(_ word: Word) throws(ParseError) -> Bool {
    guard index + 1 < words.endIndex, let verb = words[index + 1].bare,
      worded.contains(where: { $0.name == verb && $0.kind == .line }),
      let subject = worded.first(where: { $0.name == "value" && $0.kind == .text })
    else { return false }
    mark(subject.kind.role, at: index)
    index += 1
    let value = word.parts.count == 1 ? word.parts[0].value : nil
    if case .elements? = value { throw Word.misplacedElements(at: word.range) }
    try store(subject, given: [Argument(word.text, value.map { .named($0) } ?? .text)], word: word)
    return true
  }
}

// MARK: - Named parameters: `page 2`, `--page 2`, `--page=2`, `all`
extension CommandArgumentParser {
  /// Parses `--page 2`, `--page=2` and `--all`.
  private mutating func parseLongOption(_ bare: String, _ word: Word) throws(ParseError) -> Bool {
    guard bare.utf8.starts(with: "--".utf8), bare.utf8.count > 2 else { return false }
    let halves = bare.dropFirst(2).split(atScalar: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(halves[0])
    guard let parameter = worded.first(where: { $0.name == name }) else {
      if let replacement = declaration.replacedWords[name] {
        throw ArgumentError.replaced("--" + name, by: replacement, of: declaration, at: word.range)
      }
      throw ArgumentError.unknownOption("--" + name, of: declaration, worded, at: word.range)
    }
    if halves.count == 2 {
      mark(.option, at: index)
      index += 1
      try give(parameter, value: String(halves[1]), word: word)
    } else {
      try take(parameter, named: word)
    }
    return true
  }

  /// Parses a value attached to its option: `--page=2`, `page=2`.
  private mutating func give(_ parameter: Parameter, value: String, word: Word) throws(ParseError) {
    outline.usedOptions.insert(parameter.name)
    guard parameter.style == .option else {
      throw ParseError(
        LocalizedText(
          "\(.field(parameter.name)) does not take a value.", ko: "\(.field(parameter.name))에는 값을 주지 않습니다."),
        at: word.range)
    }
    let argument = word.isUnknown ? Argument(value) : try values.parse(value, parameter, at: word.range)
    try store(parameter, given: [argument], word: word)
  }

  private mutating func take(_ parameter: Parameter, named word: Word) throws(ParseError) {
    mark(.option, at: index)
    outline.usedOptions.insert(parameter.name)
    index += 1
    if parameter.style == .flag || (parameter.isValueOptional && index == words.endIndex) {
      if parameter.style == .option { outline.next = .value(parameter) }
      return try store(parameter, given: [], word: word)
    }
    try store(parameter, given: [try takeValue(of: parameter, after: word)], word: word)
  }

  private mutating func store(_ parameter: Parameter, given: [Argument], word: Word) throws(ParseError) {
    if parameter == .watchUntilOption {
      if case .expression(let condition)? = given.first?.value { invocation.until = condition }
      return
    }
    let isFormat = parameter.name == "as" && given.first.flatMap { OutputFormat(rawValue: $0.text) } != nil
    let isClause = declaration.producesData && (Parameter.outputOptions.contains(parameter) || isFormat)
    let isTwice =
      isClause
      ? (parameter.name == "as"
        ? invocation.clauses.format != nil : invocation.clauses.file != nil || invocation.clauses.namesStandardOutput)
      : invocation.arguments[parameter.name] != nil
    if isTwice, parameter.style != .flag {
      throw ParseError(
        LocalizedText(
          "\(.field(parameter.name)) is given more than once.", ko: "\(.field(parameter.name), .subject) 두 번 나왔습니다."),
        at: word.range)
    }
    guard isClause else {
      invocation.arguments[parameter.name] = given
      return
    }
    switch parameter.name {
    case "as": invocation.clauses.format = given.first.flatMap { OutputFormat(rawValue: $0.text) }
    case "replace": invocation.clauses.overwrites = true
    case "bom": invocation.clauses.includesBOM = true
    default:
      guard let file = given.first?.text else { return }
      try Clauses.refuseWorkbook(file, at: word.range)
      invocation.clauses.setDestination(file)
    }
  }
}

// MARK: - Assignments, and options written like them
extension CommandArgumentParser {
  private mutating func assign(_ word: Word) throws(ParseError) -> Bool {
    guard let typed = Assignment.split(word) else { return false }
    mark(.field, at: index)
    if let refusal = Assignment.inlineSecretError(of: typed) { throw refusal }
    guard let parameter = declaration.assignmentParameter else {
      guard typed.operation == .set, let option = worded.first(where: { $0.name == typed.name }) else { return false }
      index += 1
      try give(option, value: typed.value, word: word)
      return true
    }
    if let option = worded.first(where: { $0.name == typed.name }), names.field(typed.name) == nil,
      typed.operation == .set, !AssignableNames(parameter.kind).allows(typed.name)
    {
      index += 1
      try give(option, value: typed.value, word: word)
      return true
    }
    var assignment = typed
    let known = AssignableNames(parameter.kind)
    if typed.operation == .substitute, !known.takesFields || names.field(typed.name) == nil { return false }
    assignment.name = try known.name(typed, names: names, command: declaration.name)
    index += 1
    if known.takesFields { try compute(&assignment, word) }
    if let double = invocation.assignments.first(where: { $0.name == assignment.name }),
      double.operation == .set || assignment.operation == .set, !AssignableNames(parameter.kind).allowsAny
    {
      throw ParseError(
        LocalizedText(
          "\(.field(assignment.name)) is given more than once.", ko: "\(.field(assignment.name), .subject) 두 번 나왔습니다."),
        at: word.range)
    }
    invocation.assignments.append(assignment)
    return true
  }

  /// Parses a value that isn't a plain number as a formula.
  ///
  /// Its parentheses may contain spaces: `round(price*1.1, 100)`.
  private mutating func compute(_ assignment: inout Assignment, _ word: Word) throws(ParseError) {
    guard let field = ProductField(rawValue: assignment.name), field.isNumber, !assignment.isQuoted, !assignment.isFile,
      !word.isUnknown
    else { return }
    // Each word is counted once, because a line may have a million of them.
    func opened(_ text: String) -> Int { text.utf8.reduce(0) { $0 + ($1 == 0x28 ? 1 : $1 == 0x29 ? -1 : 0) } }
    var open = opened(assignment.value)
    while open > 0, index < words.endIndex, let more = words[index].bare {
      assignment.value += " " + more
      open += opened(more)
      mark(.value, at: index)
      index += 1
    }
    let text = assignment.value
    if text.hasSuffix("%"), let percent = NumberLiteral.decimal(String(text.dropLast())) {
      if assignment.operation == .set, field != .stock {
        assignment.formula = .binary(.field(.price), .multiply, .percent(percent))
      }
      return
    }
    guard NumberLiteral.decimal(text) == nil, Formula.looksLikeFormula(text, names) else { return }
    do throws(ParseError) {
      assignment.formula = try Formula.read(text, names: names)
    } catch {
      var pointing = error
      pointing.range = assignment.range
      throw pointing
    }
  }
}

// MARK: - Positional parameters
extension CommandArgumentParser {
  private mutating func parsePositional(_ word: Word) throws(ParseError) {
    if let bare = word.bare, bare.unicodeScalars.first == ">" { throw redirected(word) }
    let start = index
    var first: ParseError?
    while placedIndex < placed.count {
      let parameter = placed[placedIndex]
      let isCondition = parameter.kind == .expression || (parameter.kind == .target && word.bare == "where")
      do throws(ParseError) {
        let value =
          parameter.kind == .expression ? try takeExpression(after: word) : try parseValue(parameter, word)
        invocation.arguments[parameter.name, default: []].append(value)
        if case .positional = parameter.style { placedIndex += 1 }
        return
      } catch {
        first = first ?? error
        // A word that doesn't fit an optional parameter may fit the next one: `show name price`.
        if parameter.style == .positional(required: false), placedIndex + 1 < placed.count, !isCondition {
          index = start
          placedIndex += 1
          continue
        }
        if case .positional = parameter.style { placedIndex += 1 }
        break
      }
    }
    if let error = first {
      throw ArgumentError.invalidOrMistyped(word, error: error, worded: worded)
    }
    throw ArgumentError.unexpectedArgument(
      word, of: declaration, worded, hasCondition: invocation.arguments["where"] != nil,
      before: words[..<index], after: words[min(index + 1, words.endIndex)...])
  }
}

// MARK: - Values: a single one, a list, a condition
extension CommandArgumentParser {
  private mutating func takeValue(of parameter: Parameter, after word: Word) throws(ParseError) -> Argument {
    guard index < words.endIndex else {
      switch parameter.kind {
      case .expression: outline.next = .condition(from: index)
      case .line: outline.next = .line
      default: outline.next = .value(parameter)
      }
      throw ArgumentError.noValue(parameter, at: word.range)
    }
    if parameter.kind == .expression { return try takeExpression(after: word) }
    if parameter.kind.capturesRawText {
      guard let text = captureLine(of: parameter) else { throw ArgumentError.noValue(parameter, at: word.range) }
      return Argument(text)
    }
    let next = mode == .run ? try words[index].known() : words[index]
    if let bare = next.bare, !parameter.kind.isChoice(bare),
      worded.contains(where: { $0.name == bare || "--" + $0.name == bare })
    {
      throw ArgumentError.optionAsValue(parameter, bare, at: next.range)
    }
    return try parseValue(parameter, next)
  }

  /// Parses one value.
  ///
  /// A list continues after a trailing comma: `columns id, name`.
  private mutating func parseValue(_ parameter: Parameter, _ word: Word) throws(ParseError) -> Argument {
    if parameter.kind == .target, word.bare == "where" {
      mark(.option, at: index)
      index += 1
      let condition = try condition(after: word)
      return Argument("where " + condition.description, .target(.matching(condition)))
    }
    if let bare = word.bare, bare.unicodeScalars.first == ">" { throw redirected(word) }
    var text = word.text
    var range = word.range
    var isUnknown = word.isUnknown
    mark(parameter.kind.role, at: index)
    index += 1
    while parameter.kind.isList, text.hasSuffix(","), index < words.endIndex {
      let more = words[index]
      text += more.text
      range = range.lowerBound..<more.range.upperBound
      isUnknown = isUnknown || more.isUnknown
      mark(parameter.kind.role, at: index)
      index += 1
    }
    return isUnknown ? Argument(text) : try values.parse(text, parameter, at: range)
  }

  private mutating func takeExpression(after word: Word) throws(ParseError) -> Argument {
    Argument(try condition(after: word))
  }

  private mutating func condition(after word: Word) throws(ParseError) -> Condition {
    let start = index
    defer {
      for wordIndex in start..<index { mark(.field, at: wordIndex) }
      if index == words.endIndex { outline.next = .condition(from: start) }
    }
    do throws(ParseError) {
      for word in words[index...] { _ = try required(word) }
      let end = words.last?.range.upperBound ?? word.range.upperBound
      let (expression, used) = try Condition.read(words[index...], names: names, after: end)
      index += used
      return expression
    } catch {
      index = words.endIndex
      throw error
    }
  }

  private func redirected(_ word: Word) -> ParseError {
    let rest = Substring(word.text.unicodeScalars.drop { $0 == ">" })
    if rest.unicodeScalars.first == "=" { return Redirection.comparison(word.text, at: word.range) }
    let file = rest.isEmpty ? words[words.index(after: index)...].first?.text ?? "" : String(rest)
    return Redirection.hint(file, at: word.range)
  }
}

// MARK: - Text captured as typed, to be parsed later
extension CommandArgumentParser {
  private var takesLine: Bool {
    placedIndex < placed.count && placed[placedIndex].kind.capturesRawText
  }

  /// A Boolean value that indicates that the next word is an option of the command itself: `plan valid 7d rm 42`.
  private var namesOwnOption: Bool {
    guard let bare = words[index].bare else { return false }
    return declaration.parameters.contains {
      $0.style == .option && $0.name == bare && invocation.arguments[$0.name] == nil
    }
  }

  private mutating func takeLine() {
    let parameter = placed[placedIndex]
    if let text = captureLine(of: parameter) { invocation.arguments[parameter.name] = [Argument(text)] }
    placedIndex += 1
  }

  /// Captures the rest of the command as the value of a parameter.
  private mutating func captureLine(of parameter: Parameter) -> String? {
    if parameter.kind == .line {
      outline.next = .line
      outline.rawLineStart = index
    } else {
      outline.next = .value(parameter)
      for wordIndex in index..<words.endIndex { mark(parameter.kind.role, at: wordIndex) }
    }
    return lineText()
  }

  /// Returns the text of a single quoted word, or the text as typed.
  ///
  /// The clauses of a command that prints are not part of its arguments.
  private mutating func lineText() -> String? {
    var rest = words[index...]
    if declaration.producesData { takeTrailingClauses(&rest) }
    index = words.endIndex
    pipeBelongsToRawLine = !declaration.producesData
    rawLineStart = rest.first?.range.lowerBound
    guard mode != .outline else { return nil }
    let scalars = Array(line.unicodeScalars)
    let isQuoted = rest.count == 1 && rest.first?.parts.contains { $0.kind == .quoted } == true
    if isQuoted, let only = rest.first, segment.pipe == nil || declaration.producesData { return only.text }
    guard let start = rest.first?.range.lowerBound, let last = rest.last else { return nil }
    let end = declaration.producesData ? last.range.upperBound : segment.range.upperBound
    return String(scalars[start..<end])
  }

  private mutating func takeTrailingClauses(_ rest: inout ArraySlice<Word>) {
    while rest.count >= 2 {
      if rest.last?.bare == "replace", rest.count >= 3, rest[rest.endIndex - 3].bare == "to" {
        invocation.clauses.overwrites = true
        rest = rest.dropLast()
      }
      let (name, value) = (rest[rest.endIndex - 2], rest[rest.endIndex - 1])
      if name.bare == "to", invocation.clauses.file == nil {
        invocation.clauses.setDestination(value.text)
      } else if name.bare == "as", invocation.clauses.format == nil, let format = OutputFormat(rawValue: value.text) {
        invocation.clauses.format = format
      } else {
        return
      }
      rest = rest.dropLast(2)
    }
  }
}

// MARK: - Checks after all words have been parsed
extension CommandArgumentParser {
  private mutating func pipe() throws(ParseError) {
    guard let pipe = segment.pipe else { return }
    if pipeBelongsToRawLine { return }
    guard declaration.producesData || declaration.traits.contains(.pipesText) else {
      throw ParseError(
        LocalizedText(
          "\(.command(declaration.name)) has no output to pipe.",
          ko: "\(.command(declaration.name)) 명령에는 다른 프로그램에 넘길 데이터가 없습니다."),
        suggestion: LocalizedText(
          "To write it as text, quote it: \(.command("'|'"))", ko: "글자로 쓰려면 따옴표로 묶으세요: \(.command("'|'"))"),
        at: segment.pipeRange)
    }
    guard !pipe.isEmpty else {
      throw ParseError(
        LocalizedText("Missing program after \(.command("|")).", ko: "\(.command("|")) 뒤에 프로그램이 없습니다."),
        suggestion: LocalizedText("For example: \(.command("ls | less"))", ko: "예: \(.command("ls | less"))"),
        at: segment.pipeRange)
    }
    invocation.clauses.pipe = pipe
  }

  private func requireAll() throws(ParseError) {
    for parameter in placed where invocation.arguments[parameter.name] == nil {
      switch parameter.style {
      case .positional(required: true), .rest(required: true):
        throw ArgumentError.missing(parameter, of: declaration, in: invocation, at: segment.range.upperBound)
      case .positional, .rest, .option, .flag, .assignments: break
      }
    }
  }
}

/// The parsed argument: one word, list or condition.
package struct Argument: Hashable, Sendable {
  /// The parsed value.
  package enum Value: Hashable, Sendable {
    /// A text, or a word whose variable has no value yet.
    case text
    case number(Int)
    case target(ProductSelector)
    case expression(Condition)
    case fields([ProductField])
    /// A variable that is all of the word, with the type of its value.
    case named(NamedValue)
  }

  /// The text in canonical form: fields by shared name, a currency in uppercase, a rate without `/s`, a condition as it
  /// is printed.
  package var text: String
  package var value: Value

  package init(_ text: String, _ value: Value = .text) {
    self.text = text
    self.value = value
  }

  init(_ expression: Condition) { self.init(expression.description, .expression(expression)) }
}
