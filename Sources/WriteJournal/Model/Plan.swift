import Catalog

/// The changes of a command, one row for each product, in the order in which they are shown, sent and reported.
///
/// The preview shows exactly what is written. The same rows go through the checks, the preview, the journal and the report.
package struct Plan: Hashable, Sendable {
  /// One product of a plan, from the decision to the outcome.
  package struct Row: Hashable, Sendable {
    /// The change as planned; an empty edit of a product that has the wanted values.
    package var planned: Change
    /// The part of it that is sent, or `nil` if nothing is. Then `outcome` says why.
    package private(set) var change: Change?
    /// The information that the journal records with the change.
    package var origin = WriteOrigin()
    /// The place of the row in the source that it was made from, or `nil` for a typed change.
    package var place: Place?
    /// The digest that identifies a create within its source instead of the content of the product.
    package var digest: String?
    /// The fields that are left as they are because others changed them, while the remaining fields are sent.
    package var skippedFields: [ProductField] = []
    /// The fields that the line sets to stated values, also if the product has these values already.
    package var statedFields: [ProductField] = []
    /// The number of the write in the log, or `nil` before it is recorded.
    package var entry: Int?
    /// The reason why nothing is sent, or how the change ended; `nil` until then.
    package var outcome: Outcome?

    /// Creates a row whose change is sent.
    package init(_ change: Change) {
      planned = change
      self.change = change
    }

    /// Creates the row of a product whose values are written, except those of fields that others changed.
    ///
    /// Nothing is sent if `to` is empty.
    package init(_ product: Product, from: ProductValues, to: ProductValues, leaving skipped: [ProductField] = []) {
      let change = Change.edit(product, from: from, to: to)
      if to.isEmpty {
        self.init(change, unsent: skipped.isEmpty ? .unchanged(product) : .drifted(skipped))
      } else {
        self.init(change)
        skippedFields = skipped
      }
    }

    /// Creates the row of a product that the market doesn't have any more.
    package init(gone product: Product) {
      self.init(.edit(product, from: ProductValues(), to: ProductValues()), unsent: .drifted([]))
    }

    /// Creates a row for which nothing is sent.
    package init(_ planned: Change, unsent outcome: Outcome) {
      self.planned = planned
      self.outcome = outcome
    }
  }

  /// The place of a row in a file, a folder or another market.
  package enum Place: Hashable, Sendable {
    /// The line of an imported file, counted from 1.
    case line(Int)
    /// The file of a folder.
    case file(String)
    /// The product that is copied, or that a sale names, by its number at that time.
    case product(Product.ID)
  }

  package var rows: [Row] = []
  /// A Boolean value that indicates whether the new prices were computed from the old ones.
  package var computesPrices = false
  /// A Boolean value that indicates whether the new values of all rows depend on the values that were read.
  ///
  /// If it is true, a product that changed since then is a conflict, even if it happens to have the new values. In a plan
  /// from a file, the rows with formulas do; see `isComputed(_:)`.
  package var dependsOnObservedState = false
  /// The number of products of the folder that is pushed, if the files of all of them were removed.
  package var deletedFolderProducts: Int?

  package init(rows: [Row] = []) { self.rows = rows }

  package init(_ changes: [Change]) { rows = changes.map { Row($0) } }

  /// The changes that are sent, in the order of the rows.
  package var changes: [Change] { rows.compactMap(\.change) }

  /// The products that the rows name by their ids, whether something is sent for them or not.
  package var namedProducts: Set<Product.ID> { Set(rows.compactMap { $0.planned.product?.id }) }

  /// Returns whether the new values of a row depend on those that were read, because the line computed them or because the
  /// plan file says so.
  ///
  /// If such a write is lost, its values in the market may be those of a buyer.
  package func isComputed(_ row: Row) -> Bool { dependsOnObservedState || !row.origin.formulas.isEmpty }

  /// Appends an update, or a row for which nothing is sent if `to` is empty.
  package mutating func append(
    _ product: Product, from: ProductValues, to: ProductValues, computedBy formulas: [String] = [],
    stating fields: [ProductField] = []
  ) {
    var row = Row(product, from: from, to: to)
    row.origin.formulas = formulas
    row.statedFields = fields
    rows.append(row)
  }

  /// Appends the rows of a plan that is decided together with this one.
  package mutating func append(_ part: Plan) {
    rows += part.rows
    computesPrices = computesPrices || part.computesPrices
    dependsOnObservedState = dependsOnObservedState || part.dependsOnObservedState
  }

  /// Removes the rows of changes by their positions in `changes`, and returns them.
  ///
  /// Rows for which nothing is sent remain.
  @discardableResult
  package mutating func removeChanges(at positions: Set<Int>) -> [Row] {
    var removed: [Row] = []
    var position = -1
    rows.removeAll { row in
      guard row.change != nil else { return false }
      position += 1
      guard positions.contains(position) else { return false }
      removed.append(row)
      return true
    }
    return removed
  }

  /// Sets the source of each change, numbered among the equal ones of the source.
  ///
  /// - Parameters:
  ///   - name: The plan, file, folder or pair of markets; see `CreateSource.name`.
  ///   - isAnother: Whether the user wants other products than those that were created from there before.
  package mutating func setSource(_ name: String, isAnother: Bool = false) {
    var seen: [String: Int] = [:]
    for index in rows.indices {
      guard rows[index].change != nil else { continue }
      let part = rows[index].digest ?? rows[index].planned.subject
      rows[index].origin.source = CreateSource(name: name, part: "\(part)#\(seen[part, default: 0])")
      rows[index].origin.isAnother = isAnother
      seen[part, default: 0] += 1
    }
  }
}

