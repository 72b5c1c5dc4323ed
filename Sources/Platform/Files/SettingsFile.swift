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
    try self.init(parsing: text, at: path)
  }

  /// Reads a file of a folder that others may have made, or returns `nil` if it does not exist.
  ///
  /// - Throws: `FileError`; `.syntax` if it is not TOML, `.link` for a link.
  package init?(_ file: ConfinedPath) throws(FileError) {
    guard let text = try file.text() else { return nil }
    try self.init(parsing: text, at: file.path)
  }

  /// Parses the text of a file.
  ///
  /// - Throws: `FileError.syntax` if it is not TOML.
  package init(parsing text: String, at path: String) throws(FileError) {
    self.path = path
    var parser = TOMLParser(text)
    do {
      root = try parser.document()
    } catch {
      throw .syntax(path: path, line: error.line, reason: error.reason)
    }
    lines = parser.lines
    switch root[SettingsFile.versionKey] {
    case nil, .integer(SettingsFile.version)?: break
    case .integer(let found)?:
      throw fault(
        LocalizedText(
          "unsupported file version \(found); it may have been written by a newer openmarket",
          ko: "지원하지 않는 파일 형식입니다(\(found)). 더 새로운 openmarket이 만든 파일일 수 있습니다"),
        at: [SettingsFile.versionKey])
    case .some:
      throw fault(
        LocalizedText(
          "\(.field(SettingsFile.versionKey)) must be a whole number",
          ko: "\(.field(SettingsFile.versionKey)) 값은 정수입니다"), at: [SettingsFile.versionKey])
    }
  }

  /// Returns the text of a settings file with its version first.
  package static func text(_ root: [String: TOML]) -> String {
    TOML.serialized(root.merging([versionKey: .integer(version)]) { $1 })
  }

  package static let versionKey = "version"

  /// Returns the nested tables of a table by name: `[profiles.NAME]`.
  ///
  /// - Throws: `FileError.syntax` if an entry is not a table.
  package func tables(in name: String) throws(FileError) -> [String: SettingsTable] {
    guard let value = root[name] else { return [:] }
    let table = try SettingsTable(self, value, at: [name])
    var tables: [String: SettingsTable] = [:]
    for key in table.values.keys { tables[key] = try table.table(key) }
    return tables
  }

  package func fault(_ reason: LocalizedText, at keyPath: [String]) -> FileError {
    // An inline table is located by its own name.
    var keyPath = keyPath
    while lines[keyPath] == nil, !keyPath.isEmpty { keyPath.removeLast() }
    return .syntax(path: path, line: lines[keyPath] ?? 1, reason: reason)
  }
}

/// One table of a settings file.
///
/// Each accessor returns `nil` for a missing value and throws for one of another type.
package struct SettingsTable {
  private let file: SettingsFile
  private let keyPath: [String]
  package let values: [String: TOML]

  /// Creates a table from a value of the file.
  ///
  /// - Throws: `FileError.syntax` if the value is not a table.
  package init(_ file: SettingsFile, _ value: TOML, at keyPath: [String]) throws(FileError) {
    guard let values = value.table else {
      throw file.fault(
        LocalizedText("\(.field(keyPath.last ?? "")) must be a table", ko: "\(.field(keyPath.last ?? "")) 자리는 표입니다"),
        at: keyPath)
    }
    (self.file, self.values, self.keyPath) = (file, values, keyPath)
  }

  /// Returns a nested table.
  ///
  /// - Throws: `FileError.syntax` for a value of another type.
  package func table(_ key: String) throws(FileError) -> SettingsTable? {
    guard let value = values[key] else { return nil }
    return try SettingsTable(file, value, at: keyPath + [key])
  }

  /// Returns a string.
  ///
  /// - Throws: `FileError.syntax` for a value of another type.
  package func text(_ key: String) throws(FileError) -> String? {
    guard let value = values[key] else { return nil }
    guard case .string(let text) = value else {
      throw fault(key, LocalizedText("\(.field(key)) must be a quoted string", ko: "\(.field(key)) 값은 따옴표로 묶은 문자열입니다"))
    }
    return text
  }

  /// Returns an integer.
  ///
  /// - Throws: `FileError.syntax` for a value of another type.
  package func integer(_ key: String) throws(FileError) -> Int? {
    guard let value = values[key] else { return nil }
    guard case .integer(let number) = value else {
      throw fault(key, LocalizedText("\(.field(key)) must be a whole number", ko: "\(.field(key)) 값은 정수입니다"))
    }
    return number
  }

  /// Returns an integer or a decimal number.
  ///
  /// - Throws: `FileError.syntax` for a value of another type.
  package func number(_ key: String) throws(FileError) -> Double? {
    switch values[key] {
    case nil: return nil
    case .decimal(let number): return Double(number)
    case .integer(let number): return Double(number)
    case .string, .boolean, .array, .table:
      throw fault(key, LocalizedText("\(.field(key)) must be a number", ko: "\(.field(key)) 값은 숫자입니다"))
    }
  }

  /// Returns one of a set of strings.
  ///
  /// - Throws: `FileError.syntax`, which lists the strings, for any other value.
  package func enumeration<Choice: RawRepresentable & CaseIterable>(
    _ key: String, of: Choice.Type = Choice.self
  ) throws(FileError) -> Choice? where Choice.RawValue == String {
    guard let text = try text(key) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw fault(
        key, LocalizedText("\(.field(key)) must be one of \(words)", ko: "\(.field(key)) 값은 다음 중 하나입니다: \(words)"))
    }
    return choice
  }

  package func fault(_ key: String, _ reason: LocalizedText) -> FileError { file.fault(reason, at: keyPath + [key]) }
}
