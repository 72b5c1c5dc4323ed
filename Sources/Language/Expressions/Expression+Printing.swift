import Catalog

extension Expression: CustomStringConvertible {
  /// The expression in the language, with no more parentheses and quotes than it needs.
  package var description: String {
    switch self {
    case .compare(let left, let comparison, let right):
      Expression.text(left) + comparison.rawValue + Expression.text(right)
    case .among(let left, let items):
      Expression.text(left) + " in (" + items.map(Expression.text).joined(separator: ", ") + ")"
    case .not(let inner):
      "not " + (inner.binds ? inner.description : "(" + inner.description + ")")
    case .all(let terms):
      terms.map { $0.binds ? $0.description : "(" + $0.description + ")" }.joined(separator: " and ")
    case .any(let terms):
      terms.map { $0.isAny ? "(" + $0.description + ")" : $0.description }.joined(separator: " or ")
    }
  }

  /// Binds tighter than `and`.
  private var binds: Bool {
    switch self {
    case .compare, .among, .not: true
    case .all, .any: false
    }
  }

  private var isAny: Bool {
    if case .any = self { return true }
    return false
  }

  private static func text(_ operand: Operand) -> String {
    switch operand {
    case .field(let field): field.rawValue
    case .column(let name): name
    // Bare it would be a field.
    case .text(let text): Quoting.quote(text, always: true)
    }
  }

  private static func text(_ literal: Literal) -> String {
    let hasSign = literal.text.unicodeScalars.contains { "()=<>!~,".unicodeScalars.contains($0) }
    return Quoting.quote(literal.text, always: hasSign)
  }
}
