/// The precedence of operators in conditions and formulas, lowest first.
enum ExpressionPrecedence: Int, Comparable {
  case lowest
  case or
  case and
  case not
  case comparison
  case sum
  case product
  case negative
  case atom

  var next: ExpressionPrecedence { ExpressionPrecedence(rawValue: rawValue + 1) ?? .atom }

  static func < (left: ExpressionPrecedence, right: ExpressionPrecedence) -> Bool { left.rawValue < right.rawValue }
}

extension Formula.Operator {
  var precedence: ExpressionPrecedence {
    switch self {
    case .add, .subtract: .sum
    case .multiply, .divide: .product
    }
  }
}
