import Catalog
import CommandLanguage
import FoundationEssentials
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// The changes that a push makes, decided from the folder, its base and the current products.
struct PushPlanner {
  /// The changes. The place of each row is the file of its product.
  private(set) var plan = Plan()
  /// The files of the rows, by name.
  private(set) var pushed: [String: PushedFile] = [:]
  /// The notes to show before the question.
  private(set) var notes: [Message] = []

  private let folder: ProductFolder
  private let base: FolderBase
  private let files: [ProductFolder.LocalFile]
  private let winner: ConflictResolution?
  private let deletes: Bool
  private let session: Session
  private let dialect: Dialect
  private var problems: FolderProblems
  private var unsendablePictures = 0

  init(
    _ folder: ProductFolder, files: [ProductFolder.LocalFile], base: FolderBase, winner: ConflictResolution?,
    deletes: Bool, dialect: Dialect, session: Session
  ) {
    self.folder = folder
    self.files = files
    self.base = base
    self.winner = winner
    self.deletes = deletes
    self.dialect = dialect
    self.session = session
    problems = FolderProblems(folder.typed)
  }

  /// A file whose values may differ from those of its product.
  private struct Candidate {
    var file: ProductFolder.LocalFile
    var id: Product.ID
    var entry: FolderBase.Entry?
    var pushed: PushedFile
  }

  /// Decides the changes.
  ///
  /// - Throws: `CommandError` with every file that can't be used; the errors of reading the products.
  mutating func decide(
    from market: Client<MarketService>, _ pictures: PictureBackup, in scope: CommandScope
  ) async throws {
    try checkPictures()
    let candidates = try candidates()
    let gone = try goneEntries()
    let ids = candidates.map(\.id) + (deletes ? gone.map(\.id) : [])
    var fields = Set(ProductField.singleLineValues)
    let pushed = candidates.map(\.pushed)
    if pushed.contains(where: { $0.local[.description] != nil }) { fields.insert(.description) }
    if deletes && !gone.isEmpty || pushed.contains(where: { $0.local[.images] != $0.base[.images] }) {
      fields.insert(.images)
    }
    let products = try await ProductReader(market, scope).findExisting(ids, requiring: fields)
    try check(products, candidates.compactMap(\.entry) + (deletes ? gone : []))
    for candidate in candidates { take(candidate, products[candidate.id]) }
    for file in files where file.id == nil { create(file, replacing: nil) }
    if deletes {
      for entry in gone {
        if let product = products[entry.id] { await pictures.save(of: product) }
        delete(entry, products[entry.id])
      }
    } else if !gone.isEmpty {
      notes.append(
        Message.note(
          "\(gone.count) \(gone.count == 1 ? StyledText("file was") : "files were") deleted. The \(gone.count == 1 ? StyledText("product stays") : "products stay") on the server.",
          ko: "파일 \(gone.count)개가 삭제되었습니다. 상품은 서버에 그대로 둡니다."
        ).next(
          "Add \(.command("deletes")) to delete \(gone.count == 1 ? StyledText("it") : "them") there.",
          ko: "서버에서도 삭제하려면 \(.command("deletes"), .object) 붙이세요."))
    }
    try problems.throwIfAny()
    notePictures()
  }

  /// Checks that the products are those of the folder.
  ///
  /// - Throws: `CommandError` with exit status 4 if a number names another product now.
  private func check(_ products: [Product.ID: Product], _ entries: [FolderBase.Entry]) throws {
    let compared = entries.compactMap { entry in products[entry.id].map { (entry.reference, $0) } }
    try CommandError.throwIfOther(
      compared.compactMap { $0?.mismatch(with: $1) }, of: compared.count,
      next: LocalizedText("Pull into another folder.", ko: "다른 폴더로 가져오세요."))
  }

  /// The products of the folder whose files were deleted.
  private func goneEntries() throws -> [FolderBase.Entry] {
    let (names, ids) = (Set(files.map(\.name)), Set(files.compactMap(\.id)))
    let gone = base.names.filter { !ids.contains($0.key) && !names.contains($0.value) }
    return try gone.keys.sorted().compactMap { try base.entry($0) }
  }

  private func candidates() throws -> [Candidate] {
    try files.compactMap { file in
      guard let id = file.id else { return nil }
      let entry = try base.entry(id)
      if file.text == nil, entry?.digests.isEmpty ?? true { return nil }
      let known = entry?.values ?? [:]
      let product = file.product ?? entry.flatMap { try? ProductFile(parsing: $0.text) }
      var local = product.map { folder.valuesWithDigests($0) } ?? known
      // What the server stores of a picture may differ from the picture that was sent, so it isn't compared with a file
      // that wasn't pulled.
      if entry == nil { local[.images] = nil }
      guard entry == nil || local.contains(where: { known[$0.key] != $0.value }) else { return nil }
      return Candidate(
        file: file, id: id, entry: entry,
        pushed: PushedFile(name: file.name, text: file.text, local: local, base: known))
    }
  }

