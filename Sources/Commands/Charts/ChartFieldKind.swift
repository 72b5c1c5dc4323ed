import Catalog

/// The kinds of values that charts treat differently.
enum ChartFieldKind: Hashable {
  case money
  case count
  case time
  case word

  /// Creates the kind of a field, or `nil` for texts and addresses, which have no bars.
  init?(_ field: ProductField) {
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
