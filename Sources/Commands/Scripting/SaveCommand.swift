import Catalog
import CommandLanguage
import Foundation
import OrderedCollections
import Platform
import Presentation
import ShellRuntime
import Text

/// `save`: saves the commands of this session as a script.
package struct SaveCommand: Command {
  package static let declaration = CommandDeclaration(
    "save", group: .scripting,
    summary: LocalizedText("save this session's commands as a script", ko: "이 세션을 스크립트로 저장"),
    details: LocalizedText(
      "Saves the commands of this session that succeeded as a script. Secrets are never saved.",
      ko: "이 세션에서 성공한 명령을 스크립트로 저장합니다. 시크릿은 저장하지 않습니다."),
    traits: [.excludedFromSavedScripts],
    parameters: [
      Parameter(
        "FILE", .positional(required: true), kind: .file,
        summary: LocalizedText("file to create, ending in .market", ko: "저장할 곳; .market으로 끝남")),
      Parameter(
        "N-M", .positional(required: false), kind: .text,
        summary: LocalizedText(
          "only these commands (numbers from history session)", ko: "이 명령만(번호는 history session에서 확인)")),
      Parameter(
        "expect", .flag, kind: .none,
        summary: LocalizedText(
          "turn results into assertions, and created products into variables", ko: "본 값은 확인문으로, 등록한 상품은 변수로")
      ),
      .replaceFlag,
    ],
    examples: [
      .init("save monday.market", "saves every command that succeeded", ko: "성공한 모든 명령"),
      .init("save test.market 3-10 expect", "saves commands 3 to 10 as a test", ko: "3번부터 10번까지, 테스트로"),
    ])

  private let file: String
  private let range: ClosedRange<Int>
  private let expecting: Bool
  private let replaces: Bool

  /// - Throws: `ParseError` for an invalid range of commands.
  package init(_ invocation: ParsedCommand) throws {
    file = invocation.text("FILE") ?? ""
    expecting = invocation.has("expect")
    replaces = invocation.has("replace")
    guard let text = invocation.text("N-M") else {
      range = 1...Int.max
      return
    }
    guard let match = text.wholeMatch(of: /([1-9][0-9]{0,8})(-([1-9][0-9]{0,8}))?/), let first = Int(match.1),
      let last = Int(match.3 ?? match.1), first <= last
    else {
      throw ParseError(
        LocalizedText("Invalid range: \(.value(text)).", ko: "\(.value(text), .topic) 명령의 범위가 아닙니다."),
        suggestion: LocalizedText(
          "Use a range such as \(.value("3-10")). Run \(.command("history session")) to see the numbers.",
          ko: "\(.value("3-10")) 같은 범위를 쓰세요. 번호는 \(.command("history session"))에서 볼 수 있습니다."))
    }
    range = first...last
  }

  /// - Throws: `CommandError` if there is nothing to save, or if the file must not be overwritten; `FileError`.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    let script = ScriptGenerator(
      scope.session.commandHistory.all.filter { range.contains($0.number) }, names: scope.session.server.fieldNames,
      taken: Array(scope.session.variables.keys), expecting: expecting,
      grammar: scope.context.program.commands.grammar, server: scope.session.server)
    let (text, count) = script.saved { scope.holdsSecret($0) }
    guard count > 0 else {
      throw CommandError(
        .usageError,
        .failure("There are no commands to save. No file was written.", ko: "저장할 명령이 없어 파일을 만들지 않았습니다."))
    }
    if let result = scope.resultWithoutSaving { return result }
    let target = ProtectedOutputFile(file, scope.context)
    try await target.confirmOverwrite(replacing: replaces, scope.session)
    try target.write(Data(text.utf8))
    let path = target.path
    return .message(
      Message(
        .success,
        count == 1
          ? LocalizedText("Saved one command to \(.value(path)).", ko: "명령 하나를 \(.value(path))에 저장했습니다.")
          : LocalizedText(
            "Saved \(count) commands to \(.value(path)).", ko: "명령 \(count)개를 \(.value(path))에 저장했습니다.")
      ).next(
        "Run \(.command("source \(Quoting.quote(file))")) to run them.",
        ko: "\(.command("source \(Quoting.quote(file))"), .toward) 실행합니다."))
  }
}

/// A session as a script of its commands, with `expecting` also of its output.
struct ScriptGenerator {
  private let names: FieldNameTable
  private let expecting: Bool
  private let grammar: CommandParser
  /// The variables for products that commands of the script create.
  private var variables: [Product.ID: String] = [:]
  private var used: Set<String>
  private var lines: [Line] = []

  /// A line of the script: a command, or what is written about one.
  private struct Line {
    var text: String
    var isCommand = false
  }

  init(
    _ actions: [CommandRecord], names: FieldNameTable, taken: [String], expecting: Bool, grammar: CommandParser,
    server: ServerConfiguration
  ) {
    self.names = names
    self.expecting = expecting
    self.grammar = grammar
    used = Set(taken)
    // A script that selects a profile itself isn't restricted to another one.
    if !actions.contains(where: { $0.command == "profile" && $0.code == .success }) {
      lines.append(Line(text: ScriptGenerator.only(server)))
    }
    for action in actions where action.code != .usageError && !traits(of: action).contains(.excludedFromSavedScripts) {
      add(action)
    }
  }

