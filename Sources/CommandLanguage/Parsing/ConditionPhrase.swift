import Catalog
import Text

/// A condition in everyday words: `재고 5 이하`, `stock under 5`, `sold out`.
struct ConditionPhrase {
  /// The condition in the notation of this language.
  let condition: String

  private static let comparisons: [String: String] = [
    "이하": "<=", "이상": ">=", "미만": "<", "초과": ">", "under": "<", "below": "<", "less": "<", "over": ">", "above": ">",
    "more": ">", "least": ">=", "most": "<=",
  ]
  private static let soldOut: Set = ["soldout", "sold-out", "품절", "매진"]
  /// The number of words after the field that can belong to the condition: `stock is less than 5`.
  private static let longest = 4

  /// Finds the condition, or returns `nil` for other words.
  ///
  /// - Parameters:
  ///   - word: The first word: a field, or one that means that a product is sold out.
  ///   - rest: The words after it.
  init?(_ word: Word, followedBy rest: ArraySlice<Word>) {
    guard let first = word.bare?.nfcNormalized else { return nil }
    if ConditionPhrase.soldOut.contains(first.lowercased())
      || (first.lowercased() == "sold" && rest.first?.bare?.lowercased() == "out")
    {
      condition = "stock=0"
      return
    }
    guard let field = FieldNameTable.editionIndependent.field(first), field.isNumber else { return nil }
    var number: String?
    var comparison: String?
    for bare in rest.prefix(ConditionPhrase.longest).compactMap({ $0.bare?.nfcNormalized.lowercased() }) {
      if let found = ConditionPhrase.comparisons[bare] {
        comparison = comparison ?? found
      } else if number == nil, let match = bare.wholeMatch(of: /([0-9][0-9,.]*)(?:개|원)?(이하|이상|미만|초과)?/) {
        number = String(match.1).replacing(",", with: "")
        comparison = comparison ?? match.2.flatMap { ConditionPhrase.comparisons[String($0)] }
      } else if !["is", "are", "than", "at", "가", "이"].contains(bare) {
        break
      }
    }
    guard let number else { return nil }
    condition = first + (comparison ?? "=") + number
  }
}
