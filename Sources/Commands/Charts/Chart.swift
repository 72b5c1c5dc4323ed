import Catalog
import Engine
import Failures
import Language
import Marketplace
import Networking
import Platform
import Presentation
import Scanning
import Text

/// `chart FIELD [by FIELD]`: draws the distribution of a field, or a comparison of groups of products, as bars.
package struct Chart: Command {
  package static let declaration = Declaration(
    "chart", group: .products, summary: LocalizedText("a field of many products as bars", ko: "여러 상품의 필드를 막대 그래프로"),
    prints: true, traits: [.needsAnswers],
    parameters: [
      Parameter("FIELD", .positional(required: true), .field, LocalizedText("what is drawn", ko: "그릴 필드")),
      Parameter(
        "TARGETS", .positional(required: false), .target,
        LocalizedText("of which products; all without it", ko: "대상 상품; 없으면 전부")),
      Parameter("by", .option, .field, LocalizedText("a bar for each value of this field", ko: "이 필드의 값마다 막대 하나")),
      Parameter("search", .option, .text, LocalizedText("only names with this text", ko: "이름에 이 글이 든 것만")),
      Parameter("bins", .option, .number(1...100), LocalizedText("how many steps at most", ko: "최대 구간 수")),
      .pages,
    ],
    examples: [
      .init("chart price", "how prices are spread, a chart a currency", ko: "정가의 분포, 통화마다 하나씩"),
      .init("chart stock by vendor", "the stock of each vendor together", ko: "판매자별 재고 합계"),
      .init("chart sale mine bins 5", "your own, in five steps", ko: "본인 상품을 다섯 구간으로"),
      .init("chart vendor where stock=0", "who has most that is sold out", ko: "품절 상품이 많은 판매자"),
      .init("chart price as csv to prices.csv", "the numbers alone", ko: "숫자만 파일로"),
    ])

  private let field: Field
  private let group: Field?
  private let target: Target?
  private let search: String?
  private let bins: Int
  private let pages: Int?

  /// - Throws: `ParseError` for a field that can't be drawn, and for a search together with targets.
  package init(_ invocation: Invocation) throws {
    field = invocation.fields("FIELD")?.first ?? .price
    group = invocation.fields("by")?.first
    target = invocation.target("TARGETS")
    search = invocation.text("search")
    bins = invocation.number("bins") ?? 10
    pages = invocation.number("pages")
    try Chart.check(field, group)
    if search != nil, target != nil {
      throw ParseError(
        LocalizedText(
          "\(.field("search")) goes through the whole list; targets are chosen already.",
          ko: "\(.field("search"), .topic) 목록 전체에서 찾으므로 대상과 함께 쓸 수 없습니다."),
        next: LocalizedText(
          "A condition does both: \(.command("chart price where name~\"컵\" and vendor=me"))",
          ko: "조건으로 함께 고릅니다: \(.command("chart price where name~\"컵\" and vendor=me"))"))
    }
  }

  /// - Throws: `ParseError` for a field that can't be drawn.
  private static func check(_ field: Field, _ group: Field?) throws(ParseError) {
    if ChartKind(field) == nil {
      throw ParseError(
        LocalizedText("\(.field(field)) cannot be drawn as bars.", ko: "\(.field(field)) 필드는 막대로 그릴 수 없습니다."),
        next: LocalizedText(
          "A number, a date, vendor or currency can: \(.command("chart price"))",
          ko: "수, 날짜, 판매자, 통화를 그릴 수 있습니다: \(.command("chart price"))"))
    }
    guard let group else { return }
    guard ChartKind(field)?.isNumber == true else {
      throw ParseError(
        LocalizedText(
          "\(.field(field)) has no sum; \(.field("by")) stands behind a number.",
          ko: "\(.field(field)) 필드는 합계를 낼 수 없습니다. \(.field("by"), .topic) 수 필드 뒤에 씁니다."),
        next: LocalizedText(
          "How many of each: \(.command("chart \(group)"))", ko: "값마다의 개수: \(.command("chart \(group)"))"))
    }
    guard let kind = ChartKind(group), !kind.isNumber else {
      throw ParseError(
        LocalizedText("\(.field(group)) makes no groups.", ko: "\(.field(group)) 필드로는 묶을 수 없습니다."),
        next: LocalizedText(
          "Groups are made by vendor, currency, created or modified.", ko: "vendor, currency, created, modified로 묶습니다.")
      )
    }
  }

  /// - Throws: The errors of reading the products.
  package func run(_ session: inout Session, _ execution: inout Execution, in context: Context) async throws -> Report {
    let market = try await context.market(&session)
    let products = try await products(market, &session, context)
    guard !products.isEmpty else {
      return .message(.note("No product to draw.", ko: "그릴 상품이 없습니다."))
    }
    let options = context.dataOptions(session)
    let charts =
      if let group {
        GroupChart(field, by: group, products).charts(options)
      } else {
        SpreadChart(field, bins: bins, products).charts(options)
      }
    let lines = charts.map { $0.lines(options) }.joined(separator: [[]])
    let table =
      group.map { GroupChart(field, by: $0, products).table } ?? SpreadChart(field, bins: bins, products).table
    return .drawing(Drawing(Array(lines), table: table))
  }

  private func products(
    _ market: Client<Market>, _ session: inout Session, _ context: Context
  ) async throws -> [Product] {
    let needed = Set([field, group, ChartKind(field)?.isMoney == true ? .currency : nil].compactMap(\.self))
    if let target {
      return try await Targets(target).products(from: market, telling: needed, &session, in: context)
    }
    // As for an order by that field, products are read one by one if rows of the list don't contain it.
    let filter = try ProductFilter(
      nil, search: search, order: ProductOrder(field), me: session.credentials.vendorID, market.service.edition)
    filter.say(in: context, session)
    let progress = ScanProgress(session, context)
    defer { progress.clear() }
    var found: [Product] = []
    let result = try await Scan(market, search: filter.serverSearch, wanted: filter.rows, pages: pages) {
      progress.tell($0)
    }.each { products in
      found += try await filter.chosen(products, of: market)
      return true
    }
    try result.throwIfCutShort()
    progress.clear()
    if !result.complete {
      for message in result.doubts + [result.listed.sentence] { context.say(message, session) }
    }
    return found
  }
}
