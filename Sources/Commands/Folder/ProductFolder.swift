import CGlibc
import Catalog
import Foundation
import Platform
import Presentation
import ShellRuntime
import Text

/// A folder of products: `products/` with one file a product, `pictures/` with the pictures by content, and
/// `.openmarket/` with what was pulled.
///
/// Only files that this program wrote are changed or deleted, and no link is followed.
package struct ProductFolder: Sendable {
  /// A file of `products/`.
  package struct LocalFile: Hashable, Sendable {
    package var name: String
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
    /// The address as in the journal.
    package var address: String
    package var edition: String
    package var profile: String
    /// The products of the folder: `all`, `mine`, `where EXPR`, or `listed` for those that it has.
    package var selection: String

    package init(address: String, edition: String, profile: String, selection: String) {
      self.address = address
      self.edition = edition
      self.profile = profile
      self.selection = selection
    }
  }

  /// The absolute path.
  package let path: String
  /// The path as it was typed, for messages.
  package let typed: String

  package init(_ typed: String, home: String?) {
    self.typed = typed
    let expanded = Paths.expanded(typed, home: home)
    path =
      (expanded as NSString).isAbsolutePath
      ? expanded : FileManager.default.currentDirectoryPath + "/" + expanded
  }

  package var products: String { path + "/products" }
  package var pictures: String { path + "/pictures" }
  private var own: String { path + "/.openmarket" }
  package var baseFile: String { own + "/base.jsonl" }
  private var originFile: String { own + "/market.toml" }
  /// The folder of the maps between its products and their copies on other markets.
  package var copies: String { own + "/copies" }

  package func path(ofProduct file: String) -> String { products + "/" + file }
}

// MARK: The program's own files
extension ProductFolder {
  /// Creates the folders, a file that keeps `.openmarket` out of git, because a revert of the files must not revert what is
  /// known of the market, and one that keeps git from changing the line ends of products.
  ///
  /// - Throws: `CommandError` for a file or a link in place of a folder; `FileError.cannotWrite`.
  package func create() throws {
    var problems = FolderProblems(typed)
    for (name, folder) in [("products", products), ("pictures", pictures), (".openmarket", own)]
    where ![.folder, .missing].contains(FileKind(folder)) {
      problems.add(name, line: 0, reason: ProductFolder.notAFolder)
    }
    if FileKind(products) == .missing {
      let base = try FolderBase(at: baseFile)
      if !base.isEmpty { problems.add("products", line: 0, reason: ProductFolder.missing(base.names.count)) }
    }
    try problems.throwIfAny()
    for folder in [products, pictures] { try Files.createDirectory(folder, mode: 0o777) }
    try Files.createDirectory(own)
    let ignore = own + "/.gitignore"
    if FileKind(ignore) == .missing { try Files.write(Data("*\n".utf8), to: ignore) }
    let attributes = path + "/.gitattributes"
    if FileKind(attributes) == .missing {
      // A clone on Windows has other line ends otherwise, and git would look for differences in all files.
      try Files.write(Data("products/*.toml text eol=lf\npictures/* binary\n".utf8), to: attributes, mode: 0o666)
    }
  }

  /// Returns the market that the folder was pulled from, or `nil` for a folder that wasn't pulled.
  ///
  /// - Throws: `FileError`; `.syntax` for a file that isn't this program's.
  package func origin() throws(FileError) -> Origin? {
    guard let file = try SettingsFile(originFile) else { return nil }
    let table = try SettingsTable(file, .table(file.root), at: [])
    guard let address = try table.text("address"), let edition = try table.text("edition") else {
      throw .malformed(path: originFile, reason: "not a file of this program")
    }
    return Origin(
      address: address, edition: edition, profile: try table.text("profile") ?? "",
      selection: try table.text("selection") ?? "all")
  }

  /// - Throws: `FileError.cannotWrite`.
  package func save(_ origin: Origin) throws(FileError) {
    let text = SettingsFile.text([
      "address": .string(origin.address), "edition": .string(origin.edition), "profile": .string(origin.profile),
      "selection": .string(origin.selection),
    ])
    try Files.write(Data(text.utf8), to: originFile)
  }

