import Catalog
import Text

/// The errors for words that don't match the declaration.
enum ArgumentError {
  static func unknownOption(
    _ name: String, of declaration: CommandDeclaration, _ worded: [Parameter], at range: Range<Int>
  ) -> ParseError {
    let bare = String(name.drop { $0 == "-" })
    return ParseError(
      LocalizedText(
        "\(.command(declaration.name)) has no option \(.field(name)).",
        ko: "\(.command(declaration.name))에 \(.field(name)) 옵션은 없습니다."),
      suggestion: programOption(bare, declaration) ?? didYouMean(bare, worded) ?? seeHelp(declaration), at: range)
  }

  private static let programOptions: Set = [
    "profile", "url", "api", "home", "format", "lang", "yes", "read-only", "keep-going", "check", "tap", "junit",
    "replay",
    "no-color", "ascii",
  ]

  /// Returns advice for an option of the program, which belongs before the command.
  ///
  /// The format also has a clause.
  private static func programOption(_ name: String, _ declaration: CommandDeclaration) -> LocalizedText? {
    let option = name.halves(atScalar: "=").map { String($0.0) } ?? name
    guard programOptions.contains(option) else { return nil }
    if option == "format", declaration.producesData {
      return LocalizedText(
        "Use \(.command("\(declaration.name) … as json")) or, when starting the program, \(.command("openmarket --format json \(declaration.name) …")).",
        ko:
          "\(.command("\(declaration.name) … as json"), .object) 쓰거나, 프로그램을 시작할 때 \(.command("openmarket --format json \(declaration.name) …"), .object) 쓰세요."
      )
    }
    return LocalizedText(
      "Put program options before the command: \(.command("openmarket --\(option) … \(declaration.name)"))",
      ko: "프로그램의 옵션은 명령 앞에 쓰세요: \(.command("openmarket --\(option) … \(declaration.name)"))")
  }

  /// Returns the error for a word that no parameter takes.
  ///
  /// The hint for `stock=0` is the condition, unless the command has one already, which `and` would extend.
  ///
  /// - Parameters:
  ///   - declaration: The command.
  ///   - worded: The options of the command.
  ///   - hasCondition: Whether the command has a condition already.
  ///   - before: The words before it, after the command's name.
  ///   - after: The words after it.
  static func unexpectedArgument(
    _ word: Word, of declaration: CommandDeclaration, _ worded: [Parameter], hasCondition: Bool,
    before: ArraySlice<Word> = [], after: ArraySlice<Word> = []
  ) -> ParseError {
    var next =
      prefixHint(word, declaration, before: before, after: after) ?? didYouMean(word.text, worded) ?? operatorHint(
        word, declaration)
      ?? conditionHint(word, declaration, before: before, after: after)
      ?? phraseHint(word, declaration, worded, before: before, after: after)
      ?? curlyHint(word, declaration, before: before, after: after)
      ?? quotingHint(word, before: before, after: after)
    if next == nil, let assignment = Assignment.split(word) ?? nil, worded.contains(where: { $0.name == "where" }) {
      let condition = (hasCondition ? "and " : "where ") + assignment.name + "=" + Quoting.quote(assignment.value)
      next = LocalizedText("Did you mean \(.command(condition))?", ko: "\(.command(condition), .object) 뜻하셨나요?")
    }
    if next == nil, worded.contains(where: { $0.name == "search" }), !word.text.isEmpty,
      word.bare?.first?.isLetter ?? true
    {
      let line = "search " + Quoting.quote(word.text)
      next = LocalizedText(
        "To find products by name, run \(.command(line)).", ko: "이름으로 찾으려면 \(.command(line), .object) 실행하세요.")
    }
    return ParseError(
      LocalizedText(
        "Unexpected argument for \(.command(declaration.name)): \(word.text).",
        ko: "\(.command(declaration.name)) 명령에 쓸 수 없는 인자: \(word.text)."),
      suggestion: next ?? seeHelp(declaration), at: word.range)
  }

  /// Returns the line for `import new.csv dry`, whose prefix belongs before the command.
  private static func prefixHint(
    _ word: Word, _ declaration: CommandDeclaration, before: ArraySlice<Word>, after: ArraySlice<Word>
  ) -> LocalizedText? {
    guard let prefix = word.bare, prefix != "watch", CommandPrefix.words.contains(prefix) else { return nil }
    let words = CompatibilitySyntax.text(Array(before) + after)
    let line = "\(prefix) \(declaration.name)\(words.isEmpty ? "" : " " + words)"
    return LocalizedText(
      "Put \(.command(prefix)) before the command: \(.command(line))",
      ko: "\(.command(prefix), .topic) 명령 앞에 쓰세요: \(.command(line))")
  }