extension Plan.Row {
  /// Creates the row of a write of the log that is to be sent, or returns `nil` if its change isn't known.
  package init?(_ entry: JournalEntry) {
    guard let change = entry.change else { return nil }
    self.init(change)
    self.entry = entry.id
  }

  /// Creates the row of a write of the log that has its outcome.
  package init(_ write: RecoveredWrite) {
    self.init(write.change)
    entry = write.entry
    outcome = write.outcome
  }

  /// Sends another change, or the part of the planned one that isn't in effect yet.
  package mutating func send(_ part: Change) { change = part }

  /// Replaces the planned change, all of which is sent.
  package mutating func replace(with planned: Change) {
    self.planned = planned
    change = planned
  }

  /// Sends nothing, for a reason.
  package mutating func skip(as outcome: Outcome) {
    change = nil
    self.outcome = outcome
  }

  /// The change that creates a product, if one is sent.
  package var draft: ProductDraft? { change?.draft }

  /// The product that has the wanted values, so that nothing is sent, or `nil`.
  package var unchangedProduct: Product? {
    if change == nil, case .unchanged(let product, _)? = outcome { product } else { nil }
  }

  /// The earlier write because of which nothing is sent, or `nil`.
  package var earlierWrite: EarlierWrite? {
    if change == nil, case .unchanged(_, let write)? = outcome { write } else { nil }
  }

  /// The deleted product that an undo creates again under another number, or `nil`.
  package var returned: Product.ID? {
    if case .create = planned { origin.undoes?.product } else { nil }
  }

  /// A Boolean value that indicates that others changed the product since the change was planned, or a part of it.
  package var isDrifted: Bool { !skippedFields.isEmpty || change == nil && outcome?.kind == .drifted }

  /// A Boolean value that indicates that the change was applied except in fields that others changed.
  package var isAppliedInPart: Bool {
    guard change != nil, !skippedFields.isEmpty, case .done? = outcome else { return false }
    return outcome?.isSuccess == true
  }

  /// The outcome as it is reported.
  ///
  /// A change that was applied without fields that others changed isn't completely done.
  package var result: Outcome {
    let outcome = outcome ?? .notStarted
    return change != nil && outcome.isSuccess && !skippedFields.isEmpty ? .drifted(skippedFields) : outcome
  }
}

/// The additional information that the journal records with a change.
package struct WriteOrigin: Hashable, Sendable {
  /// The row of a plan or file that the change comes from.
  package var source: CreateSource?
  /// The assignments that compute the new values from those that were read: `stock+=2`.
  package var formulas: [String]
  /// A Boolean value that indicates that the user wants another product, so that an earlier create of the same row
  /// isn't used instead.
  package var isAnother: Bool
  /// The write that it undoes.
  package var undoes: UndoneWrite?

  package init(
    _ source: CreateSource? = nil, formulas: [String] = [], isAnother: Bool = false, undoes: UndoneWrite? = nil
  ) {
    self.source = source
    self.formulas = formulas
    self.isAnother = isAnother
    self.undoes = undoes
  }
}

/// A write of the log that a change undoes.
package struct UndoneWrite: Hashable, Sendable {
  package var entry: Int
  package var depth: Int
  /// The product that was written.
  package var product: Product.ID?
}

/// An earlier write from this home folder that already made a change, so that no request is sent for it.
package struct EarlierWrite: Hashable, Sendable {
  /// The reason why the change counts as done.
  package enum Reason: Hashable, Sendable {
    /// An earlier run applied the same change of the same plan file.
    case plan
    /// An earlier run imported the same row of the file, or pushed the same file of the folder.
    case file
    /// This home deleted the product before.
    case delete
  }

  /// The number of the write in the log.
  package var entry: Int
  /// The current id of the product, which differs from the id it was created with if a deletion was undone.
  package var product: Product.ID
  package var reason: Reason
  /// The product as it was when it was created, or `nil` if that wasn't recorded.
  package var reference: ProductReference?

  package init(entry: Int, product: Product.ID, reason: Reason, reference: ProductReference? = nil) {
    self.entry = entry
    self.product = product
    self.reason = reason
    self.reference = reference
  }
}