  /// Locks the folder against other commands of this program until the lock is released.
  ///
  /// - Throws: `CommandError` if another command holds it.
  package func lock() throws -> FolderLock {
    guard let lock = FolderLock(own) else {
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
    switch FileKind(products) {
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
      found = try Files.names(in: products)
    } catch {
      problems.add("products", line: 0, error: error)
      return []
    }
    let names =
      found
      .filter { $0.hasSuffix(".toml") && !$0.hasPrefix(".") }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let byFile = Dictionary(base.names.map { ($0.value, $0.key) }) { first, _ in first }
    var files: [LocalFile] = []
    var owners: [Product.ID: String] = [:]
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
              "product \(id) has another file, products/\(.foreign(owner))",
              ko: "\(id)번 상품은 products/\(.foreign(owner)) 파일에도 있습니다"
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
        problems.add("products/" + name, error)
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

  private func file(_ name: String, _ entry: FolderBase.Entry?) throws(ProductFile.Fault) -> LocalFile {
    let fullPath = path(ofProduct: name)
    guard FileKind(fullPath) == .file else {
      throw ProductFile.Fault(
        line: 1, reason: LocalizedText("it is a link, or not a regular file", ko: "링크이거나 일반 파일이 아닙니다"))
    }
    let typed: String
    do {
      typed = try StableFileReader.text(fullPath, limit: ProductFile.maximumBytes)
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
  ///   - text: The text.
  ///   - name: The name of the file.
  ///   - isDurable: Whether the file is on disk when the function returns.
  /// - Throws: `FileError.cannotWrite`.
  package func write(_ text: String, to name: String, isDurable: Bool) throws(FileError) {
    let fullPath = path(ofProduct: name)
    guard [.file, .missing].contains(FileKind(fullPath)) else { throw .cannotWrite(path: fullPath, errno: ELOOP) }
    let draft = try AtomicFileWriter(at: fullPath)
    try draft.append(text)
    try draft.commit(isDurable: isDurable)
  }

  /// Writes the id of a product into its file, unless there is no such file any more.
  ///
  /// - Throws: `FileError.cannotWrite`.
  package func write(id: Product.ID, to name: String) throws(FileError) {
    guard let typed = try Files.text(path(ofProduct: name), limit: ProductFile.maximumBytes) else { return }
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
  package func remove(_ name: String) { unlink(path(ofProduct: name)) }

  /// Flushes the files that were written to disk.
  package func flush() {
    let file = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { return }
    syncfs(file)
    close(file)
  }

  /// Returns the name of a new file for a product.
  package func freshName(for product: Product, _ taken: Set<String>) -> String {
    let name = ProductFile.name(id: product.id, of: product.name)
    guard taken.contains(name) || FileKind(path(ofProduct: name)) != .missing else { return name }
    let stem = name.dropLast(5)
    return (2...).lazy.map { "\(stem)-\($0).toml" }.first { fresh in
      !taken.contains(fresh) && FileKind(path(ofProduct: fresh)) == .missing
    } ?? name
  }
}

// MARK: Pictures
extension ProductFolder {
  /// Returns the path of a picture that a file names.
  ///
  /// - Throws: `ProductFile.Fault`, without a line, for a path that leaves the folder by its name or by a link.
  package func path(ofPicture named: String) throws(ProductFile.Fault) -> String {
    let parts = named.split(separator: "/", omittingEmptySubsequences: false)
    var fullPath = path
    for (index, part) in parts.enumerated() {
      fullPath = Paths.existing(fullPath + "/" + part)
      let kind = FileKind(fullPath)
      let isExpected = kind == .missing || (index == parts.count - 1 ? kind == .file : kind == .folder)
      guard !part.isEmpty, part != "..", part != ".", !part.utf8.contains(0), isExpected else {
        throw ProductFile.Fault(
          line: 1,
          reason: LocalizedText(
            "\(.foreign(named)) leaves the folder, or is not a file", ko: "\(.foreign(named), .topic) 폴더 밖이거나 파일이 아닙니다")
        )
      }
    }
    return fullPath
  }

  /// Returns the values of a file, with the digests of its pictures in place of their paths.
  ///
  /// Pictures that aren't in the folder count as unchanged.
  package func valuesWithDigests(_ file: ProductFile) -> ProductMerge.Values {
    var values = file.values
    guard case .references(let paths) = values[.images] else { return values }
    let digests = paths.compactMap { digest(ofPicture: $0) }
    values[.images] = digests.count == paths.count ? .references(digests) : nil
    return values
  }

  /// Returns the digest of a picture, or `nil` if there is no such file in the folder.
  package func digest(ofPicture named: String) -> String? {
    guard let fullPath = try? path(ofPicture: named), let bytes = try? Files.read(fullPath) else { return nil }
    return SHA256.hex(bytes)
  }

  /// Writes a picture, unless the folder has it, and returns its path in the folder.
  ///
  /// - Throws: `FileError.cannotWrite`.
  package func write(picture bytes: Data, digest: String, ending: String) throws(FileError) -> String {
    let named = "pictures/\(digest.prefix(32)).\(ending)"
    guard self.digest(ofPicture: named) != digest else { return named }
    guard [.file, .missing].contains(FileKind(path + "/" + named)) else {
      throw .cannotWrite(path: path + "/" + named, errno: ELOOP)
    }
    let draft = try AtomicFileWriter(at: path + "/" + named)
    try draft.append(bytes)
    try draft.commit(isDurable: false)
    return named
  }
}
