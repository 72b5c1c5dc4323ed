import Catalog
import Foundation

// Comparisons of a value with the value that was sent.
extension FieldValue {
  /// Returns whether the values are equal, ignoring white space around texts, which servers may trim.
  func isSame(as other: FieldValue) -> Bool {
    guard case .text(let left) = self, case .text(let right) = other else { return self == other }
    return left.trimmingCharacters(in: .whitespacesAndNewlines) == right.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Returns whether both texts are equal in the form in which servers store them: truncated at the first NUL, without
  /// control characters, with runs of white space as one space.
  func isForm(of wanted: FieldValue) -> Bool {
    guard case .text(let text) = self, case .text(let goal) = wanted else { return false }
    return FieldValue.plain(text) == FieldValue.plain(goal)
  }

  private static func plain(_ text: String) -> String {
    let scalars = text.unicodeScalars.prefix { $0 != "\0" }
    let words = scalars.split { $0.properties.isWhitespace }.map { word in
      String(String.UnicodeScalarView(word.filter { $0.properties.generalCategory != .control }))
    }
    return words.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Returns whether the value is a reduced form of `wanted`: the beginning of a text, a text in another case, an
  /// amount with fewer decimals.
  func isReduced(from wanted: FieldValue) -> Bool {
    switch (self, wanted) {
    case (.text(let text), .text(let goal)):
      !text.isEmpty && (goal.hasPrefix(text) || goal.lowercased() == text.lowercased())
    case (.amount(let amount), .amount(let goal)):
      goal.hasFraction && amount - goal < Amount(1) && goal - amount < Amount(1)
        && (0...2).contains { amount.rounded(to: $0) == amount }
    case (.text, _), (.amount, _), (.number, _), (.timestamp, _), (.pictures, _): false
    }
  }
}
