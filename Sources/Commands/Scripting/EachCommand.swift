import Catalog
import CommandLanguage
import MarketOperations
import Presentation
import ShellRuntime
import Text

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
        "TARGETS: LINE", .rest(required: true), .line,
        LocalizedText(
          "products, a colon and a command line. _ stands for the product. Quote several commands",
          ko: "상품, 콜론, 명령. _는 그 상품. 명령이 여럿이면 따옴표로 묶음"))
    ],
    examples: [
      .init("each mine: echo _.id _.name", "prints one line per product", ko: "상품마다 한 줄"),
      .init(
        "each where stock<5 and vendor=me: patch _ stock=5 note low", "collects all changes in one plan and asks once",
        ko: "계획 하나로, 한 번만 확인"),
      .init("each @1-5: if price>10000: patch _ price-=10%", "runs only where a condition is met", ko: "조건과 함께"),
      .init("each 42,43: 'show _ name; image _'", "quote several commands", ko: "두 명령은 따옴표로"),
    ])

  private let loop: ColonCommand

  /// - Throws: `ParseError` without targets or a line.
  package init(_ invocation: ParsedCommand) throws {
    loop = try ColonCommand(
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
      loop.subject, names: session.server.fieldNames, arguments: session.script.stack.last?.arguments,
      variables: session.value) ?? .last
  }

  /// - Throws: `ParseError` for a command that writes without a plan; the errors of the line; `CommandError` of the checks;
  ///   `CancellationError`.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    let target = try target(scope.session)
    let market = try await scope.marketClient()
    // A row of a list lacks some fields, so products are read with the fields that the line uses.
    let fields = ProductField.allCases.filter { loop.line.contains($0.rawValue) }
    let products = try await TargetResolver(target).products(from: market, telling: Set(fields), in: &scope)
    var batch = EachPlan(scope.context)
    for product in products {
      if Task.isCancelled || scope.context.interruption.isRequested { throw CancellationError() }
      scope.session.remember(product)
      if let failed = try await batch.collect(loop.line, in: &scope) { return failed }
    }
    guard let command = batch.command else { return .empty }
    try scope.requireWritable()
    return try await PlanExecutor(market, command.consent).executeOnce(batch.plan, in: &scope)
  }
}
