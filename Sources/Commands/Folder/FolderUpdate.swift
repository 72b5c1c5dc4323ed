import Catalog
import Foundation
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// The comparison of a folder with its market, product by product, and the update of the folder.
///
/// Files are replaced as products are read, each together with its record; all of the base is written again at the end.
struct FolderUpdate {
  private(set) var differences: [FolderDifference] = []
  /// The number of files that were written for new products.
  private(set) var created = 0
  private(set) var updated = 0
  private(set) var removed = 0

  private let folder: ProductFolder
  private let base: FolderBase
  private let winner: ConflictResolution?
  /// A Boolean value that indicates that the files are only compared.
  private let isDry: Bool
  private let files: [ProductFolder.LocalFile]
  /// The positions in `files` by id.
  private let locals: [Product.ID: Int]
  private var names: Set<FileName>
  private var pictures: FolderPictures
  private let writer: FolderBase.Writer?
  private var replacements: FileReplacements
  private var seen: Set<Product.ID> = []

  /// Creates the update of a folder.
  ///
  /// - Parameters:
  ///   - files: The files of the folder, which were checked.
  ///   - base: The products as they were pulled.
  ///   - winner: The side that wins conflicts.
  ///   - isDry: Whether the files are only compared.
  /// - Throws: `FileError.cannotWrite`.
  init(
    _ folder: ProductFolder, files: [ProductFolder.LocalFile], base: FolderBase, winner: ConflictResolution?,
    isDry: Bool, market: Client<MarketService>, _ scope: CommandScope
  ) throws {
    self.folder = folder
    self.files = files
    self.base = base
    self.winner = winner
    self.isDry = isDry
    locals = Dictionary(files.indices.compactMap { index in files[index].id.map { ($0, index) } }) { first, _ in first }
    names = Set(files.map(\.name)).union(base.names.values)
    pictures = FolderPictures(folder, market: market, isFetching: !isDry, scope)
    writer = isDry ? nil : try FolderBase.Writer(at: folder.baseFile, deleted: base.deleted)
    replacements = FileReplacements(folder)
  }

  /// The number of products whose pictures couldn't be fetched.
  var lostPictures: Int { pictures.failures }
  /// A Boolean value that indicates that nothing was pulled before, so that every product is new.
  var isFirst: Bool { base.isEmpty && files.isEmpty }

  /// The products of the folder that weren't among those of the market so far.
  private var missing: [Product.ID] { Set(base.names.keys).union(locals.keys).subtracting(seen).sorted() }

  /// Merges the products of the market, and ends the update.
  ///
  /// Products of the folder that the scan doesn't select are read one by one.
  ///
  /// - Throws: The errors of reading; `FileError.cannotWrite`.
  mutating func merge(_ scan: FolderScan) async throws -> FolderScan.Summary {
    var scanned = try await scan.forEach { try await take($0) }
    var rest = missing
    if case .ids(let ids) = scan.selection { rest = rest.filter(ids.contains) }
    let found = try await ProductReader(scan.market, scan.scope).find(rest, optional: Set(rest))
    scanned.count += found.count
    try await take(rest.compactMap { found[$0] })
    try finish(gone: rest.filter { found[$0] == nil })
    return scanned
  }

  /// Merges products of the market.
  ///
  /// - Throws: `FileError.cannotWrite`.
  private mutating func take(_ products: [Product]) async throws {
    let known = try await pictures.known(products, base)
    for product in products where seen.insert(product.id).inserted { try merge(product, known[product.id]) }
    try replacements.commit()
  }

  /// Ends the update.
  ///
  /// - Parameter gone: The products of the folder that the market doesn't have any more.
  /// - Throws: `FileError.cannotWrite`.
  private mutating func finish(gone: [Product.ID]) throws {
    for id in gone where seen.insert(id).inserted { try remove(id) }
    for file in files where file.id == nil {
      differences.append(FolderDifference(file: file.name, id: nil, side: .local, kind: .added))
    }
    if let writer {
      for id in base.names.keys.sorted() where !seen.contains(id) {
        if let entry = try base.entry(id) { try writer.append(entry) }
      }
    }
    // An edit that `resume` may still send belongs to the next base, too.
    for edit in base.open { try writer?.append(edit) }
    differences.sort { ($0.file.description, $0.id ?? 0) < ($1.file.description, $1.id ?? 0) }
    try replacements.commit()
    guard let writer else { return }
    folder.flush()
    try writer.commit()
    folder.removeDrafts()
  }

  private func local(_ id: Product.ID) -> ProductFolder.LocalFile? { locals[id].map { files[$0] } }

  // MARK: One product

