import Catalog
import Foundation
import Networking
import Text

/// A comparison between values that doesn't need a product: `$p.price > 500`, `$count = 20`, `$p.name ~ 컵`.
///
/// Values are compared by their types. Numbers compare only with numbers, exactly at any length. Texts compare with
/// texts, in NFC and by code points, or as times if both are times. Equality of other types is that of JSON, where
/// values of different types are different. `~` searches in the text that `echo` prints. A bare `null` can be compared
/// with anything.
package struct ValueComparison: Hashable, Sendable {
  /// The operator and the right side.
  package enum Test: Hashable, Sendable {
    case compare(Comparison, ValueOperand)
    case pattern(RegexPattern, lacks: Bool)
    case among([ValueOperand])
  }

  package let left: ValueOperand
  package let test: Test

  init(_ left: ValueOperand, _ test: Test) {
    self.left = left
    self.test = test
  }

  /// A Boolean value that indicates whether the left side is a list of values, from a path with `[*]`.
  package var hasElements: Bool {
    if case .elements? = left.value { true } else { false }
  }

  /// A Boolean value that indicates a path with `[*]` without any element, about which every claim would hold.
  package var isOfNothing: Bool {
    if case .elements(let elements)? = left.value { elements.isEmpty } else { false }
  }

  /// The number of values of a path with `[*]` that have to pass.
  package enum Quantity: String, Hashable, Sendable, CaseIterable { case all, any, none }

  /// Returns whether the comparison holds, or `nil` if a member is missing.
  ///
  /// - Throws: `ParseError` if a regular expression takes too long.
  package func holds(_ quantity: Quantity = .all) throws(ParseError) -> Bool? {
    guard case .elements(let elements)? = left.value else {
      guard let value = left.value?.json else { return nil }
      return try passes(value)
    }
    var results: [Bool?] = []
    for element in elements {
      if let value = element.value { results.append(try passes(value)) } else { results.append(nil) }
    }
    switch quantity {
    case .all: return results.contains(false) ? false : results.contains(nil) ? nil : true
    case .any: return results.contains(true) ? true : results.contains(nil) ? nil : false
    case .none: return results.contains(true) ? false : results.contains(nil) ? nil : true
    }
  }

  /// Returns the values that don't pass, or for `none` those that do.
  ///
  /// A missing member has no value.
  ///
  /// - Throws: `ParseError` if a regular expression takes too long.
  package func offenders(_ quantity: Quantity = .all) throws(ParseError) -> [NamedValue.Element] {
    guard case .elements(let elements)? = left.value else {
      return [left, right].compactMap { side in
        guard let side, let name = side.name else { return nil }
        return NamedValue.Element(path: name, value: side.value?.json)
      }
    }
    var offenders: [NamedValue.Element] = []
    for element in elements {
      var result: Bool?
      if let value = element.value { result = try passes(value) }
      if quantity == .none ? result != false : result != true { offenders.append(element) }
    }
    return offenders
  }

  private var right: ValueOperand? {
    if case .compare(_, let right) = test { right } else { nil }
  }

  private func passes(_ value: JSON) throws(ParseError) -> Bool? {
    switch test {
    case .compare(let comparison, let right):
      guard let json = right.value?.json else { return nil }
      return ValueComparison.holds(value, comparison, to: right.comparedTo(value, json))
    case .pattern(let pattern, let lacks): return try pattern.matches(value.plainText.nfcNormalized) != lacks
    case .among(let items):
      var result: Bool? = false
      for item in items {
        guard let json = item.value?.json else {
          result = nil
          continue
        }
        if ValueComparison.holds(value, .equal, to: item.comparedTo(value, json)) { return true }
      }
      return result
    }
  }

  private static func holds(_ left: JSON, _ comparison: Comparison, to right: JSON) -> Bool {
    switch comparison {
    case .contains: CaseInsensitivePattern(right.plainText).isContained(left.plainText)
    case .notContains: !CaseInsensitivePattern(right.plainText).isContained(left.plainText)
    case .equal: isEqual(left, right)
    case .notEqual: !isEqual(left, right)
    case .less, .lessOrEqual, .greater, .atLeast:
      order(left, right).flatMap { comparison.holds($0.rawValue, 0) } ?? false
    }
  }

  private static func isEqual(_ left: JSON, _ right: JSON) -> Bool {
    if let order = times(left, right) { return order == .orderedSame }
    return left.equals(right)
  }

  /// Returns the order of two numbers or two texts, or `nil` for other types.
  private static func order(_ left: JSON, _ right: JSON) -> ComparisonResult? {
    switch (left, right) {
    case (.number(let left), .number(let right)): return left.compared(to: right)
    case (.string(let one), .string(let two)):
      if let order = times(left, right) { return order }
      let (one, two) = (one.nfcNormalized.unicodeScalars, two.nfcNormalized.unicodeScalars)
      if one.elementsEqual(two) { return .orderedSame }
      return one.lexicographicallyPrecedes(two) ? .orderedAscending : .orderedDescending
    default: return nil
    }
  }

  /// Returns the order of two texts that are times.
  ///
  /// A date without a time is the day from its first to its last second.
  private static func times(_ left: JSON, _ right: JSON) -> ComparisonResult? {
    guard case .string(let one) = left, case .string(let two) = right, let first = Timestamp(one),
      let second = Timestamp(two)
    else { return nil }
    let isDay = one.utf8.count == 10 || two.utf8.count == 10
    let pair =
      isDay ? (LiteralValue.day(of: first), LiteralValue.day(of: second)) : (first.seconds, second.seconds)
    return pair.0 < pair.1 ? .orderedAscending : pair.0 == pair.1 ? .orderedSame : .orderedDescending
  }
}

