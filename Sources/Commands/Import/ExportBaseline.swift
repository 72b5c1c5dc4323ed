import Catalog
import CommandLanguage
import Foundation
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// The merge base of an exported file: the cells as exported, updated by later imports of the file.
///
/// It is stored in the home folder. An import compares it with the file and the market to find out what the user
/// changed and what others changed.
package struct ExportBaseline: Hashable, Sendable {
  /// The two values that a cell of the file is compared with.
  package struct Cell: Hashable, Sendable {
    package var base: FieldValue
    /// The value that an import of the file wrote last, as far as it is known to be an ancestor of the file.
    package var lastImported: FieldValue?

    var all: [FieldValue] { [base] + [lastImported].compactMap(\.self) }
  }

  /// A cell that an import wrote.
  package struct ImportedCell: Hashable, Sendable {
    /// The path of the imported file: the export itself or a copy of it, or `nil` if an earlier version wrote the line.
    package var source: String?
    package var field: ProductField
    package var value: FieldValue
  }

  package static let version = 1
  /// The first line of the file.
  static let head =
    JSON.object([("openmarket", .string("cells")), ("version", .int(version))]).serialized + "\n"

  /// The fields that an import can set.
  package static let fields = ProductField.allCases.filter(\.isImported)
  /// The maximum size in bytes.
  ///
  /// A larger export has no stored cells.
  package static let maximumBytes = 64 << 20

  private var cells: [Product.ID: [ProductField: Cell]] = [:]
  private var references: [Product.ID: ProductReference] = [:]
  /// The cells that imports wrote, in the order of the imports.
  private var imported: [Product.ID: [ImportedCell]] = [:]

  /// Reads what the file says of some products, or returns `nil` if it doesn't exist, can't be read or has a newer version.
  package init?(at path: String, of ids: Set<Product.ID>) {
    guard let text = (try? Files.text(path, limit: ExportBaseline.maximumBytes)) ?? nil else { return nil }
    guard text.hasPrefix(ExportBaseline.head) else { return nil }
    for line in text.utf8.split(separator: UInt8(ascii: "\n")).dropFirst() {
      // The caller looks for the cancellation before it uses the cells.
      if Task.isCancelled { return nil }
      guard let object = (try? JSON(parsing: Data(line)))?.object else { return nil }
      guard let id = (try? object.int("id")) ?? nil else { return nil }
      guard ids.contains(id) else { continue }
      let isImported = object["imported"] != nil
      let source = (try? object.string("source")) ?? nil
      for field in ExportBaseline.fields {
        guard let text = (try? object.string(field.rawValue)) ?? nil else { continue }
        let value = FieldValueParser.comparable(text, of: field)
        if isImported {
          imported[id, default: []].append(ImportedCell(source: source, field: field, value: value))
        } else {
          cells[id, default: [:]][field] = Cell(base: value)
        }
      }
      guard !isImported else { continue }
      cells[id] = cells[id] ?? [:]
      references[id] = ExportBaseline.reference(id, object)
    }
  }

  private static func reference(_ id: Product.ID, _ object: JSONObject) -> ProductReference {
    func text(_ field: ProductField) -> String? { (try? object.string(field.rawValue)) ?? nil }
    return ProductReference(
      id: id, name: text(.name), created: text(.created).flatMap { Timestamp($0) },
      vendorID: text(.vendorID).flatMap { Int($0) }, pictures: [text(.thumbnail)].compactMap(\.self))
  }

  /// Uses the cells that imports of these files wrote: the ancestors of the file that is imported now.
  package mutating func take(importsOf sources: Set<String?>) {
    for (id, all) in imported {
      for cell in all where sources.contains(cell.source) { cells[id]?[cell.field]?.lastImported = cell.value }
    }
  }

  package var isEmpty: Bool { cells.isEmpty }

  /// Returns the cells of a product, without those that the export left empty, or `nil` if it wasn't exported.
  package func cells(of id: Product.ID) -> [ProductField: Cell]? { cells[id] }

  /// Returns the values that imports of any file wrote into a cell.
  package func imported(_ field: ProductField, of id: Product.ID) -> [FieldValue] {
    (imported[id] ?? []).filter { $0.field == field }.map(\.value)
  }

  /// Returns what a product was when it was exported, with the names that imports gave it, or `nil` if it wasn't exported.
  package func reference(to id: Product.ID) -> ProductReference? {
    imported(.name, of: id).reduce(references[id]) { $0?.named($1.description) }
  }

  /// Returns the lines of this file for products of an export, with those of its columns that an import can set, and the
  /// values by which a product is recognized.
  package static func lines(of products: [Product], _ columns: [ProductField]) -> [UInt8] {
    StringRowEncoder.lines(
      of: products, fields.filter { columns.contains($0) || $0 == .name } + [.vendorID, .created, .thumbnail])
  }

  /// Returns the line of the cells of a product that the import of a file wrote.
  package static func line(
    imported cells: Reconciliation.Values, of id: Product.ID, from source: String
  ) -> String {
    JSON.object(
      [("id", .int(id)), ("imported", .bool(true)), ("source", .string(source))]
        + fields.compactMap { field in cells[field].map { (field.rawValue, .string($0.description)) } }
    ).serialized + "\n"
  }
}

