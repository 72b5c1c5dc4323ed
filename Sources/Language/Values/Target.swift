import Catalog

/// Which products a command means: `42`, `42,43`, `40-45`, `@3`, `@1-5`, `@all`, `_`, `mine`, `where EXPR`.
package enum Target: Hashable, Sendable {
  case ids([ClosedRange<Int>])
  /// Rows of the last listing, from 1.
  case rows([ClosedRange<Int>])
  case allRows
  /// `_`: the last product shown, made or changed.
  case last
  case mine
  /// `where EXPR`: every product of the market that it holds for.
  case matching(Expression)

  /// How many products one target may name by number; a slip of the finger must not become a million requests.
  package static let most = 10_000

  /// Reads a target as it stands in `Invocation.words`: one word, or `where` and an expression.
  package static func read(_ text: String, at range: Range<Int>? = nil) throws(Misread) -> Target {
    switch text {
    case "_": return .last
    case "mine": return .mine
    case "@all": return .allRows
    default: break
    }
    if text.hasPrefix("where ") { return .matching(try Expression.read(String(text.dropFirst(6)))) }
    let isRows = text.hasPrefix("@")
    let ranges = try TargetRanges.read(isRows ? String(text.dropFirst()) : text, whole: text, at: range)
    return isRows ? .rows(ranges) : .ids(ranges)
  }
}
