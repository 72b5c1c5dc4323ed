import Catalog

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