  /// Reports the files that name other pictures than those that were pulled, if the market takes no files of pictures.
  private mutating func checkPictures() throws {
    guard !dialect.createsPictures else { return }
    for file in files {
      // What was pulled into another folder isn't known.
      guard let id = file.id, let text = file.text, let entry = try base.entry(id),
        case .references(let paths)? = file.product?.values[.images],
        (try? ProductFile(parsing: entry.text))?.values[.images] ?? .references([]) != .references(paths)
      else { continue }
      addRefusedPictures("products/\(file.name)", in: text)
    }
  }

  /// Reports the pictures of a file for a market that takes no files of pictures.
  private mutating func addRefusedPictures(_ path: String, in text: String) {
    problems.add(
      path, line: ProductFile.line(of: .images, in: text),
      reason: dialect.takesAddresses
        ? LocalizedText(
          "\(.foreign(dialect.name)) takes addresses of images, and a folder has files; leave \(.field(ProductField.images)) as it was pulled, and set addresses with \(.command("patch"))",
          ko:
            "\(.foreign(dialect.name)) 마켓은 사진의 주소를 받고 폴더에는 파일이 있습니다. \(.field(ProductField.images), .object) 가져온 그대로 두고, 주소는 \(.command("patch"), .toward) 지정하세요"
        )
        : LocalizedText(
          "\(.foreign(dialect.name)) takes no images; leave \(.field(ProductField.images)) as it was pulled",
          ko: "\(.foreign(dialect.name)) 마켓은 사진을 받지 않습니다. \(.field(ProductField.images), .object) 가져온 그대로 두세요"))
  }

  // MARK: One product

  private mutating func take(_ candidate: Candidate, _ product: Product?) {
    guard let product else {
      if candidate.entry == nil, !base.deleted.contains(candidate.id) {
        return problems.add(
          "products/\(candidate.file.name)", line: 1,
          reason: LocalizedText("product \(candidate.id) does not exist", ko: "\(candidate.id)번 상품이 없습니다"))
      }
      let decision = Reconciliation.Decision(ofMissing: true, hasBase: candidate.entry != nil, winner: winner)
      if decision == .created { create(candidate.file, replacing: candidate.id) }
      if decision == .conflict {
        let name = candidate.pushed.local[.name]?.description
        add(Plan.Row(gone: Product(id: candidate.id, name: name)), of: candidate.pushed)
      }
      return
    }
    var pushed = candidate.pushed
    let merge = Reconciliation(
      base: pushed.base, mine: pushed.local, market: market(product, candidate.entry), in: ProductFile.fields,
      winner: winner)
    guard let (from, to) = values(merge.writes, of: product, candidate) else { return }
    pushed.base = merge.base
    for (field, decision) in merge.decisions {
      switch decision {
      case .conflict: pushed.changes[field] = merge.taken[field]
      // The other values of the market stay for the next pull.
      case .outdated: pushed.base[field] = candidate.pushed.base[field]
      case .unchanged, .write, .gone, .created: break
      }
    }
    add(Plan.Row(product, from: from, to: to, leaving: merge.open), of: pushed)
  }

  private mutating func add(_ row: Plan.Row, of file: PushedFile) {
    var row = row
    row.place = .file(file.name.description)
    row.digest = file.digest
    plan.rows.append(row)
    pushed[file.name.description] = file
  }

  private func market(_ product: Product, _ entry: FolderBase.Entry?) -> Reconciliation.Values {
    var values = ProductFile(product, pictures: nil).values
    if let addresses = FolderPictures.addresses(of: product) {
      values[.images] = .references(entry?.addresses == addresses ? entry?.digests ?? [] : addresses)
    }
    return values
  }

  /// Returns the values before and after the change, or `nil` for values that the product can't have.
  private mutating func values(
    _ writes: Reconciliation.Values, of product: Product, _ candidate: Candidate
  ) -> (from: ProductValues, to: ProductValues)? {
    let text = candidate.file.text ?? candidate.entry?.text ?? ""
    let limits = session.limits
    let written = ProductField.writableValues.filter { writes[$0] != nil }
    var values: (from: ProductValues, to: ProductValues)
    do throws(ParseError) {
      values = try ProductEdit(setting: writes, limits: limits).changes(of: product)
    } catch {
      // The first field whose own value is invalid, or the first one of values that contradict each other.
      let field =
        written.first { (try? ProductEdit(setting: [$0: writes[$0]].compactMapValues(\.self), limits: limits)) == nil }
        ?? written.first ?? .name
      problems.add(
        "products/\(candidate.file.name)", line: ProductFile.line(of: field, in: text), reason: error.message)
      return nil
    }
    if writes[.images] != nil { setPictures(candidate, product: product, text: text, values: &values) }
    return values
  }

  /// Sets the pictures, or the thumbnail if only the order changed, as far as the edition supports it.
  private mutating func setPictures(
    _ candidate: Candidate, product: Product, text: String, values: inout (from: ProductValues, to: ProductValues)
  ) {
    guard case .references(let digests) = candidate.pushed.local[.images] else { return }
    if dialect.supports(.replacePictures), dialect.createsPictures {
      values.to.pictures = files(ofPictures: candidate.file.product, "products/\(candidate.file.name)", text)
    } else if dialect.supports(.chooseThumbnail), let entry = candidate.entry,
      digests.sorted() == entry.digests.sorted(), let first = digests.first,
      let index = entry.digests.firstIndex(of: first), index < entry.addresses.count,
      let picture = product.images?.first(where: {
        PictureAddresses.removingOrigins(in: $0.url) == entry.addresses[index]
      })?.id
    {
      guard picture != product.coverPicture?.id else { return }
      values.to.thumbnailID = picture
      values.from.thumbnailID = product.coverPicture?.id
    } else {
      unsendablePictures += 1
    }
  }

