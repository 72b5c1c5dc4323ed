import Catalog
import CommandLanguage
import Foundation
import MarketAPI
import MarketOperations
import Networking
import Presentation
import ShellRuntime
import Text

/// `chart FIELD [by FIELD]`: draws the distribution of a field, or a comparison of groups of products, as bars.
package struct ChartCommand: Command {
  package static let declaration = CommandDeclaration(
    "chart", group: .view, summary: LocalizedText("draw a bar chart of a field", ko: "여러 상품의 필드를 막대 그래프로"),
    usage: ["chart FIELD [TARGETS] [by FIELD] [search TEXT] [bins N] [pages N]"],
    details: LocalizedText(
      "Draws how a number or a date is distributed, one chart per currency. With by, it draws one bar per vendor, currency or date.",
      ko: "숫자나 날짜의 분포를 통화마다 그래프 하나로 그립니다. by를 쓰면 판매자, 통화, 날짜마다 막대를 하나씩 그립니다."),
    producesData: true, traits: [.requiresFullScan],
    parameters: [
      Parameter(
        "FIELD", .positional(required: true), kind: .field, summary: LocalizedText("the field to draw", ko: "그릴 필드")),
      Parameter(
        "TARGETS", .positional(required: false), kind: .target,
        summary: LocalizedText("which products (default: all)", ko: "대상 상품; 없으면 전부")),
      Parameter(
        "by", .option, kind: .field, summary: LocalizedText("one bar per value of this field", ko: "이 필드의 값마다 막대 하나")),
      Parameter(
        "search", .option, kind: .text,
        summary: LocalizedText(
          "only products with TEXT in the name, in edition open also in the vendor's name",
          ko: "이름에 이 텍스트가 포함된 상품만; open API 버전에서는 판매자 이름도")),
      Parameter(
        "bins", .option, kind: .number(1...100), summary: LocalizedText("maximum number of bars", ko: "최대 구간 수")),
      .pages,
    ],
    examples: [
      .init("chart price", "distribution of prices, one chart per currency", ko: "정가의 분포, 통화마다 하나씩"),
      .init("chart stock by vendor", "total stock per vendor", ko: "판매자별 재고 합계"),
      .init("chart sale mine bins 5", "sale prices of your products, in five bars", ko: "내 상품의 판매가를 다섯 구간으로 표시"),
      .init("chart vendor where stock=0", "sold-out products per vendor", ko: "품절 상품이 많은 판매자"),
      .init("chart price as csv to prices.csv", "only the numbers, to a file", ko: "숫자만 파일로"),
    ])

  private let field: ProductField
  private let group: ProductField?
  private let target: ProductSelector?
  private let search: String?
  private let bins: Int
  private let pages: Int?

  /// - Throws: `ParseError` for a field that can't be drawn, and for a search together with targets.
  package init(_ invocation: ParsedCommand) throws {
    field = invocation.fields("FIELD")?.first ?? .price
    group = invocation.fields("by")?.first
    target = invocation.target("TARGETS")
    search = invocation.text("search")
    bins = invocation.number("bins") ?? 10
    pages = invocation.number("pages")
    try ChartCommand.check(field, group)
    if search != nil, let target, target.condition == nil {
      throw ParseError(
        LocalizedText(
          "\(.field("search")) cannot be combined with product numbers.",
          ko: "\(.field("search"), .topic) 목록 전체에서 찾으므로 상품 번호와 함께 쓸 수 없습니다."),
        suggestion: LocalizedText(
          "Use one condition instead: \(.command("chart price where name~\"cup\" and vendor=me"))",
          ko: "조건 하나로 함께 쓰세요: \(.command("chart price where name~\"컵\" and vendor=me"))"))
    }
  }

  /// - Throws: `ParseError` for a field that can't be drawn.
  private static func check(_ field: ProductField, _ group: ProductField?) throws(ParseError) {
    if ChartFieldKind(field) == nil {
      throw ParseError(
        LocalizedText("Cannot chart \(.field(field)).", ko: "\(.field(field)) 필드는 막대로 그릴 수 없습니다."),
        suggestion: LocalizedText(
          "Choose a number, a date, vendor or currency: \(.command("chart price"))",
          ko: "수, 날짜, 판매자, 통화 중에서 고르세요: \(.command("chart price"))"))
    }
    guard let group else { return }
    guard ChartFieldKind(field)?.isNumber == true else {
      throw ParseError(
        LocalizedText(
          "\(.field("by")) needs a number to add up, and \(.field(field)) is not a number.",
          ko: "\(.field(field)) 필드는 합계를 낼 수 없습니다. \(.field("by"), .topic) 수 필드 뒤에 씁니다."),
        suggestion: LocalizedText(
          "To count products per value: \(.command("chart \(group)"))", ko: "값마다의 개수: \(.command("chart \(group)"))"))
    }
    guard let kind = ChartFieldKind(group), !kind.isNumber else {
      throw ParseError(
        LocalizedText("Cannot group by \(.field(group)).", ko: "\(.field(group)) 필드로는 묶을 수 없습니다."),
        suggestion: LocalizedText(
          "Group by vendor, currency, created or modified.", ko: "vendor, currency, created, modified로 묶습니다.")
      )
    }
  }

  /// - Throws: The errors of reading the products.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    let market = try await scope.marketClient()
    let products = try await products(market, in: &scope)
    guard !products.isEmpty else {
      return .message(.note("No products to chart.", ko: "그래프로 그릴 상품이 없습니다."))
    }
    let options = scope.dataOptions
    let charts =
      if let group {
        GroupChart(field, by: group, products).charts(options)
      } else {
        Histogram(field, bins: bins, products).charts(options)
      }
    let lines = charts.map { $0.lines(options) }.joined(separator: [[]])
    let table =
      group.map { GroupChart(field, by: $0, products).table } ?? Histogram(field, bins: bins, products).table
    return .drawing(Figure(Array(lines), table: table))
  }

  private func products(_ market: Client<MarketService>, in scope: inout CommandScope) async throws -> [Product] {
    let needed = Set([field, group, ChartFieldKind(field)?.isMoney == true ? .currency : nil].compactMap(\.self))
    if let target, search == nil {
      return try await TargetResolver(target).products(from: market, requiring: needed, in: &scope)
    }
    // As for an order by that field, products are read one by one if rows of the list don't contain it.
    let filter = try ProductFilter(
      target?.condition?.resolved(at: scope.context.clock.seconds), search: search, order: ProductOrder(field),
      me: scope.session.credentials.vendorID, market.service.dialect)
    filter.say(in: scope)
    var found: [Product] = []
    try await MarketScan(
      market, search: filter.serverSearch, wanted: filter.rows, pages: pages, scope
    )
    .forEachBatchToEnd { found += try await filter.filter($0, of: market) }
    return found
  }
}

