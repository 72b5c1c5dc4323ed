import Catalog
import Platform
import Presentation
import ShellRuntime
import Synchronization
import WriteJournal

/// Records in a folder what a push wrote: the id of each new product in its file at once, the base at the end.
final class PushRecord: Sendable {
  /// The number of entries that are written at a time, so that those of a large push are not in memory together.
  private static let entriesAtOnce = 500

  private let folder: ProductFolder
  /// The base before the push.
  private let base: FolderBase
  private let failure = Mutex<FileError?>(nil)

  init(_ folder: ProductFolder, _ base: FolderBase) {
    self.folder = folder
    self.base = base
  }

  /// The number of products that were pulled into the folder.
  var productCount: Int { base.names.count }

  /// The error of a file that couldn't be written.
  var error: FileError? { failure.withLock { $0 } }

  /// Writes a new product into the base and its id into its file, and returns whether that succeeded.
  ///
  /// The base is written first: a push that is killed in between leaves a file without an id that has the values of a
  /// product of the base, which the next command completes. A file that was edited since it was read keeps the edit.
  func writeID(of item: PushItem, _ outcome: Outcome) -> Bool {
    guard item.verdict.planned.product == nil, outcome.isSuccess, let product = outcome.product else { return true }
    do throws(FileError) {
      try FolderBase.append(
        [entry(created: item, product)], deleted: item.replaced.map { [$0] } ?? [], to: folder.baseFile)
      try folder.write(id: product.id, to: item.file)
      return true
    } catch {
      failure.withLock { $0 = error }
      return false
    }
  }

  /// Writes the base after the outcomes are known, and the values that files take from the market.
  ///
  /// - Parameters:
  ///   - items: The products of the push.
  ///   - outcomes: The outcome of each.
  /// - Throws: `FileError.cannotWrite`.
  func writeBase(_ items: [PushItem], _ outcomes: [Outcome]) throws {
    for start in stride(from: 0, to: items.count, by: PushRecord.entriesAtOnce) {
      var entries: [FolderBase.Entry] = []
      var deleted: [Product.ID] = []
      for index in items.indices[start...].prefix(PushRecord.entriesAtOnce) where outcomes[index].isSuccess {
        let (item, outcome) = (items[index], outcomes[index])
        switch item.verdict.planned {
        case .create: if let product = outcome.product { entries.append(entry(created: item, product)) }
        case .edit(let product, _, let to):
          entries.append(try entry(edited: item, product: product, to: to, outcome: outcome))
        case .delete(let product): deleted.append(product.id)
        }
      }
      try FolderBase.append(entries, deleted: deleted, to: folder.baseFile)
    }
  }

  /// Returns the entry of a changed product, after its file took values from the market.
  private func entry(
    edited item: PushItem, product: Product, to: ProductValues, outcome: Outcome
  ) throws -> FolderBase.Entry {
    var values = item.base
    for field in ProductFile.fields {
      let isWritten = field == .images ? to.pictures != nil || to.thumbnailID != nil : to[field] != nil
      if isWritten { values[field] = item.local[field] }
    }
    let old = try base.entry(product.id)
    func entry() -> FolderBase.Entry {
      var entry = self.entry(
        item, id: product.id, base: values, product: to.pictures == nil ? product : outcome.product, after: old)
      if to.thumbnailID != nil, let old { entry.reorder(product, after: old) }
      return entry
    }
    if !item.changes.isEmpty, let text = item.text {
      var replacement = FileReplacements(folder)
      try replacement.add(
        ProductFile.text(text, with: item.changes.mapValues { $0 }), to: item.file, replacing: text, as: .entry(entry())
      )
      try replacement.commit(isDurable: true)
    }
    return entry()
  }

  private func entry(created item: PushItem, _ product: Product) -> FolderBase.Entry {
    // A value that the file doesn't state is the market's default.
    let defaults = ProductFile(product, pictures: nil).values
    return entry(
      item, id: product.id, base: item.local.merging(defaults) { local, _ in local }, product: product, after: nil)
  }

  private func entry(
    _ item: PushItem, id: Product.ID, base: ProductMerge.Values, product: Product?, after old: FolderBase.Entry?
  ) -> FolderBase.Entry {
    var entry = FolderBase.Entry(
      id: id, file: item.file, text: "", addresses: old?.addresses ?? [], digests: old?.digests ?? [],
      vendor: product?.vendorID ?? old?.vendor)
    entry.reference = product.map { ProductReference(recording: $0) } ?? old?.reference
    var values = base
    if case .references(let digests) = values[.images] {
      let paths = item.written?.values[.images]
      if digests != old?.digests {
        entry.digests = digests
        entry.addresses = product.flatMap { FolderPictures.addresses(of: $0) } ?? []
        values[.images] = paths
      } else {
        values[.images] = old.flatMap { try? ProductFile(parsing: $0.text) }?.values[.images]
      }
    }
    entry.text = ProductFile(id: id, values: values).text
    let text = (try? folder.product(item.file).text(limit: ProductFile.maximumBytes))
      .map { ProductFile.withLineFeeds($0) }
    if item.verdict.skippedFields.isEmpty, let text, (try? ProductFile(parsing: text))?.values == item.written?.values {
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
