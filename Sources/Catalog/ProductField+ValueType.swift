extension ProductField {
  /// The types of values of fields.
  package enum ValueType: Hashable, Sendable {
    case text
    case number
    case amount
    case timestamp
    case pictures
  }

  /// The type of the field's values, which is the case of ``FieldValue``.
  package var valueType: ValueType {
    switch self {
    case .id, .stock, .vendorID: .number
    case .price, .discount, .sale: .amount
    case .name, .description, .currency, .vendor, .thumbnail: .text
    case .created, .modified: .timestamp
    case .images: .pictures
    }
  }
}
