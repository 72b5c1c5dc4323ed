import Catalog
import Foundation
import Networking
import Platform
import ShellRuntime
import Text

/// The replacement of files of a folder together with the record of their base.
///
/// The record of the new file is on disk before the file is replaced, with the name and digest that show whether it was. So a
/// command that ends at any instant leaves each file as it was or complete, and the base knows which of the two it is.
struct FileReplacements {
  /// The new record of a product, or its end.
  enum Record {
    case entry(FolderBase.Entry)
    /// The file isn't that of this product any more.
    case dropped(Product.ID)
  }

  /// The number of files that are replaced at a time, each of which has two open descriptors.
  private static let atOnce = 64

  private let folder: ProductFolder
  private var drafts: [AtomicFileWriter] = []
  private var lines: [String] = []

  init(_ folder: ProductFolder) { self.folder = folder }

  /// Adds a file.
  ///
  /// - Parameters:
  ///   - text: Its new text.
  ///   - name: Its name.
  ///   - old: Its text, or `nil` if there is no such file.
  ///   - record: The new record of its product.
  /// - Throws: `FileError`: `.cannotWrite`, `.link`.
  mutating func add(
    _ text: String, to name: FileName, replacing old: String?, as record: Record
  ) throws(FileError) {
    let draft = try AtomicFileWriter(at: folder.product(name))
    try draft.append(text)
    guard let path = draft.draftName else { throw .notAFile(path: folder.product(name).shown) }
    drafts.append(draft)
    let mark = FolderBase.PendingFile(
      file: name, draft: path, before: old.map(FolderBase.digest(of:)), after: FolderBase.digest(of: text))
    lines.append(FolderBase.line(record, mark))
    if drafts.count >= FileReplacements.atOnce { try commit() }
  }

  /// Records the files that were added, and replaces them.
  ///
  /// After an error, the drafts of the files that weren't replaced stay, because their records may be on disk:
  /// `PendingFile.isReplaced(in:)` needs them until the next whole base. See `ProductFolder.removeDrafts()`.
  ///
  /// - Parameter isDurable: Whether the files are on disk when the function returns. Their records always are.
  /// - Throws: `FileError`: `.cannotWrite`, `.link`.
  mutating func commit(isDurable: Bool = false) throws(FileError) {
    defer { (drafts, lines) = ([], []) }
    guard !drafts.isEmpty else { return }
    do throws(FileError) {
      try FolderBase.append(lines.joined(), to: folder.baseFile)
      for draft in drafts { try draft.commit(isDurable: isDurable) }
    } catch {
      for draft in drafts { draft.leaveDraft() }
      throw error
    }
  }
}

extension FolderBase {
  /// A file that was about to be replaced when a line of the base was written.
  ///
  /// The line counts if the file was replaced.
  struct PendingFile {
    var file: FileName
    /// The name of the new file until it replaces the old one.
    var draft: String
    /// The digest of the text before, or `nil` if there was no file.
    var before: String?
    var after: String

    init(file: FileName, draft: String, before: String?, after: String) {
      (self.file, self.draft, self.before, self.after) = (file, draft, before, after)
    }

    /// Reads it from a line of the base, or returns `nil` for a line without it.
    init?(_ object: JSONObject) {
      guard let draft = (try? object.string("draft")) ?? nil, AtomicFileWriter.isDraftName(draft),
        let name = ((try? object.string("file")) ?? nil).flatMap({ FileName(stated: $0) }),
        let after = (try? object.string("after")) ?? nil
      else { return nil }
      self.init(file: name, draft: draft, before: (try? object.string("before")) ?? nil, after: after)
    }

    var members: [(String, JSON)] {
      [("draft", .string(draft)), ("after", .string(after))] + (before.map { [("before", .string($0))] } ?? [])
    }

    /// Returns whether the file was replaced.
    ///
    /// A file that the user has edited since is neither the old nor the new one; then the draft decides, which exists until
    /// it replaces the file.
    ///
    /// - Throws: `FileError` if the file can't be read, or if it isn't known whether the draft exists.
    func isReplaced(in products: ConfinedPath) throws(FileError) -> Bool {
      let text = try products.appending(file).text(limit: ProductFile.maximumBytes)
      let now = text.map { FolderBase.digest(of: ProductFile.withLineFeeds($0)) }
      if now == after { return true }
      if now == before { return false }
      let path = products.path + "/" + draft
      if access(path, F_OK) == 0 { return false }
      guard errno == ENOENT else { throw .cannotRead(path: path, errno: errno) }
      return true
    }
  }

  /// Returns the line of a record that counts once a file is replaced.
  static func line(_ record: FileReplacements.Record, _ pending: PendingFile) -> String {
    switch record {
    case .entry(let entry): JSON.object(members(entry) + pending.members).serialized + "\n"
    case .dropped(let id):
      JSON.object(
        [("id", .int(id)), ("file", .string(pending.file.description)), ("dropped", .bool(true))] + pending.members
      ).serialized + "\n"
    }
  }
}
