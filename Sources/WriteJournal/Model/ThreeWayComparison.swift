import Catalog

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
  /// Those of `moved` with a truncated or rounded wanted value.
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
    if applied.pictures != nil, let old = image?.images, let images = product.images {
      // Replaced pictures have other URLs than before, which don't tell who replaced them.
      let isAsBefore = images.map(\.url) == old.map(\.url)
      if isAsBefore { self.unchanged.append(.images) } else { self.applied.append(.images) }
      if !isAsBefore { isOurs = true }
    }
    if let then = image?.modified, let now = product.modified { isModified = then != now }
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
