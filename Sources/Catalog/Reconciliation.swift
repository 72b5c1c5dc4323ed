/// The side whose value is used where both the user's rows and the market changed it.
package enum ConflictResolution: String, Hashable, Sendable, CaseIterable {
  case file
  case server
}

/// The three-way comparison of one product: as it was (the base), as the user has it (mine), and as the market has it.
///
/// Imports, folders, plans, snapshots and copies decide by it what is written. It is a value without effects; pictures are
/// compared by their digests.
package struct Reconciliation {
  package typealias Values = [ProductField: FieldValue]

  /// The decision for a field, or for a product.
  package enum Decision: Hashable, Sendable {
    /// Both sides agree, or neither changed.
    case unchanged
    /// Only mine changed: it is written to the market.
    case write
    /// Only the market changed: mine is outdated.
    case outdated
    /// Both changed, to different values, or they differ and have no base.
    case conflict
    /// The market doesn't have the product any more, and mine didn't change.
    case gone
    /// The market doesn't have the product, which is created.
    case created
  }

  /// The decisions for the fields that differ, in the order of the fields.
  package private(set) var decisions: [(field: ProductField, decision: Decision)] = []
  /// The values to be written to the market.
  package private(set) var writes: Values = [:]
  /// The values that mine takes from the market.
  package private(set) var taken: Values = [:]
  /// The base after both sides have taken what is theirs.
  package private(set) var base: Values
  /// The fields in conflict that no winner decides.
  package private(set) var open: [ProductField] = []
  /// The decision for the product.
  ///
  /// A product with something to write and a field in conflict is `.write`.
  package private(set) var product: Decision

  /// Reconciles a product.
  ///
  /// - Parameters:
  ///   - base: The values from which both sides come, or `nil` for a product that has no base.
  ///   - mine: The user's values, or `nil` for a product that the user deleted.
  ///   - market: The values in the market, or `nil` if it doesn't have the product.
  ///   - fields: The fields to compare.
  ///   - winner: The side that wins conflicts, or `nil` to leave both sides as they are.
  ///   - isPlan: Whether a value that the market doesn't show any more counts as changed.
  package init(
    base: Values?, mine: Values?, market: Values?, in fields: [ProductField], winner: ConflictResolution? = nil,
    isPlan: Bool = false
  ) {
    let (known, shown) = (base ?? [:], market ?? [:])
    let values = mine ?? known
    self.init(base: known, mine: values, market: shown, in: market == nil ? [] : fields, winner: winner) { field in
      isPlan
        ? Decision(planned: values[field], from: known[field], current: shown[field])
        : Decision(base: known[field], mine: values[field], market: shown[field])
    }
    guard market != nil else {
      product = mine.map { Decision(ofMissing: $0 != known, hasBase: base != nil, winner: winner) } ?? .unchanged
      return
    }
    guard mine == nil else { return }
    if base == nil {
      product = .outdated
    } else if decisions.isEmpty || winner == .file {
      product = .write
    } else {
      product = winner == .server ? .outdated : .conflict
    }
  }

  /// Reconciles a product by decisions for its fields that depend on more than one base.
  package init(
    base: Values = [:], mine: Values, market: Values, in fields: [ProductField], winner: ConflictResolution?,
    deciding decide: (ProductField) -> Decision
  ) {
    self.base = base
    product = .unchanged
    for field in fields {
      let decision = decide(field)
      if decision != .unchanged { decisions.append((field, decision)) }
      switch (decision, winner) {
      case (.unchanged, _), (.gone, _), (.created, _): self.base[field] = market[field] ?? base[field]
      case (.outdated, _), (.conflict, .server):
        taken[field] = market[field]
        self.base[field] = market[field]
      case (.write, _): writes[field] = mine[field]
      case (.conflict, .file):
        writes[field] = mine[field]
        self.base[field] = market[field]
      case (.conflict, nil): open.append(field)
      }
    }
    if !writes.isEmpty {
      product = .write
    } else if !open.isEmpty {
      product = .conflict
    } else if !taken.isEmpty {
      product = .outdated
    }
  }

  /// The fields in conflict, also those that a winner decides.
  package var conflicts: [ProductField] { decisions.filter { $0.decision == .conflict }.map(\.field) }
}

extension Reconciliation.Decision {
  /// Decides a field.
  ///
  /// A value that one side doesn't state counts as unchanged there.
  ///
  /// - Parameters:
  ///   - bases: The values from which both sides come: one, none for a field without a base, or several if the market has
  ///     been written from the rows since. A value of the user that differs from any of them may be an edit; the market is
  ///     unchanged if it has one of them.
  ///   - mine: The user's value, or `nil` if it isn't stated.
  ///   - market: The value in the market, or `nil` if it isn't shown.
  package init(bases: [FieldValue], mine: FieldValue?, market: FieldValue?) {
    let isMineChanged = mine.map { mine in bases.isEmpty || bases.contains { $0 != mine } } ?? false
    let isMarketChanged = market.map { !bases.contains($0) } ?? false
    switch (isMineChanged, isMarketChanged) {
    case (true, _) where mine == market: self = .unchanged
    case (false, false): self = .unchanged
    case (true, false): self = .write
    case (false, true): self = .outdated
    case (true, true): self = .conflict
    }
  }

  package init(base: FieldValue?, mine: FieldValue?, market: FieldValue?) {
    self.init(bases: base.map { [$0] } ?? [], mine: mine, market: market)
  }

  /// Decides a planned value of a product that was read again.
  ///
  /// A previous value that the product doesn't show any more counts as changed, because a plan writes only to products
  /// that are as they were.
  package init(planned: FieldValue?, from base: FieldValue?, current: FieldValue?) {
    let isHidden = current == nil && base != nil && planned != nil
    self = isHidden ? .conflict : Self(base: base, mine: planned, market: current)
  }

  /// Decides a product that the market doesn't have.
  ///
  /// - Parameters:
  ///   - isChanged: Whether mine changed since the base.
  ///   - hasBase: Whether the product was in the market.
  ///   - winner: The side that wins conflicts.
  package init(ofMissing isChanged: Bool, hasBase: Bool, winner: ConflictResolution?) {
    switch (hasBase, isChanged, winner) {
    case (false, _, _), (true, true, .file): self = .created
    case (true, false, _), (true, true, .server): self = .gone
    case (true, true, nil): self = .conflict
    }
  }
}
