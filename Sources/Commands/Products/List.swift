import Catalog
import Engine
import Failures
import Language
import Platform
import Presentation
import Scanning
import Text

/// `ls`: lists one page of products, or with `all`, `where`, `sort` or `limit` the complete list.
package struct List: Command {
  package static let declaration = Declaration(
    "ls", aliases: ["list"], group: .products,
    summary: LocalizedText("list products, a page at a time", ko: "상품을 한 페이지씩 보기"), prints: true,
    parameters: [
      Parameter("page", .option, .number(Limits.page), LocalizedText("which page, from 1", ko: "페이지 번호, 1부터")),
      Parameter("size", .option, .number(Limits.pageSize), LocalizedText("products a page", ko: "페이지당 상품 수")),
      Parameter("search", .option, .text, LocalizedText("only names with this text", ko: "이름에 이 글자가 들어 있는 상품만")),
      Parameter("where", .option, .expression, LocalizedText("those a condition holds for", ko: "조건에 맞는 것만")),
      Parameter("mine", .flag, .none, LocalizedText("your own products", ko: "내 상품만")),
      Parameter(
        "sort", .option, .field,
        LocalizedText(
          "in the order of this field; names as in a Korean dictionary, digits by value",
          ko: "이 필드로 정렬; 이름은 가나다순, 숫자는 크기순")),
      Parameter("desc", .flag, .none, LocalizedText("the largest first", ko: "내림차순")),
      Parameter("limit", .option, .number(1...1_000_000), LocalizedText("at most so many", ko: "최대 개수")),
      Parameter("all", .flag, .none, LocalizedText("every page", ko: "모든 페이지")),
      .pages,
      Parameter(
        "from", .option, .text,
        LocalizedText("as it was: monday, 3d, 2026-11-20, a snapshot", ko: "그때의 목록: monday, 3d, 2026-11-20, 스냅샷")),
      Parameter("columns", .option, .fields, LocalizedText("the fields to show", ko: "표시할 필드")),
      Parameter("grid", .flag, .none, LocalizedText("cards side by side", ko: "카드 격자로")),
    ],
    examples: [
      .init("ls", "the current page", ko: "현재 페이지"),
      .init("ls page 2 size 50", "the second page of fifty", ko: "50개씩 두 번째 페이지"),
      .init("ls search 가방 columns id,name,price", "bags, three columns", ko: "가방을 세 열로"),
      .init("ls where stock=0 and price>10000", "from all pages, those sold out", ko: "모든 페이지에서 품절된 상품"),
      .init("ls where stock<5 page 2", "the second page of the matches", ko: "조건에 맞는 상품의 두 번째 페이지"),
      .init("ls mine where stock<5", "your own that run out", ko: "내 상품 가운데 얼마 남지 않은 것"),
      .init("ls sort price desc limit 10", "the ten dearest", ko: "가장 비싼 상품 10개"),
      .init("ls all as csv to market.csv", "everything into a file", ko: "전부 파일로"),
      .init("ls from monday where stock=0", "as it was seen that day", ko: "그날 본 대로"),
      .init("ls as json to page.json", "the page into a file", ko: "페이지를 파일로"),
    ])

  private let page: Int?
  private let size: Int?
  private let search: String?
  private let columns: [Field]?
  private let from: String?
  private let grid: Bool
  private let scan: ScanQuery?
  private let isWhole: Bool
  /// A Boolean value that indicates that the output is only shown.
  ///
  /// An interrupted list is shown, but never written to a file that would look complete.
  private var isForEyes: Bool { !clauses.areAway }
  private let clauses: Clauses
  private let prefixes: [Prefix]

  /// - Throws: `ParseError` for options that exclude each other.
  package init(_ invocation: Invocation) throws {
    page = invocation.number("page")
    size = invocation.number("size")
    search = invocation.text("search")
    columns = invocation.fields("columns")
    from = invocation.text("from")
    grid = invocation.has("grid")
    clauses = invocation.clauses
    prefixes = invocation.prefixes
    isWhole = invocation.has("all")
    scan = try List.scan(invocation)
  }

  package func run(
    _ session: inout Session, _ execution: inout Execution, in context: Context
  ) async throws -> Report {
    var query = ListQuery()
    query.page = page ?? 1
    query.size = size ?? (search == session.query.search ? session.query.size : nil)
    query.search = search
    query.columns = columns
    query.layout = grid ? .grid : .table
    query.scan = scan
    if let from { return .listing(try await VersionListing(query, from: from).read(&session, in: context)) }
    // On a screen the note is a caption below the table.
    let hasCaption =
      isForEyes && context.console.outputIsTerminal && (clauses.format ?? session.settings.format) == .table
    if hasCaption, !grid { query.fitted = context.productsOnScreen }
    query.isPaged = page != nil || size != nil || (!isWhole && hasCaption && context.productsOnScreen != nil)
    let isPlain = prefixes.allSatisfy { $0 == .time } && scan?.order == nil && !query.isPaged && !(grid && isForEyes)
    let sink = isPlain ? RowSink(clauses, columns: columns, session, context) : nil
    var report = try await PageLoader(query).show(&session, &execution, isNew: true, into: sink, in: context)
    if scan != nil, !hasCaption, let sentence = session.listing?.scan?.sentence { context.say(sentence, session) }
    if sink?.wasUsed == true {
      forgetLongList(&session, context)
      session.shown = Shown(
        data: session.listing == nil ? nil : report, format: OutputSink(clauses, session, context).format)
      report = .nothing
    }
    if let page = session.listing?.page, scan == nil || query.isPaged, query.page > 1, page.products.isEmpty,
      page.broken.isEmpty
    {
      context.say(List.pastEnd(query.page, page), session)
    }
    if !isForEyes, execution.ending != .success { throw ReportedFailure(.ending(execution.ending, status: nil)) }
    return report
  }

  /// Forgets a listing that was too long to store: `@3` would otherwise refer to a row that the user no longer sees.
  private func forgetLongList(_ session: inout Session, _ context: Context) {
    guard let page = session.listing?.page, page.products.isEmpty, page.total != 0 else { return }
    session.listing = nil
    context.say(
      .note(
        "So long a list is not remembered: \(.command("@3")) and \(.command("@all")) mean none of its rows.",
        ko: "너무 긴 목록은 기억하지 않아 \(.command("@3"))이나 \(.command("@all"))로 가리킬 수 없습니다."), session)
  }

  /// Returns the condition of the line, limited to the vendor's own products if `mine` is given.
  private static func condition(_ invocation: Invocation) -> Expression? {
    let condition = invocation.condition("where")
    guard invocation.has("mine") else { return condition }
    let mine = Expression.compare(.field(.vendorID), .equal, .me)
    return condition.map { .all([mine, $0]) } ?? mine
  }

  private static func pastEnd(_ number: Int, _ page: Page) -> Message {
    let note = Message.note("Page \(number) is past the end.", ko: "\(number)페이지는 마지막 페이지를 넘었습니다.")
    guard let last = page.last else { return note }
    return note.next("\(.command("last")) shows page \(last).", ko: "\(.command("last"))로 마지막 \(last)페이지를 볼 수 있습니다.")
  }

  private static func scan(_ invocation: Invocation) throws(ParseError) -> ScanQuery? {
    let order = invocation.fields("sort")?.first
    if order == nil, invocation.has("desc") {
      throw ParseError(
        LocalizedText(
          "\(.field("desc")) needs \(.field("sort")).", ko: "\(.field("desc"))는 \(.field("sort"))와 함께 씁니다."),
        next: LocalizedText("For example \(.command("sort price desc"))", ko: "예: \(.command("sort price desc"))"))
    }
    guard ["all", "where", "mine", "sort", "limit"].contains(where: invocation.has) else { return nil }
    if invocation.has("all"), let part = ["page", "size"].first(where: invocation.has) {
      throw ParseError(
        LocalizedText(
          "\(.field(part)) shows a part, and \(.field("all")) everything.",
          ko: "\(.field(part), .topic) 일부, \(.field("all"), .topic) 전부를 뜻해 함께 쓸 수 없습니다."),
        next: LocalizedText("Leave out one of them.", ko: "둘 중 하나를 빼세요."))
    }
    return ScanQuery(
      condition: condition(invocation), order: order.map { ProductOrder($0, descends: invocation.has("desc")) },
      limit: invocation.number("limit"), pages: invocation.number("pages"))
  }
}
