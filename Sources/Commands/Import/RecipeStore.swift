import CommandLanguage
import Foundation
import Platform
import Text

/// The recipes of the user, in a file with a table for each by its name.
package struct RecipeStore: Sendable {
  private let path: String

  package init(_ home: AppDirectories) { path = home.recipesFile }

  /// Creates a store of a file at any path.
  package init(at path: String) { self.path = path }

  /// Returns all recipes by name.
  ///
  /// - Throws: `FileError`, which is `.syntax` for a value that can't be used.
  package func load() throws(FileError) -> [String: Recipe] {
    guard let file = try SettingsFile(path) else { return [:] }
    return try RecipeStore.recipes(in: file)
  }

  /// Returns the recipes of a file by name.
  ///
  /// - Throws: `FileError.syntax`.
  static func recipes(in file: SettingsFile) throws(FileError) -> [String: Recipe] {
    let root = try SettingsTable(file, .table(file.root), at: [])
    var recipes: [String: Recipe] = [:]
    for name in root.values.keys where name != SettingsFile.versionKey {
      guard RecipeStore.isName(name) else {
        throw root.fault(
          name, LocalizedText("\(.foreign(name)) is no name of a recipe", ko: "\(.foreign(name)), 레시피 이름이 아닙니다"))
      }
      if let table = try root.table(name) { recipes[name] = try Recipe(table) }
    }
    return recipes
  }

  /// Sets or removes a recipe; all others stay as they are.
  ///
  /// - Returns: The recipe of that name before.
  /// - Throws: `FileError`; the file is then unchanged.
  @discardableResult
  package func set(_ name: String, _ recipe: Recipe?) throws(FileError) -> Recipe? {
    try change(name, to: recipe) { _ in true }
  }

  /// Sets a recipe that was made of another one.
  ///
  /// - Returns: Whether it was set; it isn't if the recipe of that name is no longer the other one.
  /// - Throws: `FileError`; the file is then unchanged.
  package func replace(_ name: String, _ before: Recipe, with recipe: Recipe) throws(FileError) -> Bool {
    try change(name, to: recipe) { $0 == before } == before
  }

  /// Sets or removes a recipe if `isWanted` returns true for the stored one.
  ///
  /// - Returns: The recipe of that name before.
  private func change(
    _ name: String, to recipe: Recipe?, if isWanted: (Recipe?) -> Bool
  ) throws(FileError) -> Recipe? {
    try Files.createHomeFolder(Paths.parent(of: path))
    return try Files.withExclusiveLock(at: path) { () throws(FileError) in
      let before = try load()[name]
      guard isWanted(before) else { return before }
      var root = try SettingsFile(path)?.root ?? [:]
      root[name] = recipe.map { .table($0.toml) }
      try Files.write(Data(SettingsFile.text(root).utf8), to: path, mode: 0o600)
      return before
    }
  }

  /// Returns whether a text can name a recipe: a word of letters, digits, `-` and `_`.
  package static func isName(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, text.unicodeScalars.count <= 60, text != SettingsFile.versionKey else {
      return false
    }
    return (first.properties.isAlphabetic || ("0"..."9").contains(first))
      && text.unicodeScalars.allSatisfy { Lexer.isName($0) || $0 == "-" }
  }

  /// Returns a name for the recipe of a file: its name without what a week changes, `Seoul Goods 2026-11-22.xlsx` as
  /// `seoul-goods`.
  package static func proposal(for file: String) -> String {
    let name = ((file as NSString).lastPathComponent as NSString).deletingPathExtension.lowercased()
    let words = name.precomposedStringWithCanonicalMapping.split { !($0.isLetter || $0.isNumber) }
    let lasting = words.map { $0.filter { $0.isLetter } }.filter { !$0.isEmpty && !timeWords.contains($0) }
    let joined = lasting.joined(separator: "-")
    return isName(joined) ? joined : "supplier"
  }

  /// Returns the name, or with a number the first one that no recipe has: `supplier-2`.
  package static func free(_ name: String, in recipes: [String: Recipe]) -> String {
    guard recipes[name] != nil else { return name }
    return (2...).lazy.map { "\(name)-\($0)" }.first { recipes[$0] == nil } ?? name
  }

  private static let timeWords: Set = ["week", "wk", "w", "주", "주차", "월", "일", "년"]
}
