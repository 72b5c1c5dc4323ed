import Catalog
import Foundation

/// Builds an undo entry by entry, newest first, based on the products as they will be when each change is made.
struct UndoPlanner {
  let market: any MarketAccess
  let journal: Journal
  let binding: WriteScope
  /// A Boolean value that indicates whether a created product is deleted even if others changed it since.
  let admitsChanged: Bool
  var changes: [Change] = []
  var origins: [UndoPlan.Origin] = []
  var obstacles: [UndoConflict] = []
  var losses: [UndoLoss] = []
  var refusals: [UndoError] = []
  /// The products after the changes planned so far, with `nil` for a deleted one.
  private var simulated: [Product.ID: Product?] = [:]

  init(market: any MarketAccess, journal: Journal, binding: WriteScope, admitsChanged: Bool = false) {
    self.admitsChanged = admitsChanged
    self.market = market
    self.journal = journal
    self.binding = binding
  }

  var plan: UndoPlan {
    UndoPlan(plan: Plan(changes), origins: origins, obstacles: obstacles, losses: losses, refusals: refusals)
  }

  mutating func add(_ entry: JournalEntry) async throws(UndoError) {
    guard !entry.hasInvalidChecksum else { throw .altered(entry.id) }
    guard entry.action != .raw else { throw .raw(entry.id) }
    guard entry.baseURL == binding.baseURL else { throw .otherTarget(entry.id, profile: entry.profile) }
    if let by = entry.undoneBy, entry.status == .undone { throw .alreadyUndone(entry.id, by: by) }
    guard entry.status == .done, let change = entry.change, let old = entry.product ?? change.product?.id else {
      throw .notDone(entry.id, entry.status)
    }
    try checkNotAlreadyUndone(entry.id)
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
    let before = entry.before ?? from
    let ours = entry.after ?? to
    let current = ProductValues(of: product, like: ours)
    var back = ProductValues()
    var blocked: [UndoConflict] = []
    for field in ours.assignedFields where before[field] != nil {
      switch FieldMerge(planned: before[field], from: ours[field], current: current[field]) {
      case .same: break
      case .file where !entry.contested.contains(field): back[field] = before[field]
      case .file, .server, .conflict:
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
    obstacles += blocked
    append(.edit(product, from: ProductValues(of: product, like: back), to: back), for: entry)
    product.apply(back)
    simulated[id] = .some(product)
  }

  private mutating func undoCreate(_ entry: JournalEntry, _ id: Product.ID) async throws(UndoError) {
    // A product that existed before the create was sent isn't its result, whatever the record says.
    guard !entry.idsBeforeSend.contains(id) else { throw .notDone(entry.id, .unknown) }
    guard let product = try await now(id) else { throw .gone(entry.id, id) }
    let changed = entry.after?.differing(from: ProductValues(of: product)) ?? []
    let others = changed.compactMap { conflict($0, entry: entry, product: product) }.filter { $0.laterEntry == nil }
    guard others.isEmpty || admitsChanged else { throw .changed(entry.id, id, others) }
    if !changed.isEmpty { losses.append(.laterChanges(id, changed)) }
    append(.delete(product), for: entry)
    simulated[id] = .some(nil)
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
    losses.append(.identity(product.id))
    if !lost.isEmpty { losses.append(.pictures(product.id, lost)) }
    let draft = ProductDraft(
      name: name, description: text, price: price, currency: currency, pictures: pictures,
      others: ProductValues(of: product))
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

  private mutating func append(_ change: Change, for entry: JournalEntry) {
    changes.append(change)
    origins.append(UndoPlan.Origin(entry: entry.id, depth: entry.undoDepth + 1))
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
        WriteExecution.words(for: error), isAnswered: (error as? any MarketReadError)?.isAnswered ?? false)
    }
  }
}

extension UndoPlanner {
  /// Returns the pictures that `entry` replaced, from the backups, or `nil` if they were replaced again since.
  ///
  /// - Throws: `UndoError.incomplete` if none of them was saved and there is nothing else to undo.
  mutating func pictures(
    before entry: JournalEntry, on product: Product, blocked: inout [UndoConflict], isAlone: Bool
  ) throws(UndoError) -> [PictureFile]? {
    let ours = entry.after?.pictures?.map(\.name)
    guard ours == nil || ours == product.images?.map(\.url) else {
      blocked.append(
        UndoConflict(entry: entry.id, product: product.id, field: .images, ours: nil, now: nil, laterEntry: nil))
      return nil
    }
    let (pictures, lost) = saved(entry.snapshot?.images ?? entry.change?.product?.images ?? [])
    guard !pictures.isEmpty else {
      if isAlone { throw .incomplete(entry.id, [.images]) }
      losses.append(.pictures(product.id, lost))
      return nil
    }
    if !lost.isEmpty { losses.append(.pictures(product.id, lost)) }
    return pictures
  }

  /// Returns the pictures with stored data, and the URLs of the others.
  func saved(_ images: [Picture]) -> (pictures: [PictureFile], lost: [String]) {
    var pictures: [PictureFile] = []
    var lost: [String] = []
    for image in images {
      if let picture = try? journal.backup(image.url) { pictures.append(picture) } else { lost.append(image.url) }
    }
    return (pictures, lost)
  }
}

extension PictureFile {
  /// Creates a picture without data, with its URL as the name, as the log shows it.
  init(standingAt address: String) { self.init(name: address, type: "", bytes: Data()) }
}
