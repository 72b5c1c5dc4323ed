import Catalog
import Networking
import Text

/// The parser of lines, based on the declarations of all commands.
///
/// It has no side effects.
package struct CommandParser: Hashable, Sendable {
  package let declarations: [CommandDeclaration]
  /// The user's aliases.
  package var aliases: [String: String] = [:]

  /// The index of the declaration of each name and alias.
  private let indices: [String: Int]
  /// The names of the commands that accept a secret.
  private let takingSecrets: [String]

  package init(_ declarations: [CommandDeclaration]) {
    self.declarations = declarations
    let names = declarations.enumerated().map { ($1.name, $0) }
    let aliases = declarations.enumerated().flatMap { index, declaration in declaration.aliases.map { ($0, index) } }
    // A name takes precedence over an alias.
    indices = Dictionary(names + aliases) { first, _ in first }
    takingSecrets = declarations.filter { $0.traits.contains(.acceptsSecret) }.map(\.name)
  }

  /// Parses and checks the commands of a line.
  ///
  /// `names` are the field names of the edition; the result has shared names. `variables` is called with `name` and
  /// `name.field`. All variables are looked up now; a session that sets variables in the middle of a line parses its
  /// `segments` one by one.
  ///
  /// - Throws: `ParseError` for the first error, with its position in the line.
  package func read(
    _ line: String, names: FieldNameTable = .editionIndependent, variables: NamedValues = { _ in nil }
  ) throws(ParseError) -> [ParsedCommand] {
    var result: [ParsedCommand] = []
    for segment in try segments(of: line) {
      result.append(try read(segment, of: line, names: names, variables: variables))
    }
    return result
  }

  /// Parses one command of a line.
  ///
  /// `arguments` are those of the running script, or `nil` if there is none.
  ///
  /// - Throws: `ParseError` for the first error, with its position in the line.
  package func read(
    _ segment: CommandSource, of line: String, names: FieldNameTable = .editionIndependent, arguments: [String]? = nil,
    variables: NamedValues = { _ in nil }
  ) throws(ParseError) -> ParsedCommand {
    try parse(segment, of: line, names: names, arguments: arguments, variables: variables, mode: .run)
  }

  /// Checks a command before it is run.
  ///
  /// Words with variables that have no value yet are accepted.
  ///
  /// `hasUnresolvedVariables` of the result indicates such words; the command can't be fully checked then.
  ///
  /// - Throws: `ParseError` for an error that doesn't depend on the variables.
  package func check(
    _ segment: CommandSource, of line: String, names: FieldNameTable = .editionIndependent, arguments: [String]? = nil,
    variables: NamedValues = { _ in nil }
  ) throws(ParseError) -> ParsedCommand {
    try parse(segment, of: line, names: names, arguments: arguments, variables: variables, mode: .check)
  }

  /// Parses one command and adds the line to its error.
  private func parse(
    _ segment: CommandSource, of line: String, names: FieldNameTable, arguments: [String]?, variables: NamedValues,
    mode: ParsingMode
  ) throws(ParseError) -> ParsedCommand {
    do throws(ParseError) {
      let words = try Word.expanded(segment.words, by: variables, arguments: arguments)
      return try SingleCommandParser(self, segment: segment, words: words, line: line, names: names, mode: mode).read()
    } catch {
      var placed = error
      placed.line = line
      throw placed
    }
  }

  /// Checks a line before it is run.
  ///
  /// Words with variables that have no value yet are accepted.
  ///
  /// - Throws: `ParseError` for the first error.
  package func check(
    _ line: String, names: FieldNameTable = .editionIndependent, variables: NamedValues = { _ in nil }
  ) throws(ParseError) {
    for segment in try segments(of: line) {
      for command in try commands(of: segment, in: line) {
        _ = try check(command.source, of: command.line, names: names, variables: variables)
      }
    }
  }

  /// Returns whether the line continues: it has an open quote or a trailing backslash.
  package func isUnfinished(_ line: String) -> Bool {
    var continuation = LineContinuation()
    return continuation.needsContinuation(after: line)
  }

  /// Returns why the line continues and how to leave it, or `nil` for a complete line.
  package func openEnd(of line: String) -> LocalizedText? {
    guard isUnfinished(line) else { return nil }
    let ending = LocalizedText("Ctrl-C cancels", ko: "Ctrl-C로 취소")
    guard !PastedLine.matches(line), let error = Lexer(line).error else {
      return LocalizedText("(open quote, \(ending.english))", ko: "(따옴표가 열려 있음, \(ending.korean))")
    }
    let scalars = Array(line.unicodeScalars)
    let opening = error.range.flatMap { scalars.indices.contains($0.lowerBound) ? scalars[$0.lowerBound] : nil }
    guard let opening, opening == "'" || opening == "\"" else {
      return LocalizedText("(unfinished, \(ending.english))", ko: "(이어지는 중, \(ending.korean))")
    }
    return LocalizedText(
      "(\(String(opening)) is open, \(ending.english))", ko: "(\(String(opening)) 따옴표가 열려 있음, \(ending.korean))")
  }

  /// Splits the line into commands, without comments and empty commands.
  ///
  /// - Throws: `ParseError` for an unterminated quote and other errors of the lexer.
  package func segments(of line: String) throws(ParseError) -> [CommandSource] {
    let lexer = Lexer(line)
    if let problem = lexer.error { throw problem }
    return CommandParser.segments(lexer.tokens, of: line)
  }

  package static func segments(_ tokens: [Token], of line: String) -> [CommandSource] {
    let scalars = Array(line.unicodeScalars)
    var result: [CommandSource] = []
    var current: CommandSource?
    func finish() {
      if var segment = current {
        segment.text = String(scalars[segment.range])
        result.append(segment)
      }
      current = nil
    }
    for token in tokens {
      switch token {
      case .separator: finish()
      case .comment: break
      case .word(let word):
        // The segment is changed in place, so that a command of many words isn't copied with each of them.
        if current == nil { current = CommandSource(words: [], range: word.range, text: "") }
        current?.words.append(word)
        let start = current?.range.lowerBound ?? word.range.lowerBound
        current?.range = start..<word.range.upperBound
      case .pipe(let command, let range):
        var segment = current ?? CommandSource(words: [], range: range, text: "")
        segment.pipe = command
        segment.pipeRange = range
        segment.range = segment.range.lowerBound..<range.upperBound
        current = segment
      }
    }
    finish()
    return result
  }
}

