import GRDBSQLite

/// Limits the expansion of common table expressions (`WITH a AS (…)`).
///
/// SQLite copies such a subquery at every reference, and recursively in every copy, before it calls the progress
/// handler, so the number of copies is checked first.
enum CopiedSubqueries {
  private static let maximumCount = 4_096

  static func isWithinLimit(in text: String) -> Bool {
    let words = tokenize(text)
    guard words.contains("with") else { return true }
    var count: [String: Int] = [:]
    for (index, word) in words.enumerated() where index + 1 == words.count || words[index + 1] != "." {
      count[word, default: 0] += 1
    }
    var copies = 1
    for name in definedNames(words) {
      // One occurrence is the definition.
      copies *= max(1, count[name, default: 1] - 1)
      if copies > maximumCount { return false }
    }
    return true
  }

  /// Returns the names before `AS (`, with or without a list of columns in between.
  private static func definedNames(_ words: [String]) -> Set<String> {
    var names: Set<String> = []
    for index in words.indices where words[index] == "as" && index > 0 {
      let next = words[(index + 1)...].first { !["not", "materialized"].contains($0) }
      guard next == "(" else { continue }
      var place = index - 1
      if words[place] == ")" {
        while place > 0, words[place] != "(" { place -= 1 }
        place -= 1
      }
      if place >= 0 { names.insert(words[place]) }
    }
    return names
  }

  /// Returns the lowercase words and the single symbols of a statement.
  ///
  /// Quoted names lose their quotes; strings and comments are omitted.
  static func tokenize(_ text: String) -> [String] {
    var result: [String] = []
    var rest = text.unicodeScalars[...]
    while let first = rest.first {
      if first.properties.isAlphabetic || first == "_" || ("0"..."9").contains(first) {
        let word = rest.prefix { $0.properties.isAlphabetic || $0 == "_" || $0 == "$" || ("0"..."9").contains($0) }
        result.append(String(word).lowercased())
        rest = rest.dropFirst(word.count)
      } else if first == "'" || first == "\"" || first == "`" || first == "[" {
        let end: Unicode.Scalar = first == "[" ? "]" : first
        let inner = rest.dropFirst().prefix { $0 != end }
        if first != "'" { result.append(String(inner).lowercased()) }
        rest = rest.dropFirst(inner.count + 2)
      } else if rest.starts(with: "--".unicodeScalars) {
        rest = rest.drop { $0 != "\n" }
      } else if rest.starts(with: "/*".unicodeScalars) {
        rest = rest.dropFirst(2)
        while !rest.isEmpty, !rest.starts(with: "*/".unicodeScalars) { rest = rest.dropFirst() }
        rest = rest.dropFirst(2)
      } else {
        if !first.properties.isWhitespace { result.append(String(first)) }
        rest = rest.dropFirst()
      }
    }
    return result
  }
}
