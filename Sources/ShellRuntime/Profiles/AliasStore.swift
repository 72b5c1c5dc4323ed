import CommandLanguage
import Foundation
import Platform
import Text

/// The user's aliases, in a file of lines `alias NAME = LINE` that can be edited by hand.
package struct AliasStore: Sendable {
  private let path: String
  private let grammar: @Sendable () -> CommandParser

  /// Creates a store.
  ///
  /// `grammar` parses the lines and decides which words can be names; it is created only if there are any.
  package init(_ home: AppDirectories, _ grammar: @autoclosure @escaping @Sendable () -> CommandParser) {
    path = home.aliasesFile
    self.grammar = grammar
  }

  /// The word that a line of the file begins with.
  package static let command = "alias"

  /// Returns the aliases.
  ///
  /// Empty lines and comments are ignored.
  ///
  /// - Throws: `FileError` if the file can't be read; `.syntax` for a line that isn't an alias.
  package func load() throws(FileError) -> [String: String] {
    guard let text = try Files.text(path) else { return [:] }
    var aliases: [String: String] = [:]
    for (number, line) in text.linesOfSettings {
      guard let (name, text) = read(line) else {
        throw .syntax(path: path, line: number, reason: reason(against: line))
      }
      aliases[name] = text
    }
    return aliases
  }

  private func reason(against line: String) -> LocalizedText {
    let word = String(line.split(separator: " ").first ?? "")
    if word != AliasStore.command, let near = SpellingSuggester.closest(word, in: [AliasStore.command]) {
      return LocalizedText(
        "unknown word \(.foreign(word)) (did you mean \(.command(near))?)",
        ko: "알 수 없는 단어 \(.foreign(word)) (\(.command(near), .object) 뜻하셨나요?)")
    }
    let form = "alias NAME = LINE"
    guard word == AliasStore.command else {
      return LocalizedText("expected \(.command(form))", ko: "\(.command(form)) 형식이어야 합니다")
    }
    do throws(ParseError) {
      guard let name = try grammar().read(line).first?.text("NAME"), !grammar().canBeAlias(name) else {
        return LocalizedText("expected \(.command(form))", ko: "\(.command(form)) 형식이어야 합니다")
      }
      return LocalizedText(
        "\(.foreign(name)) is a command, or no name for one", ko: "\(.foreign(name), .topic) 명령이거나 명령 이름으로 쓸 수 없습니다")
    } catch {
      let text = error.message
      return LocalizedText(
        "\(text.english.plain.trimmingSentenceEnd)", ko: "\(text.korean.plain.trimmingSentenceEnd)")
    }
  }

  /// Sets or removes an alias.
  ///
  /// All other lines of the file stay the same.
  ///
  /// - Throws: `FileError` if the file can't be read or written.
  package func set(_ name: String, _ line: String?) throws(FileError) {
    try Files.withExclusiveLock(at: path) { () throws(FileError) in
      var lines = try lines().filter { read($0)?.name != name }
      if let line { lines.append("alias \(name) = \(Quoting.quote(line, always: true))") }
      try Files.write(Data(lines.map { $0 + "\n" }.joined().utf8), to: path, mode: 0o600)
    }
  }

  private func lines() throws(FileError) -> [String] {
    guard let text = try Files.text(path) else { return [] }
    return text.lines.filter { !$0.isEmpty }
  }

  private func read(_ line: String) -> (name: String, text: String)? {
    guard let invocation = try? grammar().read(line).first, invocation.command == AliasStore.command,
      let name = invocation.text("NAME"), invocation.has("="), let text = invocation.text("LINE"),
      grammar().canBeAlias(name)
    else { return nil }
    return (name, text)
  }
}

extension String {
  /// The text without the period of a sentence.
  fileprivate var trimmingSentenceEnd: String { hasSuffix(".") ? String(dropLast()) : self }
}
