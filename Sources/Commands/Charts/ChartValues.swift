import Catalog
import Foundation
import Presentation
import Text

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