extension CommandParser {
  /// Returns the command with product numbers in targets replaced by other words: `rm $p1` for `rm 42`.
  ///
  /// It also applies within a captured line: `let x = show 42`. Text that can't be parsed is returned unchanged.
  package func replacingIDs(_ ids: [Product.ID: String], in text: String, names: FieldNameTable = .editionIndependent)
    -> String
  {
    guard !ids.isEmpty, let segments = try? segments(of: text), segments.count == 1, let segment = segments.first else {
      return text
    }
    var scalars = Array(text.unicodeScalars)
    let outline = outline(segment.words, names: names)
    if let start = outline.rawLineStart, segment.words.indices.contains(start) {
      let from = segment.words[start].range.lowerBound
      let inner = replacingIDs(ids, in: String(scalars[from...]), names: names)
      scalars.replaceSubrange(from..., with: Array(inner.unicodeScalars))
    }
    for (word, role) in zip(segment.words, outline.roles).reversed() where role == .id {
      guard let bare = word.bare else { continue }
      let pieces = bare.split(atScalar: ",", omittingEmptySubsequences: false).map { piece in
        NumberLiteral.integer(String(piece)).flatMap { ids[$0] } ?? String(piece)
      }
      scalars.replaceSubrange(word.range, with: Array(pieces.joined(separator: ",").unicodeScalars))
    }
    return String(scalars[...])
  }

  /// Returns the command with a word added at its end, before a `|`.
  package func appending(_ word: String, to text: String) -> String {
    guard let segment = (try? segments(of: text))?.last, let pipe = segment.pipeRange else { return text + " " + word }
    var scalars = Array(text.unicodeScalars)
    scalars.replaceSubrange(pipe.lowerBound..<pipe.lowerBound, with: Array((word + " ").unicodeScalars))
    return String(scalars[...])
  }

  /// Returns the command that a text finally runs: `new` for `dry new …` and for `let x = new …`.
  package func innermostCommand(_ text: String) -> (declaration: CommandDeclaration, words: [String])? {
    guard let segment = (try? segments(of: text))?.first else { return nil }
    let outline = outline(segment.words)
    guard let declaration = outline.declaration else { return nil }
    if let start = outline.rawLineStart, segment.words.indices.contains(start) {
      let scalars = Array(text.unicodeScalars)
      let held = String(scalars[segment.words[start].range.lowerBound...])
      // `each TARGETS: LINE` runs the text after the colon.
      if declaration.group == .scripting, let line = try? NestedLine(held, of: declaration.name, example: "").line,
        let inner = innermostCommand(line)
      {
        return inner
      }
      if let inner = innermostCommand(held) { return inner }
    }
    return (declaration, segment.words.compactMap(\.bare))
  }
}

