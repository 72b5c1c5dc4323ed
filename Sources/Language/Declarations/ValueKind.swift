import Catalog

/// What a word must be to be accepted, and so what Tab offers for it.
package enum ValueKind: Hashable, Sendable {
  case text
  case number(ClosedRange<Int>)
  /// A decimal such as a coordinate; negatives allowed.
  case decimal
  case choice([String])
  case field
  /// `a,b,c`
  case fields
  case target
  case file
  /// `a.jpg,b.png`
  case files
  case currency
  case profile
  case setting
  case command
  /// Assignments: product fields and also these names (`identifier`, `url`, `images`).
  case assignment([String])
  /// Nothing: a flag.
  case none
}
