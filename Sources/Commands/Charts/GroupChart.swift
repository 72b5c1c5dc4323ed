import Catalog
import Foundation
import Presentation
import Text

/// A bar for each group of products: the sum of their stock, or the mean of their prices, a chart a currency.
struct GroupChart {
  /// More bars than this are left out on a screen; data has all of them.
  private static let most = 20

  private struct Group {
    /// `nil` for the products whose edition does not give the field.
    var name: String?
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
        return BarChart.Bar(group.name ?? "-", value(group).length, number.text(value(group)) + count)
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
    let parts = Dictionary(grouping: series.products) { $0.group(group) }
    let groups = parts.compactMap { name, products in
      ChartSummary(products.compactMap { $0.number(field) }).map {
        Group(name: name, currency: series.currency, summary: $0)
      }
    }
    return ChartKind(group) == .time
      ? groups.sorted { $0.name ?? "" < $1.name ?? "" }
      : groups.sorted { (value($1), $0.name ?? "") < (value($0), $1.name ?? "") }
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
      [group.name.map { .text($0) } ?? .none] + (isMoney ? [group.currency.map { .text($0.code) } ?? .none] : []) + [
        .number(group.summary.count), .amount(Amount(group.summary.sum)), .amount(group.summary.mean),
        .amount(Amount(group.summary.least)), .amount(Amount(group.summary.most)),
      ]
    }
    return Table(columns, rows: rows)
  }
}

/// What kind of values a field has, as far as bars tell them apart.
enum ChartKind: Hashable {
  case money
  case count
  case time
  case word

  /// Nil for what has no bars: texts, addresses.
  init?(_ field: Field) {
    switch field {
    case .price, .discount, .sale: self = .money
    case .id, .stock, .vendorID, .images: self = .count
    case .created, .modified: self = .time
    case .vendor, .currency: self = .word
    case .name, .description, .thumbnail: return nil
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

extension Product {
  /// The number of a field that bars are drawn of; nil where it is not known, or none.
  func number(_ field: Field) -> Decimal? {
    switch field {
    case .price: price?.value
    case .discount: discount?.value
    case .sale: sale?.value
    case .id: Decimal(id)
    case .stock: stock.map { Decimal($0) }
    case .vendorID: vendorID.map { Decimal($0) }
    case .images: images.map { Decimal($0.count) }
    case .name, .description, .currency, .vendor, .created, .modified, .thumbnail: nil
    }
  }

  /// The group it belongs to: a word, or the month of a date.
  func group(_ field: Field) -> String? {
    switch field {
    case .vendor: vendor
    case .currency: currency?.code
    case .created: created.map { String($0.description.prefix(7)) }
    case .modified: modified.map { String($0.description.prefix(7)) }
    case .id, .name, .description, .price, .discount, .sale, .stock, .vendorID, .thumbnail, .images: nil
    }
  }
}

/// Products of one currency, or all of them where the field is no money: amounts of two are never put together.
struct ChartSeries {
  let currency: Currency?
  let products: [Product]

  /// The largest first.
  static func of(_ products: [Product], _ field: Field) -> [ChartSeries] {
    guard ChartKind(field)?.isMoney == true else { return [ChartSeries(currency: nil, products: products)] }
    return Dictionary(grouping: products) { $0.currency }.map { ChartSeries(currency: $0.key, products: $0.value) }
      .sorted { ($1.products.count, $0.currency?.code ?? "") < ($0.products.count, $1.currency?.code ?? "") }
  }
}

/// A number as the chart says it: money with its sign, other numbers in thousands.
struct ChartNumber {
  let currency: Currency?
  let options: RenderOptions

  func text(_ value: Decimal) -> String {
    guard let currency else { return HumanNumber.grouped(Amount(value).rounded(to: 2).description) }
    return HumanNumber.money(Amount(value).rounded(to: currency.decimals ?? 2), currency, ascii: options.ascii)
  }
}

extension Decimal {
  /// As long as a bar: a picture needs no exactness.
  var length: Double { max(0, (self as NSDecimalNumber).doubleValue) }

  func rounded(_ mode: NSDecimalNumber.RoundingMode) -> Decimal {
    var (source, result) = (self, Decimal())
    NSDecimalRound(&result, &source, 0, mode)
    return result
  }
}

/// Counts, sums and means of numbers, exact.
struct ChartSummary {
  let count: Int
  let sum: Decimal
  let least: Decimal
  let most: Decimal
  let median: Decimal

  /// Nil of no numbers.
  init?(_ numbers: [Decimal]) {
    let sorted = numbers.sorted()
    guard let first = sorted.first, let last = sorted.last else { return nil }
    count = sorted.count
    sum = sorted.reduce(0, +)
    (least, most) = (first, last)
    let middle = count / 2
    median = count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  var mean: Amount { Amount(sum / Decimal(count)).rounded(to: 2) }
}