extension CommandParser {
  /// Returns whether running the line could write to a market.
  ///
  /// In doubt it is true. Such a line is never suggested.
  package func mayWrite(_ line: String) -> Bool {
    guard let segments = try? segments(of: line), !segments.isEmpty else { return true }
    return segments.contains { mayWrite($0) }
  }

  /// Returns the command that replaces a command of another program: `help` for `\?`.
  private func ofHabit(_ segment: CommandSource) -> CommandDeclaration? {
    let words = try? CompatibilitySyntax(grammar: self, names: .editionIndependent).translate(segment.words)
    return words.flatMap { outline($0).declaration }
  }

  private func mayWrite(_ segment: CommandSource) -> Bool {
    let typed = outline(segment.words).declaration
    guard let declaration = typed ?? ofHabit(segment), !declaration.writesToMarket,
      // The content of a script isn't known here.
      declaration.name != "source"
    else { return true }
    // `let x = new …` runs the text after the equals sign.
    guard declaration.positionals.contains(where: { $0.kind == .line }) else { return false }
    return segment.words.contains { word in
      // Several commands are quoted: `each mine: 'show _; patch _ stock=0'`.
      word.text.split(whereSeparator: { " ;\t".contains($0) }).contains {
        self.declaration(named: String($0))?.writesToMarket ?? false
      }
    }
  }
}

extension CommandParser {
  /// Returns the command with exactly that name or alias.
  package func declaration(named name: String) -> CommandDeclaration? {
    indices[name].map { declarations[$0] }
  }

  /// Returns the command of a name, an alias, or an unambiguous beginning of the name of a command that only reads.
  ///
  /// - Throws: `ParseError` for an unknown word, with the most similar command.
  package func command(_ word: String, at range: Range<Int>? = nil) throws(ParseError) -> CommandDeclaration {
    if let known = resolve(word) { return known }
    guard !word.isEmpty else { throw unknown(word, at: range) }
    if CommandParser.isConfirmationWord(word) { throw CommandParser.answersNothing(word) }
    let begun = commands(by: word)
    let readers = begun.filter { !$0.writesToMarket }
    if readers.isEmpty, let writer = begun.first {
      throw ParseError.unknownCommand(
        word,
        suggestion: LocalizedText(
          "Did you mean \(.command(writer.name))? Commands that change products cannot be abbreviated.",
          ko: "\(.command(writer.name), .object) 뜻하셨나요? 변경 명령은 이름을 끝까지 입력합니다."),
        at: range)
    }
    if readers.count > 1 {
      let names = readers.map(\.name).joined(separator: ", ")
      throw ParseError(
        LocalizedText("\(.command(word)) is ambiguous.", ko: "\(.command(word), .toward) 시작하는 명령이 여럿입니다."),
        suggestion: LocalizedText("It could be \(.command(names)).", ko: "\(.command(names)) 중 하나입니다."), at: range)
    }
    throw unknown(word, at: range)
  }

  /// Returns the command as `command(_:at:)` does, or `nil` if there is none, without searching for a similar one.
  func resolve(_ word: String) -> CommandDeclaration? {
    if let exact = declaration(named: word) { return exact }
    guard !word.isEmpty, !CommandParser.isConfirmationWord(word) else { return nil }
    let readers = commands(by: word).filter { !$0.writesToMarket }
    return readers.count == 1 ? readers[0] : nil
  }

  private func commands(by word: String) -> [CommandDeclaration] {
    declarations.filter { $0.name.hasPrefix(word) || $0.aliases.contains { $0.hasPrefix(word) } }
  }

  /// Returns whether a word is an answer to `[y/N]`, also with the Korean keyboard layout.
  ///
  /// Outside a prompt it isn't the beginning of a command: `n` isn't `next`.
  private static func isConfirmationWord(_ word: String) -> Bool {
    ["y", "n", "yes", "no", "예", "네", "아니", "아니요", "ㅇ", "ㄴ", "ㅛ", "ㅜ"].contains(word.nfcNormalized.lowercased())
  }

  private static func answersNothing(_ word: String) -> ParseError {
    ParseError(
      LocalizedText(
        "There is no question to answer with \(.command(word)).",
        ko: "대답할 질문이 없습니다: \(.command(word))"),
      suggestion: ["y", "yes", "예", "네", "ㅇ", "ㅛ"].contains(word.nfcNormalized.lowercased())
        ? LocalizedText(
          "Add \(.command("yes")) after a command to skip the question.",
          ko: "명령 뒤에 \(.command("yes"), .object) 붙이면 확인하지 않고 진행합니다.")
        : LocalizedText(
          "For the next page, use \(.command("next")). To create a product, use \(.command("new")).",
          ko: "다음 페이지는 \(.command("next")), 새 상품은 \(.command("new"))입니다."))
  }

