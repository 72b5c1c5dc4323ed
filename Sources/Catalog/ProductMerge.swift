/// The side whose value is used where both a file and the server changed it.
package enum ConflictResolution: String, Hashable, Sendable, CaseIterable {
  case file
  case server
}

/// The three-way comparison of one field: as it was exported or pulled, in the file, and on the server.
///
/// A value that one side doesn't state counts as unchanged there.
package enum FieldMerge: Hashable, Sendable {
  /// The file and the server agree.
  case same
  /// Only the file changed.
  case file
  /// Only the server changed.
  case server
  /// Both changed, to different values, or they differ and nothing was pulled.
  case conflict

  /// Compares a field.
  ///
  /// - Parameters:
  ///   - bases: The values from which both sides come: one, none for a field that wasn't exported, or several if the
  ///     server has been written from the file since. A side that differs from any of them may be an edit of the file;
  ///     the server is unchanged if it has one of them.
  ///   - file: The value in the file, or `nil` if it doesn't state one.
  ///   - server: The value on the server, or `nil` if it doesn't show one.
  package init(bases: [FieldValue], file: FieldValue?, server: FieldValue?) {
    let isFileChanged = file.map { file in bases.isEmpty || bases.contains { $0 != file } } ?? false
    let isServerChanged = server.map { !bases.contains($0) } ?? false
    switch (isFileChanged, isServerChanged) {
    case (true, _) where file == server: self = .same
    case (false, false): self = .same
    case (true, false): self = .file
    case (false, true): self = .server
    case (true, true): self = .conflict
    }
  }

  package init(base: FieldValue?, file: FieldValue?, server: FieldValue?) {
    self.init(bases: base.map { [$0] } ?? [], file: file, server: server)
  }

  /// Compares a planned value with a product that was read again.
  ///
  /// A previous value that the product doesn't show any more counts as changed, because a plan writes only to products
  /// that are as they were.
  package init(planned: FieldValue?, from base: FieldValue?, current: FieldValue?) {
    let isHidden = current == nil && base != nil && planned != nil
    self = isHidden ? .conflict : FieldMerge(base: base, file: planned, server: current)
  }
}

/// The three-way merge of one product: as it was pulled, in its file, and on the server.
///
/// It is a value without effects; the pictures are digests.
package struct ProductMerge {
  package typealias Values = [ProductField: FieldValue]

  /// The new values of the file, for fields that changed.
  package private(set) var changes: Values = [:]
  /// The new base.
  package private(set) var base: Values
  /// The fields to be written to the server by a push, with their values.
  package private(set) var writes: Values = [:]
  package private(set) var verdicts: [(field: ProductField, verdict: FieldMerge)] = []

  /// Merges a product.
  ///
  /// - Parameters:
  ///   - base: The values that were pulled; none for a product that wasn't.
  ///   - file: The values of the file.
  ///   - server: The values of the server.
  ///   - fields: The fields to compare.
  ///   - winner: The side that wins conflicts, or `nil` to leave both sides as they are.
  package init(
    base: Values, file: Values, server: Values, in fields: [ProductField], winner: ConflictResolution?
  ) {
    self.base = base
    for field in fields {
      let verdict = FieldMerge(base: base[field], file: file[field], server: server[field])
      if verdict != .same { verdicts.append((field, verdict)) }
      switch (verdict, winner) {
      case (.same, _): self.base[field] = server[field] ?? base[field]
      case (.server, _), (.conflict, .server):
        changes[field] = server[field]
        self.base[field] = server[field]
      case (.file, _): writes[field] = file[field]
      case (.conflict, .file):
        writes[field] = file[field]
        self.base[field] = server[field]
      case (.conflict, nil): break
      }
    }
  }

  package var hasConflicts: Bool { verdicts.contains { $0.verdict == .conflict } }
}

/// A difference between two states of a product, or between a product and its counterpart in another market.
package struct ProductDifference: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case added
    case removed
    case changed(ProductField)
  }

  package var kind: Kind
  /// The first state, or `nil` for a product that was added.
  package var before: Product?
  /// The second state, or `nil` for a product that was removed.
  package var after: Product?
  /// The first value of the changed field, or `nil` for a product that was added or removed.
  package private(set) var valueBefore: FieldValue?
  /// The second value of the changed field.
  package private(set) var valueAfter: FieldValue?

  /// Creates the difference of a field, whose values may be other ones than those of the products, such as digests.
  package init(_ field: ProductField, from before: (Product, FieldValue?), to after: (Product, FieldValue?)) {
    kind = .changed(field)
    (self.before, valueBefore) = before
    (self.after, valueAfter) = after
  }

  private init(_ kind: Kind, before: Product?, after: Product?) {
    self.kind = kind
    self.before = before
    self.after = after
  }

  /// Returns the differences of a product in fields that both states provide.
  package static func of(
    _ before: Product?, _ after: Product?, in fields: [ProductField]
  ) -> [ProductDifference] {
    switch (before, after) {
    case (nil, nil): []
    case (nil, let after?): [ProductDifference(.added, before: nil, after: after)]
    case (let before?, nil): [ProductDifference(.removed, before: before, after: nil)]
    case (let before?, let after?):
      fields.filter { differs($0, old: before, new: after) }.map { field in
        ProductDifference(field, from: (before, before[field]), to: (after, after[field]))
      }
    }
  }

  private static func differs(_ field: ProductField, old: Product, new: Product) -> Bool {
    guard let before = old[field], let after = new[field], before != after else { return false }
    // The same image on a moved server isn't a change.
    guard field == .thumbnail || field == .images else { return before.description != after.description }
    return PictureAddresses.removingOrigins(in: before.description)
      != PictureAddresses.removingOrigins(in: after.description)
  }

  /// The changed field, or `nil` for a product that was added or removed.
  package var field: ProductField? { if case .changed(let field) = kind { field } else { nil } }

  /// The word for the kind, in data.
  package var word: String {
    switch kind {
    case .added: "added"
    case .removed: "removed"
    case .changed: "changed"
    }
  }
}
