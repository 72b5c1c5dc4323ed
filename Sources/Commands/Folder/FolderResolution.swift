import CommandLanguage
import Text

/// The side that wins a conflict between a folder and its market.
enum FolderResolution: Hashable, Sendable {
  case mine
  case theirs

  /// Reads the words `mine` and `theirs`.
  ///
  /// - Throws: `ParseError` if both are given.
  static func read(_ invocation: ParsedCommand) throws(ParseError) -> FolderResolution? {
    if invocation.has("mine"), invocation.has("theirs") { throw contradiction }
    return invocation.has("mine") ? .mine : invocation.has("theirs") ? .theirs : nil
  }

  static let contradiction = ParseError(
    LocalizedText(
      "\(.command("mine")) and \(.command("theirs")) cannot be combined.",
      ko: "\(.command("mine"))과 \(.command("theirs"))는 함께 쓸 수 없습니다."))
}
