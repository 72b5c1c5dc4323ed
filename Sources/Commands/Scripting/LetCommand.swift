import Catalog
import CommandLanguage
import MarketAPI
import Networking
import OrderedCollections
import Platform
import Presentation
import ShellRuntime
import Text

/// `let`: assigns a value to a variable; without a name, lists the variables.
package struct LetCommand: StaticallyCheckable, LineContaining {
  package static let declaration = CommandDeclaration(
    "let", group: .scripting, summary: LocalizedText("store a value in a variable", ko: "값에 이름 붙이기"),
    usage: ["let", "let NAME = VALUE", "let NAME = COMMAND"],
    details: LocalizedText(
      "Stores a number, text (quoted or one word), a formula, the product of a command or the response of get. Use it as $NAME, $NAME.price or $NAME.items[0].id.",
      ko: "수, 텍스트(따옴표나 한 낱말), 수식의 결과, 명령의 상품, get의 응답을 저장합니다. $NAME, $NAME.price, $NAME.items[0].id처럼 씁니다."),
    parameters: [
      Parameter(
        "NAME", .positional(required: false), kind: .text,
        summary: LocalizedText("variable name; use it as $NAME", ko: "그다음부터 $NAME이 그 값")),
      Parameter(
        "=", .positional(required: false), kind: .choice(["="]), summary: LocalizedText("optional", ko: "이름과 값 사이")),
      Parameter(
        "VALUE", .rest(required: false), kind: .line,
        summary: LocalizedText(
          "number, quoted text, TARGET.field, or a command: new, show, patch … store a product, get and raw store the response",
          ko: "수, 따옴표로 묶은 문자열, TARGET.field, 또는 new, show, patch 등: 그 명령의 상품; get, raw: 서버의 응답")),
    ],
    examples: [
      .init("let price = 12000", "stores a number (quote text)", ko: "수를 저장(문자열은 따옴표로 묶음)"),
      .init("let before = 42.price", "stores a field of a product", ko: "상품의 필드"),
      .init("let next = $page + 1", "calculates from variables that are numbers", ko: "숫자 변수로 계산"),
      .init(
        "let cup = show 42", "stores a product: $cup is its number, $cup.price its price",
        ko: "상품: $cup은 번호, $cup.price는 정가"
      ),
      .init("let copy = new from cup.json images=a.jpg yes", "stores the created product", ko: "등록한 상품"),
      .init(
        "let p = get /api/products page_no=1",
        "stores a response: $p.status, $p.ms, $p.headers.Content-Type, $p.pages[0].id",
        ko: "서버의 응답: $p.status, $p.ms, $p.headers.Content-Type, $p.pages[0].id"),
      .init("let", "lists all variables", ko: "모든 이름과 값"),
    ])

  /// Returns whether the result of a command can be captured, because it ends with one product or response.
  ///
  /// A text that begins like such a command must be quoted.
  private static func isCapturable(_ command: CommandDeclaration) -> Bool {
    !command.traits.isDisjoint(with: [.capturesProduct, .capturesResponse])
  }

  private enum Action {
    case list
    case show(String)
    case set(String, ValueExpression)
    case capture(String, line: String)
  }

  private let action: Action

  /// - Throws: `ParseError` for an invalid name, and without an equals sign or a value.
  package init(_ invocation: ParsedCommand) throws {
    guard let name = invocation.text("NAME") else {
      action = .list
      return
    }
    guard invocation.has("=") || invocation.has("VALUE") else {
      action = name.contains("=") ? try LetCommand.joined(name, invocation) : .show(name)
      return
    }
    try LetCommand.require(name)
    let text = LetCommand.typed(invocation)
    guard invocation.has("=") else {
      throw ParseError(
        LocalizedText("Missing equals sign after \(.field(name)).", ko: "\(.field(name)) 뒤에 등호가 없습니다."),
        suggestion: LocalizedText(
          "Use \(.command("let \(name) = \(text)")).", ko: "\(.command("let \(name) = \(text)"), .object) 쓰세요."))
    }
    action = try LetCommand.reading(name, text: text, grammar: invocation.grammar)
  }

  /// Returns the text after the equals sign including quotes, because quoted words are never a command.
  private static func typed(_ invocation: ParsedCommand) -> String {
    guard let segment = try? invocation.grammar.segments(of: invocation.text).first,
      let name = segment.words.firstIndex(where: { $0.bare == declaration.name }),
      segment.words.indices.contains(name + 3)
    else { return "''" }
    let start = segment.words[name + 3].range.lowerBound
    return String(String.UnicodeScalarView(invocation.text.unicodeScalars.dropFirst(start)))
  }

  /// Parses `let price=12000`, as in a shell.
  private static func joined(_ text: String, _ invocation: ParsedCommand) throws -> Action {
    let name = String(text.prefix { $0 != "=" })
    try require(name)
    // The value is taken as typed, because quotes make it a text.
    let typed = invocation.text.drop { $0 != "=" }.dropFirst()
    return .set(name, ValueExpression(String(typed)))
  }

  private static func reading(_ name: String, text: String, grammar: CommandParser) throws -> Action {
    // A pasted request is stored as its response, not as the product of the command that it is translated to.
    if PastedLine.matches(text) { return .capture(name, line: "raw " + text) }
    guard let segment = try grammar.segments(of: text).first else { return .set(name, ValueExpression(text)) }
    let word = segment.words.map(\.bare).first { $0.map { !CommandPrefix.words.contains($0) } ?? true } ?? nil
    if let word, let command = grammar.declaration(named: word), isCapturable(command) {
      return .capture(name, line: text)
    }
    // `GET /path` and a URL stand for `raw`.
    if let meant = grammar.habit(of: segment), grammar.declaration(named: meant).map(isCapturable) == true {
      return .capture(name, line: text)
    }
    try requireValue(word, of: segment, named: name, grammar)
    return .set(name, ValueExpression(text))
  }

  /// Rejects a bare word that is neither a number nor a product, because it is probably a mistyped command.
  private static func requireValue(
    _ word: String?, of segment: CommandSource, named name: String, _ grammar: CommandParser
  ) throws(ParseError) {
    guard segment.pipeRange == nil, let word, let first = word.unicodeScalars.first,
      Lexer.isNameStart(first), word != "_", !CommandParser.isValue(word)
    else { return }
    let quoted = LocalizedText(
      "Quote text: \(.command("let \(name) = \(Quoting.quote(segment.text, always: true))"))",
      ko: "문자열이라면 따옴표로 묶습니다: \(.command("let \(name) = \(Quoting.quote(segment.text, always: true))"))")
    if grammar.declaration(named: word) != nil {
      throw ParseError(
        LocalizedText(
          "\(.command(word)) does not return a single product, so there is nothing to store.",
          ko: "\(.command(word), .topic) 상품 하나로 끝나는 명령이 아니라 이름을 붙일 수 없습니다."), suggestion: quoted)
    }
    let near = SpellingSuggester.closest(
      word, in: grammar.declarations.filter(isCapturable).map(\.name).sorted())
    throw ParseError.unknownCommand(
      word,
      suggestion: near.map {
        LocalizedText(
          "Did you mean \(.command($0))? \(quoted[.english])",
          ko: "\(.command($0), .object) 뜻하셨나요? \(quoted[.korean])")
      } ?? quoted)
  }

  private static func require(_ name: String) throws {
    guard let first = name.unicodeScalars.first, Lexer.isNameStart(first), name != "_",
      name.unicodeScalars.allSatisfy({ Lexer.isName($0) })
    else {
      throw ParseError(
        LocalizedText(
          "Invalid variable name: \(.value(name)).", ko: "\(.value(name), .topic) 변수 이름으로 쓸 수 없습니다."),
        suggestion: LocalizedText(
          "Use letters, digits and _, starting with a letter.", ko: "이름에는 문자, 숫자, _를 쓸 수 있고 문자로 시작합니다.")
      )
    }
    guard Assignment.mentionsSecretName(name) else { return }
    throw ParseError(
      LocalizedText("A variable cannot contain a secret.", ko: "변수에는 시크릿을 넣을 수 없습니다."),
      suggestion: LocalizedText(
        "Run \(.command("login")) to store it safely.", ko: "안전하게 저장하려면 \(.command("login"), .object) 실행하세요."))
  }

  func containedLine(in scope: CommandScope) -> String? { if case .capture(_, let line) = action { line } else { nil } }

  /// - Throws: `ParseError` for a name without a value; `CommandError` for a secret and for a value that is too large; the
  ///   errors of its line.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    switch action {
    case .list: return .rows(LetCommand.table(scope.session.variables.map { ($0.key, $0.value) }))
    case .show(let name):
      guard let variable = scope.session.variables[name] else { throw Word.withoutValue(name) }
      return .rows(LetCommand.table([(name, variable)]))
    case .set(let name, let value):
      try LetCommand.store(try await value.value(in: &scope), as: name, &scope.session)
      return .empty
    case .capture(let name, let line):
      return try await capture(line, as: name, in: &scope)
    }
  }

  /// Stores the product or response that a command ends with.
  private func capture(_ line: String, as name: String, in scope: inout CommandScope) async throws -> CommandResult {
    var quiet = scope.context
    quiet.program.console = MutedConsole(console: scope.context.program.console, forwardsMessages: true)
    scope.session.last.output = nil
    let before = scope.session.last.response
    scope.session.last.response = nil
    let inner = try await scope.with(quiet) { try await $0.run(line) }
    if inner.status == .refused, scope.session.last.response != nil {
      // A rejection is a response too, which `assert` can test.
      scope.say(
        .note(
          "The server responded with status \(scope.session.last.response?.status ?? 0), stored in \(.command("$\(name).status")).",
          ko: "서버가 \(scope.session.last.response?.status ?? 0)번으로 답했습니다. \(.command("$\(name).status"))에 있습니다."))
    } else if !inner.isSuccess {
      return inner.nested
    }
    if let value = LetCommand.taken(&scope.session, before) {
      try LetCommand.store(value, as: name, &scope.session)
      return .empty
    }
    var result = CommandResult()
    result.equivalentLine = inner.equivalentLine.map { "let \(name) = \($0)" }
    result.hasOutliers = inner.hasOutliers
    switch inner.report.data {
    case .product(let product, _):
      try LetCommand.store(Variable(product, of: scope.session.market), as: name, &scope.session)
      return result
    case nil where inner.wasOnlyShown: return result
    case .listing, .rows, .drawing, .message, .text, .receipt, .group, .empty, nil:
      throw CommandError(
        .refused,
        .failure("There is no single product to store.", ko: "이름을 붙일 상품 하나가 없습니다.")
          .because("The command returned no product, or several.", ko: "명령의 결과가 상품 하나가 아닙니다."))
    }
  }

  /// Returns the response that the line ended with, and restores the previous `_`.
  private static func taken(_ session: inout Session, _ before: ResponseValue?) -> Variable? {
    guard let response = session.last.response else { return nil }
    session.last.response = before
    return Variable(response)
  }

  /// Checks the contained line.
  ///
  /// An assigned value with variables isn't known before it is run.
  ///
  /// - Throws: The first error in the contained line or in the value.
  package func check(in scope: inout CommandScope) throws -> CommandResult {
    switch action {
    case .list, .show: return .empty
    case .set(let name, let value):
      try value.check(in: scope)
      scope.session.variables[name] = nil
      return .empty
    case .capture(let name, let line):
      let result = try scope.check(line)
      scope.session.variables[name] = nil
      return result
    }
  }

  private static func store(_ value: Variable, as name: String, _ session: inout Session) throws {
    // A short password may occur in any number by chance.
    if let secret = session.credentials.secret?.reveal(),
      value.text == secret || (secret.utf8.count >= 8 && value.text.contains(secret))
    {
      throw CommandError(.blocked, .failure("A variable must not contain a secret.", ko: "변수에는 시크릿을 넣을 수 없습니다."))
    }
    guard value.text.utf8.count <= Variable.maximumBytes else { throw LetCommand.tooLarge(name) }
    session.variables[name] = value
  }

  private static func tooLarge(_ name: String) -> CommandError {
    CommandError(
      .usageError,
      .failure(
        "The value for \(.value(name)) is larger than 1 MiB. \(.value(name)) was not changed.",
        ko: "\(.value(name)) 값이 1 MiB보다 커서 그대로 두었습니다."
      ).because("A variable can hold up to 1 MiB.", ko: "변수에는 1 MiB까지 넣을 수 있습니다."))
  }

  /// Returns a value for the list of variables.
  ///
  /// A response is truncated.
  private static func shown(_ variable: Variable) -> String {
    if let response = variable.response {
      let body = response.body
      return "\(response.status) " + (body.count > 60 ? body.prefix(60) + "…" : body[...])
    }
    if case .string(let text) = variable.value { return text }
    return variable.value.shortened
  }

  private static func table(_ variables: [(String, Variable)]) -> Table {
    Table(
      [
        .init("name", LocalizedText("name", ko: "이름")), .init("value", LocalizedText("value", ko: "값")),
        .init("product", LocalizedText("product", ko: "상품")),
      ],
      rows: variables.map { name, variable in
        [.text(name), .text(LetCommand.shown(variable)), variable.product?.name.map { .text($0) } ?? .none]
      })
  }
}