  /// Returns the assignment for `price+10%`.
  private static func operatorHint(_ word: Word, _ declaration: CommandDeclaration) -> LocalizedText? {
    guard declaration.assignmentParameter != nil, let match = word.bare?.wholeMatch(of: /([\p{L}_]+)([-+*])([0-9].*)/),
      FieldNameTable.editionIndependent.field(String(match.1)) != nil
    else { return nil }
    let line = "\(match.1)\(match.2)=\(match.3)"
    return LocalizedText("Did you mean \(.command(line))?", ko: "\(.command(line), .object) 뜻하셨나요?")
  }

  /// Returns the condition of `patch mine where stock<5 price=1`, which is at the position of the products.
  private static func conditionHint(
    _ word: Word, _ declaration: CommandDeclaration, before: ArraySlice<Word>, after: ArraySlice<Word>
  ) -> LocalizedText? {
    guard word.bare == "where", declaration.positionals.first?.kind == .target, !after.isEmpty else { return nil }
    let isOwn = before.contains { $0.bare == "mine" }
    let changes = before.filter { (Assignment.split($0) ?? nil) != nil }
    let line =
      "\(declaration.name) where \(isOwn ? "vendor=me and " : "")"
      + CompatibilitySyntax.text(Array(after) + changes)
    return LocalizedText(
      "A condition stands in place of the products: \(.command(line))", ko: "조건은 상품 자리에 씁니다: \(.command(line))")
  }

  /// Returns the condition for `ls 재고 5 이하`, `ls stock under 5` and `ls sold out`.
  private static func phraseHint(
    _ word: Word, _ declaration: CommandDeclaration, _ worded: [Parameter], before: ArraySlice<Word>,
    after: ArraySlice<Word>
  ) -> LocalizedText? {
    guard worded.contains(where: { $0.name == "where" }), !before.contains(where: { $0.bare == "where" }),
      let condition = ConditionPhrase(word, followedBy: after)?.condition
    else { return nil }
    let line =
      CompatibilitySyntax.text([Word(habit: declaration.name, range: word.range)] + before) + " where " + condition
    return LocalizedText("Did you mean \(.command(line))?", ko: "\(.command(line), .object) 뜻하셨나요?")
  }

  /// Returns the line with straight quotation marks for `search “큰 컵”`.
  private static func curlyHint(
    _ word: Word, _ declaration: CommandDeclaration, before: ArraySlice<Word>, after: ArraySlice<Word>
  ) -> LocalizedText? {
    let words = [Word(habit: declaration.name, range: word.range)] + before + [word] + after
    guard let line = CurlyQuotes.straightened(CompatibilitySyntax.text(words)), Lexer(line).error == nil else {
      return nil
    }
    return LocalizedText(
      "Curly quotes do not quote. Use straight ones: \(.command(line))",
      ko: "둥근따옴표로는 묶을 수 없습니다. 곧은 따옴표를 쓰세요: \(.command(line))")
  }

  /// Returns the quoted value for `name=두 단어`.
  private static func quotingHint(_ word: Word, before: ArraySlice<Word>, after: ArraySlice<Word>) -> LocalizedText? {
    func isPlain(_ word: Word) -> Bool { word.bare != nil && (Assignment.split(word) ?? nil) == nil }
    guard isPlain(word), let last = before.last, let assignment = Assignment.split(last) ?? nil,
      let field = FieldNameTable.editionIndependent.field(assignment.name), field == .name || field == .description
    else { return nil }
    let words = [assignment.value, word.text] + after.prefix(while: isPlain).map(\.text)
    let text = CurlyQuotes.unquoted(words.joined(separator: " "))
    let line = assignment.name + "=" + Quoting.quote(text, always: true)
    return LocalizedText(
      "Quote text that contains spaces: \(.command(line))", ko: "공백이 있는 텍스트는 따옴표로 묶으세요: \(.command(line))")
  }

