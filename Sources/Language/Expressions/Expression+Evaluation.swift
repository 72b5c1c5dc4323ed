import Catalog
import Foundation

extension Expression {
  /// Whether the condition holds for certain: a field that the edition does not give makes neither it nor its opposite true.
  ///
  /// `me` is the vendor who is logged in, nil when unknown.
  package func holds(for product: Product, me: Vendor? = nil) -> Bool { truth(product, me) == true }

  /// True, false, or nil for unknown (Kleene's three-valued logic).
  private func truth(_ product: Product, _ me: Vendor?) -> Bool? {
    switch self {
    case .compare(let left, let comparison, let right):
      return Expression.compare(left, comparison, right, product, me)
    case .among(let left, let items):
      return Expression.any(items.lazy.map { Expression.compare(left, .equal, $0, product, me) })
    case .not(let inner): return inner.truth(product, me).map { !$0 }
    case .all(let terms):
      return Expression.any(terms.lazy.map { $0.truth(product, me).map { !$0 } }).map { !$0 }
    case .any(let terms): return Expression.any(terms.lazy.map { $0.truth(product, me) })
    }
  }

  private static func any(_ truths: some Sequence<Bool?>) -> Bool? {
    var result: Bool? = false
    for truth in truths {
      if truth == true { return true }
      if truth == nil { result = nil }
    }
    return result
  }

  private static func compare(
    _ left: Operand, _ comparison: Comparison, _ right: Literal, _ product: Product, _ me: Vendor?
  ) -> Bool? {
    switch left {
    case .text(let text):
      return ComparedValue(Literal(text), beside: right.meaning).compared(comparison, right, me)
    case .field(let field):
      return ComparedValue(field, of: product, beside: right.meaning).flatMap { $0.compared(comparison, right, me) }
    }
  }
}
