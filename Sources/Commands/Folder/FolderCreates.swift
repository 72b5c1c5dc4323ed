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

  /// Writes the ids of created products into their files and their values into the base.
  ///
  /// - Returns: Whether there were any, so that the folder has to be read again.
  /// - Throws: The errors of reading the products and of writing the files; `JournalError`.
  func complete(_ base: FolderBase, in scope: CommandScope) async throws -> Bool {
    guard Journal.exists(in: scope.context.home.journalFolder) else { return false }
    let (journal, source) = (try scope.context.journal(), FolderCreates.source(of: folder))
    let binding = scope.session.binding(at: market.service.baseURL)
    let settled = try await scope.planRunner(for: market).settle(source: source)
    for one in settled where !one.outcome.isUnknown { scope.say(RunMessages.outcome(of: one)) }
    guard try journal.creates(ofSource: source, parts: [""], binding).first ?? nil != nil else { return false }
    var problems = FolderProblems(folder.typed)
    let files = folder.files(base, &problems).filter { $0.id == nil && $0.text != nil }
    let made = try journal.creates(ofSource: source, parts: files.map { "\($0.name) " }, binding)
    let ids = made.compactMap { $0?.product }
    guard !ids.isEmpty else { return false }
    let present = try await ProductReader(market, scope).find(ids, optional: Set(ids))
    let record = PushRecord(folder, base)
    var isChanged = false
    for (file, write) in zip(files, made) {
      // A product that the base knows has its file already.
      guard let write, let product = present[write.product], base.names[product.id] == nil,
        write.reference?.mismatch(with: product) == nil, let local = file.product,
        let entry = try journal.entry(write.entry), case .create(let draft)? = entry.change
      else { continue }
      var created = product
      created.apply(entry.after ?? ProductValues(of: draft))
      var values = ProductFile(created, pictures: nil).values
      values[.images] = folder.valuesWithDigests(local)[.images]
      let pushed = PushedFile(name: file.name, text: file.text, local: values, base: [:])
      guard record.write(product, createdFrom: pushed) else {
        if let error = record.error { throw error }
        continue
      }
      isChanged = true
    }
    return isChanged
  }
}
