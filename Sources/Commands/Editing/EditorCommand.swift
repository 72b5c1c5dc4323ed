import Catalog
import Engine
import Platform
import Presentation
import Text

/// The editor a person named in `$VISUAL` or `$EDITOR`, as words: no shell ever reads it.
package enum EditorCommand {
  /// Throws ``Failure`` when it cannot be taken apart, or holds `--`, behind which a file could not be told from an option.
  package static func words(_ environment: [String: String]) throws -> [String] {
    let named = ["VISUAL", "EDITOR"].first { !(environment[$0] ?? "").allSatisfy(\.isWhitespace) }
    guard let named, let text = environment[named] else { return ["vi"] }
    guard let words = split(text), !words.isEmpty else {
      throw refused(named, text, Wording("A quote in it is not closed.", ko: "닫지 않은 따옴표가 있습니다."))
    }
    if words.contains("--") {
      throw refused(
        named, text,
        Wording("\(.value("--")) in it is refused.", ko: "안에 있는 \(.value("--")) 때문에 쓰지 않습니다."))
    }
    return words
  }

  /// Blanks part words; quotes of both kinds and backslashes keep what they hold together. Nil for an open quote.
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

  private static func refused(_ name: String, _ text: String, _ reason: Wording) -> Failure {
    Failure(
      .heldBack,
      .failure(
        "\(.value("$" + name)) cannot be used: \(.foreign(text))",
        ko: "\(.value("$" + name)), 쓸 수 없습니다: \(.foreign(text))"
      ).because(reason))
  }
}
