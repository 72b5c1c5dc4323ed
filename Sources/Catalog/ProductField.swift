import Text

/// A field of a product, named by the word users type, which is the same in every edition.
///
/// The order of the cases is that of the data formats.
package enum ProductField: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  case id
  case name
  case description
  case price
  case discount
  case sale
  case currency
  case stock
  case vendor
  case vendorID = "vendor_id"
  case created
  case modified
  case thumbnail
  case images

  /// The word that users type.
  package var description: String { rawValue }

  /// The fields that a vendor can set; `images` only in editions that support it.
  package static let writable = allCases.filter(\.isWritable)

  /// The fields that a vendor can set by a value alone, without a file or a reference to one.
  package static let writableValues = writable.filter { $0 != .thumbnail && $0 != .images }

  /// The fields of ``writableValues`` that have one line.
  package static let singleLineValues = writableValues.filter { $0 != .description }

  /// A Boolean value that indicates whether a vendor can set the field.
  package var isWritable: Bool {
    switch self {
    case .name, .description, .price, .discount, .currency, .stock, .thumbnail, .images: true
    case .id, .sale, .vendor, .vendorID, .created, .modified: false
    }
  }
}

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

extension ProductField {
  /// The heading that users read.
  ///
  /// In English it is the word they type.
  package var title: LocalizedText {
    let korean: StyledText =
      switch self {
      case .id: "번호"
      case .name: "이름"
      case .description: "설명"
      case .price: "정가"
      case .discount: "할인"
      case .sale: "판매가"
      case .currency: "통화"
      case .stock: "재고"
      case .vendor: "판매자"
      case .vendorID: "판매자 번호"
      case .created: "등록일"
      case .modified: "수정일"
      case .thumbnail: "대표 사진"
      case .images: "사진"
      }
    return LocalizedText(StyledText(rawValue), ko: korean)
  }

  /// Returns the fields as a list for messages: in Korean each word with its heading, which can be typed as well.
  package static func list(_ fields: [ProductField], _ language: MessageLanguage) -> String {
    fields.map { language == .korean ? "\($0.rawValue)(\($0.title.korean.plain))" : $0.rawValue }
      .joined(separator: ", ")
  }
}
