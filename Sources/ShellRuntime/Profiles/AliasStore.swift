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
