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

extension ProductValues {
  /// Creates the values of a product in the fields that `pattern` sets.
  ///
  /// Values that the product doesn't show are `nil`.
  package init(of product: Product, like pattern: ProductValues) {
    let all = ProductValues(of: product)
    self.init()
    for field in pattern.assignedFields { self[field] = all[field] }
  }

  /// Creates all writable values that the product shows.
  package init(of product: Product) {
    let chosen = product.images?.first { $0.thumbnailURL != nil && $0.thumbnailURL == product.thumbnailURL }
    self.init(
      name: product.name, description: product.description, price: product.price, discount: product.discount,
      currency: product.currency, stock: product.stock, thumbnailID: chosen?.id)
  }

  package init(of draft: ProductDraft) {
    self.init(
      name: draft.name, description: draft.description, price: draft.price, discount: draft.discount,
      currency: draft.currency, stock: draft.stock)
  }

  /// The fields that have a value.
  package var assignedFields: [ProductField] { ProductField.writable.filter { self[$0] != nil } }

  /// Accesses the value of a field, which is `nil` for a field that no change can set.
  package subscript(field: ProductField) -> FieldValue? {
    get {
      switch field {
      case .name: name.map(FieldValue.text)
      case .description: description.map(FieldValue.text)
      case .price: price.map(FieldValue.amount)
      case .discount: discount.map(FieldValue.amount)
      case .currency: currency.map { .text($0.code) }
      case .stock: stock.map(FieldValue.number)
      case .thumbnail: thumbnailID.map(FieldValue.number)
      case .id, .sale, .vendor, .vendorID, .created, .modified, .images: nil
      }
    }
    set {
      switch (field, newValue) {
      case (.name, .text(let text)): name = text
      case (.name, _): name = nil
      case (.description, .text(let text)): description = text
      case (.description, _): description = nil
      case (.price, .amount(let amount)): price = amount
      case (.price, _): price = nil
      case (.discount, .amount(let amount)): discount = amount
      case (.discount, _): discount = nil
      case (.currency, .text(let code)): currency = Currency(code)
      case (.currency, _): currency = nil
      case (.stock, .number(let number)): stock = number
      case (.stock, _): stock = nil
      case (.thumbnail, .number(let number)): thumbnailID = number
      case (.thumbnail, _): thumbnailID = nil
      case (.id, _), (.sale, _), (.vendor, _), (.vendorID, _), (.created, _), (.modified, _), (.images, _): break
      }
    }
  }

  /// Returns the fields whose value differs from `other`, ignoring white space around texts.
  func differing(from other: ProductValues) -> [ProductField] {
    assignedFields.filter { field in
      guard let theirs = other[field], let ours = self[field] else { return false }
      return !ours.isSame(as: theirs)
    }
  }
}
