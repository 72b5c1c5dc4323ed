import Foundation

/// The members of a JSON object with the conversions of Jackson: numbers also from strings, null as absent, unknown
/// members ignored, and in the editions of 2022 what follows the object.
struct JSONParameters: Sendable {
  /// The maximum price.
  ///
  /// No larger one was ever captured, and up to here every unit is exact.
  static let maximumMoney: Int64 = 999_999_999_999_999

  /// The maximum number of values in a body, of which a dozen mean something: each takes as much time as a hundred bytes of a text.
  private static let maximumValues = 1000

  private let json: WireJSON

  init(_ bytes: Data, passesOverRest: Bool = true) throws(MarketHTTPError) {
    do {
      json = try WireJSONReader.read(
        bytes, passesOverRest: passesOverRest, maximumValues: JSONParameters.maximumValues)
    } catch {
      throw .malformed(
        "JSON parse error: \(error.what) (line: 1, column: \(error.at + 1))",
        vapor: "Data corrupted at path ''. The given data was not valid JSON.",
        pattern: "JSON parse error: \(error.what) (line: 1, column: …)")
    }
    guard case .object = json else {
      throw .malformed(
        "JSON parse error: an object is expected (line: 1, column: 1)",
        vapor: "Value of type 'Dictionary<String, Any>' required for key ''.")
    }
  }

  func text(_ key: String) throws(MarketHTTPError) -> String? {
    switch json[key] {
    case .text(let text):
      guard !text.contains("\0") else { throw .nul(key) }
      return text
    case .number(let digits): return digits
    case .bool(let value): return value ? "true" : "false"
    case .null, nil: return nil
    case .list, .object: throw wrong(key, "String")
    }
  }

  func price(_ key: String) throws(MarketHTTPError) -> DecimalPrice? {
    guard let text = try digits(key, "Double") else { return nil }
    guard let number = DecimalPrice(text) else { throw wrong(key, "Double") }
    guard number <= DecimalPrice(integer: JSONParameters.maximumMoney) else {
      throw .malformed("\(key): must be less than or equal to \(JSONParameters.maximumMoney)")
    }
    return number
  }

  func whole(_ key: String) throws(MarketHTTPError) -> Int64? {
    guard let text = try digits(key, "Integer") else { return nil }
    // `5.0` and `5e1` are integers; `5.7` is truncated, as Jackson does.
    guard let exact = DecimalPrice(text), let number = Int64(exact.whole) else { throw wrong(key, "Integer") }
    return number
  }

  func required<Value>(_ value: Value?, _ key: String) throws(MarketHTTPError) -> Value {
    guard let value else { throw .missing(key) }
    return value
  }

  private func digits(_ key: String, _ type: String) throws(MarketHTTPError) -> String? {
    switch json[key] {
    case .number(let digits): return digits
    case .text(let text): return text.isEmpty ? nil : text
    case .null, nil: return nil
    case .bool, .list, .object: throw wrong(key, type)
    }
  }

  private func wrong(_ key: String, _ type: String) -> MarketHTTPError {
    let vapor = type == "Integer" ? "Int" : type
    return .malformed(
      "JSON parse error: Cannot deserialize value of '\(key)' as `\(type)`",
      vapor: "Value of type '\(vapor)' required for key '\(key)'.")
  }
}
