import CGlibc
import Catalog
import Foundation
import MarketOperations
import Platform
import Presentation
import ShellRuntime
import Text

/// A folder of products: `products/` with one file a product, `pictures/` with the pictures by content, and
/// `.openmarket/` with the base.
///
/// Only files that this program wrote are changed or deleted, and no link is followed.
package struct ProductFolder: Sendable {
  /// A file of `products/`.
  package struct LocalFile: Hashable, Sendable {
    package var name: FileName
    package var id: Product.ID?
    /// The text, or `nil` if it is still the text that was pulled.
    package var text: String?
    /// The values, or `nil` if they are those that were pulled.
    package var product: ProductFile?
    /// A Boolean value that indicates that the file lacks the id of its product, which the base knows.
    package var lacksID = false
  }

  /// The market that the folder was pulled from.
  package struct Origin: Hashable, Sendable {
    package var market: MarketIdentity
    package var edition: String
    package var profile: String
    /// The products of the folder: `all`, `mine`, `where EXPR`, or `listed` for those that it has.
    package var selection: String

    package init(market: MarketIdentity, edition: String, profile: String, selection: String) {
      self.market = market
      self.edition = edition
      self.profile = profile
      self.selection = selection
    }
  }

  /// The folder.
  private let root: ConfinedPath
  /// The path as it was typed, for messages.
  package let typed: String

  /// Creates a folder that the user typed.
  package init(_ typed: String, home: String?) {
    self.typed = typed
    let expanded = Paths.expanded(typed, home: home)
    root = ConfinedPath(
      folder: (expanded as NSString).isAbsolutePath
        ? expanded : FileManager.default.currentDirectoryPath + "/" + expanded)
  }

  /// Creates a folder that a file names.
  package init(_ root: ConfinedPath) {
    self.root = root
    typed = root.shown
  }

  /// The absolute path of a folder that the user typed.
  package var path: String { root.path }
  private var products: ConfinedPath { root.appending("products") }
  private var pictures: ConfinedPath { root.appending("pictures") }
  private var own: ConfinedPath { root.appending(".openmarket") }
  package var baseFile: ConfinedPath { own.appending("base.jsonl") }
  private var originFile: ConfinedPath { own.appending("market.toml") }
  /// The folder of the maps between its products and their copies on other markets.
  package var copies: ConfinedPath { own.appending("copies") }

  /// Returns the file of a product.
  package func product(_ name: FileName) -> ConfinedPath { products.appending(name) }
}

// MARK: The program's own files
extension ProductFolder {
  /// Creates the folders, a file that excludes `.openmarket` from git, because a revert of the files must not revert what is
  /// known of the market, and one that prevents git from changing the line ends of products.
  ///
  /// - Throws: `CommandError` for a file or a link in place of a folder; `FileError.cannotWrite`.
  package func create() throws {
    var problems = FolderProblems(typed)
    for (name, folder) in [("products", products), ("pictures", pictures), (".openmarket", own)]
    where ![.folder, .missing].contains(folder.kind) {
      problems.add(name, line: 0, reason: ProductFolder.notAFolder)
    }
    if products.kind == .missing {
      let base = try FolderBase(at: baseFile)
      if !base.isEmpty { problems.add("products", line: 0, reason: ProductFolder.missing(base.names.count)) }
    }
    try problems.throwIfAny()
    try Files.createDirectory(path, mode: 0o777)
    for folder in [products, pictures] { try folder.createFolder(mode: 0o777) }
    try own.createFolder()
    let ignore = own.appending(".gitignore")
    if ignore.kind == .missing { try ignore.write(Data("*\n".utf8)) }
    let attributes = root.appending(".gitattributes")
    if attributes.kind == .missing {
      // A clone on Windows has other line ends otherwise, and git would look for differences in all files.
      try attributes.write(Data("products/*.toml text eol=lf\npictures/* binary\n".utf8), mode: 0o666)
    }
  }

