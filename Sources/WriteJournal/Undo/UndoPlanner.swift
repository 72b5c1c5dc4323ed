import Catalog
import Foundation
import GRDB

/// Builds an undo entry by entry, newest first, based on the products as they will be when each change is made.
struct UndoPlanner {
  let market: any MarketAccess
  let journal: Journal
  let binding: MarketLogin
  /// A Boolean value that indicates whether a created product is deleted even if others changed it since.
  let admitsChanged: Bool
  var undo = UndoPlan()
  /// The products after the changes planned so far, with `nil` for a deleted one.
  private var simulated: [Product.ID: Product?] = [:]

  init(market: any MarketAccess, journal: Journal, binding: MarketLogin, admitsChanged: Bool = false) {
    self.admitsChanged = admitsChanged
    self.market = market
    self.journal = journal
    self.binding = binding
  }

  mutating func add(_ entry: JournalEntry) async throws(UndoError) {
    guard !entry.hasInvalidChecksum else { throw .altered(entry.id) }
    guard entry.action != .raw else { throw .raw(entry.id) }
    guard entry.baseURL == binding.baseURL else {
      throw entry.profile == binding.profile
        ? .otherMarket(entry.id, profile: entry.profile) : .otherTarget(entry.id, profile: entry.profile)
    }
    if let by = entry.undoneBy, entry.status == .undone { throw .alreadyUndone(entry.id, by: by) }
    guard entry.status == .done, let change = entry.change, let old = entry.product ?? change.product?.id else {
      throw .notDone(entry.id, entry.status)
    }
    try checkNotAlreadyUndone(entry.id)
    try checkMapping(entry.id)
    let id = try currentID(old)
    switch change {
    case .edit(_, let from, let to): try await undoEdit(entry, id: id, from: from, to: to)
    case .create: try await undoCreate(entry, id)
    case .delete(let product): try undoDelete(entry, entry.snapshot ?? product)
    }
  }

  private mutating func undoEdit(_ entry: JournalEntry, id: Product.ID, from: ProductValues, to: ProductValues)
    async throws(UndoError)
  {
    guard var product = try await now(id) else { throw .gone(entry.id, id) }
    try check(product, isOf: entry, id)
    let before = entry.before ?? from
    let ours = entry.after ?? to
    let current = ProductValues(of: product, like: ours)
    var back = ProductValues()
    var blocked: [UndoConflict] = []
    for field in ours.assignedFields where before[field] != nil {
      switch Reconciliation.Decision(planned: before[field], from: ours[field], current: current[field]) {
      case .unchanged: break
      case .write where !entry.contested.contains(field): back[field] = before[field]
      case .write, .outdated, .conflict, .gone, .created:
        let later = try? journal.laterEntry(than: entry, product: id, field: field)
        blocked.append(
          UndoConflict(
            entry: entry.id, product: id, field: field, ours: ours[field], now: current[field], laterEntry: later))
      }
    }
    if to.pictures != nil {
      back.pictures = try pictures(before: entry, on: product, blocked: &blocked, isAlone: back.isEmpty)
    }
    guard !back.isEmpty else { throw blocked.isEmpty ? .nothingToUndo : .moved(entry.id, blocked) }
    undo.obstacles += blocked
    append(.edit(product, from: ProductValues(of: product, like: back), to: back), for: entry)
    product.apply(back)
    simulated[id] = .some(product)
  }

  private mutating func undoCreate(_ entry: JournalEntry, _ id: Product.ID) async throws(UndoError) {
    // A product that existed before the create was sent isn't its result, whatever the record says.
    guard !entry.idsBeforeSend.contains(id) else { throw .notDone(entry.id, .unknown) }
    guard let product = try await now(id) else { throw .gone(entry.id, id) }
    try check(product, isOf: entry, id)
    let changed = entry.after?.differing(from: ProductValues(of: product)) ?? []
    let others = changed.compactMap { conflict($0, entry: entry, product: product) }.filter { $0.laterEntry == nil }
    guard others.isEmpty || admitsChanged else { throw .changed(entry.id, id, others) }
    if !changed.isEmpty { undo.losses.append(.laterChanges(id, changed)) }
    append(.delete(product), for: entry)
    simulated[id] = .some(nil)
  }

