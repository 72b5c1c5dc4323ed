/// Values of writable fields: the values a change sets, or those it found before.
///
/// Absent fields stay unchanged.
package struct ProductValues: Hashable, Sendable {
  package var name: String?
  package var description: String?
  package var price: Amount?
  package var discount: Amount?
  package var currency: Currency?
  package var stock: Int?
  /// The id of the picture that becomes the thumbnail.
  package var thumbnailID: Int?
  /// The complete new set of pictures, beginning with the thumbnail.
  ///
  /// Only the camp editions accept one in a change.
  package var pictures: [PictureFile]?

  package init(
    name: String? = nil, description: String? = nil, price: Amount? = nil, discount: Amount? = nil,
    currency: Currency? = nil, stock: Int? = nil, thumbnailID: Int? = nil,
    pictures: [PictureFile]? = nil
  ) {
    self.name = name
    self.description = description
    self.price = price
    self.discount = discount
    self.currency = currency
    self.stock = stock
    self.thumbnailID = thumbnailID
    self.pictures = pictures
  }

  package var isEmpty: Bool { self == ProductValues() }
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
    self.init()
    for field in ProductField.writable where field != .thumbnail { self[field] = product[field] }
    thumbnailID = product.coverPicture?.id
  }

  package init(of draft: ProductDraft) {
    self.init()
    for field in ProductField.writable { self[field] = draft[field] }
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
  package func differing(from other: ProductValues) -> [ProductField] {
    assignedFields.filter { field in
      guard let theirs = other[field], let ours = self[field] else { return false }
      return !ours.isSame(as: theirs)
    }
  }

  /// Returns these values with those that the other assigns in their place.
  package func overlaid(with other: ProductValues?) -> ProductValues {
    var result = self
    for field in other?.assignedFields ?? [] { result[field] = other?[field] }
    return result
  }

  /// Returns these values without those that the product already has.
  package func removingValues(of product: Product) -> ProductValues {
    let current = ProductValues(of: product)
    var result = self
    for field in assignedFields where self[field] == current[field] { result[field] = nil }
    return result
  }
}

extension Product {
  /// Assigns the values, and the sale price and the thumbnail that follow from them.
  package mutating func apply(_ values: ProductValues) {
    for field in values.assignedFields {
      switch field {
      case .name: name = values.name
      case .description: description = values.description
      case .price: price = values.price
      case .discount: discount = values.discount
      case .currency: currency = values.currency
      case .stock: stock = values.stock
      case .thumbnail:
        if let image = images?.first(where: { $0.id == values.thumbnailID }) { thumbnailURL = image.thumbnailURL }
      case .id, .sale, .vendor, .vendorID, .created, .modified, .images: break
      }
    }
    if values.price != nil || values.discount != nil, let price { sale = price - (discount ?? .zero) }
  }
}
