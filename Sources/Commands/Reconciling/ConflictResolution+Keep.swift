import Catalog
import CommandLanguage
import Text

extension ConflictResolution {
  /// Reads the value of `keep`, or returns `nil` if the line doesn't have one.
  init?(_ invocation: ParsedCommand) {
    guard let side = invocation.text("keep").flatMap({ ConflictResolution(rawValue: $0) }) else { return nil }
    self = side
  }

  /// The words of versions before 0.3, in which `mine` also chose the vendor's own products.
  static let replacedWords = ["mine": "keep file", "theirs": "keep server"]

  /// Returns the parameter, whose summary says what becomes of the values.
  static func parameter(_ summary: LocalizedText) -> Parameter {
    Parameter("keep", .option, kind: .choice(ConflictResolution.allCases.map(\.rawValue)), summary: summary)
  }
}
