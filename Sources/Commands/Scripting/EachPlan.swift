import Catalog
import CommandLanguage
import MarketOperations
import ShellRuntime
import Text

/// Runs a line for one product after another and collects its writes.
struct EachPlan {
  private let context: CommandContext
  private(set) var plan = Plan([])
  /// The first command that writes.
  ///
  /// Its `yes`, `note` and `jobs` apply to all.
  private(set) var command: (any ProductWriteCommand)?

  init(_ context: CommandContext) { self.context = context }

  /// Runs the line for the last product, and returns the failure of a command that was already printed, or `nil`.
  mutating func collect(_ line: String, in scope: inout CommandScope) async throws -> CommandResult? {
    for segment in try scope.context.commands.grammar.segments(of: line) {
      let texts = try scope.context.grammar(of: scope.session).expandingAliases(segment) ?? [segment.text]
      for text in texts { if let failed = try await collectOne(text, in: &scope) { return failed } }
    }
    return nil
  }

  private mutating func collectOne(_ text: String, in scope: inout CommandScope) async throws -> CommandResult? {
    for invocation in try scope.context.read(text, scope.session) {
      let command = try scope.context.commands.command(invocation)
      if let condition = command as? IfCommand {
        if let line = try condition.line(scope.session, in: scope.context) {
          if let failed = try await collect(line, in: &scope) { return failed }
        }
      } else if let command = command as? any ProductWriteCommand {
        try EachPlan.refusePrefixes(invocation)
        self.command = self.command ?? command
        let market = try await scope.marketClient()
        add(try await command.plan(from: market, in: &scope))
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

  private mutating func add(_ part: Plan) {
    for change in part.changes { plan.changes.append(change) }
    for (_, product) in part.unchanged.sorted(by: { $0.key < $1.key }) { plan.unchanged[plan.count] = product }
    plan.computesPrices = plan.computesPrices || part.computesPrices
    plan.dependsOnObservedState = plan.dependsOnObservedState || part.dependsOnObservedState
    plan.formulas.merge(part.formulas) { $0 + " " + $1 }
  }
}
