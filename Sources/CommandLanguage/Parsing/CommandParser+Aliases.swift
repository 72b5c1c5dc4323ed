import Text

extension CommandParser {
  /// The grammar without the user's aliases.
  var plain: CommandParser {
    var plain = self
    plain.aliases = [:]
    return plain
  }

  /// Returns whether a word can become an alias: a name that has no other meaning.
  package func canBeAlias(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, Lexer.isNameStart(first), name != "_",
      name.unicodeScalars.allSatisfy({ Lexer.isName($0) || $0 == "-" }), name.unicodeScalars.count <= 40
    else { return false }
    return declaration(named: name) == nil && !CommandPrefix.words.contains(name)
  }

  /// Returns the commands of an alias, each as its own text, with all nested aliases expanded; or `nil` if the command
  /// doesn't begin with an alias.
  ///
  /// The arguments replace `$1`, `$2` and `$@` in the alias's line, or are appended if it contains none of these.
  /// Prefixes are added to every command: `dry cleanup` writes nothing.
  ///
  /// - Throws: `ParseError` for aliases that refer to each other in a circle, and for missing or surplus arguments.
  package func expandingAliases(_ segment: CommandSource) throws(ParseError) -> [String]? {
    try expandingAliases(segment, within: [])
  }

  /// Returns a command with its line, or for an alias its commands, each with its own.
  ///
  /// - Throws: The errors of `expandingAliases`.
  package func commands(
    of segment: CommandSource, in line: String
  ) throws(ParseError) -> [(source: CommandSource, line: String)] {
    guard let texts = try expandingAliases(segment) else { return [(segment, line)] }
    var commands: [(source: CommandSource, line: String)] = []
    for text in texts { commands += try segments(of: text).map { ($0, text) } }
    return commands
  }

  /// Returns the replacement that Space makes for the alias at the end of a line, or `nil` if there is none.
  ///
  /// The alias must stand for a single command that takes its arguments at the end: with several commands, a prefix
  /// would apply only to the first.
  package func expansion(_ line: String) -> (range: Range<Int>, text: String)? {
    let lexer = Lexer(line)
    guard lexer.error == nil, let segment = CommandParser.segments(lexer.tokens, of: line).last, segment.pipe == nil,
      let last = segment.words.last, last.range.upperBound == line.unicodeScalars.count,
      let index = aliasIndex(segment.words), index == segment.words.count - 1, let name = last.bare,
      let body = aliases[name], !AliasTemplate(body).hasParameters
    else { return nil }
    let inner = Lexer(body)
    guard inner.error == nil, CommandParser.segments(inner.tokens, of: body).count == 1,
      CommandParser.segments(inner.tokens, of: body)[0].pipe == nil
    else { return nil }
    return (last.range, body)
  }

  private func expandingAliases(_ segment: CommandSource, within names: [String]) throws(ParseError) -> [String]? {
    guard let index = aliasIndex(segment.words), let name = segment.words[index].bare, let line = aliases[name] else {
      return nil
    }
    guard !names.contains(name) else { throw CommandParser.namesItself(name, at: segment.words[index].range) }
    let scalars = Array(segment.text.unicodeScalars)
    func text(_ range: Range<Int>) -> String {
      let start = segment.range.lowerBound
      return String(scalars[(range.lowerBound - start)..<(range.upperBound - start)])
    }
    let before = segment.words[..<index].map { text($0.range) }
    let behind = segment.words[(index + 1)...].map { text($0.range) }
    let body = AliasTemplate(line)
    guard body.parameterCount <= behind.count else {
      throw CommandParser.lacksArguments(name, body.parameterCount, at: segment.range)
    }
    if body.hasParameters, !body.usesAllArguments, behind.count > body.parameterCount {
      throw CommandParser.surplusArgument(
        name, body.parameterCount, at: segment.words[index + 1 + body.parameterCount].range)
    }
    var texts: [String] = []
    let filled = body.expanded(with: behind)
    let commands = try segments(of: filled)
    for (number, command) in commands.enumerated() {
      let isLast = number == commands.count - 1
      let (words, pipe) = CommandParser.cut(command, of: filled)
      var whole = before + [words] + (isLast && !body.hasParameters ? behind : [])
      whole += [pipe, isLast ? segment.pipe : nil].compactMap(\.self).map { "| " + $0 }
      for inner in try segments(of: whole.joined(separator: " ")) {
        texts += try expandingAliases(inner, within: names + [name]) ?? [inner.text]
      }
    }
    return texts
  }

