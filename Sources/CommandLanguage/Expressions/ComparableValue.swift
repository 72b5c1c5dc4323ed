import Catalog
import Text

/// The left value of a comparison, converted to the type of the right one.
enum ComparableValue {
  case text(String)
  case number(Amount)
  case moment(Timestamp)

  /// Returns the value of a field, or `nil` if the edition doesn't provide it.
  static func of(_ field: ProductField, _ product: Product, beside meaning: LiteralValue.Meaning) -> ComparableValue? {
    if meaning.isText { return product.text(of: field).map { .text($0) } }
    if field == .vendor, meaning == .me {
      // A vendor's number is more often known than the name.
      return product.vendorID.map { .number(Amount($0)) } ?? product.vendor.map { .text($0) }
    }
    let value = product[field]
    if case .timestamp(let moment) = value { return .moment(moment) }
    return value?.numericValue.map { .number($0) }
  }

  /// Creates a value from a literal: a number or a time if the other value is one, otherwise a text.
  init(_ literal: LiteralValue, beside meaning: LiteralValue.Meaning) {
    switch (literal.meaning, meaning) {
    case (.number(let number), .number): self = .number(number)
    case (.days, .days), (.timestamp, .days), (.days, .timestamp), (.timestamp, .timestamp):
      self = Timestamp(literal.text).map { .moment($0) } ?? .text(literal.text)
    case (.text, _), (.me, _), (.pattern, _), (.relativeTime, _), (.fieldReference, _), (.number, _), (.days, _),
      (.timestamp, _):
      self = .text(literal.text)
    }
  }

  /// Returns the result, or `nil` if it is unknown, as for `me` without a login.
  func compared(_ comparison: Comparison, _ right: LiteralValue, _ me: Vendor?) -> Bool? {
    switch (self, right.meaning) {
    case (.number(let left), .number(let right)): return ComparableValue.order(left, right, comparison)
    case (.moment(let left), .timestamp(let right)):
      return ComparableValue.order(left.seconds, right.seconds, comparison)
    case (.moment(let left), .days(let right)):
      return ComparableValue.order(LiteralValue.day(of: left), right, comparison)
    case (.number(let left), .me): return me.flatMap { ComparableValue.order(left, Amount($0.id), comparison) }
    case (.text(let left), .me): return me?.name.flatMap { ComparableValue.texts(left, LiteralValue($0), comparison) }
    case (.text(let left), .pattern(let pattern)):
      return pattern.matches(left.nfcNormalized) == (comparison == .contains)
    case (.text(let left), _): return ComparableValue.texts(left, right, comparison)
    // A time that wasn't resolved has no certain value.
    case (.number, .text), (.number, .days), (.number, .timestamp), (.number, .pattern), (.number, .relativeTime),
      (.number, .fieldReference),
      (.moment, .text), (.moment, .number), (.moment, .me), (.moment, .pattern), (.moment, .relativeTime),
      (.moment, .fieldReference):
      return nil
    }
  }

  @inline(__always) static func order<Value: Comparable>(
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
}
