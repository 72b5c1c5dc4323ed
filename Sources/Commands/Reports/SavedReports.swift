import Catalog
import CommandLanguage
import Foundation
import Platform
import ShellRuntime
import Text

/// A report that was saved with a name: what it is about, and its columns.
struct SavedReport: Hashable, Sendable {
  /// The span as typed, which is evaluated when the report is made.
  var span: String
  /// The columns of the table of products, or `nil` for a report without one.
  var columns: [ProductField]?
  /// A Boolean value that indicates that the products of all vendors are in the report.
  var isOfAll = false

  private static let keys = ["span", "columns", "all"]

  init(span: String, columns: [ProductField]?, isOfAll: Bool) {
    (self.span, self.columns, self.isOfAll) = (span, columns, isOfAll)
  }

  /// Reads a report.
  ///
  /// - Throws: `FileError.syntax` for an unknown key, a value of another type and a column that is no field.
  init(_ table: SettingsTable) throws(FileError) {
    try table.check(keys: SavedReport.keys)
    guard let span = try table.text("span") else {
      throw table.fault("span", LocalizedText("a report needs a span", ko: "보고서에는 span이 있어야 합니다"))
    }
    self.span = span
    if let names = try table.text("columns") {
      var fields: [ProductField] = []
      for name in names.split(separator: ",").map({ $0.trimmed }) {
        guard let field = ProductField(rawValue: name) else {
          throw table.fault(
            "columns", LocalizedText("\(.foreign(name)) is not a field", ko: "\(.foreign(name)), 없는 필드입니다"))
        }
        fields.append(field)
      }
      columns = fields
    }
    if let value = table.values["all"] {
      guard case .boolean(let flag) = value else {
        throw table.fault("all", LocalizedText("all must be true or false", ko: "all 값은 true나 false입니다"))
      }
      isOfAll = flag
    }
  }

  fileprivate var toml: TOML {
    var values: [String: TOML] = ["span": .string(span)]
    values["columns"] = columns.map { .string($0.map(\.rawValue).joined(separator: ",")) }
    if isOfAll { values["all"] = .boolean(true) }
    return .table(values)
  }
}

/// The saved reports in `reports.toml`, a table for each by its name.
struct SavedReports {
  private let path: String

  init(_ home: AppDirectories) { path = home.reportsFile }

  /// Returns the reports by name.
  ///
  /// - Throws: `FileError`; `.syntax` for a file that can't be understood.
  func load() throws(FileError) -> [String: SavedReport] {
    guard let file = try SettingsFile(path) else { return [:] }
    return try SavedReports.reports(in: file)
  }

  /// Returns the reports of a file by name.
  ///
  /// - Throws: `FileError.syntax`.
  static func reports(in file: SettingsFile) throws(FileError) -> [String: SavedReport] {
    let root = try SettingsTable(file, .table(file.root), at: [])
    var reports: [String: SavedReport] = [:]
    for name in file.root.keys where name != SettingsFile.versionKey {
      reports[name] = try root.table(name).map { table throws(FileError) in try SavedReport(table) }
    }
    return reports
  }

  /// Sets or removes a report; all others stay as they are, even if another shell changes them at the same time.
  ///
  /// - Returns: The report of that name before.
  /// - Throws: `FileError`; the file is then unchanged.
  @discardableResult
  func set(_ name: String, _ report: SavedReport?) throws(FileError) -> SavedReport? {
    try Files.createHomeFolder(Paths.parent(of: path))
    return try Files.withExclusiveLock(at: path) { () throws(FileError) in
      var reports = try load()
      let before = reports[name]
      reports[name] = report
      try Files.write(Data(SettingsFile.text(reports.mapValues(\.toml)).utf8), to: path, mode: 0o600)
      return before
    }
  }
}
