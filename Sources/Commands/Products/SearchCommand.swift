import CommandLanguage
import MarketOperations
import Presentation
import ShellRuntime
import Text

/// `search TEXT`: `ls search TEXT` without quotes around the words.
package struct SearchCommand: Command {
  package static let declaration = CommandDeclaration(
    "search", group: .view, summary: LocalizedText("find products by name", ko: "이름으로 상품 찾기"),
    details: LocalizedText(
      "The same as ls search TEXT. API editions without a search on the server read the whole list and filter it.",
      ko: "ls search TEXT와 같습니다. 서버가 검색을 지원하지 않는 API 버전에서는 목록 전체를 읽어 걸러냅니다."), producesData: true,
    traits: [.daily],
    parameters: [Parameter("TEXT", .rest(required: true), .text, LocalizedText("text to search for", ko: "검색어"))],
    examples: [.init("search 우유병 텀블러", "searches for the whole phrase", ko: "두 단어를 그대로")])

  private let text: String

  package init(_ invocation: ParsedCommand) { text = invocation.all("TEXT").joined(separator: " ") }

  /// - Throws: The errors of loading the page.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    var query = ListQuery()
    query.search = text
    query.screenPageSize = scope.context.productsOnScreen
    query.showsPaged = query.screenPageSize != nil
    return try await PageLoader(query).load(isNew: true, in: &scope)
  }
}
