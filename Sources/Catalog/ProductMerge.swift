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

  package init(base: FieldValue?, file: FieldValue?, server: FieldValue?) {
    switch (file ?? base, server ?? base) {
    case (let file, let server) where file == server: self = .same
    case (_, nil): self = .file
    case (nil, _): self = .server
    case (let file, _) where file == base: self = .server
    case (_, let server) where server == base: self = .file
    default: self = .conflict
    }
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
