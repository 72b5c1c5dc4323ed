import Catalog
import Text

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
  ///
  /// - Throws: `ParseError` for what names no products.
  package static func read(_ text: String, at range: Range<Int>? = nil) throws(ParseError) -> Target {
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

/// Numbers and ranges of numbers, `42,43,50-60`, in the order typed.
enum TargetRanges {
  static func read(_ text: String, whole: String, at range: Range<Int>?) throws(ParseError) -> [ClosedRange<Int>] {
    var result: [ClosedRange<Int>] = []
    var count = 0
    for piece in text.split(separator: ",", omittingEmptySubsequences: false) {
      // A row's sign may be repeated: `@1,@3`.
      let piece = whole.hasPrefix("@") && piece.hasPrefix("@") ? piece.dropFirst() : piece
      // And so at the other end: `@1-@3`.
      let ends = piece.split(separator: "-", omittingEmptySubsequences: false).enumerated().map { place, end in
        whole.hasPrefix("@") && place == 1 && end.hasPrefix("@") ? end.dropFirst() : end
      }
      guard ends.count <= 2, let first = number(ends[0]), let last = number(ends[ends.count - 1]) else {
        throw notATarget(whole, at: range)
      }
      guard first <= last else { throw wrongWay(first, last, at: range) }
      count += last - first + 1
      guard count <= Target.most else { throw tooMany(whole, at: range) }
      result.append(first...last)
    }
    return result
  }

  /// From 1, at most 15 digits, so that adding them up cannot overflow.
  private static func number(_ text: Substring) -> Int? {
    guard (1...15).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int(text).flatMap { $0 > 0 ? $0 : nil }
  }

  private static func notATarget(_ text: String, at range: Range<Int>?) -> ParseError {
    ParseError(
      LocalizedText("\(text) names no product.", ko: "\(text, .topic) 상품을 가리키지 않습니다."),
      next: LocalizedText(
        "A target is \(.command("42")), \(.command("42,43")), \(.command("40-45")), \(.command("@3")), \(.command("@all")), \(.command("_")), \(.command("mine")) or \(.command("where EXPR")).",
        ko:
          "대상은 \(.command("42")), \(.command("42,43")), \(.command("40-45")), \(.command("@3")), \(.command("@all")), \(.command("_")), \(.command("mine")), \(.command("where EXPR"))처럼 씁니다."
      ), at: range)
  }

  private static func wrongWay(_ first: Int, _ last: Int, at range: Range<Int>?) -> ParseError {
    ParseError(
      LocalizedText("The range is the wrong way round.", ko: "범위의 앞뒤가 바뀌었습니다."),
      next: LocalizedText(
        "Did you mean \(.command("\(last)-\(first)"))?", ko: "\(.command("\(last)-\(first)"), .object) 뜻하셨나요?"),
      at: range)
  }

  private static func tooMany(_ text: String, at range: Range<Int>?) -> ParseError {
    ParseError(
      LocalizedText(
        "\(text) names more than \(Target.most) products.", ko: "\(text, .topic) 상품을 \(Target.most)개 넘게 가리킵니다."),
      next: LocalizedText(
        "\(.command("where EXPR")) chooses by what they are.", ko: "\(.command("where EXPR"))로 조건에 맞는 상품만 고를 수 있습니다."),
      at: range)
  }
}
