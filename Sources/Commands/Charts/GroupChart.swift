import Catalog
import Foundation
import Presentation
import Text

/// A chart with a bar for each group of products: the sum of their stock, or the mean of their prices in one chart for
/// each currency.
struct GroupChart {
  /// The maximum number of bars on a screen.
  ///
  /// Data formats contain all of them.
  private static let maximumCount = 20

  private struct Group {
    /// The name, or `nil` for the products whose edition doesn't provide the field.
    var name: String?
    var currency: Currency?
    var summary: ChartSummary
  }

  private let field: ProductField
  private let group: ProductField
  private let products: [Product]
  /// A Boolean value that indicates that values are added.
  ///
  /// The sum of prices has no meaning, so prices are averaged.
  private var sums: Bool { field == .stock || field == .images }

  init(_ field: ProductField, by group: ProductField, _ products: [Product]) {
    self.field = field
    self.group = group
    self.products = products
  }

  func charts(_ options: RenderOptions) -> [BarChart] {
    ChartSeries.split(products, field).compactMap { series in
      let groups = groups(series)
      guard !groups.isEmpty else { return nil }
      let number = ChartNumberFormatter(currency: series.currency, options: options)
      let bars = groups.prefix(GroupChart.maximumCount).map { group in
        let count = LocalizedText(" (\(group.summary.count))", ko: " (\(group.summary.count)개)")[options.language].plain
        return BarChart.Bar(
          group.name ?? "-", length: value(group).barLength, number: number.text(value(group)) + count)
      }
      return BarChart(title(series, more: groups.count - bars.count), bars)
    }
  }

  private func title(_ series: ChartSeries, more: Int) -> LocalizedText {
    let currency = series.currency.map { " " + $0.code } ?? ""
    let what = sums ? LocalizedText("total", ko: "합계") : LocalizedText("average", ko: "평균")
    let (english, korean) = more == 0 ? ("", "") : ("; \(more) smaller ones not shown", "; 작은 \(more)개는 표시 안 함")
    return LocalizedText(
      "\(what.english) \(.strong(field.title.english.plain))\(.foreign(currency)) by \(.strong(group.title.english.plain)), with number of products\(english)",
      ko:
        "\(.strong(group.title.korean.plain))별 \(.strong(field.title.korean.plain))\(.foreign(currency)) \(what.korean) 및 상품 수\(korean)"
    )
  }

  private func value(_ group: Group) -> Decimal { sums ? group.summary.sum : group.summary.mean.decimalValue }

  /// Returns the groups: months in chronological order, others by the length of their bars.
  private func groups(_ series: ChartSeries) -> [Group] {
    let parts = Dictionary(grouping: series.products) { $0.chartGroup(group) }
    let groups = parts.compactMap { name, products in
      ChartSummary(products.compactMap { $0.chartValue(field) }).map {
        Group(name: name, currency: series.currency, summary: $0)
      }
    }
    return ChartFieldKind(group) == .time
      ? groups.sorted { $0.name ?? "" < $1.name ?? "" }
      : groups.sorted { (value($1), $0.name ?? "") < (value($0), $1.name ?? "") }
  }

  /// The table with the columns `GROUP, currency, count, sum, mean, min, max`.
  var table: Table {
    let isMoney = ChartFieldKind(field)?.isMoney == true
    var columns: [Table.Column] = [
      .init(group.rawValue, group.title), .init("count", LocalizedText("count", ko: "개수"), isNumber: true),
      .init("sum", LocalizedText("sum", ko: "합계"), isNumber: true),
      .init("mean", LocalizedText("average", ko: "평균"), isNumber: true),
      .init("min", LocalizedText("min", ko: "최소"), isNumber: true),
      .init("max", LocalizedText("max", ko: "최대"), isNumber: true),
    ]
    if isMoney { columns.insert(.init(group == .currency ? "code" : "currency", ProductField.currency.title), at: 1) }
    let rows = ChartSeries.split(products, field).flatMap(groups).map { group -> [Table.Cell] in
      [group.name.map { .text($0) } ?? .none] + (isMoney ? [group.currency.map { .text($0.code) } ?? .none] : []) + [
        .number(group.summary.count), .amount(Amount(group.summary.sum)), .amount(group.summary.mean),
        .amount(Amount(group.summary.minimum)), .amount(Amount(group.summary.maximum)),
      ]
    }
    return Table(columns, rows: rows)
  }
}

extension Product {
  /// Returns the number to draw for a field, or `nil` if it is unknown or not a number.
  func chartValue(_ field: ProductField) -> Decimal? { self[field]?.numericValue?.decimalValue }

  /// Returns the group of the product: a word, or the month of a date.
  func chartGroup(_ field: ProductField) -> String? {
    switch ChartFieldKind(field) {
    case .word: text(of: field)
    case .time: text(of: field).map { String($0.prefix(7)) }
    case .money, .count, nil: nil
    }
  }
}

extension Decimal {
  /// The number as the length of a bar, where rounding doesn't matter.
  var barLength: Double { max(0, (self as NSDecimalNumber).doubleValue) }

  func rounded(_ mode: NSDecimalNumber.RoundingMode) -> Decimal {
    var (source, result) = (self, Decimal())
    NSDecimalRound(&result, &source, 0, mode)
    return result
  }
}
