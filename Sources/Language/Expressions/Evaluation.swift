import Catalog
import Foundation
import Text

extension Condition {
  /// Returns whether the condition certainly holds.
  ///
  /// If a field is unknown in the edition, neither the condition nor its negation holds.
  ///
  /// `me` is the current vendor, or `nil` if it isn't known.
  package func holds(for product: Product, me: Vendor? = nil) -> Bool { truth(of: product, me) == true }

  /// Returns whether the condition certainly holds for a row whose columns have these texts.
  ///
  /// `nil` means a column without a value.
  package func holds(column: (String) -> String?) -> Bool {
    withoutActuallyEscaping(column) { truth(of: ColumnRow(text: $0), nil) } == true
  }

  /// Returns true, false, or `nil` for unknown (Kleene's three-valued logic).
  private func truth(of row: some ValueProvider, _ me: Vendor?) -> Bool? {
    switch self {
    case .compare(let left, let comparison, let right): return Condition.compare(left, comparison, right, of: row, me)
    case .isIn(let left, let items):
      return Condition.any(items) { Condition.compare(left, .equal, $0, of: row, me) }
    case .compareFormulas(let left, let comparison, let right):
      guard let left = row.value(of: left), let right = row.value(of: right) else { return nil }
      return ComparableValue.order(left, right, comparison)
    case .value(let comparison): return comparison.holds()
    case .not(let term): return term.truth(of: row, me).map { !$0 }
    case .all(let terms): return Condition.any(terms) { $0.truth(of: row, me).map { !$0 } }.map { !$0 }
    case .any(let terms): return Condition.any(terms) { $0.truth(of: row, me) }
    }
  }

