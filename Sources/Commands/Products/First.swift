import Catalog
import Engine
import Language
import Presentation
import Text

/// `first`: back to page 1.
package struct First: Command {
  package static let declaration = Declaration(
    "first", group: .products, summary: Wording("the first page", ko: "첫 쪽"), prints: true,
    examples: [.init("first", "back to page 1", ko: "1쪽으로")])

  package init(_ invocation: Invocation) {}

  package func run(
    _ session: inout Session, _ execution: inout Execution, in context: Context
  ) async throws -> Report {
    var query = session.query
    query.page = 1
    return try await Pager(query).show(&session, &execution, in: context)
  }
}