  /// Throws if another product has the id of the product that was written.
  private func check(_ product: Product, isOf entry: JournalEntry, _ id: Product.ID) throws(UndoError) {
    guard simulated[id] == nil else { return }
    let reference: ProductReference?
    do { reference = try journal.reference(to: id, writtenBy: entry, binding) } catch { throw .journal(error) }
    if let mismatch = reference?.mismatch(with: product) { throw .otherProduct(entry.id, mismatch) }
  }

  /// Returns the conflict of a created product's field that has another value now, with the later write of ours that
  /// set it.
  private func conflict(_ field: ProductField, entry: JournalEntry, product: Product) -> UndoConflict? {
    guard let after = entry.after else { return nil }
    let now = ProductValues(of: product, like: after)[field]
    let later = try? journal.laterEntry(than: entry, product: product.id, field: field)
    let isOurs =
      later.flatMap { try? journal.entry($0) }
      .map { $0.after?[field] == now && !$0.contested.contains(field) } ?? false
    return UndoConflict(
      entry: entry.id, product: product.id, field: field, ours: after[field], now: now, laterEntry: isOurs ? later : nil
    )
  }

  private mutating func undoDelete(_ entry: JournalEntry, _ product: Product) throws(UndoError) {
    if product.document != nil { return undoDeleteFromDocument(entry, product) }
    var missing: [ProductField] = []
    if product.name == nil { missing.append(.name) }
    if product.description == nil { missing.append(.description) }
    if product.price == nil { missing.append(.price) }
    if product.currency == nil { missing.append(.currency) }
    let (pictures, lost) = saved(picturesWithCoverFirst(product))
    if pictures.isEmpty { missing.append(.images) }
    guard missing.isEmpty, let name = product.name, let text = product.description, let price = product.price,
      let currency = product.currency
    else { throw .incomplete(entry.id, missing) }
    undo.losses.append(.identity(product.id))
    if !lost.isEmpty { undo.losses.append(.pictures(product.id, lost)) }
    let draft = ProductDraft(
      name: name, description: text, price: price, currency: currency, pictures: pictures,
      others: ProductValues(of: product))
    append(.create(draft), for: entry)
  }

  /// Plans the create of a deleted product with all its members, in a market that a file describes.
  private mutating func undoDeleteFromDocument(_ entry: JournalEntry, _ product: Product) {
    undo.losses.append(.identity(product.id))
    var draft = ProductDraft(valuesOf: product, in: ProductField.writableValues)
    draft.document = product.document
    draft.mark = product.mark
    append(.create(draft), for: entry)
  }

  /// Returns the pictures beginning with that of the thumbnail, because a create makes the first one the thumbnail.
  private func picturesWithCoverFirst(_ product: Product) -> [Picture] {
    let images = product.images ?? []
    let first = images.filter { $0.thumbnailURL != nil && $0.thumbnailURL == product.thumbnailURL }.prefix(1)
    return Array(first) + images.filter { !first.contains($0) }
  }

  /// Throws if another undo exists, because two undos of a delete would create the product twice.
  private func checkNotAlreadyUndone(_ entry: Int) throws(UndoError) {
    let by: Int?
    do { by = try journal.undo(of: entry) } catch { throw .journal(error) }
    if let by { throw .undoing(entry, by: by) }
  }

  /// Throws if the values of a write mean something else with the description of the market.
  private func checkMapping(_ entry: Int) throws(UndoError) {
    let remapped: RemappedWrite?
    do { remapped = try journal.remapped(entry, in: market.mapping, for: .undoing) } catch { throw .journal(error) }
    if let remapped { throw .remapped(remapped, file: market.mapping?.file) }
  }

  private mutating func append(_ change: Change, for entry: JournalEntry) {
    var row = Plan.Row(change)
    row.origin = WriteOrigin(
      undoes: UndoneWrite(entry: entry.id, depth: entry.undoDepth + 1, product: entry.product))
    undo.plan.rows.append(row)
  }