  /// Returns the error for an unsuitable word, which may be a mistyped option.
  static func invalidOrMistyped(_ word: Word, error: ParseError, worded: [Parameter]) -> ParseError {
    guard let bare = word.bare, let next = didYouMean(bare, worded) else { return error }
    var copy = error
    copy.suggestion = next
    return copy
  }

  /// Returns the error for a word of an earlier version.
  static func replaced(
    _ word: String, by replacement: String, of declaration: CommandDeclaration, at range: Range<Int>
  ) -> ParseError {
    let name = Quoting.quote(String(word.drop { $0 == "-" }), always: true)
    return ParseError(
      LocalizedText(
        "\(.command(word)) is no longer an option of \(.command(declaration.name)).",
        ko: "\(.command(word), .topic) 이제 \(.command(declaration.name))의 옵션이 아닙니다."),
      suggestion: LocalizedText(
        "Use \(.command(replacement)). To use it as a file name, quote it: \(.command(name)).",
        ko: "\(.command(replacement), .object) 쓰세요. 파일 이름이라면 따옴표로 묶습니다: \(.command(name))"),
      at: range)
  }

  static func noValue(_ parameter: Parameter, at range: Range<Int>) -> ParseError {
    ParseError(
      LocalizedText("\(.field(parameter.name)) needs a value.", ko: "\(.field(parameter.name))에 값이 필요합니다."),
      suggestion: ValueParser.expectedFormat(parameter.kind), at: range)
  }

  static func optionAsValue(_ parameter: Parameter, _ word: String, at range: Range<Int>) -> ParseError {
    let quoted = Quoting.quote(word, always: true)
    return ParseError(
      LocalizedText(
        "\(.field(parameter.name)) needs a value, but \(.field(word)) is an option.",
        ko: "\(.field(parameter.name))에 값이 필요한데 \(.field(word), .topic) 옵션입니다."),
      suggestion: LocalizedText(
        "To use it as text, quote it: \(.command(quoted)).", ko: "문자열이라면 따옴표로 묶습니다: \(.command(quoted))"),
      at: range)
  }

  /// Returns the error for a parameter that `invocation` has no value for.
  static func missing(
    _ parameter: Parameter, of declaration: CommandDeclaration, in invocation: ParsedCommand, at end: Int
  ) -> ParseError {
    let syntax = Syntax.line(declaration)
    let usage = LocalizedText("Usage: \(.command(syntax))", ko: "사용법: \(.command(syntax))")
    return ParseError(
      LocalizedText(
        "Missing argument for \(.command(declaration.name)): \(.field(parameter.name)).",
        ko: "\(.command(declaration.name)) 명령에는 \(.field(parameter.name), .subject) 필요합니다."),
      suggestion: parameter.kind == .target ? targetHint(invocation) ?? usage : usage, at: end..<end)
  }

  /// Returns the words at the position of the products in `patch all price=1` and `patch name~우산 price=1`.
  private static func targetHint(_ invocation: ParsedCommand) -> LocalizedText? {
    let comparison = invocation.assignments.first {
      $0.operation == .substitute && !$0.value.utf8.starts(with: "s/".utf8)
    }
    if let comparison {
      let line = "where " + comparison.name + "~" + Quoting.quote(comparison.value)
      return LocalizedText("Did you mean \(.command(line))?", ko: "\(.command(line), .object) 뜻하셨나요?")
    }
    guard invocation.has("all") else { return nil }
    return LocalizedText(
      "\(.command("all")) is an option. Use \(.command("mine")) for your products, or \(.command("@all")) for the rows of the last list.",
      ko:
        "\(.command("all"), .topic) 옵션입니다. 내 상품은 \(.command("mine")), 마지막 목록의 모든 행은 \(.command("@all"), .toward) 쓰세요.")
  }

  static func didYouMean(_ word: String, _ worded: [Parameter]) -> LocalizedText? {
    // A name of an option that is none, as after `--`, is not misspelt.
    guard !worded.contains(where: { $0.name == word }) else { return nil }
    return SpellingSuggester.closest(word, in: worded.map(\.name)).map { name in
      LocalizedText("Did you mean \(.field(name))?", ko: "\(.field(name), .object) 뜻하셨나요?")
    }
  }

  private static func seeHelp(_ declaration: CommandDeclaration) -> LocalizedText {
    let line = "help " + declaration.name
    return LocalizedText("Run \(.command(line)) for help.", ko: "\(.command(line), .toward) 사용법을 볼 수 있습니다.")
  }
}
