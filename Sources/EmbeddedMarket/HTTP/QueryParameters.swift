import Foundation

/// The query of a URL: names and values decoded, `+` as a space.
///
/// The first of equal names counts, except for numbers.
struct QueryParameters: Hashable, Sendable {
  private var values: [String: String] = [:]
  private var repeated: Set<String> = []

  init(_ text: String) {
    for pair in text.split(separator: "&") {
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = QueryParameters.decoded(halves[0])
      if values[name] != nil { repeated.insert(name) }
      if values[name] == nil { values[name] = halves.count == 2 ? QueryParameters.decoded(halves[1]) : "" }
    }
  }

  /// All values by name.
  var all: [String: String] { values }

  subscript(name: String) -> String? { values[name] }

  /// Returns an integer, or the default if it is missing or empty.
  ///
  /// Throws a 400 for any other value, and if it is repeated.
  func number(_ name: String, default standard: Int64) throws(MarketHTTPError) -> Int64 {
    if repeated.contains(name) { throw .malformed("\(name): was given more than once") }
    guard let text = values[name], !text.isEmpty else { return standard }
    guard let number = Int64(text) else { throw .noNumber(text, name) }
    return number
  }

  /// Decodes a text; with an invalid escape it is left as it is.
  private static func decoded(_ text: Substring) -> String {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else { return String(text) }
    let spaced = String(text).replacingOccurrences(of: "+", with: " ")
    return spaced.removingPercentEncoding ?? spaced
  }
}
