import Catalog
import Foundation
import Networking
import Text

extension JSON {
  /// Returns the value at a path, or `nil` if there is none.
  ///
  /// `length` is the number of elements, members or characters of an array, an object or a text. A path with `[*]` has
  /// no value here; use `elements(at:named:)`.
  package func value(at steps: some Collection<ValuePath.Step>) -> JSON? {
    var current = self
    for step in steps {
      guard let next = current.member(step) else { return nil }
      current = next
    }
    return current
  }

  private func member(_ step: ValuePath.Step) -> JSON? {
    switch (self, step) {
    case (.object(let object), .key(let name)):
      return object[name] ?? (name == "length" ? .int(object.keys.count) : nil)
    case (.array(let elements), .index(let index)):
      let position = index < 0 ? elements.count + index : index
      return elements.indices.contains(position) ? elements[position] : nil
    case (.array(let elements), .key("length")): return .int(elements.count)
    case (.string(let text), .key("length")): return .int(text.count)
    case (.null, _), (.bool, _), (.number, _), (.string, _), (.invalidLiteral, _), (.array, _), (.object, _): return nil
    }
  }

  /// Returns the values at a path with `[*]`, or `nil` if it is applied to something other than an array.
  ///
  /// `name` is the name of this value, such as `$p`.
  package func elements(at steps: some Collection<ValuePath.Step>, named name: String) -> [NamedValue.Element]? {
    guard let star = steps.firstIndex(of: .every) else {
      let path = name + steps.map(ValuePath.text).joined()
      return [NamedValue.Element(path: path, value: value(at: steps))]
    }
    guard case .array(let values)? = value(at: steps[..<star]) else { return nil }
    let prefix = name + steps[..<star].map(ValuePath.text).joined()
    var result: [NamedValue.Element] = []
    for (index, value) in values.enumerated() {
      let rest = steps[steps.index(after: star)...]
      guard let found = value.elements(at: rest, named: "\(prefix)[\(index)]") else { return nil }
      result += found
    }
    return result
  }
}

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