  /// Returns the market that the folder was pulled from, or `nil` for a folder that wasn't pulled.
  ///
  /// - Throws: `FileError`; `.syntax` for a file that isn't this program's.
  package func origin() throws(FileError) -> Origin? {
    guard let file = try SettingsFile(originFile) else { return nil }
    let table = try SettingsTable(file, .table(file.root), at: [])
    guard let address = try table.text("address"), let edition = try table.text("edition") else {
      throw .malformed(path: originFile.path, reason: FileError.otherProgram)
    }
    let generation = try table.text("generation").flatMap { MarketGeneration($0) }
    return Origin(
      market: MarketIdentity(address: address, generation: generation), edition: edition,
      profile: try table.text("profile") ?? "",
      selection: try table.text("selection") ?? "all")
  }

  /// - Throws: `FileError.cannotWrite`.
  package func save(_ origin: Origin) throws(FileError) {
    var members: [String: TOML] = [
      "address": .string(origin.market.address), "edition": .string(origin.edition),
      "profile": .string(origin.profile), "selection": .string(origin.selection),
    ]
    members["generation"] = origin.market.generation.map { .string($0.description) }
    let text = SettingsFile.text(members)
    try originFile.write(Data(text.utf8))
  }

  /// Locks the folder against other commands of this program until the lock is released.
  ///
  /// - Throws: `CommandError` if another command holds it.
  package func lock() throws -> FolderLock {
    guard let lock = FolderLock(own.path) else {
      throw CommandError(
        .blocked,
        .failure(
          "Another openmarket command is using \(.value(typed)). Nothing was sent.",
          ko: "다른 openmarket 명령이 \(.value(typed), .object) 사용하고 있습니다. 아무것도 보내지 않았습니다."
        ).next("Try again when it has ended.", ko: "그 명령이 끝난 뒤 다시 시도하세요."))
    }
    return lock
  }
}

// MARK: Files of products
extension ProductFolder {
  /// Returns the products as they were pulled, and the files.
  ///
  /// - Throws: `CommandError` with every file that can't be used; `FileError`.
  func state() throws -> (base: FolderBase, files: [LocalFile]) {
    let base = try FolderBase(at: baseFile)
    var problems = FolderProblems(typed)
    let files = files(base, &problems)
    try problems.throwIfAny()
    return (base, files)
  }

  /// Returns the files of products in the order of their names.
  ///
  /// Files with another ending are the user's own and aren't read.
  ///
  /// - Parameters:
  ///   - base: The products as they were pulled.
  ///   - problems: The collected errors: files that can't be read, ids that are used twice, and files whose id isn't the
  ///     one that was pulled.
  /// - Returns: The files.
  package func files(_ base: FolderBase, _ problems: inout FolderProblems) -> [LocalFile] {
    switch products.kind {
    case .missing:
      // Every product would count as deleted.
      if !base.isEmpty { problems.add("products", line: 0, reason: ProductFolder.missing(base.names.count)) }
      return []
    case .folder: break
    case .file, .link, .other:
      problems.add("products", line: 0, reason: ProductFolder.notAFolder)
      return []
    }
    let found: [String]
    do throws(FileError) {
      found = try products.fileNames()
    } catch {
      problems.add("products", line: 0, error: error)
      return []
    }
    let names = found.compactMap { FileName(stated: $0) }.filter(ProductFile.isName).sorted {
      $0.description.utf8.lexicographicallyPrecedes($1.description.utf8)
    }
    let byFile = Dictionary(base.names.map { ($0.value, $0.key) }) { first, _ in first }
    var files: [LocalFile] = []
    var owners: [Product.ID: FileName] = [:]
    for name in names {
      do throws(ProductFile.Fault) {
        let pulled = byFile[name]
        let entry = try entry(pulled, of: base)
        var file = try file(name, entry)
        if let pulled, let entry, file.id == nil, let product = file.product,
          valuesWithDigests(product).allSatisfy({ entry.values[$0] == $1 })
        {
          file.product?.id = pulled
          (file.id, file.lacksID) = (pulled, true)
        }
        if let id = file.id, let owner = owners.updateValue(name, forKey: id) {
          throw ProductFile.Fault(
            line: 1,
            reason: LocalizedText(
              "product \(id) has another file, products/\(.foreign(owner.description))",
              ko: "\(id)번 상품은 products/\(.foreign(owner.description)) 파일에도 있습니다"
            ))
        }
        if let pulled, let id = file.id, id != pulled {
          throw ProductFile.Fault(
            line: 1,
            reason: LocalizedText(
              "this is the file of product \(pulled), not of product \(id)", ko: "\(id)번이 아니라 \(pulled)번 상품의 파일입니다"))
        }
        if let pulled, file.id == nil {
          throw ProductFile.Fault(
            line: 1,
            reason: LocalizedText(
              "the id of product \(pulled) is missing; give a copy for a new product another file name",
              ko: "\(pulled)번 상품의 id가 없습니다. 새 상품으로 쓸 사본은 파일 이름을 바꾸세요"))
        }
        files.append(file)
      } catch {
        problems.add("products/\(name)", error)
      }
    }
    return files
  }

