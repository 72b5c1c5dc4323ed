import Text

/// The parser for the prefixes and the name of a command.
///
/// `CommandArgumentParser` parses the rest.
struct SingleCommandParser {
  private let grammar: CommandParser
  private let segment: CommandSource
  private let words: [Word]
  private let line: String
  private let names: FieldNameTable
  private let mode: ParsingMode

  init(
    _ grammar: CommandParser, segment: CommandSource, words: [Word], line: String, names: FieldNameTable,
    mode: ParsingMode
  ) {
    self.grammar = grammar
    self.segment = segment
    self.words = words
    self.line = line
    self.names = names
    self.mode = mode
  }

  /// Parses the command.
  ///
  /// If that fails, translates the notations of other programs and tries again.
  func read() throws(ParseError) -> ParsedCommand {
    do throws(ParseError) {
      return try parseNatively()
    } catch {
      guard let words = try CompatibilitySyntax(grammar: grammar, names: names).translate(words) else { throw error }
      let translated = SingleCommandParser(
        grammar, segment: segment, words: words, line: line, names: names, mode: mode)
      var invocation: ParsedCommand
      do throws(ParseError) {
        invocation = try translated.parseNatively()
      } catch {
        // The position is limited to what was typed, which may be shorter than its translation.
        var limited = error
        limited.range = error.range.map { $0.clamped(to: segment.range) }
        throw limited
      }
      invocation.canonicalText = CompatibilitySyntax.text(words)
      return invocation
    }
  }

  private func parseNatively() throws(ParseError) -> ParsedCommand {
    var outline = CommandOutline(wordCount: words.count)
    var index = 0
    let prefixes = try self.prefixes(&index, &outline)
    guard index < words.count else { throw missingCommandError() }
    let word = mode == .run ? try words[index].known() : words[index]
    let declaration = try grammar.command(word.text, at: word.range)
    if let help = helpInvocation(declaration, after: index) { return help }
    var parser = argumentParser(declaration, after: index, prefixes: prefixes, outline: outline)
    var invocation = try parser.parse()
    invocation.prefixes = prefixes
    let stored = parser.rawLineStart ?? Int.max
    invocation.hasUnresolvedVariables = words.contains { $0.isUnknown && $0.range.lowerBound < stored }
    return invocation
  }

  /// Returns the structure of a command that may be incomplete or wrong.
  func outline() -> CommandOutline {
    var outline = CommandOutline(wordCount: words.count)
    var index = 0
    guard let prefixes = try? self.prefixes(&index, &outline), index < words.count else { return outline }
    let word = words[index]
    let isAlias = word.bare.map { grammar.aliases[$0] != nil && grammar.declaration(named: $0) == nil } == true
    guard !isAlias, let declaration = grammar.resolve(word.text) else {
      let isBeginning = grammar.declarations.contains { $0.name.hasPrefix(word.text) }
      outline.roles[index] = isAlias ? .command : isBeginning ? nil : .error
      outline.next = .line
      return outline
    }
    outline.roles[index] = .command
    outline.declaration = declaration
    var parser = argumentParser(declaration, after: index, prefixes: prefixes, outline: outline)
    return parser.outlined()
  }

  private func argumentParser(
    _ declaration: CommandDeclaration, after index: Int, prefixes: [CommandPrefix], outline: CommandOutline
  ) -> CommandArgumentParser {
    let isWatched = prefixes.contains { if case .watch = $0 { true } else { false } }
    return CommandArgumentParser(
      declaration, grammar: grammar, segment: segment, words: words[(index + 1)...], line: line,
      names: declaration.names(names), mode: mode, isWatched: isWatched, outline: outline)
  }

  private func prefixes(
    _ index: inout Int, _ outline: inout CommandOutline
  ) throws(ParseError) -> [CommandPrefix] {
    var result: [CommandPrefix] = []
    while index < words.count, let word = words[index].bare, grammar.declaration(named: word) == nil {
      switch word {
      case "dry": result.append(.dry)
      case "curl": result.append(.curl)
      case "swift": result.append(.swift)
      case "time": result.append(.time)
      case "trace": result.append(.trace)
      case "watch":
        outline.roles[index] = .command
        index += 1
        if index < words.count {
          outline.roles[index] = .value
        } else {
          outline.next = .seconds
        }
        result.append(.watch(seconds: try seconds(index)))
        index += 1
        continue
      default: return result
      }
      outline.roles[index] = .command
      index += 1
    }
    return result
  }

  private func seconds(_ index: Int) throws(ParseError) -> Int {
    let word = index < words.count ? words[index] : nil
    if let text = word?.text, text.utf8.count <= 5, text.utf8.allSatisfy({ (48...57).contains($0) }),
      let number = Int(text), (1...86_400).contains(number)
    {
      return number
    }
    if mode == .outline || (mode == .check && word?.isUnknown == true) { return 1 }
    throw ParseError(
      LocalizedText(
        "\(.command("watch")) needs an interval of 1 to 86400 seconds.",
        ko: "\(.command("watch")) 다음에는 반복 간격을 1에서 86400 사이의 초로 적습니다."),
      suggestion: LocalizedText("For example: \(.command("watch 10 ls"))", ko: "예: \(.command("watch 10 ls"))"),
      at: word?.range ?? segment.range)
  }

  private func missingCommandError() -> ParseError {
    guard let word = words.first?.text else {
      return ParseError(
        LocalizedText("Missing command before \(.command("|")).", ko: "\(.command("|")) 앞에 명령이 없습니다."),
        at: segment.pipeRange)
    }
    return ParseError(
      LocalizedText("\(.command(word)) must be followed by a command.", ko: "\(.command(word)) 뒤에는 명령이 와야 합니다."),
      suggestion: LocalizedText("For example: \(.command(word + " ls"))", ko: "예: \(.command(word + " ls"))"),
      at: segment.range)
  }

  /// Returns `help ls` for `ls --help`.
  private func helpInvocation(_ declaration: CommandDeclaration, after index: Int) -> ParsedCommand? {
    guard words[(index + 1)...].contains(where: { $0.bare == "--help" }),
      let help = grammar.declaration(named: "help"), let parameter = help.positionals.first
    else { return nil }
    return ParsedCommand(
      command: help.name, grammar: grammar, arguments: [parameter.name: [Argument(declaration.name)]],
      text: segment.text)
  }
}
