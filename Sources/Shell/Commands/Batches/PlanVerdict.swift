import Catalog

/// What a second look at a product says about a change that was planned earlier.
enum PlanVerdict: Hashable, Sendable {
  /// Still as it was: the change can be made, less what is as wanted already.
  case go(Change)
  /// Already as wanted.
  case unchanged(Product.ID)
  /// Fields that are neither as they were nor as wanted.
  case drifted(Product.ID, [Field])
  /// There is no such product any more.
  case gone(Product.ID)

  var change: Change? {
    switch self {
    case .go(let change): change
    case .unchanged, .drifted, .gone: nil
    }
  }

  var id: Product.ID? {
    switch self {
    case .go(let change): change.product?.id
    case .unchanged(let id), .drifted(let id, _), .gone(let id): id
    }
  }

  var isDrifted: Bool {
    switch self {
    case .drifted, .gone: true
    case .go, .unchanged: false
    }
  }

  /// The word of the batch table (language.md section 5).
  var word: String {
    switch self {
    case .go: "skipped"
    case .unchanged: "unchanged"
    case .drifted, .gone: "drifted"
    }
  }

  var detail: Wording? {
    switch self {
    case .go, .unchanged: nil
    case .drifted(_, let fields):
      Wording(
        "It has changed since it was planned: \(fields.map(\.rawValue).joined(separator: ", "))",
        ko: "계획한 뒤에 바뀌었습니다: \(fields.map(\.rawValue).joined(separator: ", "))")
    case .gone: Wording("It is not there any more.", ko: "이제 없습니다.")
    }
  }
}
