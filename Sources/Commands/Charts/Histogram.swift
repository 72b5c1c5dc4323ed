import Catalog
import Foundation
import Presentation
import Text

/// The distribution of a field: numbers in steps of a round size, dates by month, each word separately.
struct Histogram {
  /// The maximum number of words on a screen; the rest is summed up.
  ///
  /// Data formats contain all of them.
  private static let maximumWords = 20

  private struct Bin {
    var from: Decimal
    var to: Decimal
    var count: Int
  }

  private let field: ProductField
  private let bins: Int
  private let products: [Product]

  init(_ field: ProductField, bins: Int, _ products: [Product]) {
    self.field = field
    self.bins = bins
    self.products = products
  }

  // MARK: Chart

  func charts(_ options: RenderOptions) -> [BarChart] {
    guard ChartFieldKind(field)?.isNumber == true else { return [words(options)] }
    return ChartSeries.split(products, field).compactMap { series in
      let numbers = series.products.compactMap { $0.chartValue(field) }
      guard let summary = ChartSummary(numbers) else { return nil }
      let number = ChartNumberFormatter(currency: series.currency, options: options)
      let steps = Histogram.steps(
        numbers, summary: summary, bins: bins, isMoney: ChartFieldKind(field)?.isMoney == true)
      let bars = Histogram.labels(steps, number).enumerated().map { index, label in
        BarChart.Bar(label, length: Double(steps[index].count), number: NumberFormatting.grouped(steps[index].count))
      }
      return BarChart(title(series, summary: summary, number: number), bars)
    }
  }

  private func title(_ series: ChartSeries, summary: ChartSummary, number: ChartNumberFormatter) -> LocalizedText {
    let name = field.title
    let currency = series.currency.map { " " + $0.code } ?? ""
    let (least, most) = (number.text(summary.minimum), number.text(summary.maximum))
    let (median, mean) = (number.text(summary.median), number.text(summary.mean.decimalValue))
    let unknown = series.products.count - summary.count
    let english = unknown == 0 ? "" : ", \(unknown) without a value"
    let korean = unknown == 0 ? "" : ", 값 없음 \(unknown)개"
    return LocalizedText(
      "\(.strong(name.english.plain))\(.foreign(currency)), \(summary.count) \(summary.count == 1 ? StyledText("product") : "products"): \(least) to \(most), median \(median), mean \(mean)\(english)",
      ko:
        "\(.strong(name.korean.plain))\(.foreign(currency)), 상품 \(summary.count)개: \(least) ~ \(most), 중앙값 \(median), 평균 \(mean)\(korean)"
    )
  }

  /// Returns the labels with right-aligned numbers, so that their sizes can be compared.
  private static func labels(_ steps: [Bin], _ number: ChartNumberFormatter) -> [String] {
    let cells = number.options.cells
    let texts = steps.map { step in
      (number.text(step.from), step.from == step.to ? nil : number.text(step.to))
    }
    let left = texts.map { cells.of($0.0) }.max() ?? 0
    let right = texts.map { $0.1.map { cells.of($0) } ?? 0 }.max() ?? 0
    return texts.map { from, to in
      let start = cells.aligned(from, to: left, right: true)
      return to.map { start + " - " + cells.aligned($0, to: right, right: true) } ?? start
    }
  }

  private func words(_ options: RenderOptions) -> BarChart {
    let counts = counts
    let isTime = ChartFieldKind(field) == .time
    var bars = counts.map { BarChart.Bar($0.0 ?? "-", length: Double($0.1), number: NumberFormatting.grouped($0.1)) }
    if !isTime, bars.count > Histogram.maximumWords {
      let rest = counts.dropFirst(Histogram.maximumWords)
      let others = LocalizedText("\(rest.count) others", ko: "그 밖에 \(rest.count)개")[options.language].plain
      let sum = rest.map(\.1).reduce(0, +)
      bars =
        bars.prefix(Histogram.maximumWords) + [
          BarChart.Bar(others, length: Double(sum), number: NumberFormatting.grouped(sum))
        ]
    }
    let name = field.title
    return BarChart(
      LocalizedText(
        "\(.strong(name.english.plain)), \(products.count) \(products.count == 1 ? StyledText("product") : "products")",
        ko: "\(.strong(name.korean.plain)), 상품 \(products.count)개"), bars)
  }

