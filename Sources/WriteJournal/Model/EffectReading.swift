import Catalog

/// The interpretation of a product read after a write: whether the write was applied, and the result for each sent
/// field.
struct EffectReading {
  let finding: WriteStateMachine.ReadBack
  /// The fields without the wanted value, if the write counts as done.
  let differences: [FieldDifference]
  /// The values that the write left, if it counts as done.
  ///
  /// An undo expects them. A field of an edit that someone else has written too is missing, so that an undo leaves it
  /// alone. Such a field of a create has the sent value.
  let after: ProductValues?
  /// The values that were read instead of the wanted ones, or `nil` if there are none.
  let evidence: Evidence?

  /// The fields without the wanted value.
  var fields: [ProductField] { differences.filter { $0.kind != .concurrent }.map(\.field) }

  /// The values that were neither sent nor there before.
  var foreign: [ProductField: FieldValue] {
    let changed = differences.filter { $0.kind == .changed }
    return Dictionary(changed.compactMap { one in one.now.map { (one.field, $0) } }) { $1 }
  }

  /// Interprets a product.
  ///
  /// - Parameters:
  ///   - change: The change that was sent.
  ///   - before: The product directly before the write.
  ///   - replied: The product in a complete response, which shows the form in which the server stores a value.
  ///   - now: The product, or `nil` if it doesn't exist.
  ///   - later: Fields that a later write has set since and that are therefore ignored.
  ///   - seen: The `foreign` values of earlier readings after the write.
  init(
    of change: Change, before: Product?, replied: Product?, now: Product?, but later: Set<ProductField> = [],
    seen: [ProductField: FieldValue] = [:]
  ) {
    switch change {
    case .delete(let product):
      finding = now == nil ? .applied : .notApplied
      (differences, after) = ([], nil)
      evidence = now == nil ? nil : .stillExists(product.id)
    case .create(let draft):
      let wanted = ProductValues(of: draft).without(later)
      let comparison = now.map { ThreeWayComparison(of: $0, unchanged: ProductValues(), applied: wanted) }
      // With another name it could be another vendor's product with that id.
      let isOther = comparison.map { $0.conflicting.contains(.name) && !$0.reduced.contains(.name) }
      finding = isOther == nil ? .notApplied : isOther == true ? .unclear : .applied
      differences = comparison?.differences(from: wanted, now: now, replied: replied) ?? []
      after = (now.map { ProductValues(of: $0) } ?? ProductValues(of: draft)).restoring(differences, from: wanted)
      evidence = now == nil ? .neverExisted : EffectReading.evidence(of: differences, wanted)
    case .edit(let old, let from, let to):
      let wanted = to.without(later)
      guard let now else {
        finding = .gone
        differences = [FieldDifference(.id, .gone)]
        after = to.standing(on: nil)
        evidence = .noLongerExists(old.id)
        return
      }
      let image = before.map { ProductValues(of: $0, like: wanted) } ?? from
      var comparison = ThreeWayComparison(of: now, unchanged: image, applied: wanted, image: before)
      // The later write has modified it.
      if !later.isEmpty { comparison.isModified = false }
      finding = comparison.readBack
      differences =
        comparison.differences(from: wanted, now: now, replied: replied)
        + comparison.applied.compactMap { field in seen[field].map { FieldDifference(field, .concurrent, now: $0) } }
      let foreign = differences.filter { [.changed, .concurrent].contains($0.kind) }.map(\.field)
      after = to.overlaid(with: ProductValues(of: now, like: to)).without(Set(foreign)).standing(on: now)
      evidence = EffectReading.evidence(of: differences, wanted)
    }
  }

  private static func evidence(of differences: [FieldDifference], _ wanted: ProductValues) -> Evidence? {
    .joined(
      differences.filter { $0.kind != .concurrent }.map { difference in
        guard let value = wanted[difference.field], let now = difference.now else {
          return .previousValue(difference.field)
        }
        return .otherValue(difference.field, now: now.description, wanted: value.description)
      })
  }
}

extension ThreeWayComparison {
  /// Returns the difference of each field without the wanted value.
  fileprivate func differences(from sent: ProductValues, now: Product?, replied: Product?) -> [FieldDifference] {
    let values = now.map { ProductValues(of: $0) } ?? ProductValues()
    let returned = replied.map { ProductValues(of: $0) } ?? ProductValues()
    func difference(_ field: ProductField, _ kind: FieldDifference.Kind) -> FieldDifference {
      FieldDifference(field, kind, now: values[field])
    }
    return stored.map { difference($0, .stored) }
      + conflicting.map { field in
        let isServersOwn = values[field].map { value in returned[field].map(value.isSame) == true } ?? false
        // If the response contains exactly the sent value, the server stores it so, and another value was written
        // later.
        let isExact = sent[field].map { value in returned[field].map(value.isSame) == true } ?? false
        let isReduced = reduced.contains(field) && !isExact
        return difference(field, isServersOwn || isReduced ? .stored : .changed)
      } + unchanged.map { difference($0, .left) }
  }
}

extension ProductValues {
  /// Returns the values without these fields.
  ///
  /// `images` includes the pictures.
  fileprivate func without(_ fields: Set<ProductField>) -> ProductValues {
    var rest = self
    for field in fields { rest[field] = nil }
    if fields.contains(.images) { rest.pictures = nil }
    return rest
  }

  /// Returns the values with the sent ones in the fields that were written again since.
  fileprivate func restoring(_ differences: [FieldDifference], from sent: ProductValues) -> ProductValues {
    var result = self
    for difference in differences where difference.kind == .changed {
      result[difference.field] = sent[difference.field]
    }
    return result
  }

