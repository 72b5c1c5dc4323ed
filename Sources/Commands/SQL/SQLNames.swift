import Catalog
import CommandLanguage
import History
import MarketOperations
import ShellRuntime

/// The translation of Korean headings to column names in a query.
enum SQLNames {
  /// Returns the query with each heading replaced by its column.
  ///
  /// Strings, quoted names and comments stay the same.
  static func translated(_ query: String) -> String {
    guard query.unicodeScalars.contains(where: { !$0.isASCII }) else { return query }
    let isOfProducts = [SQLTable.products, .history, .texts].contains { query.lowercased().contains($0.rawValue) }
    let scalars = Array(query.unicodeScalars)
    var result = String.UnicodeScalarView()
    var index = 0
    while index < scalars.count {
      let start = index
      if let end = quoteEnd(scalars, from: index) {
        index = end
        result.append(contentsOf: scalars[start..<end])
      } else if Lexer.isNameStart(scalars[index]) {
        while index < scalars.count, Lexer.isName(scalars[index]) { index += 1 }
        let word = String(scalars[start..<index])
        result.append(contentsOf: (column(word, isOfProducts) ?? word).unicodeScalars)
      } else {
        result.append(scalars[index])
        index += 1
      }
    }
    return String(result)
  }

  private static func column(_ word: String, _ isOfProducts: Bool) -> String? {
    if word.unicodeScalars.allSatisfy(\.isASCII) { return nil }
    return isOfProducts ? FieldNameTable.editionIndependent.field(word)?.rawValue : CallColumns.table([]).titles[word]
  }

  /// Returns the end of a string, a quoted name or a comment that begins at `start`, or `nil`.
  private static func quoteEnd(_ scalars: [Unicode.Scalar], from start: Int) -> Int? {
    func end(after opening: Int, _ isEnd: (Int) -> Int?) -> Int {
      var index = start + opening
      while index < scalars.count {
        if let end = isEnd(index) { return end }
        index += 1
      }
      return scalars.count
    }
    func follows(_ index: Int, _ scalar: Unicode.Scalar) -> Bool {
      index + 1 < scalars.count && scalars[index + 1] == scalar
    }
    switch scalars[start] {
    case "'", "\"", "`": return end(after: 1) { scalars[$0] == scalars[start] ? $0 + 1 : nil }
    case "[": return end(after: 1) { scalars[$0] == "]" ? $0 + 1 : nil }
    case "-" where follows(start, "-"): return end(after: 2) { scalars[$0] == "\n" ? $0 : nil }
    case "/" where follows(start, "*"): return end(after: 2) { scalars[$0] == "*" && follows($0, "/") ? $0 + 2 : nil }
    default: return nil
    }
  }
}