  private func currentID(_ id: Product.ID) throws(UndoError) -> Product.ID {
    do {
      return try journal.identity(of: id, binding)
    } catch {
      throw .journal(error)
    }
  }

  private func now(_ id: Product.ID) async throws(UndoError) -> Product? {
    if let planned = simulated[id] { return planned }
    do {
      return try await market.read(id)
    } catch {
      throw .unreadable(
        WriteExecution.evidence(of: error), isAnswered: (error as? any MarketReadError)?.isAnswered ?? false)
    }
  }
}

extension UndoPlanner {
  /// Returns the pictures that `entry` replaced, from the backups or by their addresses, or `nil` if they were replaced again since.
  ///
  /// - Throws: `UndoError.incomplete` if none of them was saved and there is nothing else to undo.
  mutating func pictures(
    before entry: JournalEntry, on product: Product, blocked: inout [UndoConflict], isAlone: Bool
  ) throws(UndoError) -> [PictureFile]? {
    let ours = entry.after?.pictures?.map(\.name)
    let now = product.images?.map(\.url)
    // The built-in market may have another port in each process.
    let pathsAreEqual =
      ours?.map(PictureAddresses.removingOrigins) == now?.map(PictureAddresses.removingOrigins)
    guard ours == nil || pathsAreEqual else {
      blocked.append(
        UndoConflict(entry: entry.id, product: product.id, field: .images, ours: nil, now: nil, laterEntry: nil))
      return nil
    }
    let images = entry.snapshot?.images ?? entry.change?.product?.images ?? []
    // A market that takes addresses gets those of before.
    if market.keepsDocuments { return images.map { PictureFile(address: $0.url) } }
    let (pictures, lost) = saved(images)
    guard !pictures.isEmpty else {
      if isAlone { throw .incomplete(entry.id, [.images]) }
      undo.losses.append(.pictures(product.id, lost))
      return nil
    }
    if !lost.isEmpty { undo.losses.append(.pictures(product.id, lost)) }
    return pictures
  }

  /// Returns the pictures with stored data, and the URLs of the others.
  func saved(_ images: [Picture]) -> (pictures: [PictureFile], lost: [String]) {
    var pictures: [PictureFile] = []
    var lost: [String] = []
    for image in images {
      if let picture = try? journal.backup(binding.pictureKey(image.url)) {
        pictures.append(picture)
      } else {
        lost.append(image.url)
      }
    }
    return (pictures, lost)
  }
}

extension PictureFile {
  /// Creates a picture without data, with its URL as the name, as the log shows it.
  init(standingAt address: String) { self.init(name: address, type: "", bytes: Data()) }
}

/// An undo that was decided and not yet made.
///
/// It is shown as a diff and confirmed like any write.
package struct UndoPlan: Hashable, Sendable {
  /// The changes. The origin of each row names the entry that it undoes.
  package var plan = Plan()
  /// The fields that aren't undone, with the reasons.
  package var obstacles: [UndoConflict] = []
  /// The values that can't be restored.
  package var losses: [UndoLoss] = []
  /// The entries of a batch that can't be undone at all.
  package var refusals: [UndoError] = []
}

extension Journal {
  /// Throws if another undo of the write may have been sent, because there must be only one.
  ///
  /// - Throws: `JournalError.alreadyUndone`.
  func checkUndo(of entry: Int, _ database: Database) throws {
    if let by = try undo(of: entry, database) { throw JournalError.alreadyUndone(entry, by: by) }
  }

  /// Dismisses an older undo that was never sent.
  func supersede(undoOf entry: Int, _ database: Database) throws {
    let now = clock.now.description
    let open = "undo_of = ? AND state IN (\(Journal.openStates))"
    try database.execute(
      sql:
        "INSERT INTO event SELECT n, ?, attempt, \(quoted(.abandoned)), ? FROM op WHERE \(open)",
      arguments: [now, stored(.replacedByUndo), entry])
    try database.execute(
      sql: "UPDATE op SET state = \(quoted(.abandoned)), attended = 0, ended = ? WHERE \(open)",
      arguments: [now, entry])
  }

  /// Returns the write that undoes, or may undo, another one, or `nil` if there is none.
  func undo(of entry: Int) throws(JournalError) -> Int? {
    try read { try undo(of: entry, $0) }
  }

