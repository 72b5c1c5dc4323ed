import Catalog
import Language
import Presentation

/// `ls`: one page of products as the market gives it.
struct List: Command {
  static let declaration = Declaration(
    "ls", aliases: ["list"], group: .products,
    summary: Wording("list products, a page at a time", ko: "상품을 한 쪽씩 봅니다"), prints: true,
    parameters: [
      Parameter("page", .option, .number(1...Int.max), Wording("which page, from 1", ko: "몇 쪽, 1부터")),
      Parameter("size", .option, .number(Limits.pageSize), Wording("products a page", ko: "한 쪽의 상품 수")),
      Parameter("search", .option, .text, Wording("only names with this text", ko: "이름에 이 글이 든 것만")),
      Parameter("columns", .option, .fields, Wording("the fields to show", ko: "보일 필드")),
      Parameter("grid", .flag, .none, Wording("cards side by side", ko: "카드로 나란히")),
    ],
    examples: [
      .init("ls", "the current page", ko: "지금 쪽"),
      .init("ls page 2 size 50", "the second page of fifty", ko: "50개씩 둘째 쪽"),
      .init("ls search 가방 columns id,name,price", "bags, three columns", ko: "가방을 세 열로"),
      .init("ls as json to page.json", "the page into a file", ko: "쪽을 파일로"),
    ])

  private let page: Int?
  private let size: Int?
  private let search: String?
  private let columns: [Field]?
  private let grid: Bool

  init(_ invocation: Invocation) throws {
    page = invocation.number("page")
    size = invocation.number("size")
    search = invocation.text("search")
    columns = invocation.text("columns").map { $0.split(separator: ",").compactMap { Field(rawValue: String($0)) } }
    grid = invocation.has("grid")
  }

  func run(_ session: inout Session, in context: Context) async throws -> Report {
    var query = ListQuery()
    query.page = page ?? 1
    query.size = size ?? (search == session.query.search ? session.query.size : nil)
    query.search = search
    query.columns = columns
    query.layout = grid ? .grid : .table
    return try await Pager(query).show(&session, in: context)
  }
}