  private static func compare(
    _ left: Operand, _ comparison: Comparison, _ right: LiteralValue, of row: some ValueProvider, _ me: Vendor?
  ) -> Bool? {
    if case .fieldReference(let other) = right.meaning {
      guard case .moment(let moment)? = row.value(of: other, beside: right.meaning) else { return nil }
      return compare(left, comparison, LiteralValue(moment, isDay: false), of: row, me)
    }
    let value: ComparableValue? =
      switch left {
      case .field(let field): row.value(of: field, beside: right.meaning)
      case .column(let name): row.text(of: name).map { ComparableValue(LiteralValue($0), beside: right.meaning) }
      }
    if case .text(let code)? = value, left == .field(.currency) {
      // Currency codes are uppercase by their standard; another case means the same code.
      return ComparableValue.text(code.uppercased()).compared(comparison, LiteralValue(currency: right.text), me)
    }
    return value?.compared(comparison, right, me)
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

/// The source of values for a condition.
///
/// `nil` means unknown.
private protocol ValueProvider {
  func value(of field: ProductField, beside meaning: LiteralValue.Meaning) -> ComparableValue?
  func value(of formula: Formula) -> Amount?
  func text(of column: String) -> String?
}

extension Product: ValueProvider {
  fileprivate func value(of field: ProductField, beside meaning: LiteralValue.Meaning) -> ComparableValue? {
    .of(field, self, beside: meaning)
  }

  fileprivate func value(of formula: Formula) -> Amount? { formula.value(of: self) }
  fileprivate func text(of column: String) -> String? { nil }
}

private struct ColumnRow: ValueProvider {
  let text: (String) -> String?

  func value(of field: ProductField, beside meaning: LiteralValue.Meaning) -> ComparableValue? { nil }
  func value(of formula: Formula) -> Amount? { nil }
  func text(of column: String) -> String? { text(column) }
}

/// The left value of a comparison, converted to the type of the right one.
enum ComparableValue {
  case text(String)
  case number(Amount)
  case moment(Timestamp)

  /// Returns the value of a field, or `nil` if the edition doesn't provide it.
  static func of(_ field: ProductField, _ product: Product, beside meaning: LiteralValue.Meaning) -> ComparableValue? {
    if meaning.isText { return product.text(of: field).map { .text($0) } }
    switch field {
    case .created: return product.created.map { .moment($0) }
    case .modified: return product.modified.map { .moment($0) }
    case .vendor where meaning == .me:
      // A vendor's number is more often known than the name.
      return product.vendorID.map { .number(Amount($0)) } ?? product.vendor.map { .text($0) }
    case .id, .name, .description, .price, .discount, .sale, .currency, .stock, .vendor, .vendorID, .thumbnail, .images:
      return number(field, of: product).map { .number($0) }
    }
  }

  /// Creates a value from a literal: a number or a time if the other value is one, otherwise a text.
  init(_ literal: LiteralValue, beside meaning: LiteralValue.Meaning) {
    switch (literal.meaning, meaning) {
    case (.number(let number), .number): self = .number(number)
    case (.days, .days), (.timestamp, .days), (.days, .timestamp), (.timestamp, .timestamp):
      self = Timestamp(literal.text).map { .moment($0) } ?? .text(literal.text)
    case (.text, _), (.me, _), (.pattern, _), (.relativeTime, _), (.fieldReference, _), (.number, _), (.days, _), (.timestamp, _):
      self = .text(literal.text)
    }
  }

  /// Returns the result, or `nil` if it is unknown, as for `me` without a login.
  func compared(_ comparison: Comparison, _ right: LiteralValue, _ me: Vendor?) -> Bool? {
    switch (self, right.meaning) {
    case (.number(let left), .number(let right)): return ComparableValue.order(left, right, comparison)
    case (.moment(let left), .timestamp(let right)): return ComparableValue.order(left.seconds, right.seconds, comparison)
    case (.moment(let left), .days(let right)): return ComparableValue.order(LiteralValue.day(of: left), right, comparison)
    case (.number(let left), .me): return me.flatMap { ComparableValue.order(left, Amount($0.id), comparison) }
    case (.text(let left), .me): return me?.name.flatMap { ComparableValue.texts(left, LiteralValue($0), comparison) }
    case (.text(let left), .pattern(let pattern)): return pattern.matches(left.nfcNormalized) == (comparison == .contains)
    case (.text(let left), _): return ComparableValue.texts(left, right, comparison)
    // A time that wasn't resolved has no certain value.
    case (.number, .text), (.number, .days), (.number, .timestamp), (.number, .pattern), (.number, .relativeTime),
      (.number, .fieldReference),
      (.moment, .text), (.moment, .number), (.moment, .me), (.moment, .pattern), (.moment, .relativeTime), (.moment, .fieldReference):
      return nil
    }
  }

  @inline(__always) fileprivate static func order<Value: Comparable>(
    _ left: Value, _ right: Value, _ comparison: Comparison
  ) -> Bool? {
    switch comparison {
    case .equal: left == right
    case .notEqual: left != right
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .atLeast: left >= right
    case .contains, .notContains: nil
    }
  }

  /// Compares a day with a range of days: equal is one of them, less is before the first, more is after the last.
  private static func order(_ day: Int64, _ range: ClosedRange<Int64>, _ comparison: Comparison) -> Bool? {
    switch comparison {
    case .equal: range.contains(day)
    case .notEqual: !range.contains(day)
    case .less: day < range.lowerBound
    case .lessOrEqual: day <= range.upperBound
    case .greater: day > range.upperBound
    case .atLeast: day >= range.lowerBound
    case .contains, .notContains: nil
    }
  }

  /// Compares texts in NFC; containment also ignores case.
  private static func texts(_ left: String, _ right: LiteralValue, _ comparison: Comparison) -> Bool? {
    switch comparison {
    case .contains: (right.searchPattern ?? CaseInsensitivePattern(right.text)).isContained(left)
    case .notContains: !(right.searchPattern ?? CaseInsensitivePattern(right.text)).isContained(left)
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .atLeast:
      order(left.nfcNormalized, right.text.nfcNormalized, comparison)
    }
  }

  static func number(_ field: ProductField, of product: Product) -> Amount? {
    switch field {
    case .id: Amount(product.id)
    case .price: product.price
    case .discount: product.discount
    case .sale: product.sale
    case .stock: product.stock.map { Amount($0) }
    case .vendorID: product.vendorID.map { Amount($0) }
    case .images: product.images.map { Amount($0.count) }
    case .name, .description, .currency, .vendor, .created, .modified, .thumbnail: nil
    }
  }
}
