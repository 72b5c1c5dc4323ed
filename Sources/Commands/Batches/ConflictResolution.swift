import CommandLanguage
import Text

/// The side whose value is used where both a file and the server changed it: `keep file` or `keep server`.
package enum ConflictResolution: String, Hashable, Sendable, CaseIterable {
  case file
  case server

  /// Reads the value of `keep`, or returns `nil` if the line doesn't have one.
  init?(_ invocation: ParsedCommand) {
    guard let side = invocation.text("keep").flatMap({ ConflictResolution(rawValue: $0) }) else { return nil }
    self = side
  }

  /// The words of versions before 0.3, in which `mine` also chose the vendor's own products.
  static let replacedWords = ["mine": "keep file", "theirs": "keep server"]

  /// Returns the parameter, whose summary says what becomes of the values.
  static func parameter(_ summary: LocalizedText) -> Parameter {
    Parameter("keep", .option, .choice(ConflictResolution.allCases.map(\.rawValue)), summary)
  }
}
