import Foundation
import Platform
import Text

/// A file of the home with a table for each item by its name: recipes and reports.
struct HandoverTables {
  /// The maximum size of a table's text in bytes.
  static let maximumText = 1 << 20

  private let kind: HandoverFile.Kind
  private let path: String

  /// Creates the access to the recipes, or for any other kind to the reports.
  init(_ kind: HandoverFile.Kind, in home: AppDirectories) {
    self.kind = kind
    path = kind == .recipes ? home.recipesFile : home.reportsFile
  }

  /// Checks that the program could have written a table.
  ///
  /// - Throws: `FileError.syntax`: with such a table, none of the file could be used.
  func check(_ item: HandoverFile.TableItem, _ table: [String: TOML]) throws(FileError) {
    let file = try SettingsFile(parsing: SettingsFile.text([item.name: .table(table)]), at: item.name)
    if kind == .recipes {
      _ = try RecipeStore.recipes(in: file)
    } else {
      _ = try SavedReports.reports(in: file)
    }
  }

  /// Returns the tables as items, in the order of their names.
  ///
  /// - Throws: `FileError`, `.syntax` for a file that isn't TOML.
  func items() throws(FileError) -> [HandoverFile.TableItem] {
    guard let file = try SettingsFile(path) else { return [] }
    return file.root.compactMap { name, value in
      value.table.map { HandoverFile.TableItem(name: name, toml: TOML.serialized($0)) }
    }.sorted { $0.name < $1.name }
  }

  /// Adds tables; all others stay as they are.
  ///
  /// - Throws: `FileError`; the file is then unchanged.
  func set(_ items: [HandoverFile.TableItem]) throws(FileError) {
    try Files.createHomeFolder(Paths.parent(of: path))
    try Files.withExclusiveLock(at: path) { () throws(FileError) in
      var root = try SettingsFile(path)?.root ?? [:]
      for item in items {
        guard let table = (try? TOML(parsing: item.toml))?.table else { continue }
        root[item.name] = .table(table)
      }
      try Files.write(Data(SettingsFile.text(root).utf8), to: path, mode: 0o600)
    }
  }
}