  private static let omission = "# A line that may contain a secret was omitted."

  /// Returns the script, with a line end after each line, and the number of commands in it.
  ///
  /// A line that may contain a secret is replaced by a comment.
  func saved(without isSecret: (String) -> Bool) -> (text: String, count: Int) {
    let saved = lines.map { isSecret($0.text) ? Line(text: ScriptGenerator.omission) : $0 }
    return (saved.map { $0.text + "\n" }.joined(), saved.count { $0.isCommand })
  }

  /// Returns the line that rejects another profile or URL than the one the script was saved for.
  private static func only(_ server: ServerConfiguration) -> String {
    let name = server.profile.map { Quoting.quote($0.value) } ?? "-"
    return "profile only " + name + (server.url.map { " " + Quoting.quote($0.value.absoluteString) } ?? "")
  }

  private mutating func add(_ action: CommandRecord) {
    guard let typed = action.line else {
      lines.append(Line(text: ScriptGenerator.omission))
      return
    }
    let line = confirmed(ScriptGenerator.plainDollars(typed), action)
    guard action.code == .success else { return addFailed(line, action) }
    guard expecting else { return lines.append(Line(text: line, isCommand: true)) }
    let replaced = grammar.replacingIDs(variables, in: line, names: names)
    lines.append(Line(text: captured(replaced, action), isCommand: true))
    lines += AssertionGenerator(action.output).lines.map { Line(text: $0) }
  }

  /// Adds a failed command.
  ///
  /// It would end the script, so it becomes a comment, or an assertion about the server's response.
  private mutating func addFailed(_ line: String, _ action: CommandRecord) {
    guard expecting, let status = action.status, status >= 400, action.code == .refused else {
      lines.append(Line(text: "# exit \(action.code.rawValue): " + line.replacing("\n", with: "\n# ")))
      return
    }
    let replaced = grammar.replacingIDs(variables, in: line, names: names)
    lines.append(Line(text: "assert status \(status): " + replaced, isCommand: true))
  }

  /// Returns the line with `yes`, and `outliers` if that was needed, because a script can't prompt.
  private func confirmed(_ line: String, _ action: CommandRecord) -> String {
    guard let (declaration, words) = grammar.innermostCommand(line), declaration.writesToMarket else { return line }
    let allowing = ["yes"] + (action.hasOutliers ? ["outliers"] : [])
    return allowing.filter { !words.contains($0) }.reduce(line) { grammar.appending($1, to: $0) }
  }

  /// Returns `let p1 = new …`, because in another market the product will have another id.
  private mutating func captured(_ line: String, _ action: CommandRecord) -> String {
    guard action.made.count == 1, let id = action.made.first else { return line }
    if action.command == LetCommand.declaration.name {
      if let name = line.wholeMatch(of: /let\s+([\p{L}_][\p{L}_0-9]*)\s.*/.dotMatchesNewlines())?.1 {
        variables[id] = "$" + name
      }
      return line
    }
    guard traits(of: action).contains(.capturesProduct) else { return line }
    let name = freshName()
    variables[id] = "$" + name
    return "let \(name) = \(line)"
  }

  private func traits(of action: CommandRecord) -> CommandDeclaration.Traits {
    grammar.declaration(named: action.command)?.traits ?? []
  }

  private mutating func freshName() -> String {
    var number = 1
    while !used.insert("p\(number)").inserted { number += 1 }
    return "p\(number)"
  }

  /// Returns the line with `$5` escaped.
  ///
  /// It was text at the prompt, but would be an argument in a script.
  private static func plainDollars(_ line: String) -> String {
    var scalars = Array(line.unicodeScalars)
    for server in Lexer(line).arguments.reversed() { scalars.insert("\\", at: server) }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }
}

/// Assertions for the printed output that hold in another run, without ids and times that the market assigns.
struct AssertionGenerator {
  private static let lasting = ProductField.valuesAndImages

  private let output: RecordedOutput

  init(_ output: RecordedOutput) { self.output = output }

  var lines: [String] {
    switch output {
    case .product(let product, let fields):
      return condition(product, fields).map { ["assert " + $0] } ?? []
    case .listing(let page, let fields):
      let total = page.total.map { " and $total = \($0)" } ?? ""
      let rows = page.products.enumerated().compactMap { index, product in
        condition(product, fields).map { "assert \($0) of @\(index + 1)" }
      }
      return ["assert $count = \(page.products.count)" + total] + rows
    case .other: return []
    }
  }

  private func condition(_ product: Product, _ fields: [ProductField]) -> String? {
    let terms = AssertionGenerator.lasting.filter { fields.contains($0) }.compactMap {
      field -> CommandLanguage.Condition? in
      let text = field == .images ? product.images.map { String($0.count) } : product.text(of: field)
      guard let text, let literal = LiteralValue(text, for: field, .equal) else { return nil }
      return .compare(.field(field), .equal, literal)
    }
    guard let first = terms.first else { return nil }
    return (terms.count == 1 ? first : .all(terms)).description
  }
}
