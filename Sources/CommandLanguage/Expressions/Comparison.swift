/// The comparison operators.
package enum Comparison: String, Hashable, Sendable, CaseIterable {
  case equal = "="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case atLeast = ">="
  /// Contains, ignoring case.
  case contains = "~"
  case notContains = "!~"
}

extension Comparison {
  /// A Boolean value that indicates whether the operator applies to numbers.
  var appliesToNumbers: Bool {
    switch self {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .atLeast: true
    case .contains, .notContains: false
    }
  }
}
