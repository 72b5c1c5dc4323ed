import Catalog
import Foundation
import Language
import Networking
import Platform
import Presentation

/// What an export wrote, cell by cell, and what imports of the file have written since: kept in the home, so that an import
/// can tell what the person changed in the file from what others changed in the market.
package struct ExportedCells: Hashable, Sendable {
  /// The two texts that a cell of the file is compared with.
  package struct Cell: Hashable, Sendable {
    package var exported: String
    /// What an import of the file wrote last.
    package var imported: String?
  }

  package static let version = 1
  /// The first line of the file; those of before there were versions have none.
  fileprivate static let head =
    JSON.object([("openmarket", .string("cells")), ("version", .int(version))]).text + "\n"

  /// The fields an import can set.
  package static let fields = Field.allCases.filter(\.isImported)
  /// Bytes; an export with more cells is not remembered.
  package static let mostBytes = 64 << 20

  private var cells: [Product.ID: [Field: Cell]] = [:]

  /// Nil where nothing is kept, or what is kept cannot be read or is of a newer version.
  package init?(at path: String) {
    guard let text = (try? Files.text(path, limit: ExportedCells.mostBytes)) ?? nil else { return nil }
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
      guard let object = (try? JSON(parsing: Data(line)))?.object else { return nil }
      if object["openmarket"] != nil {
        guard object["version"] == .int(ExportedCells.version) else { return nil }
        continue
      }
      guard let id = (try? object.int("id")) ?? nil else { return nil }
      let isImported = object["imported"] != nil
      for field in ExportedCells.fields {
        guard let text = (try? object.string(field.rawValue)) ?? nil else { continue }
        if isImported {
          cells[id]?[field]?.imported = text
        } else {
          cells[id, default: [:]][field] = Cell(exported: text)
        }
      }
    }
  }

  package func holds(_ id: Product.ID) -> Bool { cells[id] != nil }

  /// Nil for a cell that the export left empty.
  package func cell(_ field: Field, of id: Product.ID) -> Cell? { cells[id]?[field] }

  /// Of products as an export wrote them, lines of the file that is kept.
  package static func lines(of products: [Product]) -> [UInt8] { TextRows.lines(of: products, fields) }

  package static func line(imported cells: [(Field, String)], of id: Product.ID) -> String {
    JSON.object(
      [("id", .int(id)), ("imported", .bool(true))] + cells.map { ($0.0.rawValue, .string($0.1)) }
    ).text + "\n"
  }
}

/// Writes down the cells of an export while it is written, and brings them up to date after an import of the file.
package final class ExportMemory {
  private let home: Home
  private let name: String
  private let draft: FileDraft
  private var bytes = 0

  private var place: String { home.exportsFolder + "/" + name }

  /// - Throws: `FileError` where the home takes no file.
  package init(of path: String, in home: Home) throws(FileError) {
    self.home = home
    name = String(FileDigest(of: Data(WrittenFiles.absolute(path).utf8)).sum, radix: 16) + ".cells"
    try Files.makeFolder(home.exportsFolder)
    draft = try FileDraft(at: home.exportsFolder + "/" + name, mode: 0o600)
    try draft.append(ExportedCells.head)
  }

  /// Writes down the cells of some products, as long as they are not too many.
  ///
  /// - Throws: `FileError.cannotWrite`.
  package func take(_ lines: [UInt8]) throws(FileError) {
    guard bytes <= ExportedCells.mostBytes else { return }
    bytes += lines.count
    try draft.append(lines)
  }

  /// The export stands in its file: from now on imports of it know these cells.
  ///
  /// - Parameter digest: of the file, as it was written.
  /// - Returns: false where there are too many to be kept.
  /// - Throws: `FileError.cannotWrite`; the export itself stands all the same.
  package func keep(
    _ path: String, _ digest: FileDigest?, market: String, at time: Date
  ) throws(FileError) -> Bool {
    guard bytes <= ExportedCells.mostBytes else {
      draft.discard()
      try WrittenFiles(home).note(path, digest)
      return false
    }
    try draft.commit()
    try WrittenFiles(home).note(path, digest, base: name, market: market, made: Timestamp(time))
    return true
  }

  /// Adds what an import has written.
  ///
  /// - Throws: `FileError.cannotWrite`, `OutputError` where only a part could be written.
  package static func add(_ lines: String, to path: String) throws {
    if lines.isEmpty { return }
    let file = open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else { throw FileError.cannotWrite(path: path, errno: errno) }
    defer { close(file) }
    try Descriptor.write(lines, to: file, path: path)
  }
}
