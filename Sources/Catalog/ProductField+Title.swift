import Text

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