  /// Returns the values with the current URLs of the pictures.
  ///
  /// Their data is stored with the change; the URLs tell an undo whether they were replaced.
  fileprivate func standing(on product: Product?) -> ProductValues {
    var result = self
    result.pictures = pictures.flatMap { _ in product?.images?.map { PictureFile(standingAt: $0.url) } }
    return result
  }
}

/// A three-way comparison of a product's fields with the wanted values and the values before.
///
/// Fields that the product doesn't show are ignored.
struct ThreeWayComparison: Hashable, Sendable {
  /// The fields with the wanted value.
  var applied: [ProductField] = []
  /// The fields with the wanted value in another form, as servers normalize texts.
  var stored: [ProductField] = []
  /// The fields with the previous value, if it isn't the wanted one.
  var unchanged: [ProductField] = []
  /// The fields with another value.
  var conflicting: [ProductField] = []
  /// The fields with the wanted value truncated or rounded.
  var reduced: Set<ProductField> = []
  /// A Boolean value that indicates that at least one field has the wanted value, completely or in part, and didn't
  /// have it before.
  var isOurs = false
  /// A Boolean value that indicates that the product's modification time differs from the image before the write.
  var isModified = false

  /// Compares a product.
  ///
  /// `image` is the complete product before the write, which shows the pictures and the modification time.
  init(of product: Product, unchanged: ProductValues, applied: ProductValues, image: Product? = nil) {
    let now = ProductValues(of: product, like: applied)
    for field in applied.assignedFields {
      guard let value = now[field], let goal = applied[field] else { continue }
      if value.isSame(as: goal) {
        self.applied.append(field)
        if unchanged[field].map(goal.isSame) != true { isOurs = true }
      } else if value.isForm(of: goal) {
        // If the previous value is such a form too, reading can't tell more than that it is there.
        stored.append(field)
        if unchanged[field]?.isForm(of: goal) != true { isOurs = true }
      } else if unchanged[field].map(value.isSame) == true {
        self.unchanged.append(field)
      } else {
        conflicting.append(field)
        if value.isReduced(from: goal) {
          reduced.insert(field)
          isOurs = true
        }
      }
    }
    if let wanted = applied.pictures { compare(product.images, with: wanted, before: image) }
    if let then = image?.modified, let now = product.modified { isModified = then != now }
  }

  /// Compares the pictures of a product.
  ///
  /// Replaced pictures have other URLs than before, which don't tell who replaced them; a server that takes addresses may
  /// store copies at URLs of its own.
  private mutating func compare(_ pictures: [Picture]?, with wanted: [PictureFile], before image: Product?) {
    // A product of a market that takes addresses has none if it shows none.
    let isByAddress = wanted.allSatisfy { $0.address != nil }
    guard let image, let old = image.images ?? (isByAddress ? [] : nil),
      let now = pictures ?? (isByAddress ? [] : nil)
    else { return }
    let isAsBefore = now.map(\.url) == old.map(\.url)
    let isAsSent = isByAddress && wanted.map(\.name) == now.map(\.url)
    if isAsBefore, !isAsSent { unchanged.append(.images) } else { applied.append(.images) }
    if !isAsBefore { isOurs = true }
  }

  /// Returns whether one of the fields is shown with another value than before.
  func differs(_ before: ProductValues, in now: ProductValues) -> Bool {
    (applied + stored + conflicting).contains { field in
      guard let then = before[field], let value = now[field] else { return false }
      return !value.isSame(as: then)
    }
  }

  var readBack: WriteStateMachine.ReadBack {
    switch (unchanged.isEmpty, conflicting.isEmpty) {
    case (true, true): applied.isEmpty && stored.isEmpty ? .hidden : .applied
    case (true, false): .changed(isOurs: isOurs)
    case (false, true) where applied.isEmpty && stored.isEmpty: isModified ? .restored : .notApplied
    case (false, _): .partial(isOurs: isOurs)
    }
  }
}

/// A sent field that isn't read with the wanted value although the write was applied.
package struct FieldDifference: Hashable, Sendable {
  /// The kind of difference.
  package enum Kind: String, Hashable, Sendable, Codable {
    /// The server stores the value in a form of its own: trimmed, truncated, rounded.
    case stored
    /// The field was written again since, or the server made it something else.
    ///
    /// An undo leaves it alone.
    case changed
    /// The field has the wanted value, but another value was read after the write was sent.
    ///
    /// Someone else wrote it at about the same time, so the previous value isn't known and an undo leaves the field
    /// alone. `now` is that other value.
    case concurrent
    /// The field has the wanted value, which was computed from the previous one. The write had no success response, so another
    /// client may have set the value.
    case unconfirmed
    /// The field has its previous value: this part of the write wasn't applied.
    case left
    /// The product doesn't exist any more.
    ///
    /// The field is `id`.
    case gone
  }

  package var field: ProductField
  package var kind: Kind
  /// The value that was read last, or `nil` if none was shown.
  package var now: FieldValue?

  package init(_ field: ProductField, _ kind: Kind, now: FieldValue? = nil) {
    self.field = field
    self.kind = kind
    self.now = now
  }

  /// The evidence that the log stores.
  var evidence: Evidence { .difference(field, kind, now: now?.description) }
}

extension [FieldDifference] {
  /// A Boolean value that indicates whether a part of the write wasn't applied.
  package var isPartial: Bool { contains { $0.kind == .left } }
}
