import Foundation

/// An ordered JSON object.
///
/// The last of several equal keys counts, as in the server's own library (Jackson) and in JavaScript; `duplicateKeys` lists
/// such keys.
package struct JSONObject: Hashable, Sendable {
  package private(set) var keys: [String] = []
  package private(set) var duplicateKeys: [String] = []
  private var values: [String: JSON] = [:]

  package init(_ members: [(String, JSON)] = []) {
    for (key, value) in members { self[key] = value }
  }

  package subscript(key: String) -> JSON? {
    get { values[key] }
    set {
      guard let newValue else { return }
      if values.updateValue(newValue, forKey: key) == nil { keys.append(key) } else { duplicateKeys.append(key) }
    }
  }
}

/// Typed access to members.
///
/// A missing or null member is `nil`; one of the wrong type throws `JSONTypeError` with its key and value.
extension JSONObject {
  /// Returns an integer in any notation: `7`, `7.0`, `7E0`, `"7"`.
  ///
  /// - Throws: `JSONTypeError` for any other value.
  package func int(_ key: String) throws(JSONTypeError) -> Int? {
    guard let number = try number(key) else { return nil }
    guard let value = number.int else { throw JSONTypeError(field: key, found: number.literal) }
    return value
  }

  /// Returns an exact decimal number in any notation.
  ///
  /// - Throws: `JSONTypeError` for any other value.
  package func decimal(_ key: String) throws(JSONTypeError) -> Decimal? {
    guard let number = try number(key) else { return nil }
    guard let value = number.decimal else { throw JSONTypeError(field: key, found: number.literal) }
    return value
  }

  /// Returns a number with its literal, in any notation: `6.0E7`, `999.99`, `"1000"`.
  ///
  /// - Throws: `JSONTypeError` for any other value.
  package func number(_ key: String) throws(JSONTypeError) -> JSONNumber? {
    switch self[key] {
    case nil, .null: return nil
    case .number(let number): return number
    case .string(let text):
      guard let number = JSONNumber(text) else { throw JSONTypeError(field: key, found: .string(text)) }
      return number
    case .some(let other): throw JSONTypeError(field: key, found: other)
    }
  }

  /// Returns a string.
  ///
  /// A number or Boolean is returned as its literal.
  ///
  /// - Throws: `JSONTypeError` for any other value.
  package func string(_ key: String) throws(JSONTypeError) -> String? {
    switch self[key] {
    case nil, .null: return nil
    case .string(let text): return text
    case .number(let number): return number.literal
    case .bool(let flag): return flag ? "true" : "false"
    case .some(let other): throw JSONTypeError(field: key, found: other)
    }
  }

  /// Returns a Boolean, which may also be a string.
  ///
  /// - Throws: `JSONTypeError` for any other value.
  package func bool(_ key: String) throws(JSONTypeError) -> Bool? {
    switch self[key] {
    case nil, .null: return nil
    case .bool(let flag): return flag
    case .string("true"): return true
    case .string("false"): return false
    case .some(let other): throw JSONTypeError(field: key, found: other)
    }
  }

  /// Returns a nested object.
  ///
  /// - Throws: `JSONTypeError` for any other value.
  package func object(_ key: String) throws(JSONTypeError) -> JSONObject? {
    switch self[key] {
    case nil, .null: return nil
    case .object(let object): return object
    case .some(let other): throw JSONTypeError(field: key, found: other)
    }
  }

  /// Returns the elements of an array.
  ///
  /// - Throws: `JSONTypeError` for any other value.
  package func array(_ key: String) throws(JSONTypeError) -> [JSON]? {
    switch self[key] {
    case nil, .null: return nil
    case .array(let elements): return elements
    case .some(let other): throw JSONTypeError(field: key, found: other)
    }
  }
}