  private func unknown(_ word: String, at range: Range<Int>?) -> ParseError {
    if let arrow = word.unicodeScalars.firstIndex(of: ">"), declaration(named: String(word[..<arrow])) != nil {
      let file = word[arrow...].unicodeScalars.drop { $0 == ">" }
      return file.first == "="
        ? Redirection.comparison(String(word[arrow...]), at: range) : Redirection.hint(String(file), at: range)
    }
    if let hint = TypographicDash.hint(word) { return .unknownCommand(word, suggestion: hint, at: range) }
    let known = declarations.flatMap { [$0.name] + $0.aliases } + CommandPrefix.words
    let latin = KoreanKeyboard.latinKeys(word)
    let meant = latin.flatMap { try? command($0) }?.name == nil ? nil : latin
    let next =
      (meant ?? SpellingSuggester.closest(word, in: known)).map { name in
        LocalizedText("Did you mean \(.command(name))?", ko: "\(.command(name), .object) 뜻하셨나요?")
      } ?? LocalizedText("Run \(.command("help")) to list all commands.", ko: "모든 명령은 \(.command("help"))로 볼 수 있습니다.")
    return .unknownCommand(word, suggestion: next, at: range)
  }
}

/// The strictness with which a command is parsed.
enum ParsingMode {
  /// The command is run next: every variable must have a value.
  case run
  /// The command is checked before it is run: variables may have no value yet.
  case check
  /// The command is still being typed: errors are skipped, and the structure of the line is recorded.
  case outline
}

/// A command of a line that hasn't been parsed yet.
///
/// A session parses each one when it is run, so that `let a = 1; echo $a` works.
package struct CommandSource: Hashable, Sendable {
  /// The words before variables are expanded.
  package var words: [Word]
  /// The text after `|`, and its range.
  package var pipe: String?
  package var pipeRange: Range<Int>?
  /// The range in Unicode scalars of the line.
  package var range: Range<Int>
  /// The text as typed, without surrounding comments.
  package var text: String
}

/// The structure of a command that may be incomplete or wrong: the role of each word, and what can follow.
///
/// Completion, highlighting and hints use it. It is recorded by the parser that also reads a command to run it.
package struct CommandOutline {
  /// The kind of word that can follow at the end of the line.
  package enum ExpectedInput: Hashable {
    case command
    /// The number of seconds of `watch`.
    case seconds
    case value(Parameter)
    /// A condition that begins at that word.
    case condition(from: Int)
    case anything
    /// A command line, as the argument of `alias` or `each`.
    case line
  }

  package internal(set) var declaration: CommandDeclaration?
  package internal(set) var next = ExpectedInput.command
  /// The role of each word, or `nil`.
  package internal(set) var roles: [HighlightRole?]
  package internal(set) var usedOptions: Set<String> = []
  /// The options and flags of the command.
  package internal(set) var options: [Parameter] = []
  package internal(set) var remainingPositionals: [Parameter] = []
  /// The index of the word at which a captured line begins, or `nil`.
  package internal(set) var rawLineStart: Int?

  package var nextPositional: Parameter? { remainingPositionals.first }

  init(wordCount: Int) { roles = Array(repeating: nil, count: wordCount) }
}

extension CommandParser {
  /// Returns the structure of the words of one command.
  package func outline(_ words: [Word], names: FieldNameTable = .editionIndependent) -> CommandOutline {
    let range = (words.first?.range.lowerBound ?? 0)..<(words.last?.range.upperBound ?? 0)
    let source = CommandSource(words: words, range: range, text: "")
    return SingleCommandParser(self, segment: source, words: words, line: "", names: names, mode: .outline).outline()
  }
}

extension CommandParser {
  /// Returns whether the line may contain a secret, so that no history records it.
  ///
  /// A `login` line is recorded only if no word of it can be a secret.
  ///
  /// - Parameter vendors: the names of vendors that were shown, which are no secrets.
  package func mayContainSecret(_ line: String, vendors: Set<String> = []) -> Bool {
    if CommandParser.showsSecret(line) { return true }
    if PastedLine.matches(line), CommandParser.curlMayContainSecret(line) { return true }
    return CommandParser.segments(Lexer(line).tokens, of: line).contains { mayContainSecret($0, vendors) }
  }

