import Catalog
import Language
import Presentation
import Text

/// `prev`: the page before the current one.
struct Previous: Command {
  static let declaration = Declaration(
    "prev", aliases: ["previous"], group: .products, summary: Wording("the page before", ko: "이전 쪽"), prints: true,
    examples: [.init("prev", "one page back", ko: "한 쪽 뒤로")])

  init(_ invocation: Invocation) {}

  func run(
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