  /// The number of products for each value: dates in chronological order, words by count.
  ///
  /// The value is `nil` for products whose edition doesn't provide the field.
  private var counts: [(String?, Int)] {
    let counts = Dictionary(grouping: products) { $0.chartGroup(field) }.mapValues(\.count)
    let pairs = counts.map { ($0.key, $0.value) }
    return ChartFieldKind(field) == .time
      ? pairs.sorted { $0.0 ?? "" < $1.0 ?? "" } : pairs.sorted { ($1.1, $0.0 ?? "") < ($0.1, $1.0 ?? "") }
  }

  // MARK: Table

  /// The table with the columns `currency, from, to, count`, or `value, count` for words and months.
  ///
  /// The last step includes its `to`.
  var table: Table {
    let count = Table.Column("count", LocalizedText("count", ko: "개수"), isNumber: true)
    guard let kind = ChartFieldKind(field), kind.isNumber else {
      return Table(
        [.init(field.rawValue, field.title), count],
        rows: counts.map { [$0.0.map { .text($0) } ?? .none, .number($0.1)] })
    }
    var columns: [Table.Column] = [
      .init("from", LocalizedText("from", ko: "부터"), isNumber: true),
      .init("to", LocalizedText("to", ko: "까지"), isNumber: true), count,
    ]
    if kind.isMoney { columns.insert(.init("currency", ProductField.currency.title), at: 0) }
    let rows = ChartSeries.split(products, field).flatMap { series -> [[Table.Cell]] in
      let numbers = series.products.compactMap { $0.chartValue(field) }
      guard let summary = ChartSummary(numbers) else { return [] }
      return Histogram.steps(numbers, summary: summary, bins: bins, isMoney: ChartFieldKind(field)?.isMoney == true).map
      { step in
        (kind.isMoney ? [series.currency.map { .text($0.code) } ?? .none] : [])
          + [.amount(Amount(step.from)), .amount(Amount(step.to)), .number(step.count)]
      }
    }
    return Table(columns, rows: rows)
  }

  // MARK: Steps

  /// Returns at most `bins` steps of 1, 2 or 5 times a power of ten.
  ///
  /// A step of integers includes both bounds. A step of money excludes its upper bound, except for the last one.
  private static func steps(_ numbers: [Decimal], summary: ChartSummary, bins: Int, isMoney: Bool) -> [Bin] {
    guard summary.maximum > summary.minimum else {
      return [Bin(from: summary.minimum, to: summary.minimum, count: numbers.count)]
    }
    let smallest = isMoney ? Decimal(sign: .plus, exponent: -2, significand: 1) : 1
    var size = smallest
    for factor in 0...150 {
      size = smallest * [1, 2, 5][factor % 3] * Decimal(sign: .plus, exponent: factor / 3, significand: 1)
      if count(summary, size: size, isMoney: isMoney) <= bins { break }
    }
    let start = (summary.minimum / size).rounded(.down) * size
    var steps = (0..<count(summary, size: size, isMoney: isMoney)).map { index in
      let from = start + Decimal(index) * size
      return Bin(from: from, to: isMoney ? from + size : from + size - 1, count: 0)
    }
    for number in numbers {
      let index = ((number - start) / size).rounded(.down) as NSDecimalNumber
      steps[min(max(0, index.intValue), steps.count - 1)].count += 1
    }
    return steps
  }

  /// Returns the number of steps of this size between the minimum and the maximum.
  private static func count(_ summary: ChartSummary, size: Decimal, isMoney: Bool) -> Int {
    let start = (summary.minimum / size).rounded(.down)
    let end = isMoney ? (summary.maximum / size).rounded(.up) : (summary.maximum / size).rounded(.down) + 1
    let count = ((end - start) as NSDecimalNumber).doubleValue
    return max(1, Int(exactly: min(count, 1_000_000).rounded()) ?? 1)
  }
}
