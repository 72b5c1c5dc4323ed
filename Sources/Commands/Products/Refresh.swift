import Catalog
import Engine
import Language
import Presentation
import Text

/// `refresh`: the current page once more, as it is now.
package struct Refresh: Command {
  package static let declaration = Declaration(
    "refresh", group: .products, summary: Wording("read the current page again", ko: "지금 쪽을 다시 읽기"), prints: true,
    examples: [.init("refresh", "the same page as it is now", ko: "같은 쪽을 지금 상태로")])

  package init(_ invocation: Invocation) {}

  package func run(
    _ session: inout Session, _ execution: inout Execution, in context: Context
  ) async throws -> Report {
    try await Pager(session.query).show(&session, &execution, in: context)
  }
}
