import Foundation
import Text

/// A file of ours in TOML as it was read: what is wrong in it is told with its line.
///
/// Its `version` says which shape it has; a file without one is of version 1, as those that were written before there were
/// versions.
package struct SettingsFile {
  package static let version = 1

  package let path: String
  package private(set) var root: [String: TOML]
  private let lines: [[String]: Int]

  /// Nil when there is no such file.
  ///
  /// - Throws: `FileError`, `.badLine` for what is no TOML.
  package init?(_ path: String, secret: Bool = false) throws(FileError) {
    guard let text = try Files.text(path, secret: secret) else { return nil }
    self.path = path
    var parser = TOMLParser(text)
    do {
      root = try parser.document()
    } catch {
      throw .badLine(path: path, line: error.line, reason: error.reason)
    }
    lines = parser.lines
    if let found = root[SettingsFile.versionKey], found != .integer(SettingsFile.version) {
      throw fault(
        LocalizedText(
          "the version of this file is \(SettingsFile.version); a newer program may have written it",
          ko: "이 파일의 버전은 \(SettingsFile.version)입니다. 더 새로운 프로그램이 썼을 수 있습니다"),
        at: [SettingsFile.versionKey])
    }
  }

  /// The text of such a file, its version first.
  package static func text(_ root: [String: TOML]) -> String {
    TOML.file(root.merging([versionKey: .integer(version)]) { $1 })
  }

  private static let versionKey = "version"

  /// The tables inside one of the root's tables by name: `[profiles.NAME]`.
  ///
  /// - Throws: `FileError.badLine` where one of them is no table.
  package func tables(in name: String) throws(FileError) -> [String: SettingsTable] {
    guard let value = root[name] else { return [:] }
    let table = try SettingsTable(self, value, at: [name])
    var tables: [String: SettingsTable] = [:]
    for key in table.values.keys { tables[key] = try table.table(key) }
    return tables
  }

  package func fault(_ reason: LocalizedText, at place: [String]) -> FileError {
    // A table in braces was written where its own name is.
    var place = place
    while lines[place] == nil, !place.isEmpty { place.removeLast() }
    return .badLine(path: path, line: lines[place] ?? 1, reason: reason)
  }
}

/// One table of such a file; each value is read as what it has to be. Nil is what is not there.
package struct SettingsTable {
  private let file: SettingsFile
  private let place: [String]
  package let values: [String: TOML]

  /// A value of the file as the table that it has to be.
  ///
  /// - Throws: `FileError.badLine` where the value is no table.
  package init(_ file: SettingsFile, _ value: TOML, at place: [String]) throws(FileError) {
    guard let values = value.table else {
      throw file.fault(
        LocalizedText("\(.field(place.last ?? "")) is a table", ko: "\(.field(place.last ?? "")) 자리는 표입니다"), at: place)
    }
    (self.file, self.values, self.place) = (file, values, place)
  }

  /// A table inside this one.
  ///
  /// - Throws: `FileError.badLine` for a value of another kind.
  package func table(_ key: String) throws(FileError) -> SettingsTable? {
    guard let value = values[key] else { return nil }
    return try SettingsTable(file, value, at: place + [key])
  }

  /// A text in quotes.
  ///
  /// - Throws: `FileError.badLine` for a value of another kind.
  package func text(_ key: String) throws(FileError) -> String? {
    guard let value = values[key] else { return nil }
    guard case .text(let text) = value else {
      throw fault(key, LocalizedText("\(.field(key)) is a text in quotes", ko: "\(.field(key)) 값은 따옴표로 묶은 문자열입니다"))
    }
    return text
  }

  /// A whole number.
  ///
  /// - Throws: `FileError.badLine` for a value of another kind.
  package func integer(_ key: String) throws(FileError) -> Int? {
    guard let value = values[key] else { return nil }
    guard case .integer(let number) = value else {
      throw fault(key, LocalizedText("\(.field(key)) is a whole number", ko: "\(.field(key)) 값은 정수입니다"))
    }
    return number
  }

  /// A number, whole or not.
  ///
  /// - Throws: `FileError.badLine` for a value of another kind.
  package func number(_ key: String) throws(FileError) -> Double? {
    switch values[key] {
    case nil: return nil
    case .number(let number): return number
    case .integer(let number): return Double(number)
    case .text, .flag, .table:
      throw fault(key, LocalizedText("\(.field(key)) is a number", ko: "\(.field(key)) 값은 숫자입니다"))
    }
  }

  /// One of a few words.
  ///
  /// - Throws: `FileError.badLine` that lists the words.
  package func choice<Choice: RawRepresentable & CaseIterable>(
    _ key: String, of: Choice.Type = Choice.self
  ) throws(FileError) -> Choice? where Choice.RawValue == String {
    guard let text = try text(key) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw fault(key, LocalizedText("\(.field(key)) is one of \(words)", ko: "\(.field(key)) 값은 다음 중 하나입니다: \(words)"))
    }
    return choice
  }

  package func fault(_ key: String, _ reason: LocalizedText) -> FileError { file.fault(reason, at: place + [key]) }
}

/// Where the program keeps things: one folder with `--home`, the XDG base directories otherwise.
///
/// Source: XDG Base Directory Specification 0.8; an XDG variable that is not absolute is ignored, as it says.
package struct Home: Hashable, Sendable {
  package var configuration: String
  package var state: String
  package var data: String
  package var cache: String

  /// Everything under one folder.
  package init(folder: String) {
    configuration = folder + "/config"
    state = folder + "/state"
    data = folder + "/data"
    cache = folder + "/cache"
  }

  package init(environment: Environment) {
    let person = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory()
    func base(_ variable: String, _ fallback: String) -> String {
      let folder = environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? person + "/" + fallback
      return folder + "/openmarket"
    }
    configuration = base("XDG_CONFIG_HOME", ".config")
    state = base("XDG_STATE_HOME", ".local/state")
    data = base("XDG_DATA_HOME", ".local/share")
    cache = base("XDG_CACHE_HOME", ".cache")
  }

  package var profilesFile: String { configuration + "/profiles.toml" }
  package var credentialsFile: String { configuration + "/credentials.toml" }
  /// Lines of the person's own, run at every start when the file is there.
  package var startupFile: String { configuration + "/startup.market" }
  package var settingsFile: String { configuration + "/settings.market" }
  package var aliasesFile: String { configuration + "/aliases.market" }
  package var historyFile: String { state + "/history" }
  /// Texts that are being changed in an editor.
  package var editFolder: String { state + "/edit" }
  package var journalFolder: String { state + "/journal" }
  /// Every call of every session.
  package var callsFile: String { state + "/calls.sqlite" }
  /// What whole scans saw of markets, version by version.
  package var versionsFile: String { data + "/versions.sqlite" }
  package var demoFolder: String { data + "/demo" }
  /// What this program wrote for the person, so that nothing else is overwritten unasked.
  package var writtenFile: String { state + "/written.jsonl" }
  /// The cells of exports as they were written, for the imports of those files.
  package var exportsFolder: String { data + "/exports" }
  package var snapshotsFolder: String { data + "/snapshots" }
  /// Plans that wait for their time.
  package var salesFolder: String { data + "/sales" }
}
