/// The value of a field of a product.
package enum FieldValue: Hashable, Sendable, CustomStringConvertible {
  case text(String)
  case number(Int)
  case amount(Amount)
  case timestamp(Timestamp)
  case pictures([Picture])

  /// The value as text that can be typed.
  ///
  /// Pictures are their URLs.
  package var description: String {
    switch self {
    case .text(let text): text
    case .number(let number): String(number)
    case .amount(let amount): amount.description
    case .timestamp(let moment): moment.description
    case .pictures(let pictures): pictures.map(\.url).joined(separator: " ")
    }
  }

  /// The value as a number, or `nil` for a text or a time.
  ///
  /// For pictures it is their count.
  package var numericValue: Amount? {
    switch self {
    case .number(let number): Amount(number)
    case .amount(let amount): amount
    case .pictures(let pictures): Amount(pictures.count)
    case .text, .timestamp: nil
    }
  }
}

extension Product {
  /// Returns the value of a field, or `nil` if the edition doesn't provide it.
  package subscript(field: ProductField) -> FieldValue? {
    switch field {
    case .id: .number(id)
    case .name: name.map(FieldValue.text)
    case .description: description.map(FieldValue.text)
    case .price: price.map(FieldValue.amount)
    case .discount: discount.map(FieldValue.amount)
    case .sale: sale.map(FieldValue.amount)
    case .currency: currency.map { .text($0.code) }
    case .stock: stock.map(FieldValue.number)
    case .vendor: vendor.map(FieldValue.text)
    case .vendorID: vendorID.map(FieldValue.number)
    case .created: created.map(FieldValue.timestamp)
    case .modified: modified.map(FieldValue.timestamp)
    case .thumbnail: thumbnailURL.map(FieldValue.text)
    case .images: images.map(FieldValue.pictures)
    }
  }

  /// Returns a field's value as text that can be typed, or `nil` if the edition doesn't provide it.
  package func text(of field: ProductField) -> String? { self[field]?.description }
}
