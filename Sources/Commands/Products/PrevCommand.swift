import CommandLanguage
import MarketOperations
import Presentation
import ShellRuntime
import Text

/// `prev`: shows the page before the current one.
package struct PrevCommand: Command {
  package static let declaration = CommandDeclaration(
    "prev", aliases: ["previous"], group: .view, summary: LocalizedText("go to the previous page", ko: "이전 페이지"),
    producesData: true,
    parameters: [
      Parameter(
        "N", .positional(required: false), kind: .number(1...1_000_000),
        summary: LocalizedText("number of pages (default: 1)", ko: "페이지 수(기본: 1)"))
    ],
    examples: [
      .init("prev", "goes one page back", ko: "이전 페이지로"),
      .init("prev 3", "goes three pages back", ko: "세 페이지 이전으로"),
    ])

  private let count: Int

  package init(_ invocation: ParsedCommand) { count = invocation.number("N") ?? 1 }

  /// - Throws: The errors of loading the page.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    guard scope.session.listing.query.page > 1 else {
      return .message(.note("This is the first page.", ko: "첫 페이지입니다."))
    }
    var query = scope.session.listing.query
    query.page = max(1, query.page - count)
    return try await PageLoader(query).load(in: &scope)
  }
}