// MARK: - Checks that need no evaluation: types that can't be compared
extension ValueComparison {
  /// Returns the reason why two sides can't be compared, or `nil` if they can or have no values yet.
  var mismatch: ParseError? {
    let lefts: [NamedValue.Element]
    switch left.value {
    case .value(let json): lefts = [NamedValue.Element(path: left.shown, value: json)]
    case .elements(let elements): lefts = elements
    case .missing, nil: return nil
    }
    let (comparison, rights): (Comparison, [ValueOperand])
    switch test {
    case .compare(let sign, let right): (comparison, rights) = (sign, [right])
    case .among(let items): (comparison, rights) = (.equal, items)
    case .pattern: return nil
    }
    for right in rights {
      guard let json = right.value?.json else { continue }
      for element in lefts {
        guard let value = element.value else { continue }
        if let error = ValueComparison.mismatch(
          element.path, left: value, comparison: comparison, rightName: right.shown,
          right: right.comparedTo(value, json),
          asksForNull: left.asksForNull || right.asksForNull)
        {
          return error
        }
      }
    }
    return nil
  }

  private static func mismatch(
    _ leftName: String, left: JSON, comparison: Comparison, rightName: String, right: JSON, asksForNull: Bool
  ) -> ParseError? {
    guard comparison != .contains, comparison != .notContains else { return nil }
    switch (left, right) {
    case (.number, .number): return nil
    case (.number, _), (_, .number):
      if asksForNull, !comparison.isOrdering { return nil }
      if case .number = left { return notANumber(rightName, right) }
      return notANumber(leftName, left)
    case (.string(let one), .string(let two)):
      guard comparison.isOrdering, (Timestamp(one) == nil) != (Timestamp(two) == nil) else { return nil }
      return Timestamp(one) == nil ? notADate(leftName, left) : notADate(rightName, right)
    default:
      guard comparison.isOrdering else { return nil }
      if case .string = left { return withoutOrder(rightName, right) }
      return withoutOrder(leftName, left)
    }
  }

  /// Returns the expected type and the actual value of one side, by its name or as it is in the line.
  private static func instead(
    _ english: StyledText, ko korean: StyledText, name: String, value: JSON
  ) -> LocalizedText {
    if name.isEmpty {
      return LocalizedText(
        "\(english), not with \(value.described.english).", ko: "\(korean). 다른 값: \(value.described.korean)")
    }
    return LocalizedText(
      "\(english), and \(.field(name)) is \(value.described.english).",
      ko: "\(korean). \(.field(name)): \(value.described.korean)")
  }

  private static func notANumber(_ name: String, _ value: JSON) -> ParseError {
    var next: LocalizedText?
    if case .string(let text) = value, JSONNumber(text) != nil {
      next = LocalizedText(
        "Compare text with text: \(.command(Quoting.quote(text, always: true))).",
        ko: "텍스트는 텍스트와 비교하세요: \(.command(Quoting.quote(text, always: true)))")
    }
    return ParseError(
      instead("Numbers can only be compared with numbers", ko: "숫자는 숫자와만 비교할 수 있습니다", name: name, value: value),
      suggestion: next)
  }

  private static func notADate(_ name: String, _ value: JSON) -> ParseError {
    ParseError(instead("Dates can only be compared with dates", ko: "날짜는 날짜와만 비교할 수 있습니다", name: name, value: value))
  }

  private static func withoutOrder(_ name: String, _ value: JSON) -> ParseError {
    ParseError(
      instead(
        "Only two numbers or two texts can be compared by size",
        ko: "크기는 숫자끼리, 텍스트끼리만 비교할 수 있습니다", name: name, value: value),
      suggestion: LocalizedText(
        "Use \(.command("=")) or \(.command("!=")).", ko: "\(.command("="))이나 \(.command("!="), .object) 쓰세요."))
  }
}

extension ValueOperand {
  /// The variable as it is written, or an empty text for a value in the line.
  fileprivate var shown: String { name ?? "" }

  /// A Boolean value that indicates a bare `null`, which tests whether the other side is null.
  fileprivate var asksForNull: Bool { isBare && value == .value(.null) }

