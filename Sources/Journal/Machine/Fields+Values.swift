import Catalog

extension Fields {
  /// The values of `product` in the fields that `pattern` sets; what the product does not show stays nil.
  package init(of product: Product, like pattern: Fields) {
    let all = Fields(of: product)
    self.init()
    for field in pattern.set { self[field] = all[field] }
  }

  /// Every writable value the product shows.
  package init(of product: Product) {
    let chosen = product.images?.first { $0.thumbnail != nil && $0.thumbnail == product.thumbnail }
    self.init(
      name: product.name, description: product.description, price: product.price, discount: product.discount,
      currency: product.currency, stock: product.stock, thumbnail: chosen?.id)
  }

  package init(of draft: Draft) {
    self.init(
      name: draft.name, description: draft.description, price: draft.price, discount: draft.discount,
      currency: draft.currency, stock: draft.stock)
  }

  /// The fields that have a value.
  package var set: [Field] { Field.writable.filter { self[$0] != nil } }

  /// Nil also for a field no change can set.
  package subscript(field: Field) -> FieldValue? {
    get {
      switch field {
      case .name: name.map(FieldValue.text)
      case .description: description.map(FieldValue.text)
      case .price: price.map(FieldValue.amount)
      case .discount: discount.map(FieldValue.amount)
      case .currency: currency.map { .text($0.code) }
      case .stock: stock.map(FieldValue.number)
      case .thumbnail: thumbnail.map(FieldValue.number)
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
      case (.thumbnail, .number(let number)): thumbnail = number
      case (.thumbnail, _): thumbnail = nil
      case (.id, _), (.sale, _), (.vendor, _), (.vendorID, _), (.created, _), (.modified, _), (.images, _): break
      }
    }
  }

  /// The fields of `self` whose value `other` shows differently; surrounding blanks are the server's to trim.
  func differing(from other: Fields) -> [Field] {
    set.filter { field in
      guard let theirs = other[field], let ours = self[field] else { return false }
      return !ours.isSame(as: theirs)
    }
  }
}
