import Catalog
import Foundation
import Platform
import ShellRuntime
import Text

/// Writes the cells of an export while it is written, and updates them after an import of the file.
package final class ExportBaselineWriter {
  private let home: AppDirectories
  private let name: String
  private let draft: AtomicFileWriter
  private let columns: [ProductField]
  private var products = ProductIDDigest()
  private var bytes = 0

  private var place: String { home.exportsFolder + "/" + name }

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
    try Files.createDirectory(home.exportsFolder)
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

  /// Completes the cells after the export was written.
  ///
  /// From now on imports of the file use them.
  ///
  /// - Parameters:
  ///   - path: The path of the export.
  ///   - digest: The digest of the export as it was written.
  ///   - market: The market that was exported.
  ///   - time: The time of the export.
  /// - Returns: Whether the cells were stored; false if there are too many.
  /// - Throws: `FileError.cannotWrite`; the export itself remains.
  package func commit(
    _ path: String, _ digest: FileDigest?, market: String, at time: Date
  ) throws(FileError) -> Bool {
    guard bytes <= ExportBaseline.maximumBytes else {
      draft.discard()
      try WrittenFiles(home).record(path, digest)
      return false
    }
    try draft.commit()
    try WrittenFiles(home).record(
      path, digest,
      export: WrittenFiles.Export(
        base: name, market: market, made: Timestamp(time), columns: columns, products: products))
    return true
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
