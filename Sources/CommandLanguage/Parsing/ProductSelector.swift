/// The selection of products for a command: `42`, `42,43`, `40-45`, `@3`, `@1-5`, `@all`, `_`, `mine`, `where EXPR`.
package enum ProductSelector: Hashable, Sendable {
  case ids([ClosedRange<Int>])
  /// Rows of the last listing, counted from 1.
  case rows([ClosedRange<Int>])
  case allRows
  /// The last product shown, created or changed: `_`.
  case last
  case mine
  /// Every product of the market that satisfies a condition: `where EXPR`.
  case matching(Condition)

  /// The maximum number of products selected by number, so that a typing error doesn't cause a million requests.
  package static let maxCount = 10_000

  /// Parses a target: one word, or `where` and an expression.
  ///
  /// - Throws: `ParseError` for other text.
  package static func read(_ text: String, at range: Range<Int>? = nil) throws(ParseError) -> ProductSelector {
    switch text {
    case "_": return .last
    case "mine": return .mine
    case "@all": return .allRows
    default: break
    }
    if text.hasPrefix("where ") { return .matching(try Condition.read(String(text.dropFirst(6)))) }
    let isRows = text.hasPrefix("@")
    let ranges = try IDRanges.read(isRows ? String(text.dropFirst()) : text, whole: text, at: range)
    return isRows ? .rows(ranges) : .ids(ranges)
  }
}
