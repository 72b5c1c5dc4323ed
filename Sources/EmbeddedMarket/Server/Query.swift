import Foundation

/// The query of an address: names and values decoded, `+` read as a blank, the first of equal names wins.
struct Query: Hashable, Sendable {
  private var values: [String: String] = [:]

  init(_ text: String) {
    for pair in text.split(separator: "&") {
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = Query.decoded(halves[0])
      if values[name] == nil { values[name] = halves.count == 2 ? Query.decoded(halves[1]) : "" }
    }
  }

  /// Every value by its name.
  var all: [String: String] { values }

  subscript(name: String) -> String? { values[name] }

  /// A whole number, or the default when it is missing or empty. Throws a 400 for anything else.
  func number(_ name: String, default standard: Int64) throws(Refusal) -> Int64 {
    guard let text = values[name], !text.isEmpty else { return standard }
    guard let number = Int64(text) else {
      throw .malformed("Failed to convert value of type 'String' to required type 'int'; For input string: \"\(text)\"")
    }
    return number
  }

  /// A broken percent sign stands for itself.
  private static func decoded(_ text: Substring) -> String {
    let spaced = String(text).replacingOccurrences(of: "+", with: " ")
    return spaced.removingPercentEncoding ?? spaced
  }
}