  private mutating func merge(_ product: Product, _ pictures: FolderPictures.Known?) throws {
    let entry = try base.entry(product.id)
    guard let local = local(product.id) else {
      guard let entry else { return try add(product, pictures, as: folder.freshName(for: product, names)) }
      return try mergeDeleted(entry, product: product, pictures: pictures)
    }
    let current = ProductFile(product, pictures: pictures?.paths)
    if let entry, local.text == nil, current.text == entry.text, (pictures?.addresses ?? []) == entry.addresses {
      try writer?.append(entry)
      return
    }
    let base = entry?.values
    let mine = local.product.map { folder.valuesWithDigests($0) } ?? base ?? [:]
    let market = FolderUpdate.values(current, pictures)
    let merge = Reconciliation(
      base: base ?? [:], mine: mine, market: market, in: ProductFile.fields, winner: winner)
    for (field, decision) in merge.decisions {
      differences.append(
        FolderDifference(
          file: local.name, id: product.id, side: decision.side(winner), kind: .changed(field),
          base: base?[field], local: mine[field], market: market[field]))
    }
    let old = local.text ?? entry?.text ?? ""
    let text = merge.taken.isEmpty || isDry ? old : try FolderUpdate.text(old, with: merge.taken, pictures)
    var agreed = FolderBase.Entry(
      id: product.id, file: local.name, values: merge.base, of: product, pictures: pictures, after: entry)
    if merge.writes.isEmpty, merge.open.isEmpty { agreed.agree(on: text) }
    if !merge.taken.isEmpty {
      updated += 1
      if !isDry { try replacements.add(text, to: local.name, replacing: old, as: .entry(agreed)) }
    }
    try writer?.append(agreed)
  }

  private mutating func add(_ product: Product, _ pictures: FolderPictures.Known?, as name: FileName) throws {
    names.insert(name)
    created += 1
    if !isFirst {
      differences.append(FolderDifference(file: name, id: product.id, side: .market, kind: .added))
    }
    guard !isDry else { return }
    let file = ProductFile(product, pictures: pictures?.paths)
    let entry = FolderBase.Entry(
      id: product.id, file: name, values: FolderUpdate.values(file, pictures), of: product, pictures: pictures,
      after: nil)
    try replacements.add(file.text, to: name, replacing: nil, as: .entry(entry))
    try writer?.append(entry)
  }

  /// Merges a product whose file was deleted.
  private mutating func mergeDeleted(
    _ entry: FolderBase.Entry, product: Product, pictures: FolderPictures.Known?
  ) throws {
    let current = ProductFile(product, pictures: pictures?.paths)
    let merge = Reconciliation(
      base: entry.values, mine: nil, market: FolderUpdate.values(current, pictures), in: ProductFile.fields,
      winner: winner)
    if merge.product == .outdated { return try add(product, pictures, as: entry.file) }
    let isConflict = merge.product == .conflict
    differences.append(
      FolderDifference(file: entry.file, id: product.id, side: isConflict ? .both : .local, kind: .removed))
    let agreed = FolderBase.Entry(
      id: product.id, file: entry.file, values: merge.base, of: product, pictures: pictures, after: entry)
    try writer?.append(isConflict ? entry : agreed)
  }

  /// Merges a product that the market doesn't have any more.
  private mutating func remove(_ id: Product.ID) throws {
    let entry = try base.entry(id)
    guard let local = local(id) else { return }
    // A deletion by this folder that was reverted has no base: the next push creates the product again.
    let isDeletedHere = entry == nil && base.deleted.contains(id)
    let changedText = local.text.flatMap { entry?.isAgreed($0) == true ? nil : $0 }
    switch Reconciliation.Decision(ofMissing: changedText != nil, hasBase: !isDeletedHere, winner: winner) {
    case .created:
      differences.append(FolderDifference(file: local.name, id: id, side: .local, kind: .added))
      if let changedText, !isDeletedHere, !isDry {
        try replacements.add(
          ProductFile.textWithoutID(changedText), to: local.name, replacing: changedText, as: .dropped(id))
      }
    case .conflict:
      differences.append(
        FolderDifference(file: local.name, id: id, side: .both, kind: .removed, local: local.product?.values[.name]))
      if let entry { try writer?.append(entry) }
    case .unchanged, .write, .outdated, .gone:
      removed += 1
      differences.append(FolderDifference(file: local.name, id: id, side: .market, kind: .removed))
      if !isDry { folder.remove(local.name) }
    }
  }

  // MARK: Texts

  private static func text(
    _ old: String, with changes: Reconciliation.Values, _ pictures: FolderPictures.Known?
  ) throws -> String {
    var changes = changes
    if changes[.images] != nil, let pictures { changes[.images] = .references(pictures.paths) }
    return try ProductFile.text(old, with: changes.mapValues { $0 })
  }

  private static func values(_ file: ProductFile, _ pictures: FolderPictures.Known?) -> Reconciliation.Values {
    var values = file.values
    values[.images] = pictures.map { .references($0.digests) }
    return values
  }
}

extension Reconciliation.Decision {
  /// Returns the side that a difference belongs to.
  fileprivate func side(_ winner: ConflictResolution?) -> FolderDifference.Side {
    switch (self, winner) {
    case (.write, _), (.conflict, .file), (.unchanged, _), (.created, _): .local
    case (.outdated, _), (.conflict, .server), (.gone, _): .market
    case (.conflict, nil): .both
    }
  }
}
