import Catalog
import Engine
import Language
import Presentation
import Text

/// `prev`: the page before the current one.
package struct Previous: Command {
  package static let declaration = Declaration(
    "prev", aliases: ["previous"], group: .products, summary: Wording("the page before", ko: "이전 쪽"), prints: true,
    examples: [.init("prev", "one page back", ko: "한 쪽 뒤로")])

  package init(_ invocation: Invocation) {}

  package func run(
    _ session: inout Session, _ execution: inout Execution, in context: Context
  ) async throws -> Report {
    guard session.query.page > 1 else {
      return .message(.note("This is the first page.", ko: "첫 쪽입니다."))
    }
    var query = session.query
    query.page -= 1
    return try await Pager(query).show(&session, &execution, in: context)
  }
}
