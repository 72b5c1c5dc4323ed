import Catalog
import CommandLanguage
import MarketAPI
import MarketOperations
import Networking
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// `each TARGETS: LINE`: runs a line for each product, which is `_` in it.
///
/// Its writes are collected in one plan, which is confirmed once.
package struct EachCommand: StaticallyCheckable {
  package static let declaration = CommandDeclaration(
    "each", group: .scripting, summary: LocalizedText("run a command for each product", ko: "상품마다 명령 실행"),
    usage: ["each TARGETS: COMMAND"],
    details: LocalizedText(
      "Runs the command once per product, with _ for the product. Changes are collected and confirmed together.",
      ko: "상품마다 명령을 실행하며, _는 그 상품입니다. 변경은 모아서 한 번에 확인합니다."),
    traits: [.collectsChanges],
    parameters: [
      Parameter(
        "TARGETS: LINE", .rest(required: true), kind: .line,
        summary: LocalizedText(
          "products, a colon and a command line. _ stands for the product. Quote several commands",
          ko: "상품, 콜론, 명령. _는 그 상품. 명령이 여럿이면 따옴표로 묶음"))
    ],
    examples: [
      .init("each mine: echo _.id _.name", "prints one line per product", ko: "상품마다 한 줄"),
      .init(
        "each where stock<5 and vendor=me: patch _ stock=5 note low", "collects all changes in one plan and asks once",
        ko: "계획 하나로, 한 번만 확인"),
      .init("each mine: if price>10000: patch _ price-=10%", "runs only where a condition is met", ko: "조건과 함께"),
      .init("each 42,43: 'show _ name; image _'", "quote several commands", ko: "두 명령은 따옴표로"),
    ])

  private let loop: NestedLine

  /// - Throws: `ParseError` without targets or a line.
  package init(_ invocation: ParsedCommand) throws {
    loop = try NestedLine(
      invocation.text("TARGETS: LINE") ?? "", of: "each", example: "each mine: echo _.name")
  }

  /// - Throws: `ParseError` for invalid targets; the first error in the contained line.
  package func check(in scope: inout CommandScope) throws -> CommandResult {
    // The values of `_` and of variables aren't known yet; a target without them is.
    if !loop.subject.contains("$") { _ = try target(scope.session) }
    return try scope.check(loop.line)
  }

  private func target(_ session: Session) throws -> ProductSelector {
    try CommandParser.target(
      loop.subject, names: session.server.fieldNames, arguments: session.script.arguments,
      variables: session.value) ?? .last
  }

  /// - Throws: `ParseError` for a command that writes without a plan; the errors of the line; `CommandError` of the checks;
  ///   `CancellationError`.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    let target = try target(scope.session)
    let market = try await scope.marketClient()
    // A row of a list lacks some fields, so products are read with the fields that the line uses.
    let fields = ProductField.allCases.filter { loop.line.contains($0.rawValue) }
    let products = try await TargetResolver(target).products(from: market, requiring: Set(fields), in: &scope)
    try refuseSharedFile(for: products, in: scope)
    // The lines are planned for the products of this market.
    scope.references.insert(("_", scope.session.market(at: market.service.baseURL)), at: 0)
    var batch = EachPlan()
    for product in products {
      if Task.isCancelled || scope.context.program.interruption.isRequested { throw CancellationError() }
      scope.session.remember(product)
      if let failed = try await batch.collect(loop.line, in: &scope) { return failed }
    }
    guard let command = batch.command else { return .empty }
    try scope.requireWritable()
    return try await PlanExecutor(market, command.consent).executeOnce(batch.plan, in: &scope)
  }
}

/// A command that runs a line: `if`, `test`, `let`, `assert status`, `finally`, `each`.
protocol LineContaining: Command {
  /// Returns the line as far as the command would run it now, or `nil` for none.
  func containedLine(in scope: CommandScope) -> String?
}

extension EachCommand: LineContaining {
  /// The deepest line in a line that is looked at; aliases may contain themselves.
  private static let maximumDepth = 8

  func containedLine(in scope: CommandScope) -> String? { loop.line }

