import Text

/// One table of a settings file.
///
/// Each accessor returns `nil` for a missing value and throws for one of another type.
package struct SettingsTable {
  private let file: SettingsFile
  private let place: [String]
  package let values: [String: TOML]

  /// Creates a table from a value of the file.
  ///
  /// - Throws: `FileError.syntax` if the value is not a table.
  package init(_ file: SettingsFile, _ value: TOML, at place: [String]) throws(FileError) {
    guard let values = value.table else {
      throw file.fault(
        LocalizedText("\(.field(place.last ?? "")) must be a table", ko: "\(.field(place.last ?? "")) 자리는 표입니다"),
        at: place)
    }
    (self.file, self.values, self.place) = (file, values, place)
  }

  /// Returns a nested table.
  ///
  /// - Throws: `FileError.syntax` for a value of another type.
  package func table(_ key: String) throws(FileError) -> SettingsTable? {
    guard let value = values[key] else { return nil }
    return try SettingsTable(file, value, at: place + [key])
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

  package func fault(_ key: String, _ reason: LocalizedText) -> FileError { file.fault(reason, at: place + [key]) }
}