  /// Returns the value as interpreted next to another: `300ms` is a number of milliseconds next to a number, and `2022`
  /// typed after `~` a text.
  fileprivate func comparedTo(_ other: JSON, _ json: JSON) -> JSON {
    guard isBare, case .number = other, case .string(let text) = json else { return json }
    return JSON(duration: text) ?? json
  }
}

extension ValueComparison: CustomStringConvertible {
  package var description: String {
    switch test {
    case .compare(let comparison, let right): left.description + comparison.rawValue + right.description
    case .pattern(let pattern, let lacks): left.description + (lacks ? "!~" : "~") + pattern.description
    case .among(let items): left.description + " in (" + items.map(\.description).joined(separator: ", ") + ")"
    }
  }
}

extension FieldValue {
  /// Creates the value of a field for a comparison, or returns `nil` if the edition doesn't provide it.
  init?(_ field: ProductField, of product: Product, beside meaning: LiteralValue.Meaning) {
    let value: FieldValue?
    if meaning.isText {
      value = product.text(of: field).map { .text($0) }
    } else if field == .vendor, meaning == .me {
      // A vendor's number is more often known than the name.
      value = product.vendorID.map { .amount(Amount($0)) } ?? product.vendor.map { .text($0) }
    } else if case .timestamp(let moment)? = product[field] {
      value = .timestamp(moment)
    } else {
      value = product[field]?.numericValue.map { .amount($0) }
    }
    guard let value else { return nil }
    self = value
  }

  /// Creates a value from a literal: a number or a time if the other value is one, otherwise a text.
  init(_ literal: LiteralValue, beside meaning: LiteralValue.Meaning) {
    switch (literal.meaning, meaning) {
    case (.number(let number), .number): self = .amount(number)
    case (.days, .days), (.timestamp, .days), (.days, .timestamp), (.timestamp, .timestamp):
      self = Timestamp(literal.text).map { .timestamp($0) } ?? .text(literal.text)
    case (.text, _), (.me, _), (.pattern, _), (.relativeTime, _), (.fieldReference, _), (.number, _), (.days, _),
      (.timestamp, _):
      self = .text(literal.text)
    }
  }

  /// Returns the result, or `nil` if it is unknown, as for `me` without a login.
  ///
  /// A time that wasn't resolved has no certain value.
  ///
  /// - Throws: `ParseError` if a regular expression takes too long.
  func compared(_ comparison: Comparison, to right: LiteralValue, me: Vendor?) throws(ParseError) -> Bool? {
    switch (self, right.meaning) {
    case (.amount(let left), .number(let right)): comparison.holds(left, right)
    case (.amount(let left), .me): me.flatMap { comparison.holds(left, Amount($0.id)) }
    case (.timestamp(let left), .timestamp(let right)): comparison.holds(left.seconds, right.seconds)
    case (.timestamp(let left), .days(let right)): comparison.holds(LiteralValue.day(of: left), in: right)
    case (.text(let left), .me): me?.name.flatMap { FieldValue.texts(left, LiteralValue($0), by: comparison) }
    case (.text(let left), .pattern(let pattern)):
      try pattern.matches(left.nfcNormalized) == (comparison == .contains)
    case (.text(let left), _): FieldValue.texts(left, right, by: comparison)
    case (.amount, _), (.timestamp, _), (.number, _), (.pictures, _), (.references, _): nil
    }
  }

  /// Compares texts in NFC; containment also ignores case.
  private static func texts(_ left: String, _ right: LiteralValue, by comparison: Comparison) -> Bool? {
    switch comparison {
    case .contains: (right.searchPattern ?? CaseInsensitivePattern(right.text)).isContained(left)
    case .notContains: !(right.searchPattern ?? CaseInsensitivePattern(right.text)).isContained(left)
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .atLeast:
      comparison.holds(left.nfcNormalized, right.text.nfcNormalized)
    }
  }
}

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
  /// Returns whether two values compare so, or `nil` for containment, which isn't an order.
  @inline(__always) func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool? {
    switch self {
    case .equal: left == right
    case .notEqual: left != right
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .atLeast: left >= right
    case .contains, .notContains: nil
    }
  }

  /// Returns whether a value compares so with a range: equal is one of it, less is before the first, more is after the
  /// last; or `nil` for containment.
  func holds<Value: Comparable>(_ value: Value, in range: ClosedRange<Value>) -> Bool? {
    switch self {
    case .equal: range.contains(value)
    case .notEqual: !range.contains(value)
    case .less, .atLeast: holds(value, range.lowerBound)
    case .lessOrEqual, .greater: holds(value, range.upperBound)
    case .contains, .notContains: nil
    }
  }

  /// A Boolean value that indicates whether the operator applies to numbers.
  var appliesToNumbers: Bool {
    switch self {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .atLeast: true
    case .contains, .notContains: false
    }
  }
}