/// The kinds of values that charts treat differently.
enum ChartFieldKind: Hashable {
  case money
  case count
  case time
  case word

  /// Creates the kind of a field, or `nil` for texts and addresses, which have no bars.
  init?(_ field: ProductField) {
    switch field.valueType {
    case .amount: self = .money
    case .number, .pictures: self = .count
    case .timestamp: self = .time
    case .text:
      guard field == .vendor || field == .currency else { return nil }
      self = .word
    }
  }

  var isMoney: Bool { self == .money }

  var isNumber: Bool {
    switch self {
    case .money, .count: true
    case .time, .word: false
    }
  }
}

/// The text of a number in a chart: money with its currency, other numbers with thousands separators.
struct ChartNumberFormatter {
  let currency: Currency?
  let options: RenderOptions

  func text(_ value: Decimal) -> String {
    guard let currency else { return NumberFormatting.grouped(Amount(value).rounded(to: 2).description) }
    return NumberFormatting.money(
      Amount(value).rounded(to: currency.minorUnitDigits ?? 2), currency, ascii: options.usesASCII)
  }
}

/// The products of one currency, or all products if the field isn't money.
///
/// Amounts of two currencies are never combined.
struct ChartSeries {
  let currency: Currency?
  let products: [Product]

  /// Returns the series, the largest first.
  static func split(_ products: [Product], _ field: ProductField) -> [ChartSeries] {
    guard ChartFieldKind(field)?.isMoney == true else { return [ChartSeries(currency: nil, products: products)] }
    return Dictionary(grouping: products) { $0.currency }.map { ChartSeries(currency: $0.key, products: $0.value) }
      .sorted { ($1.products.count, $0.currency?.code ?? "") < ($0.products.count, $1.currency?.code ?? "") }
  }
}

/// The exact count, sum and median of numbers with their minimum and maximum.
struct ChartSummary {
  let count: Int
  let sum: Decimal
  let minimum: Decimal
  let maximum: Decimal
  let median: Decimal

  /// Creates the summary of numbers, or `nil` if there are none.
  init?(_ numbers: [Decimal]) {
    let sorted = numbers.sorted()
    guard let first = sorted.first, let last = sorted.last else { return nil }
    count = sorted.count
    sum = sorted.reduce(0, +)
    (minimum, maximum) = (first, last)
    let middle = count / 2
    median = count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  var mean: Amount { Amount(sum / Decimal(count)).rounded(to: 2) }
}