  private func entry(
    _ id: Product.ID?, of base: FolderBase
  ) throws(ProductFile.Fault) -> FolderBase.Entry? {
    do throws(FileError) {
      return try id.flatMap { id throws(FileError) in try base.entry(id) }
    } catch {
      throw ProductFolder.fault(CommandError(error))
    }
  }

  private static func fault(_ error: CommandError) -> ProductFile.Fault {
    ProductFile.Fault(line: 1, reason: error.message.reasons.first ?? error.message.what)
  }

  private static func missing(_ count: Int) -> LocalizedText {
    LocalizedText(
      "the folder is missing, although \(count) \(count == 1 ? "product was" : "products were") pulled into it; restore it, or pull into another folder",
      ko: "상품 \(count)개를 가져온 폴더가 없습니다. 폴더를 되살리거나 다른 폴더로 가져오세요")
  }

  private static let notAFolder = LocalizedText("it is not a folder, or a link to one", ko: "폴더가 아니거나 폴더의 링크입니다")

  private func file(_ name: FileName, _ entry: FolderBase.Entry?) throws(ProductFile.Fault) -> LocalFile {
    let file = product(name)
    guard file.kind == .file else {
      throw ProductFile.Fault(
        line: 1, reason: LocalizedText("it is a link, or not a regular file", ko: "링크이거나 일반 파일이 아닙니다"))
    }
    let typed: String
    do throws(FileError) {
      guard let text = try file.text(limit: ProductFile.maximumBytes) else {
        throw .cannotRead(path: file.path, errno: ENOENT)
      }
      typed = text
    } catch {
      throw ProductFolder.fault(CommandError(error))
    }
    let text = ProductFile.withLineFeeds(typed)
    if let entry, text == entry.text { return LocalFile(name: name, id: entry.id, text: nil, product: nil) }
    let product = try ProductFile(parsing: text)
    return LocalFile(name: name, id: product.id, text: text, product: product)
  }

  /// Writes the file of a product.
  ///
  /// - Parameters:
  ///   - name: The name of the file.
  ///   - isDurable: Whether the file is on disk when the function returns.
  /// - Throws: `FileError`: `.cannotWrite`, `.link`.
  package func write(_ text: String, to name: FileName, isDurable: Bool) throws(FileError) {
    let draft = try AtomicFileWriter(at: product(name))
    try draft.append(text)
    try draft.commit(isDurable: isDurable)
  }

  /// Writes the id of a product into its file, unless there is no such file any more.
  ///
  /// - Throws: `FileError`: `.cannotWrite`, `.link`.
  package func write(id: Product.ID, to name: FileName) throws(FileError) {
    guard let typed = try product(name).text(limit: ProductFile.maximumBytes) else { return }
    let text = ProductFile.withLineFeeds(typed)
    try write(ProductFile.text(text, withID: id), to: name, isDurable: true)
  }

