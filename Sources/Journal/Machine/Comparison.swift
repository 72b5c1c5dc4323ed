import Catalog

/// How the fields of a product stand to what was wanted and to what was there before; fields nobody shows do not count.
struct Comparison: Hashable, Sendable {
  /// As wanted.
  var wanted: [Field] = []
  /// As before, and not as wanted.
  var before: [Field] = []
  /// Neither.
  var moved: [Field] = []

  init(of product: Product, before: Fields, wanted: Fields) {
    let now = Fields(of: product, like: wanted)
    for field in wanted.set {
      guard let value = now[field], let goal = wanted[field] else { continue }
      if value.isSame(as: goal) {
        self.wanted.append(field)
      } else if before[field].map(value.isSame) == true {
        self.before.append(field)
      } else {
        moved.append(field)
      }
    }
  }

  var finding: StateMachine.Finding {
    if moved.isEmpty && before.isEmpty { return wanted.isEmpty ? .unreadable : .landed }
    if moved.isEmpty && wanted.isEmpty { return .untouched }
    return .foreign
  }
}
