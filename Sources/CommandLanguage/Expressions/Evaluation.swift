import Catalog

extension Condition {
  /// Returns whether the condition certainly holds.
  ///
  /// If a field is unknown in the edition, neither the condition nor its negation holds.
  ///
  /// `me` is the current vendor, or `nil` if it isn't known.
  ///
  /// - Throws: `ParseError` if a regular expression takes too long.
  package func holds(for product: Product, me: Vendor? = nil) throws(ParseError) -> Bool {
    try truth(of: product, me) == true
  }

  /// Returns whether the condition certainly holds for a row whose columns have these texts.
  ///
  /// `nil` means a column without a value. An error is stored in `error`; after it, the condition holds for no row.
  package func holds(keeping error: inout ParseError?, column: @escaping (String) -> String?) -> Bool {
    guard error == nil else { return false }
    do throws(ParseError) {
      return try truth(of: ColumnRow(text: column), nil) == true
    } catch let fault {
      error = fault
      return false
    }
  }

  /// Returns true, false, or `nil` for unknown (Kleene's three-valued logic).
  private func truth(of row: some ValueProvider, _ me: Vendor?) throws(ParseError) -> Bool? {
    switch self {
    case .compare(let left, let comparison, let right):
      return try Condition.compare(left, comparison, to: right, of: row, me: me)
    case .isIn(let left, let items):
      return try Condition.any(items) { item throws(ParseError) in
        try Condition.compare(left, .equal, to: item, of: row, me: me)
      }
    case .compareFormulas(let left, let comparison, let right):
      guard let left = row.value(of: left), let right = row.value(of: right) else { return nil }
      return comparison.holds(left, right)
    case .value(let comparison): return try comparison.holds()
    case .not(let term): return try term.truth(of: row, me).map { !$0 }
    case .all(let terms):
      return try Condition.any(terms) { term throws(ParseError) in try term.truth(of: row, me).map { !$0 } }.map { !$0 }
    case .any(let terms): return try Condition.any(terms) { term throws(ParseError) in try term.truth(of: row, me) }
    }
  }

  private static func compare(
    _ left: Operand, _ comparison: Comparison, to right: LiteralValue, of row: some ValueProvider, me: Vendor?
  ) throws(ParseError) -> Bool? {
    if case .fieldReference(let other) = right.meaning {
      guard case .timestamp(let moment)? = row.value(of: other, beside: right.meaning) else { return nil }
      return try compare(left, comparison, to: LiteralValue(moment, isDay: false), of: row, me: me)
    }
    let value: FieldValue? =
      switch left {
      case .field(let field): row.value(of: field, beside: right.meaning)
      case .column(let name): row.text(of: name).map { FieldValue(LiteralValue($0), beside: right.meaning) }
      }
    if case .text(let code)? = value, left == .field(.currency) {
      // Currency codes are uppercase by their standard; another case means the same code.
      return try FieldValue.text(code.uppercased()).compared(
        comparison, to: LiteralValue(currency: right.text), me: me)
    }
    return try value?.compared(comparison, to: right, me: me)
  }

  private static func any<Term>(
    _ terms: [Term], _ truth: (Term) throws(ParseError) -> Bool?
  ) throws(ParseError) -> Bool? {
    var result: Bool? = false
    for term in terms {
      let truth = try truth(term)
      if truth == true { return true }
      if truth == nil { result = nil }
    }
    return result
  }
}

/// The source of values for a condition.
///
/// `nil` means unknown.
private protocol ValueProvider {
  func value(of field: ProductField, beside meaning: LiteralValue.Meaning) -> FieldValue?
  func value(of formula: Formula) -> Amount?
  func text(of column: String) -> String?
}

extension Product: ValueProvider {
  func value(of field: ProductField, beside meaning: LiteralValue.Meaning) -> FieldValue? {
    FieldValue(field, of: self, beside: meaning)
  }

  func value(of formula: Formula) -> Amount? { formula.value(of: self) }
  func text(of column: String) -> String? { nil }
}

private struct ColumnRow: ValueProvider {
  let text: (String) -> String?

  func value(of field: ProductField, beside meaning: LiteralValue.Meaning) -> FieldValue? { nil }
  func value(of formula: Formula) -> Amount? { nil }
  func text(of column: String) -> String? { text(column) }
}
