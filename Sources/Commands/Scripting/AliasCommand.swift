import CommandLanguage
import Presentation
import ShellRuntime
import Text

/// `alias`: names a line and saves it in the home folder; without a name, lists the aliases.
package struct AliasCommand: StaticallyCheckable {
  package static let declaration = CommandDeclaration(
    AliasStore.command, group: .scripting,
    summary: LocalizedText("define a shortcut for a command line", ko: "자주 쓰는 명령에 별칭 붙이기"),
    usage: ["alias", "alias NAME", "alias NAME = COMMAND", "alias rm NAME"],
    details: LocalizedText(
      "Words after an alias are added at the end, unless the alias uses $1, $2 or $@.",
      ko: "별칭 뒤의 단어는 끝에 붙습니다. 별칭에 $1, $2, $@가 있으면 그 자리에 들어갑니다."),
    parameters: [
      Parameter(
        "NAME", .positional(required: false), kind: .text,
        summary: LocalizedText("name of the alias; rm NAME removes it", ko: "새 이름; rm NAME은 삭제")),
      Parameter(
        "=", .positional(required: false), kind: .choice(["="]), summary: LocalizedText("optional", ko: "생략 가능")),
      Parameter(
        "LINE", .rest(required: false), kind: .line,
        summary: LocalizedText(
          "the command line; $1, $2 and $@ stand for arguments, otherwise they are added at the end",
          ko: "명령들; 이름 뒤의 인자는 $1, $2, $@ 자리나 끝에 붙음"
        )
      ),
    ],
    examples: [
      .init(
        "alias cups = ls search cup", inKorean: "alias cups = ls search 찻잔",
        "cups size 5 then runs ls search cup size 5",
        ko: "cups size 5는 ls search 찻잔 size 5를 실행"),
      .init(
        "alias cheaper = 'patch $1 price-=10% round 100; show $1 price'", "quote several commands", ko: "두 명령은 따옴표로"),
      .init("alias", "lists all aliases", ko: "모든 별칭"), .init("alias rm cups", "removes the alias cups", ko: "삭제"),
    ])

  private enum Action {
    case list
    case show(String)
    case set(String, String)
    case remove(String)
  }

  private let action: Action

  /// - Throws: `ParseError` for an invalid name or line.
  package init(_ invocation: ParsedCommand) throws {
    let line = invocation.text("LINE").map(\.trimmed)
    switch (invocation.text("NAME"), invocation.has("="), line) {
    case (nil, _, _): action = .list
    case ("rm", false, let name?): action = .remove(name)
    case (let name?, true, let line?):
      action = try AliasCommand.makeSetAction(name, line: line, grammar: invocation.grammar)
    case (let text?, false, nil):
      let parts = text.split(atScalar: "=", maxSplits: 1).map { String($0) }
      action =
        parts.count == 2
        ? try AliasCommand.makeSetAction(parts[0], line: parts[1], grammar: invocation.grammar) : .show(text)
    case (let name?, _, _):
      throw ParseError(
        LocalizedText("An alias needs a name and a command line.", ko: "별칭에는 이름과 명령이 필요합니다."),
        suggestion: LocalizedText(
          "For example: \(.command("alias \(name) = ls size 5"))", ko: "예: \(.command("alias \(name) = ls size 5"))"))
    }
  }

  private static func makeSetAction(_ name: String, line: String, grammar: CommandParser) throws -> Action {
    guard grammar.canBeAlias(name) else {
      throw ParseError(
        LocalizedText("Invalid alias name: \(.value(name)).", ko: "\(.value(name), .topic) 별칭으로 쓸 수 없습니다."),
        suggestion: grammar.declaration(named: name) == nil && !CommandPrefix.words.contains(name)
          ? LocalizedText("Use one word of letters, digits, - and _.", ko: "문자, 숫자, -, _로 된 한 단어를 쓰세요.")
          : LocalizedText("There is a command with that name.", ko: "이미 있는 명령입니다."))
    }
    if grammar.mayContainSecret(line) { throw AliasCommand.secret }
    guard try !grammar.segments(of: line).isEmpty else {
      throw ParseError(LocalizedText("The line contains no command.", ko: "명령이 없습니다."))
    }
    return .set(name, line)
  }

  private static let secret = ParseError(
    LocalizedText("An alias cannot contain a secret.", ko: "별칭에는 시크릿을 넣을 수 없습니다."),
    suggestion: LocalizedText("Use \(.command("secret=@file")) instead.", ko: "\(.command("secret=@file"))처럼 적습니다."))

  /// - Throws: `ParseError` for an unknown alias, for one that refers back to itself, and for one that contains a
  ///   secret; `FileError`.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    let commands = scope.context.program.commands
    let store = AliasStore(scope.context.stores.home, commands.grammar)
    switch action {
    case .list: return .rows(AliasCommand.table(scope.session.aliases.sorted { $0.key < $1.key }))
    case .show(let name):
      guard let line = scope.session.aliases[name] else { throw AliasCommand.unknown(name, scope.session) }
      return .rows(AliasCommand.table([(name, line)]))
    case .remove(let name):
      guard scope.session.aliases[name] != nil else { throw AliasCommand.unknown(name, scope.session) }
      try store.set(name, nil)
      scope.session.aliases[name] = nil
      return .message(.success("Removed alias \(.command(name)).", ko: "별칭 \(.command(name), .object) 삭제했습니다."))
    case .set(let name, let line):
      if scope.holdsSecret(line) { throw AliasCommand.secret }
      try scope.grammar.checkForCycle(name, line)
      if scope.session.aliases[name] != line { try store.set(name, line) }
      scope.session.aliases[name] = line
      return .empty
    }
  }

  /// - Throws: `ParseError` for an alias that refers back to itself.
  package func check(in scope: inout CommandScope) throws -> CommandResult {
    switch action {
    case .list, .show: break
    case .remove(let name): scope.session.aliases[name] = nil
    case .set(let name, let line):
      try scope.grammar.checkForCycle(name, line)
      scope.session.aliases[name] = line
    }
    return .empty
  }

  private static func unknown(_ name: String, _ session: Session) -> ParseError {
    ParseError(
      LocalizedText("Unknown alias: \(.command(name)).", ko: "알 수 없는 별칭: \(.command(name))."),
      suggestion: SpellingSuggester.closest(name, in: session.aliases.keys.sorted()).map { near in
        LocalizedText("Did you mean \(.command(near))?", ko: "\(.command(near), .object) 뜻하셨나요?")
      } ?? LocalizedText("Run \(.command("alias")) to list them.", ko: "\(.command("alias"))에서 볼 수 있습니다."))
  }

  private static func table(_ aliases: [(key: String, value: String)]) -> Table {
    Table(
      [.init("name", LocalizedText("name", ko: "이름")), .init("line", LocalizedText("command", ko: "명령"))],
      rows: aliases.map { [.text($0.key), .text($0.value)] })
  }
}
