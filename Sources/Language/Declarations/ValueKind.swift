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
  /// A condition, `stock=0 and price>1000`: kept as the language prints it, so that `Expression.read` takes it.
  case expression
  /// The rest of the command as it was typed, to be read later: `alias NAME = LINE`, `plan COMMAND... to FILE`.
  case line
  /// `5/s`: kept as the number.
  case rate
  /// Assignments: product fields and also these names (`identifier`, `url`, `images`);
  /// `*` stands for any name.
  case assignment([String])
  /// Assignments to these names only: `url`, `api`.
  case settings([String])
  /// Nothing: a flag.
  case none
}