  /// Refuses a line that writes one file for two products, because the second would replace the first.
  ///
  /// - Throws: `ParseError` that names the file.
  private func refuseSharedFile(for products: [Product], in scope: CommandScope) throws {
    guard products.count > 1 else { return }
    var written: Set<String> = []
    for product in products {
      var inner = scope
      inner.session.remember(product)
      let files = try EachCommand.files(of: loop.line, in: inner)
      guard let shared = files.first(where: written.contains) else {
        written.formUnion(files)
        continue
      }
      throw ParseError(
        LocalizedText(
          "Each product would replace \(.value(shared)) of the one before. Nothing was run.",
          ko: "상품마다 앞 상품의 \(.value(shared)) 파일을 덮어쓰게 됩니다. 아무것도 실행하지 않았습니다."),
        suggestion: LocalizedText(
          "Name the file by the product: \(.command("to ${_.id}.json")).",
          ko: "상품마다 다른 이름을 쓰세요: \(.command("to ${_.id}.json"))"))
    }
  }

  /// Returns the files of `to FILE` in a line and in the lines that its commands contain.
  ///
  /// A command that can't be read yet is reported when it is run.
  private static func files(of line: String, depth: Int = 1, in scope: CommandScope) throws -> [String] {
    guard depth <= maximumDepth else { return [] }
    let commands = try scope.context.program.commands.grammar.segments(of: line).flatMap { segment in
      ((try? scope.grammar.commands(of: segment, in: line)) ?? []).compactMap {
        try? scope.read($0.source, of: $0.line)
      }
    }
    return commands.flatMap { invocation -> [String] in
      if let file = invocation.clauses.file { return [file] }
      guard let command = try? scope.context.program.commands.command(invocation) as? any LineContaining,
        let contained = command.containedLine(in: scope)
      else { return [] }
      return (try? files(of: contained, depth: depth + 1, in: scope)) ?? []
    }
  }
}

/// Runs a line for one product after another and collects its writes.
struct EachPlan {
  private(set) var plan = Plan()
  /// The first command that writes.
  ///
  /// Its `yes`, `note` and `jobs` apply to all.
  private(set) var command: (any ProductWriteCommand)?

  /// Runs the line for the last product, and returns the failure of a command that was already printed, or `nil`.
  mutating func collect(_ line: String, in scope: inout CommandScope) async throws -> CommandResult? {
    for segment in try scope.context.program.commands.grammar.segments(of: line) {
      let texts = try scope.grammar.expandingAliases(segment) ?? [segment.text]
      for text in texts { if let failed = try await collectOne(text, in: &scope) { return failed } }
    }
    return nil
  }

  private mutating func collectOne(_ text: String, in scope: inout CommandScope) async throws -> CommandResult? {
    for invocation in try scope.read(text) {
      let command = try scope.context.program.commands.command(invocation)
      if let condition = command as? IfCommand {
        if let line = try condition.line(in: scope) {
          if let failed = try await collect(line, in: &scope) { return failed }
        }
      } else if let command = command as? any ProductWriteCommand {
        try EachPlan.refusePrefixes(invocation)
        self.command = self.command ?? command
        let market = try await scope.marketClient()
        plan.append(try await command.plan(from: market, in: &scope))
      } else if command.writes {
        throw ParseError(
          LocalizedText(
            "\(.command("each")) can only run commands that change products; \(.command(invocation.command)) does not.",
            ko: "\(.command("each"), .topic) 상품을 변경하는 명령만 실행합니다. \(.command(invocation.command), .topic) 변경 명령이 아닙니다."))
      } else {
        let result = try await scope.run(text)
        if !result.isSuccess { return result.nested }
      }
    }
    return nil
  }

  private static func refusePrefixes(_ invocation: ParsedCommand) throws(ParseError) {
    guard invocation.prefixes.isEmpty else {
      throw ParseError(
        LocalizedText("Put prefixes before \(.command("each")).", ko: "접두어는 \(.command("each")) 앞에 씁니다."),
        suggestion: LocalizedText(
          "For example: \(.command("dry each mine: patch _ stock=0"))",
          ko: "예: \(.command("dry each mine: patch _ stock=0"))"))
    }
  }
}
