import Catalog
import Platform
import WriteJournal

/// Records in a folder what a push wrote: the id of each new product in its file at once, the base at the end.
struct PushRecord: Sendable {
  /// The number of entries that are written at a time, so that those of a large push are not in memory together.
  private static let entriesAtOnce = 500

  private let folder: ProductFolder
  /// The base before the push.
  private let base: FolderBase
  /// The files of the rows, by name.
  private let files: [String: PushedFile]

  init(_ folder: ProductFolder, _ base: FolderBase, of files: [String: PushedFile] = [:]) {
    self.folder = folder
    self.base = base
    self.files = files
  }

  private func file(of row: Plan.Row) -> PushedFile? {
    if case .file(let name)? = row.place { files[name] } else { nil }
  }

  /// The number of products that were pulled into the folder.
  var productCount: Int { base.names.count }

  /// Writes the ids of new products into their files.
  var ids: CreatedIDs {
    CreatedIDs(inOrder: true) { row, product throws(FileError) in
      guard case .create(let draft) = row.planned, let file = file(of: row) else { return }
      try write(product, createdFrom: file, replacing: draft.replaces)
    }
  }

  /// Writes a new product into the base and its id into its file.
  ///
  /// The base is written first: a push that is killed in between leaves a file without an id that has the values of a
  /// product of the base, which the next command completes. An edit that was made since the file was read is preserved.
  ///
  /// - Throws: `FileError.cannotWrite`.
  func write(
    _ product: Product, createdFrom file: PushedFile, replacing old: Product.ID? = nil
  ) throws(FileError) {
    try FolderBase.append([entry(created: file, product)], deleted: old.map { [$0] } ?? [], to: folder.baseFile)
    try folder.write(id: product.id, to: file.name)
  }

  /// Records the edits that are about to be sent; see `FolderBase.BegunEdit`.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - newest: The newest entry of the log.
  /// - Throws: `FileError`: `.cannotWrite`, `.link`.
  func begin(_ plan: Plan, after newest: Int) throws(FileError) {
    var lines = ""
    for row in plan.rows {
      guard case .edit(let product, _, let to)? = row.change, let part = row.origin.source?.part,
        let file = file(of: row)
      else { continue }
      let values = file.local.filter { $0.key != .images && to[$0.key] != nil }
      guard !values.isEmpty else { continue }
      lines += FolderBase.BegunEdit(product.id, part: part, after: newest, values: values).line
    }
    if !lines.isEmpty { try FolderBase.append(lines, to: folder.baseFile) }
  }

  /// Writes the base after the outcomes are known, and the values that files take from the market.
  ///
  /// - Throws: `FileError.cannotWrite`.
  func writeBase(_ plan: Plan) throws {
    for start in stride(from: 0, to: plan.rows.count, by: PushRecord.entriesAtOnce) {
      var entries: [FolderBase.Entry] = []
      var deleted: [Product.ID] = []
      for row in plan.rows[start...].prefix(PushRecord.entriesAtOnce) {
        guard let outcome = row.outcome, outcome.isSuccess, let file = file(of: row) else { continue }
        switch row.planned {
        case .create: if let product = outcome.product { entries.append(entry(created: file, product)) }
        case .edit(let product, _, let to):
          entries.append(try entry(edited: file, row, product: product, to: to, outcome: outcome))
        case .delete(let product): deleted.append(product.id)
        }
      }
      try FolderBase.append(entries, deleted: deleted, to: folder.baseFile)
    }
  }

  /// Returns the entry of a changed product, after its file took values from the market.
  private func entry(
    edited file: PushedFile, _ row: Plan.Row, product: Product, to: ProductValues, outcome: Outcome
  ) throws -> FolderBase.Entry {
    var values = file.base
    for field in ProductFile.fields {
      let isWritten = field == .images ? to.pictures != nil || to.thumbnailID != nil : to[field] != nil
      if isWritten { values[field] = file.local[field] }
    }
    let old = try base.entry(product.id)
    func entry() -> FolderBase.Entry {
      var entry = self.entry(
        file, id: product.id, base: values, product: to.pictures == nil ? product : outcome.product, after: old,
        isWhole: row.skippedFields.isEmpty)
      if to.thumbnailID != nil, let old { entry.reorder(product, after: old) }
      return entry
    }
    if !file.changes.isEmpty, let text = file.text {
      var replacement = FileReplacements(folder)
      try replacement.add(
        ProductFile.text(text, with: file.changes.mapValues { $0 }), to: file.name, replacing: text, as: .entry(entry())
      )
      try replacement.commit(isDurable: true)
    }
    return entry()
  }

  private func entry(created file: PushedFile, _ product: Product) -> FolderBase.Entry {
    // A value that the file doesn't state is the market's default.
    let defaults = ProductFile(product, pictures: nil).values
    return entry(
      file, id: product.id, base: file.local.merging(defaults) { local, _ in local }, product: product, after: nil)
  }

  /// Returns an entry.
  ///
  /// `isWhole` indicates that no value of the file was left out because of a conflict.
  private func entry(
    _ file: PushedFile, id: Product.ID, base: Reconciliation.Values, product: Product?, after old: FolderBase.Entry?,
    isWhole: Bool = true
  ) -> FolderBase.Entry {
    var pictures: FolderPictures.Known?
    if case .references(let digests)? = base[.images], digests != old?.digests,
      case .references(let paths)? = file.written?.values[.images]
    {
      pictures = FolderPictures.Known(
        paths: paths, digests: digests, addresses: product.flatMap { FolderPictures.addresses(of: $0) } ?? [])
    }
    var entry = FolderBase.Entry(id: id, file: file.name, values: base, of: product, pictures: pictures, after: old)
    let text = (try? folder.product(file.name).text(limit: ProductFile.maximumBytes))
      .map { ProductFile.withLineFeeds($0) }
    if isWhole, let text, (try? ProductFile(parsing: text))?.values == file.written?.values {
      entry.agree(on: text)
    }
    return entry
  }
}

extension FolderBase.Entry {
  /// Puts the pictures into the order of the market, in which the first one is the thumbnail that was chosen.
  ///
  /// - Parameters:
  ///   - product: The product before the change.
  ///   - old: The entry before the change.
  fileprivate mutating func reorder(_ product: Product, after old: FolderBase.Entry) {
    guard var file = try? ProductFile(parsing: text), case .references(let paths) = file.values[.images],
      let first = digests.first, let index = old.digests.firstIndex(of: first), index < old.addresses.count
    else { return }
    let names = Dictionary(zip(digests, paths)) { first, _ in first }
    let known = Dictionary(zip(old.addresses, old.digests)) { first, _ in first }
    let thumbnail = old.addresses[index]
    let order = (product.images ?? []).map { PictureAddresses.removingOrigins(in: $0.url) }
    addresses = [thumbnail] + order.filter { $0 != thumbnail }
    digests = addresses.compactMap { known[$0] }
    file.values[.images] = .references(digests.compactMap { names[$0] })
    text = file.text
  }
}
