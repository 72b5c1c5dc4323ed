import Catalog
import MarketAPI
import MarketOperations
import Networking
import Platform
import ShellRuntime
import WriteJournal

/// The new products that a push of a folder made, but whose ids it couldn't write into their files, because it was interrupted.
struct FolderCreates {
  private let folder: ProductFolder
  private let base: FolderBase

  init(_ folder: ProductFolder, _ base: FolderBase) { (self.folder, self.base) = (folder, base) }

  /// The source of the creates in the log.
  static func source(of folder: ProductFolder) -> String { "push " + WrittenFiles.absolute(folder.path) }

  /// Writes the ids of products that exist into their files and into the base, so that a pull doesn't save them a second time.
  ///
  /// - Parameter files: The files of the folder.
  /// - Returns: Whether a file was changed.
  /// - Throws: The errors of reading the products; `JournalError` if the log can't be read; `FileError.cannotWrite`.
  func complete(
    _ files: [ProductFolder.LocalFile], at market: Client<MarketService>, in scope: CommandScope
  ) async throws -> Bool {
    let items = files.compactMap { file -> PushItem? in
      guard file.id == nil, let text = file.text, let product = file.product else { return nil }
      return PushItem(
        file: file.name, text: text, verdict: FolderCreates.create(product), local: folder.valuesWithDigests(product),
        base: [:])
    }
    guard !items.isEmpty, Journal.exists(in: scope.context.home.journalFolder) else { return false }
    let source = FolderCreates.source(of: folder)
    _ = try await scope.planRunner(for: market).settle(source: source)
    let sources = CreateSource.of(items.map(\.verdict.planned), in: source, digests: items.map(\.digest))
    let made = try scope.context.journal().creates(of: sources, scope.session.binding(at: market.service.baseURL))
    let ids = made.compactMap { $0?.product }
    guard !ids.isEmpty else { return false }
    let present = try await ProductReader(market, scope).find(ids, optional: Set(ids))
    let record = PushRecord(folder, base)
    var isChanged = false
    for (item, write) in zip(items, made) {
      guard let product = write.flatMap({ present[$0.product] }), base.names[product.id] == nil else { continue }
      guard record.writeID(of: item, .done(product, differences: [])) else {
        throw record.error ?? .notAFile(path: folder.path)
      }
      isChanged = true
    }
    return isChanged
  }

  /// The create of a file, which is only recognized by its text.
  private static func create(_ file: ProductFile) -> RevalidatedChange {
    let change = Change.create(
      ProductDraft(
        name: file.values[.name]?.description ?? "", description: "", price: .zero, currency: .krw, stock: 0,
        pictures: []))
    return .apply(change, change)
  }
}
