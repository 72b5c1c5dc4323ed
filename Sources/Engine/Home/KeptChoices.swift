import Foundation
import Language
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

  /// The command of such a line.
  package static let command = "alias"

  /// Returns the aliases.
  ///
  /// Other lines, such as comments, are ignored.
  ///
  /// - Throws: `FileError` if the file can't be read.
  package func load() throws(FileError) -> [String: String] {
    var aliases: [String: String] = [:]
    for line in try lines() {
      if let (name, text) = read(line) { aliases[name] = text }
    }
    return aliases
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
  /// Other lines, such as comments, are ignored.
  ///
  /// - Throws: `FileError` if the file can't be read.
  package func load() throws(FileError) -> [(name: String, value: String)] {
    try lines().compactMap { SettingStore.read($0) }
  }

  /// Saves a setting.
  ///
  /// All other lines of the file stay the same.
  ///
  /// - Throws: `FileError` if the file can't be read or written.
  package func keep(_ name: String, _ value: String) throws(FileError) {
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
    let words = line.split(separator: " ").map { String($0) }
    switch (words.first, words.count) {
    case ("set", 3): return (words[1], words[2])
    case ("format", 2): return (format, words[1])
    default: return nil
    }
  }
}