  /// Returns the pictures of a file, ready to be sent.
  private mutating func files(ofPictures product: ProductFile?, _ relativePath: String, _ text: String)
    -> [PictureFile]?
  {
    guard case .references(let paths) = product?.values[.images] else { return nil }
    let line = ProductFile.line(of: .images, in: text)
    do {
      let (files, remarks) = try folder.uploads(paths, counts: session.limits.pictureCount)
      notes += remarks
      return files
    } catch {
      problems.add(relativePath, line: line, error: error)
    }
    return nil
  }

  /// Adds a product that is created from a file.
  ///
  /// `replaced` is the deleted product that it replaces.
  private mutating func create(_ file: ProductFolder.LocalFile, replacing replaced: Product.ID?) {
    let relativePath = "products/\(file.name)"
    let pulled: FolderBase.Entry?
    do {
      pulled = try replaced.flatMap { try base.entry($0) }
    } catch {
      return problems.add(relativePath, line: 1, error: error)
    }
    guard let product = file.product ?? pulled.flatMap({ try? ProductFile(parsing: $0.text) }) else { return }
    let text = file.text ?? product.text
    var fields = NewProductFields()
    for field in ProductFile.fields {
      guard field != .images, let value = product.values[field]?.description else { continue }
      do {
        try fields.set(field.rawValue, text: value, limits: session.limits)
      } catch {
        return problems.add(relativePath, line: ProductFile.line(of: field, in: text), error: error)
      }
    }
    if case .references(let paths) = product.values[.images], !paths.isEmpty || dialect.createsPictures {
      fields.images = paths
      if !dialect.createsPictures { return addRefusedPictures(relativePath, in: text) }
    }
    do {
      try fields.requireComplete(dialect.capabilities.requiredFields)
      guard let pictures = dialect.createsPictures ? files(ofPictures: product, relativePath, text) : [] else { return }
      var draft = try fields.draft(pictures: pictures, session.limits, for: dialect)
      draft.replaces = replaced
      add(
        Plan.Row(.create(draft)),
        of: PushedFile(name: file.name, text: text, local: folder.valuesWithDigests(product), base: [:]))
    } catch {
      problems.add(relativePath, line: 1, error: error)
    }
  }

  private mutating func delete(_ entry: FolderBase.Entry, _ product: Product?) {
    let gone = Product(id: entry.id, name: entry.values[.name]?.description)
    let row: Plan.Row
    if let product {
      let change = Change.delete(product)
      let merge = Reconciliation(
        base: entry.values, mine: nil, market: market(product, entry), in: ProductFile.fields, winner: winner)
      switch merge.product {
      case .write: row = Plan.Row(change)
      case .conflict: row = Plan.Row(change, unsent: .drifted(merge.decisions.map(\.field)))
      case .unchanged, .outdated, .gone, .created: return
      }
    } else {
      row = Plan.Row(.delete(gone), unsent: .unchanged(gone))
    }
    add(row, of: PushedFile(name: entry.file, text: nil, local: [:], base: [:]))
  }

  private mutating func notePictures() {
    guard unsendablePictures > 0 else { return }
    let count = unsendablePictures
    notes.append(
      .warning(
        "The changed images of \(count) \(count == 1 ? StyledText("product") : "products") will not be sent.",
        ko: "상품 \(count)개의 바뀐 사진은 보내지 않습니다."
      ).because(
        dialect.createsPictures
          ? LocalizedText(
            "In this edition, images cannot be changed after a product is created.",
            ko: "이 API 버전에서는 등록한 뒤에 사진을 바꿀 수 없습니다.")
          : LocalizedText(
            "\(.foreign(dialect.name)) takes no files of images.", ko: "\(.foreign(dialect.name)) 마켓은 사진 파일을 받지 않습니다."))
    )
  }
}

/// The file of a row of a push, with its values.
struct PushedFile: Sendable {
  var name: FileName
  /// The text of the file, or `nil` if there is none any more.
  var text: String?
  /// The values of the file, with the digests of its pictures.
  var local: Reconciliation.Values
  /// The base as it becomes if nothing is written.
  var base: Reconciliation.Values
  /// The values that the file takes from the market.
  var changes: Reconciliation.Values = [:]

  /// The file as it is after the push, or `nil` if there is none.
  var written: ProductFile? {
    var file = text.flatMap { try? ProductFile(parsing: $0) }
    for (field, value) in changes { file?.values[field] = value }
    return file
  }

  /// The identity of a new product within its folder: its file and its content.
  fileprivate var digest: String { "\(name) \(SHA256.hex(Data((text ?? "").utf8)).prefix(16))" }
}