  /// Returns the words of a command as typed, and the text after its `|`.
  private static func cut(_ command: CommandSource, of line: String) -> (words: String, pipe: String?) {
    guard let pipe = command.pipe, let last = command.words.last else { return (command.text, nil) }
    let scalars = Array(line.unicodeScalars)
    return (String(scalars[command.range.lowerBound..<last.range.upperBound]), pipe)
  }

  /// Returns the index of the word that is an alias, after any prefixes.
  private func aliasIndex(_ words: [Word]) -> Int? {
    var index = 0
    while index < words.count, let word = words[index].bare, CommandPrefix.words.contains(word) {
      index += word == "watch" ? 2 : 1
    }
    guard index < words.count, let name = words[index].bare, aliases[name] != nil, declaration(named: name) == nil
    else {
      return nil
    }
    return index
  }

  /// - Throws: `ParseError` if a line to be called `name` refers back to it, directly or through other aliases.
  package func checkForCycle(_ name: String, _ line: String) throws(ParseError) {
    var copy = self
    copy.aliases[name] = line
    try copy.detectCycle(name, after: [])
  }

  private func detectCycle(_ name: String, after names: [String]) throws(ParseError) {
    guard let line = aliases[name] else { return }
    guard !names.contains(name) else { throw CommandParser.namesItself(name, at: nil) }
    for segment in try segments(of: line) {
      guard let index = aliasIndex(segment.words), let next = segment.words[index].bare else { continue }
      try detectCycle(next, after: names + [name])
    }
  }

  private static func namesItself(_ name: String, at range: Range<Int>?) -> ParseError {
    ParseError(
      LocalizedText(
        "The alias \(.command(name)) refers to itself.", ko: "별칭 \(.command(name), .subject) 자기 자신을 참조합니다."),
      suggestion: LocalizedText(
        "An alias can use commands and other aliases.", ko: "별칭은 명령이나 다른 별칭을 나타냅니다."), at: range)
  }

  private static func surplusArgument(_ name: String, _ count: Int, at range: Range<Int>) -> ParseError {
    ParseError(
      LocalizedText(
        "Too many arguments: the alias \(.command(name)) takes \(count == 1 ? "one argument" : "\(count) arguments").",
        ko: "별칭 \(.command(name))의 인자는 \(count)개인데 더 있습니다."),
      suggestion: LocalizedText(
        "Use \(.command("$@")) in the alias to accept any number of arguments.",
        ko: "인자를 몇 개든 받으려면 내용에 \(.command("$@"), .object) 넣으세요."),
      at: range)
  }

  private static func lacksArguments(_ name: String, _ count: Int, at range: Range<Int>) -> ParseError {
    ParseError(
      count == 1
        ? LocalizedText("The alias \(.command(name)) needs an argument.", ko: "별칭 \(.command(name))에는 인자가 하나 필요합니다.")
        : LocalizedText(
          "The alias \(.command(name)) needs \(count) arguments.",
          ko: "별칭 \(.command(name))에는 인자가 \(count)개 필요합니다."),
      suggestion: LocalizedText(
        "Run \(.command("alias \(name)")) to see it.", ko: "\(.command("alias \(name)"), .toward) 내용을 볼 수 있습니다."),
      at: range)
  }
}

/// The line of an alias, with the positions of its arguments.
struct AliasTemplate {
  private let line: String
  /// The placeholders `$1` and `$@`, in order.
  private let references: [Word.Part]

  init(_ line: String) {
    self.line = line
    references = Lexer(line).tokens.flatMap { token -> [Word.Part] in
      guard case .word(let word) = token else { return [] }
      return word.parts.filter { $0.kind == .variable && Word.isArgument($0.text) }
    }
  }

  var hasParameters: Bool { !references.isEmpty }

  /// A Boolean value that indicates whether the body contains `$@`, all arguments.
  var usesAllArguments: Bool { references.contains { $0.text == "@" } }

  /// The number of arguments that the line refers to.
  var parameterCount: Int { references.compactMap { NumberLiteral.integer($0.text) }.max() ?? 0 }

  /// Returns the line with its placeholders replaced by arguments as they were typed.
  func expanded(with arguments: [String]) -> String {
    var scalars = Array(line.unicodeScalars)
    for reference in references.reversed() {
      let text: String
      if reference.text == "@" {
        text = arguments.joined(separator: " ")
      } else if let number = NumberLiteral.integer(reference.text), arguments.indices.contains(number - 1) {
        text = arguments[number - 1]
      } else {
        continue
      }
      scalars.replaceSubrange(reference.range, with: Array(text.unicodeScalars))
    }
    return String(scalars[...])
  }
}
