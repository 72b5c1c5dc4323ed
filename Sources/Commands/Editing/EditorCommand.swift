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

  /// The editors that run in the terminal, and so return only when they are left.
  private static let terminalEditors: Set = [
    "dte", "ed", "ex", "hx", "helix", "jed", "joe", "jpico", "jstar", "kak", "mcedit", "mg", "micro", "nano", "ne",
    "nvi",
    "nvim", "pico", "rnano", "rvim", "tilde", "vi", "view", "vim", "vim.basic", "vim.tiny", "vis", "zile",
  ]

  /// Returns whether the editor may have returned while its window still has the file open.
  package static func mayHaveWindow(_ words: [String]) -> Bool {
    guard let name = words.first?.split(separator: "/").last.map(String.init) else { return true }
    if name == "emacs" || name == "emacsclient" {
      return !words.contains { ["-nw", "-t", "-tty", "--tty", "--no-window-system"].contains($0) }
    }
    return !terminalEditors.contains(name)
  }

  /// Returns the note that a file stays because the editor has not changed it, with the option that makes editors wait.
  package static func untouched(_ path: String) -> Message {
    .note(
      "The editor returned and left the file as it was. It is kept: \(.value(path))",
      ko: "편집기가 파일을 그대로 두고 끝났습니다. 파일은 남겨 둡니다: \(.value(path))"
    ).next(
      "A graphical editor needs an option that makes it wait: \(.command("VISUAL='code --wait'"))",
      ko: "창을 여는 편집기는 닫힐 때까지 기다리는 옵션이 필요합니다: \(.command("VISUAL='code --wait'"))")
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
