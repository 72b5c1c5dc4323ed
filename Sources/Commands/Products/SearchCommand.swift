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
      "The same as ls search TEXT. In edition open the server searches the names of products and vendors; elsewhere the whole list is read and the names of products are searched.",
      ko: "ls search TEXT와 같습니다. open에서는 서버가 상품과 판매자 이름에서 찾고, 그 밖에서는 목록 전체를 읽어 상품 이름에서 찾습니다."), producesData: true,
    traits: [.daily],
    parameters: [
      Parameter("TEXT", .rest(required: true), kind: .text, summary: LocalizedText("text to search for", ko: "검색어"))
    ],
    examples: [
      .init("search tea cups", inKorean: "search 찻잔 두 개", "searches for the whole phrase", ko: "구절 그대로")
    ])

  private let text: String

  package init(_ invocation: ParsedCommand) { text = invocation.all("TEXT").joined(separator: " ") }

  /// The note that typographic quotation marks are searched for.
  static let curlyNote = Message.note(
    "Curly quotes are part of the text that is searched for.", ko: "둥근따옴표도 검색어에 들어갑니다."
  ).next(
    "Leave them out, or use straight ones: \(.command("search 'TEXT'"))",
    ko: "빼거나 곧은 따옴표를 쓰세요: \(.command("search '검색어'"))")

  /// - Throws: The errors of loading the page.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    if CurlyQuotes.enclose(text) { scope.say(SearchCommand.curlyNote) }
    var query = ListQuery()
    query.search = text
    query.screenPageSize = scope.context.program.productsOnScreen
    query.showsPaged = query.screenPageSize != nil
    return try await PageLoader(query).load(isNew: true, in: &scope)
  }
}
