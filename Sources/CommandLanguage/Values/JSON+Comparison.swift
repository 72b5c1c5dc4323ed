import Catalog
import Foundation
import Networking
import Text

extension JSON {
  /// Returns the value of a word without quotes: a number, `true`, `false`, `null`, or otherwise a text.
  package init(bareWord text: String) {
    switch text {
    case "true": self = .bool(true)
    case "false": self = .bool(false)
    case "null": self = .null
    default: self.init(word: text)
    }
  }

  /// Returns a number if the text is one, otherwise a text.
  ///
  /// It is used for script arguments, whose quotes aren't known.
  package init(word text: String) {
    if let number = JSONNumber(text) {
      self = .number(number)
    } else if let plain = NumberLiteral.decimal(text), let number = JSONNumber(plain.description) {
      // `007` isn't a JSON number.
      self = .number(number)
    } else {
      self = .string(text)
    }
  }

  /// Returns a duration such as `300ms` or `1.5s` in milliseconds, the unit of `$p.ms`, or `nil`.
  init?(duration text: String) {
    let isMilliseconds = text.hasSuffix("ms")
    guard isMilliseconds || text.hasSuffix("s"),
      let amount = NumberLiteral.decimal(String(text.dropLast(isMilliseconds ? 2 : 1))),
      let number = JSONNumber((isMilliseconds ? amount : amount * 1_000).description)
    else { return nil }
    self = .number(number)
  }

  /// The text that `echo` prints: a string as it is, anything else as JSON on one line.
  package var plainText: String {
    if case .string(let text) = self { return text }
    return serialized
  }

  /// The number as an exact decimal, or `nil` for other types and for more digits than an `Amount` has.
  package var amount: Amount? {
    guard case .number(let number) = self else { return nil }
    if let (units, exponent) = number.decimalComponents { return Amount(units: units, exponent: exponent) }
    return number.decimal.map { Amount($0) }
  }

  /// Returns whether both values are equal: numbers by value (`1` and `1.0`), texts in NFC, objects in any order.
  package func equals(_ other: JSON) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.number(let left), .number(let right)): left.compared(to: right) == .orderedSame
    case (.string(let left), .string(let right)): left.nfcNormalized == right.nfcNormalized
    case (.invalidLiteral(let left), .invalidLiteral(let right)): left == right
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.equals($1) }
    case (.object(let left), .object(let right)):
      left.keys.count == right.keys.count
        && left.keys.allSatisfy { key in
          guard let one = left[key], let two = right[key] else { return false }
          return one.equals(two)
        }
    case (.null, _), (.bool, _), (.number, _), (.string, _), (.invalidLiteral, _), (.array, _), (.object, _): false
    }
  }

  /// The value with its type, for messages: `the number 5`, `the text "5"`, `null`, `a list of 3`.
  package var described: LocalizedText {
    switch self {
    case .null, .bool: LocalizedText(same: "\(.foreign(serialized))")
    case .number: LocalizedText("the number \(.foreign(shortened))", ko: "수 \(.foreign(shortened))")
    case .string: LocalizedText("the text \(.foreign(shortened))", ko: "텍스트 \(.foreign(shortened))")
    case .invalidLiteral(let word):
      LocalizedText("\(.foreign(word)), which is not JSON", ko: "JSON이 아닌 \(.foreign(word))")
    case .array(let elements): LocalizedText("a list of \(elements.count)", ko: "원소가 \(elements.count)개인 배열")
    case .object: LocalizedText("an object", ko: "객체")
    }
  }

  /// The value as JSON, truncated after 60 characters.
  package var shortened: String { serialized.count > 60 ? serialized.prefix(60) + "…" : serialized }
}
