import Catalog
import CommandLanguage
import MarketOperations
import Platform
import Presentation
import ShellRuntime
import Text

/// `ls`: lists one page of products, or with `all`, `where`, `sort` or `limit` the complete list.
package struct LsCommand: Command {
  package static let declaration = CommandDeclaration(
    "ls", aliases: ["list"], group: .view,
    summary: LocalizedText("list products, one page at a time", ko: "상품을 한 페이지씩 보기"),
    usage: [
      "ls [page N] [size N] [search TEXT] [where EXPR] [mine] [sort FIELD [desc]] [columns FIELD,...] [limit N] [all] [pages N] [grid]",
      "ls from DATE|SNAPSHOT [where EXPR] [sort FIELD [desc]] [columns FIELD,...]",
    ],
    details: LocalizedText(
      "Lists one page as the server sends it. all, where, mine and sort read every page and report how many products and pages were read. The rows can be used as @1, @2 … in the next commands.",
      ko:
        "서버가 보내는 한 페이지를 표시합니다. all, where, mine, sort는 모든 페이지를 읽고 읽은 상품과 페이지 수를 알려 줍니다. 다음 명령에서 행을 @1, @2 …로 쓸 수 있습니다."),
    producesData: true,
    traits: [.daily],
    parameters: [
      Parameter(
        "page", .option, kind: .number(DocumentedLimits.page),
        summary: LocalizedText("page number, from 1", ko: "페이지 번호, 1부터")),
      Parameter(
        "size", .option, kind: .number(DocumentedLimits.pageSize),
        summary: LocalizedText("products per page", ko: "페이지당 상품 수")),
      Parameter(
        "search", .option, kind: .text,
        summary: LocalizedText(
          "only products with TEXT in the name, in edition open also in the vendor's name",
          ko: "이름에 이 텍스트가 포함된 상품만; open API 버전에서는 판매자 이름도")),
      Parameter(
        "where", .option, kind: .expression, summary: LocalizedText("products that match a condition", ko: "조건에 맞는 것만")),
      Parameter("mine", .flag, kind: .none, summary: LocalizedText("only your own products", ko: "내 상품만")),
      Parameter(
        "sort", .option, kind: .field,
        summary: LocalizedText(
          "sort by this field (names in Korean dictionary order)",
          ko: "이 필드로 정렬; 이름은 가나다순, 숫자는 크기순")),
      Parameter("desc", .flag, kind: .none, summary: LocalizedText("in descending order", ko: "내림차순")),
      Parameter(
        "limit", .option, kind: .number(1...1_000_000), summary: LocalizedText("show at most N products", ko: "최대 개수")),
      Parameter("all", .flag, kind: .none, summary: LocalizedText("read all pages", ko: "모든 페이지")),
      .pages,
      Parameter(
        "from", .option, kind: .text,
        summary: LocalizedText(
          "show a past state: monday, 3d, 2026-11-20 or a snapshot name", ko: "과거의 목록: monday, 3d, 2026-11-20, 스냅샷 이름"),
        placeholder: "DATE|SNAPSHOT"),
      Parameter("columns", .option, kind: .fields, summary: LocalizedText("fields to show", ko: "표시할 필드")),
      Parameter("grid", .flag, kind: .none, summary: LocalizedText("show products as cards", ko: "카드 격자로")),
    ],
    examples: [
      .init("ls", "the current page", ko: "현재 페이지"),
      .init("ls page 2 size 50", "page 2, with 50 products per page", ko: "50개씩 두 번째 페이지"),
      .init(
        "ls search cup columns id,name,price", inKorean: "ls search 찻잔 columns id,name,price",
        "products with cup in the name, three columns", ko: "찻잔을 세 열로"),
      .init(
        "ls where stock=0 and price>10000", "sold-out products over 10000, from all pages",
        ko: "모든 페이지의 10000보다 비싼 품절 상품"),
      .init("ls where stock<5 page 2", "page 2 of the matching products", ko: "조건에 맞는 상품의 두 번째 페이지"),
      .init("ls mine where stock<5", "your products that are running low", ko: "내 상품 가운데 얼마 남지 않은 것"),
      .init("ls sort price desc limit 10", "the ten most expensive products", ko: "가장 비싼 상품 10개"),
      .init("ls all as csv to market.csv", "all products, to a file", ko: "전부 파일로"),
      .init("ls from monday where stock=0", "sold-out products as of Monday", ko: "그날 본 대로"),
      .init("ls as json to page.json", "the current page, to a file", ko: "페이지를 파일로"),
    ])

  private let page: Int?
  private let size: Int?
  private let search: String?
  private let columns: [ProductField]?
  private let versionName: String?
  private let grid: Bool
  private let scan: ScanQuery?
  private let isWhole: Bool
  /// A Boolean value that indicates that the output is only shown.
  ///
  /// An interrupted list is shown, but never written to a file that would look complete.
  private var isInteractive: Bool { !clauses.isRedirected }
  private let clauses: Clauses

  /// - Throws: `ParseError` for options that exclude each other.
  package init(_ invocation: ParsedCommand) throws {
    page = invocation.number("page")
    size = invocation.number("size")
    search = invocation.text("search")
    columns = invocation.fields("columns")
    versionName = invocation.text("from")
    grid = invocation.has("grid")
    clauses = invocation.clauses
    isWhole = invocation.has("all")
    scan = try LsCommand.scan(invocation)
  }

  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    if let search, CurlyQuotes.enclose(search) { scope.say(SearchCommand.curlyNote) }
    var query = ListQuery()
    query.page = page ?? 1
    query.size = size ?? (search == scope.session.listing.query.search ? scope.session.listing.query.size : nil)
    query.search = search
    query.columns = columns
    query.layout = grid ? .grid : .table
    query.scan = scan
    if let versionName {
      return CommandResult.listing(try await query.listing(from: versionName, in: &scope))
    }
    // On a screen the note is a caption below the table.
    let hasCaption =
      isInteractive && scope.context.program.console.outputIsTerminal
      && (clauses.format ?? scope.session.settings.format) == .table
    if hasCaption, !grid { query.screenPageSize = scope.context.program.productsOnScreen }
    query.showsPaged =
      page != nil || size != nil || (!isWhole && hasCaption && scope.context.program.productsOnScreen != nil)
    let isPlain =
      scan?.order == nil && !query.showsPaged && !(grid && isInteractive)
    let sink = isPlain ? scope.rowWriter(columns: columns) : nil
    var result = try await PageLoader(query).load(isNew: true, into: sink, in: &scope)
    if scan != nil, !hasCaption, let sentence = scope.session.listing.last?.scan?.sentence { scope.say(sentence) }
    if sink?.wasUsed == true {
      clearUncachedListing(in: &scope)
      result.wasStreamed = true
      if scope.session.listing.last == nil { result.report = .empty }
    }
    if let page = scope.session.listing.last?.page, scan == nil || query.showsPaged, query.page > 1,
      page.products.isEmpty,
      page.broken.isEmpty
    {
      scope.say(LsCommand.pastEndNote(query.page, page))
    }
    if !isInteractive, result.isCutShort {
      result.report = .empty
      result.reason = CommandError.ending(result.status, status: nil).message
    }
    return result
  }

  /// Forgets a listing that was too long to store: `@3` would otherwise refer to a row that the user no longer sees.
  private func clearUncachedListing(in scope: inout CommandScope) {
    guard let page = scope.session.listing.last?.page, page.products.isEmpty, page.total != 0 else { return }
    scope.session.listing.last = nil
    scope.say(
      .note(
        "This list is too long to keep, so \(.command("@3")) and \(.command("@all")) cannot refer to its rows.",
        ko: "목록이 너무 길어 \(.command("@3"))이나 \(.command("@all"))로 가리킬 수 없습니다."))
  }

  /// Returns the condition of the line, limited to the vendor's own products if `mine` is given.
  private static func condition(_ invocation: ParsedCommand) -> Condition? {
    let condition = invocation.condition("where")
    guard invocation.has("mine") else { return condition }
    guard let mine = ProductSelector.mine.condition else { return condition }
    return condition.map { .all([mine, $0]) } ?? mine
  }

  private static func pastEndNote(_ number: Int, _ page: Page) -> Message {
    let note = Message.note("There is no page \(number).", ko: "\(number)페이지는 없습니다.")
    // `ls 366` may be meant for a product.
    let product = LocalizedText(
      "Run \(.command("show \(number)")) to see product \(number).",
      ko: "\(number)번 상품은 \(.command("show \(number)"), .toward) 볼 수 있습니다.")
    guard let last = page.last else { return note.next(product) }
    return note.next(
      "Run \(.command("last")) to show page \(last).", ko: "\(.command("last"))로 마지막 \(last)페이지를 볼 수 있습니다."
    ).next(product)
  }

  private static func scan(_ invocation: ParsedCommand) throws(ParseError) -> ScanQuery? {
    let order = invocation.fields("sort")?.first
    if order == nil, invocation.has("desc") {
      throw ParseError(
        LocalizedText(
          "\(.field("desc")) can only be used with \(.field("sort")).",
          ko: "\(.field("desc"), .topic) \(.field("sort"), .with) 함께 씁니다."),
        suggestion: LocalizedText(
          "For example: \(.command("sort price desc"))", ko: "예: \(.command("sort price desc"))"))
    }
    guard ["all", "where", "mine", "sort", "limit"].contains(where: invocation.has) else { return nil }
    if invocation.has("all"), let part = ["page", "size"].first(where: invocation.has) {
      throw ParseError(
        LocalizedText(
          "\(.field(part)) and \(.field("all")) cannot be combined.",
          ko: "\(.field(part), .with) \(.field("all"), .topic) 함께 쓸 수 없습니다."),
        suggestion: LocalizedText("Remove one of them.", ko: "둘 중 하나를 빼세요."))
    }
    return ScanQuery(
      condition: condition(invocation), order: order.map { ProductOrder($0, descends: invocation.has("desc")) },
      limit: invocation.number("limit"), pages: invocation.number("pages"))
  }
}