  private func undo(of entry: Int, _ database: Database) throws -> Int? {
    let done = try Int.fetchOne(
      database,
      sql: "SELECT u.n FROM op x JOIN op u ON u.n = x.undone_by WHERE x.n = ? AND u.undone_by IS NULL",
      arguments: [entry])
    if let done { return done }
    return try Row.fetchAll(
      database, sql: "SELECT * FROM op WHERE undo_of = ? AND state IN (\(Journal.openStates)) ORDER BY n",
      arguments: [entry]
    ).first { !isUnowned($0) || ["sending", "unknown", "answered", "asked"].contains($0["state"] as String) }?["n"]
  }
}

/// The selection of writes to undo.
package enum UndoTarget: Hashable, Sendable {
  /// The last write of this vendor that isn't undone, or its complete batch.
  case last
  /// The last undo, to redo its writes, as a batch if it was one.
  case lastUndo
  case entry(Int)
  /// Every write of a batch, in reverse order.
  case batch(Int)
  /// Every write of a run, in reverse order.
  case run(Int)
  /// These writes of a run, in reverse order.
  case entriesOfRun(Int, Set<Int>)
  /// Every write of this vendor at or after a time in seconds since 1970, UTC.
  case since(Int64)
  /// Every write that an actor decided (see `ChangeActor.matches`), at or after a time in seconds since 1970, UTC.
  case actor(String, since: Int64?)
}

/// A field that isn't undone, because it no longer has the value that was written, or because someone else wrote it at
/// about the same time.
package struct UndoConflict: Hashable, Sendable {
  package var entry: Int
  package var product: Product.ID
  package var field: ProductField
  /// The value that was written.
  package var ours: FieldValue?
  /// The current value.
  package var now: FieldValue?
  /// The later write of this journal that set the field, or `nil` if another client did.
  package var laterEntry: Int?
}

/// A loss caused by an undo, mentioned before the confirmation.
package enum UndoLoss: Hashable, Sendable {
  /// The product is restored under a new id, with new picture URLs and a new date.
  case identity(Product.ID)
  /// These pictures weren't saved.
  case pictures(Product.ID, [String])
  /// The product to be deleted was changed in these fields since it was created.
  case laterChanges(Product.ID, [ProductField])
}

/// The reason why a write can't be undone.
package enum UndoError: Error, Hashable, Sendable {
  case nothingToUndo
  case nothingToRedo
  case noSuchEntry(Int)
  case noSuchBatch(Int)
  case noSuchRun(Int)
  /// This actor made no write that could be undone.
  case nothingOf(String)
  /// The write wasn't done, so there is nothing to undo; this is its result.
  case notDone(Int, JournalEntry.Status)
  case alreadyUndone(Int, by: Int)
  /// A newer write has no outcome yet, so the last write isn't known.
  case unsettled(Int)
  /// Another write is undoing it, and its outcome isn't known yet.
  case undoing(Int, by: Int)
  /// The record doesn't match its checksum, so it can't be used.
  case altered(Int)
  /// A raw request, whose effect isn't known.
  case raw(Int)
  /// The write was made with another profile.
  case otherTarget(Int, profile: String)
  /// The write was made with the profile in another market, such as before a reset.
  case otherMarket(Int, profile: String)
  /// The values of the write mean something else with the description of the market, whose file is named.
  case remapped(RemappedWrite, file: String?)
  /// None of its fields still has the value that was written.
  case moved(Int, [UndoConflict])
  /// The product doesn't exist any more.
  case gone(Int, Product.ID)
  /// Another product has the id now.
  case otherProduct(Int, ProductMismatch)
  /// Others changed the product since it was created.
  ///
  /// It is deleted only if the line requests it.
  case changed(Int, Product.ID, [UndoConflict])
  /// A picture of a deleted product wasn't saved, or one of its fields was never read.
  case incomplete(Int, [ProductField])
  case journal(JournalError)
  /// The market couldn't be read, for the given reason.
  ///
  /// `isAnswered` indicates that the server responded.
  case unreadable(Evidence, isAnswered: Bool)
}
