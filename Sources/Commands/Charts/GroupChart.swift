import Catalog
import Foundation
import Presentation
import Text

/// A bar for each group of products: the sum of their stock, or the mean of their prices, a chart a currency.
struct GroupChart {
  /// More bars than this are left out on a screen; data has all of them.
  private static let most = 20

  private struct Group {
    var name: String
    var currency: Currency?
    var summary: ChartSummary
  }

  private let field: Field
  private let group: Field
  private let products: [Product]
  /// Prices of many products together tell nothing; pieces do.
  private var sums: Bool { field == .stock || field == .images }

  init(_ field: Field, by group: Field, _ products: [Product]) {
    self.field = field
    self.group = group
    self.products = products
  }

  func charts(_ options: RenderOptions) -> [BarChart] {
    ChartSeries.of(products, field).compactMap { series in
      let groups = groups(series)
      guard !groups.isEmpty else { return nil }
      let number = ChartNumber(currency: series.currency, options: options)
      let bars = groups.prefix(GroupChart.most).map { group in
        let count = LocalizedText(" of \(group.summary.count)", ko: " (\(group.summary.count)개)")[options.tongue].plain
        return BarChart.Bar(group.name, value(group).length, number.text(value(group)) + count)
      }
      return BarChart(title(series, more: groups.count - bars.count), bars)
    }
  }

  private func title(_ series: ChartSeries, more: Int) -> LocalizedText {
    let currency = series.currency.map { " " + $0.code } ?? ""
    let what = sums ? LocalizedText("sum of", ko: "합계") : LocalizedText("mean", ko: "평균")
    let (english, korean) = more == 0 ? ("", "") : ("; \(more) smaller ones left out", "; 작은 \(more)개는 뺌")
    return LocalizedText(
      "\(what.english) \(.strong(field.title.english.plain))\(.foreign(currency)) by \(.strong(group.title.english.plain)), of how many products\(english)",
      ko:
        "\(.strong(group.title.korean.plain))별 \(.strong(field.title.korean.plain))\(.foreign(currency)) \(what.korean) 및 상품 수\(korean)"
    )
  }

  private func value(_ group: Group) -> Decimal { sums ? group.summary.sum : group.summary.mean.value }

  /// Months in their order, others by their bars.
  private func groups(_ series: ChartSeries) -> [Group] {
    let parts = Dictionary(grouping: series.products) { $0.group(group) ?? "-" }
    let groups = parts.compactMap { name, products in
      ChartSummary(products.compactMap { $0.number(field) }).map {
        Group(name: name, currency: series.currency, summary: $0)
      }
    }
    return ChartKind(group) == .time
      ? groups.sorted { $0.name < $1.name } : groups.sorted { (value($1), $0.name) < (value($0), $1.name) }
  }

  /// `GROUP, currency, count, sum, mean, min, max`.
  var table: Table {
    let isMoney = ChartKind(field)?.isMoney == true
    var columns: [Table.Column] = [
      .init(group.rawValue, group.title), .init("count", LocalizedText("count", ko: "개수"), isNumber: true),
      .init("sum", LocalizedText("sum", ko: "합계"), isNumber: true),
      .init("mean", LocalizedText("mean", ko: "평균"), isNumber: true),
      .init("min", LocalizedText("min", ko: "최소"), isNumber: true),
      .init("max", LocalizedText("max", ko: "최대"), isNumber: true),
    ]
    if isMoney { columns.insert(.init(group == .currency ? "code" : "currency", Field.currency.title), at: 1) }
    let rows = ChartSeries.of(products, field).flatMap(groups).map { group -> [Table.Cell] in
      [.text(group.name)] + (isMoney ? [group.currency.map { .text($0.code) } ?? .none] : []) + [
        .number(group.summary.count), .amount(Amount(group.summary.sum)), .amount(group.summary.mean),
        .amount(Amount(group.summary.least)), .amount(Amount(group.summary.most)),
      ]
    }
    return Table(columns, rows: rows)
  }
}
