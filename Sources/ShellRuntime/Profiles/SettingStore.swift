import Foundation
import Platform
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
    let words = line.split(separator: " ").map { String($0) }
    switch (words.first, words.count) {
    case ("set", 3): return (words[1], words[2])
    case ("format", 2): return (format, words[1])
    default: return nil
    }
  }
}