/// Writes the cells of an export while it is written, and updates them after an import of the file.
package final class ExportBaselineWriter {
  private let home: AppDirectories
  private let name: String
  private let draft: AtomicFileWriter
  private let columns: [ProductField]
  private var products = ProductIDDigest()
  private var bytes = 0

  /// Begins the cells of an export.
  ///
  /// They have a new name, because a copy of an earlier export to the same path may still be imported.
  ///
  /// - Parameters:
  ///   - columns: The columns of the export.
  ///   - home: The home folder.
  /// - Throws: `FileError` if the file can't be created in the home folder.
  package init(columns: [ProductField], in home: AppDirectories) throws(FileError) {
    self.home = home
    self.columns = columns
    name = String(UInt64.random(in: .min ... .max), radix: 16) + ".cells"
    try Files.createHomeFolder(home.exportsFolder)
    draft = try AtomicFileWriter(at: home.exportsFolder + "/" + name, mode: 0o600)
    try draft.append(ExportBaseline.head)
  }

  /// Adds the cells of some products, unless there are too many.
  ///
  /// - Throws: `FileError.cannotWrite`.
  package func append(_ lines: [UInt8], of products: [Product]) throws(FileError) {
    for product in products { self.products.insert(product.id) }
    guard bytes <= ExportBaseline.maximumBytes else { return }
    bytes += lines.count
    try draft.append(lines)
  }

  /// Completes the cells and records the export, just before the file replaces the one before.
  ///
  /// From then on imports of the file use them: which of the two files is there decides.
  ///
  /// - Parameters:
  ///   - file: The export, which is complete but not in its place yet.
  ///   - path: The path of the export.
  ///   - market: The market that was exported.
  ///   - time: The time of the export.
  /// - Returns: The record, which ``ExportCommand`` confirms; `nil` if there are too many cells.
  /// - Throws: `FileError.cannotWrite`.
  package func prepare(
    _ file: AtomicFileWriter, at path: String, market: MarketIdentity, at time: Date
  ) throws(FileError) -> WrittenFiles.Export? {
    guard bytes <= ExportBaseline.maximumBytes else {
      draft.discard()
      return nil
    }
    try draft.commit()
    let export = WrittenFiles.Export(
      base: name, market: market, made: Timestamp(time), columns: columns, products: products)
    if let draft = file.draftName { try WrittenFiles(home).record(path, file.digest, export: export, draft: draft) }
    return export
  }

  /// Adds the cells that an import has written.
  ///
  /// - Throws: `FileError.cannotWrite`, or `OutputError` if only a part could be written.
  package static func add(_ lines: String, to path: String) throws {
    if lines.isEmpty { return }
    let file = open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else { throw FileError.cannotWrite(path: path, errno: errno) }
    defer { close(file) }
    try Descriptor.write(lines, to: file, path: path)
  }
}
