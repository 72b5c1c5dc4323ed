import Foundation

/// The members of an object in their order. Of a key that is written twice the last one counts, as with the server's own
/// library (Jackson) and with JavaScript; `repeated` names such keys.
package struct JSONObject: Hashable, Sendable {
  package private(set) var keys: [String] = []
  package private(set) var repeated: [String] = []
  private var values: [String: JSON] = [:]

  package init(_ members: [(String, JSON)] = []) {
    for (key, value) in members { self[key] = value }
  }

  package subscript(key: String) -> JSON? {
    get { values[key] }
    set {
      guard let newValue else { return }
      if values.updateValue(newValue, forKey: key) == nil { keys.append(key) } else { repeated.append(key) }
    }
  }
}

/// Typed values of an object. A member that is missing or null is nil; one that cannot be read throws `JSONFault` with its
/// name and what stood there.
extension JSONObject {
  /// A whole number in any spelling: `7`, `7.0`, `7E0`, `"7"`.
  ///
  /// - Throws: `JSONFault` with the key, and what stood there instead.
  package func int(_ key: String) throws(JSONFault) -> Int? {
    guard let number = try number(key) else { return nil }
    guard let value = number.int else { throw JSONFault(field: key, found: number.literal) }
    return value
  }

  /// An exact decimal number in any spelling.
  ///
  /// - Throws: `JSONFault` with the key, and what stood there instead.
  package func decimal(_ key: String) throws(JSONFault) -> Decimal? {
    guard let number = try number(key) else { return nil }
    guard let value = number.decimal else { throw JSONFault(field: key, found: number.literal) }
    return value
  }

  /// A number as it was written, in any spelling: `6.0E7`, `999.99`, `"1000"`.
  ///
  /// - Throws: `JSONFault` with the key, and what stood there instead.
  package func number(_ key: String) throws(JSONFault) -> JSONNumber? {
    switch self[key] {
    case nil, .null: return nil
    case .number(let number): return number
    case .string(let text):
      guard let number = JSONNumber(text) else { throw JSONFault(field: key, found: .string(text)) }
      return number
    case .some(let other): throw JSONFault(field: key, found: other)
    }
  }

  /// A measured number, where the nearest binary fraction will do: degrees, seconds; never money.
  ///
  /// - Throws: `JSONFault` with the key, and what stood there instead.
  package func double(_ key: String) throws(JSONFault) -> Double? {
    guard let number = try number(key) else { return nil }
    guard let value = number.double else { throw JSONFault(field: key, found: number.literal) }
    return value
  }

  /// A text; a number or a truth value is taken as it was written.
  ///
  /// - Throws: `JSONFault` with the key, and what stood there instead.
  package func string(_ key: String) throws(JSONFault) -> String? {
    switch self[key] {
    case nil, .null: return nil
    case .string(let text): return text
    case .number(let number): return number.literal
    case .bool(let flag): return flag ? "true" : "false"
    case .some(let other): throw JSONFault(field: key, found: other)
    }
  }

  /// A truth value, also spelled as a text.
  ///
  /// - Throws: `JSONFault` with the key, and what stood there instead.
  package func bool(_ key: String) throws(JSONFault) -> Bool? {
    switch self[key] {
    case nil, .null: return nil
    case .bool(let flag): return flag
    case .string("true"): return true
    case .string("false"): return false
    case .some(let other): throw JSONFault(field: key, found: other)
    }
  }

  /// An object inside this one.
  ///
  /// - Throws: `JSONFault` with the key, and what stood there instead.
  package func object(_ key: String) throws(JSONFault) -> JSONObject? {
    switch self[key] {
    case nil, .null: return nil
    case .object(let object): return object
    case .some(let other): throw JSONFault(field: key, found: other)
    }
  }

  /// The elements of a list.
  ///
  /// - Throws: `JSONFault` with the key, and what stood there instead.
  package func array(_ key: String) throws(JSONFault) -> [JSON]? {
    switch self[key] {
    case nil, .null: return nil
    case .array(let elements): return elements
    case .some(let other): throw JSONFault(field: key, found: other)
    }
  }
}

/// A member that could not be read: which, and what stood there, short enough to be shown.
package struct JSONFault: Error, Hashable, Sendable {
  package var field: String
  package var found: String

  package init(field: String, found: String) {
    self.field = field
    self.found = found.count > 40 ? found.prefix(40) + "…" : found
  }

  package init(field: String, found: JSON) {
    let text =
      switch found {
      case .object: "{…}"
      case .array: "[…]"
      case .odd(let word): word
      case .null, .bool, .number, .string: found.text
      }
    self.init(field: field, found: text)
  }
}
