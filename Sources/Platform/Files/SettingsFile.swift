import Text

/// A settings file in TOML, whose errors are reported with their lines.
///
/// Its `version` is that of the file format. A file without one, as users write it, has version 1.
package struct SettingsFile {
  package static let version = 1

  package let path: String
  package private(set) var root: [String: TOML]
  private let lines: [[String]: Int]

  /// Reads a file, or returns `nil` if it does not exist.
  ///
  /// - Throws: `FileError`; `.syntax` if it is not TOML.
  package init?(_ path: String, secret: Bool = false) throws(FileError) {
    guard let text = try Files.text(path, secret: secret) else { return nil }
    self.path = path
    var parser = TOMLParser(text)
    do {
      root = try parser.document()
    } catch {
      throw .syntax(path: path, line: error.line, reason: error.reason)
    }
    lines = parser.lines
    if let found = root[SettingsFile.versionKey], found != .integer(SettingsFile.version) {
      throw fault(
        LocalizedText(
          "unsupported file version \(SettingsFile.version); it may have been written by a newer openmarket",
          ko: "지원하지 않는 파일 형식입니다(\(SettingsFile.version)). 더 새로운 openmarket이 만든 파일일 수 있습니다"),
        at: [SettingsFile.versionKey])
    }
  }

  /// Returns the text of a settings file with its version first.
  package static func text(_ root: [String: TOML]) -> String {
    TOML.serialized(root.merging([versionKey: .integer(version)]) { $1 })
  }

  package static let versionKey = "version"

  /// Returns the nested tables of a table by name: `[profiles.NAME]`.
  ///
  /// - Throws: `FileError.syntax` if one of them is not a table.
  package func tables(in name: String) throws(FileError) -> [String: SettingsTable] {
    guard let value = root[name] else { return [:] }
    let table = try SettingsTable(self, value, at: [name])
    var tables: [String: SettingsTable] = [:]
    for key in table.values.keys { tables[key] = try table.table(key) }
    return tables
  }

  package func fault(_ reason: LocalizedText, at place: [String]) -> FileError {
    // An inline table is located by its own name.
    var place = place
    while lines[place] == nil, !place.isEmpty { place.removeLast() }
    return .syntax(path: path, line: lines[place] ?? 1, reason: reason)
  }
}