  /// Returns whether the text contains a value that its name marks as secret, or a URL with userinfo (RFC 3986 section
  /// 3.2.1): as a word, in a comment, in a query, in JSON.
  package static func showsSecret(_ text: String) -> Bool {
    // Compiling the expressions takes a millisecond, and most texts contain nothing that they match.
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ":") }) else { return false }
    if text.contains("://"), text.utf8.contains(UInt8(ascii: "@")),
      text.contains(/:\/\/[^\s\/?#'"]*@/.matchingSemantics(.unicodeScalar))
    {
      return true
    }
    return SecretContext.containsSecretName(text)
      && text.lowercased().contains(
        /(secret|password|passwd|weather_key|appid|api[-_]?key|access_token)["'“”]?(=|:\s*)["'“”]?[^\s"'“”@$,;|)]/
          .matchingSemantics(.unicodeScalar))
  }

  /// Returns the words of a line without quotes and escapes.
  package static func texts(of line: String) -> [String] {
    segments(Lexer(line).tokens, of: line).flatMap { $0.words.map(\.text) }
  }

  /// Returns whether a curl line contains `-u NAME:PASSWORD`, a cookie, a header or a URL with a password.
  ///
  /// In doubt it is true.
  private static func curlMayContainSecret(_ line: String) -> Bool {
    let lowered = line.lowercased()
    return Assignment.mentionsSecretName(lowered)
      || secretHeaders.contains { name in
        lowered.split(atScalar: ":").dropLast().contains { $0.hasSuffix(name) }
      }
      || lowered.contains(
        /(^|\s)(-[a-z]*[ub]|--user|--proxy-user|--cookie|--oauth2-bearer)(\s|['"=]|$)/.matchingSemantics(.unicodeScalar)
      )
      || lowered.contains(/(^|\s)-[a-z]*[ub]\S/.matchingSemantics(.unicodeScalar))
  }

  private func mayContainSecret(_ segment: CommandSource, _ vendors: Set<String>) -> Bool {
    if segment.words.contains(where: CommandParser.isSecret) { return true }
    if segment.words.contains(where: { PastedLine.matches($0.text) && CommandParser.curlMayContainSecret($0.text) }
    ) {
      return true
    }
    if let texts = try? expandingAliases(segment),
      texts.contains(where: { plain.mayContainSecret($0, vendors: vendors) })
    {
      return true
    }
    if let pipe = segment.pipe, Assignment.mentionsSecretName(pipe) { return true }
    let names = segment.words.map(\.text)
    // `let secret = VALUE` is rejected, and must not be recorded.
    if let word = names.firstIndex(of: "let"),
      names[word...].dropFirst().first.map(Assignment.mentionsSecretName) == true
    {
      return true
    }
    // The command is also recognized after prefixes, abbreviated or mistyped, because rejected lines are recorded too.
    let login = names.firstIndex { name in
      resolve(name)?.traits.contains(.acceptsSecret) ?? (SpellingSuggester.closest(name, in: takingSecrets) != nil)
    }
    guard let login else { return false }
    let rest = segment.words.dropFirst(login + 1)
    // A name of several words may stand there without quotes.
    if !rest.isEmpty, vendors.contains(rest.map(\.text).joined(separator: " ")) { return false }
    return !rest.allSatisfy(CommandParser.isHarmlessAtLogin)
  }

  private static func isSecret(_ word: Word) -> Bool {
    if let assignment = Assignment.split(word) {
      return Assignment.mentionsSecretName(assignment.name) && !(assignment.isFile || assignment.value.isEmpty)
        || Assignment.mentionsSecretName(assignment.value)
    }
    // Examples are `secret:VALUE` as a header, `--secret=VALUE` and `{"secret":"VALUE"}`.
    let text = word.text
    return Assignment.mentionsSecretName(text) && text.unicodeScalars.contains { $0 == "=" || $0 == ":" }
      || isSecretHeader(text)
  }

  /// Returns whether the text is a header with credentials: `authorization:VALUE`, a cookie, a key.
  private static func isSecretHeader(_ text: String) -> Bool {
    guard let (name, value) = text.halves(atScalar: ":") else { return false }
    return CommandParser.secretHeaders.contains(name.lowercased()) && value.unicodeScalars.first != "@"
  }

  /// The headers that contain credentials.
  package static let secretHeaders: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "x-api-key", "x-auth-token",
  ]

  private static func isHarmlessAtLogin(_ word: Word) -> Bool {
    if let assignment = Assignment.split(word) {
      return ["identifier", "vendor_id"].contains(assignment.name)
        || (assignment.name == "secret" && assignment.isFile)
    }
    return word.bare == "--help" || word.bare == "yes"
  }
}
