import CommandLanguage
import Foundation
import Platform
import Presentation
import Text

/// The saved settings of `set` and `format`, in a file of lines `set NAME VALUE` that can be edited by hand.
package struct SettingStore: Sendable {
  private let path: String

  package init(_ home: AppDirectories) { path = home.settingsFile }

  /// The name of the data format among the settings.
  package static let format = "format"

  /// Returns whether a setting is saved here.
  ///
  /// `confirm` belongs to a profile, because confirmations must not carry over from one market to another.
  package static func persists(_ name: String) -> Bool { name != "confirm" }

  /// Returns the saved settings by name.
  ///
  /// Empty lines and comments are ignored.
  ///
  /// - Parameter session: A session in which the values are tried.
  /// - Returns: The settings in the order of the lines.
  /// - Throws: `FileError` if the file can't be read; `.syntax` for a line that isn't a setting with a valid value.
  package func load(tryingIn session: Session) throws(FileError) -> [(name: String, value: String)] {
    guard let text = try Files.text(path) else { return [] }
    var session = session
    var settings: [(name: String, value: String)] = []
    for (index, line) in text.linesOfSettings {
      guard let setting = SettingStore.read(line) else { throw fault(index, SettingStore.reason(against: line)) }
      if let reason = SettingStore.reason(against: setting.name, setting.value, &session) { throw fault(index, reason) }
      settings.append(setting)
    }
    return settings
  }

  private func fault(_ line: Int, _ reason: LocalizedText) -> FileError {
    .syntax(path: path, line: line, reason: reason)
  }

  private static func reason(against line: String) -> LocalizedText {
    let word = String(line.split(separator: " ").first ?? "")
    guard word != "set", word != format, let near = SpellingSuggester.closest(word, in: ["set", format]) else {
      return LocalizedText(
        "expected \(.command("set NAME VALUE")) or \(.command("format NAME"))",
        ko: "\(.command("set NAME VALUE"))나 \(.command("format NAME")) 형식이어야 합니다")
    }
    return LocalizedText(
      "unknown word \(.foreign(word)) (did you mean \(.command(near))?)",
      ko: "알 수 없는 단어 \(.foreign(word)) (\(.command(near), .object) 뜻하셨나요?)")
  }

  /// Returns the reason why a setting can't be used, or `nil`.
  private static func reason(against name: String, _ value: String, _ session: inout Session) -> LocalizedText? {
    if name == format {
      let formats = OutputFormat.allCases.map(\.rawValue)
      return formats.contains(value) ? nil : unsuitable(value, name, of: formats)
    }
    guard persists(name) else {
      return LocalizedText(
        "\(.field(name)) belongs to a profile; use \(.command("profile add NAME \(name)=\(value)"))",
        ko: "\(.field(name)) 설정은 프로필에 속합니다. \(.command("profile add NAME \(name)=\(value)"), .object) 쓰세요")
    }
    guard let setting = Setting.byName[name] else {
      let names = Setting.all.map(\.name).filter { persists($0) }
      guard let near = SpellingSuggester.closest(name, in: names) else {
        let list = names.joined(separator: ", ")
        return LocalizedText(
          "unknown setting \(.foreign(name)); use one of \(list)", ko: "알 수 없는 설정 \(.foreign(name)); 쓸 수 있는 설정: \(list)"
        )
      }
      return LocalizedText(
        "unknown setting \(.foreign(name)) (did you mean \(.field(near))?)",
        ko: "알 수 없는 설정 \(.foreign(name)) (\(.field(near), .object) 뜻하셨나요?)")
    }
    guard !setting.set(&session, value) else { return nil }
    let words = if case .choice(let words) = setting.kind { words } else { setting.extraValue.map { [$0] } ?? [] }
    return unsuitable(value, name, of: words)
  }

  private static func unsuitable(_ value: String, _ name: String, of words: [String]) -> LocalizedText {
    if let near = SpellingSuggester.closest(value, in: words) {
      return LocalizedText(
        "invalid value for \(.field(name)): \(.foreign(value)) (did you mean \(.value(near))?)",
        ko: "\(.field(name))에 쓸 수 없는 값: \(.foreign(value)) (\(.value(near), .object) 뜻하셨나요?)")
    }
    return LocalizedText(
      "invalid value for \(.field(name)): \(.foreign(value))", ko: "\(.field(name))에 쓸 수 없는 값: \(.foreign(value))")
  }

  /// Saves a setting.
  ///
  /// All other lines of the file stay the same.
  ///
  /// - Throws: `FileError` if the file can't be read or written.
  package func save(_ name: String, _ value: String) throws(FileError) {
    try Files.withExclusiveLock(at: path) { () throws(FileError) in
      let old = try lines()
      var lines = old.filter { SettingStore.read($0)?.name != name }
      lines.append(name == SettingStore.format ? "format " + value : "set " + name + " " + value)
      guard lines != old else { return }
      try Files.write(Data(lines.map { $0 + "\n" }.joined().utf8), to: path, mode: 0o600)
    }
  }

  private func lines() throws(FileError) -> [String] {
    guard let text = try Files.text(path) else { return [] }
    return text.lines.filter { !$0.isEmpty }
  }

  private static func read(_ line: String) -> (name: String, value: String)? {
    let words = line.split(whereSeparator: \.isWhitespace).prefix { !$0.hasPrefix("#") }.map { String($0) }
    switch (words.first, words.count) {
    case ("set", 3): return (words[1], words[2])
    case ("format", 2): return (format, words[1])
    default: return nil
    }
  }
}

extension String {
  /// The lines of a settings file with their numbers from 1, without empty lines, comments and a byte order mark.
  var linesOfSettings: [(number: Int, text: String)] {
    let text = hasPrefix("\u{FEFF}") ? String(unicodeScalars.dropFirst()) : self
    return text.lines.enumerated().compactMap { index, line in
      let line = line.trimmed
      return line.isEmpty || line.hasPrefix("#") ? nil : (index + 1, line)
    }
  }
}
