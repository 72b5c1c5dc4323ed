import Foundation
import Platform
import Presentation
import ShellRuntime
import Text

/// The editor in `$VISUAL` or `$EDITOR`, split into words without a shell.
package enum EditorCommand {
  /// Returns the words of the command, or `vi` if no editor is set.
  ///
  /// - Throws: `CommandError` if it can't be split, or contains `--`, after which a file name can't be distinguished from an
  ///   option.
  package static func words(_ environment: Environment) throws -> [String] {
    let named = ["VISUAL", "EDITOR"].first { !(environment[$0] ?? "").allSatisfy(\.isWhitespace) }
    guard let named, let text = environment[named] else { return ["vi"] }
    guard let words = split(text), !words.isEmpty else {
      throw refused(named, text, LocalizedText("It has an unclosed quote.", ko: "닫지 않은 따옴표가 있습니다."))
    }
    if words.contains("--") {
      throw refused(
        named, text,
        LocalizedText("It must not contain \(.value("--")).", ko: "\(.value("--"), .topic) 쓸 수 없습니다."))
    }
    return words
  }

  /// Splits a command at spaces, or returns `nil` for an unclosed quote.
  ///
  /// Quotes and backslashes protect what they contain.
  package static func split(_ text: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var characters = text[...]
    while let character = characters.popFirst() {
      switch (character, quote) {
      case ("\\", nil), ("\\", "\""): word = (word ?? "") + (characters.popFirst().map { String($0) } ?? "")
      case ("'", nil), ("\"", nil): (quote, word) = (character, word ?? "")
      case (_, character): quote = nil
      case (_, nil) where character.isWhitespace:
        if let done = word { words.append(done) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    return quote == nil ? words : nil
  }

  private static func refused(_ name: String, _ text: String, _ reason: LocalizedText) -> CommandError {
    CommandError(
      .blocked,
      .failure(
        "Cannot run \(.value("$" + name)): \(.foreign(text))",
        ko: "\(.value("$" + name), .object) 사용할 수 없습니다: \(.foreign(text))"
      ).because(reason))
  }
}
