import Catalog
import Foundation
import Text

extension Expression {
  /// Whether the condition holds for certain: a field that the edition does not give makes neither it nor its opposite true.
  ///
  /// `me` is the vendor who is logged in, nil when unknown.
  package func holds(for product: Product, me: Vendor? = nil) -> Bool {
    truth(me) { field, meaning in
      ComparedValue(field, of: product, beside: meaning)
    } column: { _ in
      nil
    } == true
  }

  /// Whether the condition holds for certain of a row whose columns say these texts; nil is a column without a value.
  package func holds(column: (String) -> String?) -> Bool {
    truth(nil) { _, _ in
      nil
    } column: {
      column($0)
    } == true
  }

  private typealias FieldValue = (Field, Literal.Meaning) -> ComparedValue?
  private typealias ColumnValue = (String) -> String?

  /// True, false, or nil for unknown (Kleene's three-valued logic).
  private func truth(_ me: Vendor?, field: FieldValue, column: ColumnValue) -> Bool? {
    func inner(_ term: Expression) -> Bool? { term.truth(me, field: field, column: column) }
    func compare(_ left: Operand, _ comparison: Comparison, _ right: Literal) -> Bool? {
      let value: ComparedValue? =
        switch left {
        case .text(let text): ComparedValue(Literal(text), beside: right.meaning)
        case .field(let name): field(name, right.meaning)
        case .column(let name): column(name).map { ComparedValue(Literal($0), beside: right.meaning) }
        }
      if left == .field(.currency), case .text(let code)? = value {
        // Codes are capitals by their standard; who types or serves them otherwise means the same.
        return ComparedValue.text(code.uppercased()).compared(comparison, Literal(currency: right.text), me)
      }
      return value?.compared(comparison, right, me)
    }
    switch self {
    case .compare(let left, let comparison, let right): return compare(left, comparison, right)
    case .among(let left, let items): return Expression.any(items) { compare(left, .equal, $0) }
    case .not(let term): return inner(term).map { !$0 }
    case .all(let terms): return Expression.any(terms) { inner($0).map { !$0 } }.map { !$0 }
    case .any(let terms): return Expression.any(terms, inner)
    }
  }

  private static func any<Term>(_ terms: [Term], _ truth: (Term) -> Bool?) -> Bool? {
    var result: Bool? = false
    for term in terms {
      let truth = truth(term)
      if truth == true { return true }
      if truth == nil { result = nil }
    }
    return result
  }
}