  /// Writes the ids into the files that lack one, because a push was interrupted.
  ///
  /// - Throws: `FileError.cannotWrite`.
  package func completeIDs(of files: [LocalFile]) throws(FileError) -> [LocalFile] {
    var files = files
    for index in files.indices where files[index].lacksID {
      guard let id = files[index].id, let text = files[index].text else { continue }
      files[index].text = ProductFile.text(text, withID: id)
      files[index].lacksID = false
      try write(ProductFile.text(text, withID: id), to: files[index].name, isDurable: true)
    }
    return files
  }

  /// Deletes the file of a product.
  package func remove(_ name: FileName) { product(name).remove() }

  /// Deletes the drafts that commands left in `products/`.
  ///
  /// The lock must be held, and no line of the base may refer to a draft.
  func removeDrafts() { products.removeDrafts() }

  /// Flushes the files that were written to disk.
  package func flush() {
    let file = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { return }
    syncfs(file)
    close(file)
  }

  /// Returns the name of a new file for a product.
  package func freshName(for product: Product, _ taken: Set<FileName>) -> FileName {
    func isFree(_ name: FileName) -> Bool { !taken.contains(name) && self.product(name).kind == .missing }
    let name = ProductFile.name(id: product.id, of: product.name)
    guard !isFree(name) else { return name }
    return (2...).lazy.map { ProductFile.name(id: product.id, of: product.name, number: $0) }.first(where: isFree)
      ?? name
  }
}

// MARK: Pictures
extension ProductFolder {
  /// Returns the contents of a picture that a file names, as it is.
  ///
  /// - Throws: `CommandError` for a file that isn't a picture or can't be read, and for a path that leaves the folder.
  package func picture(_ stated: String, limit: Int) throws(CommandError) -> Data {
    try PictureUploadLoader.bytes(stated: stated, in: root, limit: limit)
  }

  /// Returns the pictures that a file names, ready to be sent.
  ///
  /// - Throws: The errors of `PictureUploadLoader.read`.
  func uploads(_ stated: [String], counts: ClosedRange<Int>) throws -> (files: [PictureFile], remarks: [Message]) {
    try PictureUploadLoader(stated: stated, in: root, counts: counts).read()
  }

  /// Returns the values of a file, with the digests of its pictures in place of their paths.
  ///
  /// Pictures that aren't in the folder count as unchanged.
  package func valuesWithDigests(_ file: ProductFile) -> Reconciliation.Values {
    var values = file.values
    guard case .references(let paths) = values[.images] else { return values }
    let digests = paths.compactMap { digest(ofPicture: $0) }
    values[.images] = digests.count == paths.count ? .references(digests) : nil
    return values
  }

  /// Returns the digest of a picture, or `nil` if there is no such file in the folder.
  package func digest(ofPicture stated: String) -> String? {
    guard let file = try? ConfinedPath(stated: stated, below: root) else { return nil }
    return (try? file.contents(limit: ProductFolder.maximumPictureBytes)).map { SHA256.hex($0) }
  }

  /// The maximum size of a picture in bytes.
  private static let maximumPictureBytes = 16 << 20

  /// Writes a picture, unless the folder has it, and returns its path in the folder.
  ///
  /// - Throws: `FileError`: `.cannotWrite`, `.link`.
  package func write(picture bytes: Data, digest: String, ending: String) throws(FileError) -> String {
    let named = "pictures/\(digest.prefix(32)).\(ending)"
    guard self.digest(ofPicture: named) != digest else { return named }
    let draft = try AtomicFileWriter(at: ConfinedPath(stated: named, below: root))
    try draft.append(bytes)
    try draft.commit(isDurable: false)
    return named
  }
}
