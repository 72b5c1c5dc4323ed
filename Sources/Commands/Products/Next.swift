import Catalog
import Engine
import Language
import Presentation
import Text

/// `next`: the page after the current one.
package struct Next: Command {
  package static let declaration = Declaration(
    "next", aliases: ["n"], group: .products, summary: Wording("the next page", ko: "다음 쪽"), prints: true,
    examples: [.init("next", "one page on", ko: "한 쪽 앞으로")])

  package init(_ invocation: Invocation) {}

  package func run(
    _ session: inout Session, _ execution: inout Execution, in context: Context
  ) async throws -> Report {
    guard let listing = session.listing else {
      return try await Pager(session.query).show(&session, &execution, in: context)
    }
    let isLast =
      listing.page.hasNext == false || listing.page.last.map { session.query.page >= $0 } == true
      || (listing.page.hasNext == nil && listing.page.products.isEmpty)
    if isLast {
      return .message(.note("This is the last page.", ko: "마지막 쪽입니다."))
    }
    var query = session.query
    query.page += 1
    return try await Pager(query).show(&session, &execution, in: context)
  }
}
