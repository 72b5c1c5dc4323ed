import Catalog
import CommandLanguage
import MarketOperations
import Presentation
import ShellRuntime
import Text

/// `next`: shows the page after the current one.
package struct NextCommand: Command {
  package static let declaration = CommandDeclaration(
    "next", group: .view, summary: LocalizedText("go to the next page", ko: "다음 페이지"), producesData: true,
    parameters: [
      Parameter(
        "N", .positional(required: false), kind: .number(1...1_000_000),
        summary: LocalizedText("number of pages (default: 1)", ko: "페이지 수(기본: 1)"))
    ],
    examples: [
      .init("next", "goes one page forward", ko: "다음 페이지로"),
      .init("next 3", "goes three pages forward", ko: "세 페이지 다음으로"),
    ])

  private let count: Int

  package init(_ invocation: ParsedCommand) { count = invocation.number("N") ?? 1 }

  /// - Throws: The errors of loading the page.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    guard let listing = scope.session.listing.last else {
      var query = scope.session.listing.query
      query.screenPageSize = query.screenPageSize ?? scope.context.program.productsOnScreen
      return try await PageLoader(query).load(in: &scope)
    }
    let isLast =
      listing.page.hasNext == false || listing.page.last.map { scope.session.listing.query.page >= $0 } == true
      || (listing.page.hasNext == nil && listing.page.products.isEmpty)
    if isLast {
      return .message(.note("This is the last page.", ko: "마지막 페이지입니다."))
    }
    var query = scope.session.listing.query
    query.page = min(query.page + count, listing.page.last ?? .max)
    return try await PageLoader(query).load(in: &scope)
  }
}
