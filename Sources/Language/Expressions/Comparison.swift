/// How two values are compared in an expression.
package enum Comparison: String, Hashable, Sendable, CaseIterable {
  case equal = "="
  case different = "!="
  case less = "<"
  case atMost = "<="
  case more = ">"
  case atLeast = ">="
  /// Contains, ignoring case.
  case contains = "~"
  case lacks = "!~"
}
