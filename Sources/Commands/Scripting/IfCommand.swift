import Catalog
import CommandLanguage
import MarketAPI
import Presentation
import ShellRuntime
import Text

/// `if EXPR: LINE`: runs a line if a condition on the last product or between values holds.
package struct IfCommand: StaticallyCheckable, LineContaining {
  package static let declaration = CommandDeclaration(
    "if", group: .scripting, summary: LocalizedText("run a command if a condition is met", ko: "조건이 맞으면 명령 실행"),
    usage: ["if EXPR: COMMAND"],
    parameters: [
      Parameter(
        "EXPR: LINE", .rest(required: true), kind: .line,
        summary: LocalizedText(
          "condition for the last product or for values ($p.status = 404), a colon and a command line",
          ko: "마지막 상품이나 값의 조건($p.status = 404), 콜론, 명령"))
    ],
    examples: [
      .init("if stock=0: patch _ stock=10", "checks the last product", ko: "마지막 상품의 값"),
      .init("if $count > 0: echo there are rows", "compares values", ko: "값의 비교"),
    ])

  private let nested: NestedLine

  /// - Throws: `ParseError` without a condition or a line.
  package init(_ invocation: ParsedCommand) throws {
    nested = try NestedLine(
      invocation.text("EXPR: LINE") ?? "", of: "if", example: "if stock=0: patch _ stock=10")
  }

  /// - Throws: `ParseError` for an invalid condition; the first error in the contained line.
  package func check(in scope: inout CommandScope) throws -> CommandResult {
    if !nested.subject.contains("$") { _ = try condition(scope.session) }
    return try scope.check(nested.line)
  }

  private func condition(_ session: Session) throws -> Condition? {
    try CommandParser.condition(
      nested.subject, names: session.server.fieldNames, arguments: session.script.arguments,
      variables: session.value)
  }

  /// Returns the products on which the condition depends, by which its line is decided, with their markets.
  private func references(_ session: Session) throws -> [(name: String, market: MarketIdentity)] {
    var names: [String] = []
    let condition = try CommandParser.condition(
      nested.subject, names: session.server.fieldNames, arguments: session.script.arguments,
      variables: {
        names.append($0)
        return session.value(of: $0)
      })
    if condition?.fields.isEmpty == false { names.append("_") }
    return names.compactMap { session.reference(in: $0) }
  }

  /// Returns the line if the condition holds now, otherwise `nil`.
  ///
  /// - Throws: `ParseError` if the condition needs a product and none was shown.
  func line(in scope: CommandScope) throws -> String? {
    guard let condition = try condition(scope.session)?.resolved(at: scope.context.clock.seconds) else { return nil }
    let me = scope.session.credentials.vendorID.map { Vendor(id: $0) }
    var product = Product(id: 0)
    if !condition.fields.isEmpty {
      guard let last = scope.session.last.product else { throw Word.withoutValue("_") }
      product = last
    }
    return try condition.holds(for: product, me: me) ? nested.line : nil
  }

  /// Returns `nil` only if the condition is about the product alone and doesn't hold; a variable may change until then.
  func containedLine(in scope: CommandScope) -> String? {
    guard !nested.subject.contains("$") else { return nested.line }
    do { return try line(in: scope) } catch { return nested.line }
  }

  /// - Throws: `ParseError` if the condition needs a product and none was shown; the errors of its line.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    guard let line = try line(in: scope) else { return .empty }
    scope.references += try references(scope.session)
    return try await scope.run(line).nested
  }
}
