import Catalog
import MarketAPI
import MarketOperations
import Networking
import Platform
import ShellRuntime
import WriteJournal

/// The products that an interrupted push of a folder created, whose ids aren't in their files yet.
///
/// The file is the place of its product: if it was edited since, the edits are pushed to the product that was created. A
/// pull doesn't save the product a second time.
struct FolderCreates {
  private let folder: ProductFolder
  private let market: Client<MarketService>

  init(_ folder: ProductFolder, at market: Client<MarketService>) {
    self.folder = folder
    self.market = market
  }

  /// The source of the creates in the log.
  static func source(of folder: ProductFolder) -> String { "push " + WrittenFiles.absolute(folder.path) }

  /// Takes over the values of edits that an interrupted push or its `resume` has made, into the base.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  func settle(_ base: inout FolderBase, in scope: CommandScope) throws {
    guard !base.open.isEmpty, Journal.exists(in: scope.context.stores.home.journalFolder) else { return }
    let (journal, binding) = (try scope.context.stores.journal(), scope.session.marketLogin(at: market.service.baseURL))
    let source = FolderCreates.source(of: folder)
    try base.settle {
      try journal.hasMadeEdit(of: $0.id, from: CreateSource(name: source, part: $0.part), after: $0.newest, binding)
    }
  }

  /// Writes the ids of created products into their files and their values into the base.
  ///
  /// - Returns: Whether there were any, so that the folder has to be read again.
  /// - Throws: The errors of reading the products and of writing the files; `JournalError`.
  func complete(_ base: FolderBase, in scope: CommandScope) async throws -> Bool {
    var files: [ProductFolder.LocalFile] = []
    let made = try await Reconciler.created(from: FolderCreates.source(of: folder), at: market, in: scope) {
      var problems = FolderProblems(folder.typed)
      files = folder.files(base, &problems).filter { $0.id == nil && $0.text != nil }
      return files.map { "\($0.name) " }
    }
    let record = PushRecord(folder, base)
    var isChanged = false
    for (file, known) in zip(files, made) {
      // A product that the base knows has its file already.
      guard let (write, product) = known, base.names[product.id] == nil, let local = file.product,
        let entry = try scope.context.stores.journal().entry(write.entry), case .create(let draft)? = entry.change
      else { continue }
      var created = product
      created.apply(entry.after ?? ProductValues(of: draft))
      var values = ProductFile(created, pictures: nil).values
      values[.images] = folder.valuesWithDigests(local)[.images]
      try record.write(product, createdFrom: PushedFile(name: file.name, text: file.text, local: values, base: [:]))
      isChanged = true
    }
    return isChanged
  }
}
