import Catalog
import Engine
import Language
import Presentation
import Text

/// `search TEXT`: `ls search TEXT`, with the words as they come.
package struct Search: Command {
  package static let declaration = Declaration(
    "search", group: .products, summary: Wording("find products by name", ko: "이름으로 상품 찾기"), prints: true,
    parameters: [Parameter("TEXT", .rest(required: true), .text, Wording("what to look for", ko: "찾을 글"))],
    examples: [.init("search 우유병 텀블러", "two words, as they stand", ko: "두 낱말을 그대로")])

  private let text: String

  package init(_ invocation: Invocation) { text = invocation.all("TEXT").joined(separator: " ") }

  package func run(
    _ session: inout Session, _ execution: inout Execution, in context: Context
  ) async throws -> Report {
    var query = ListQuery()
    query.search = text
    return try await Pager(query).show(&session, &execution, in: context)
  }
}
