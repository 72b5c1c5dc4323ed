import Catalog
import Text

/// The validation of one field of a form, while it is typed and at the end.
package struct FieldValidator: Hashable, Sendable {
  package let field: ProductField
  package let limits: LimitPolicy

  package init(_ field: ProductField, limits: LimitPolicy = .documented) {
    self.field = field
    self.limits = limits
  }

  /// Returns the error in the complete text, or `nil` if it is valid.
  package func validate(of text: String) -> LocalizedText? {
    do throws(ParseError) {
      switch field {
      case .price, .sale: _ = try FieldValueParser.money(text, of: field)
      case .discount: if Percentage(text) == nil { _ = try FieldValueParser.money(text, of: field) }
      case .stock: _ = try FieldValueParser.stock(text)
      case .currency:
        let currency = try FieldValueParser.currency(text)
        if limits == .documented, !currency.isDocumented { return FieldValidator.noCurrency(currency) }
      case .name, .description: _ = try FieldValueParser.text(text, of: field, limits)
      case .id, .vendor, .vendorID, .created, .modified, .thumbnail, .images: break
      }
      return nil
    } catch {
      let message = labelled(error.message)
      // The advice to change the limits refers to settings, which can't be changed inside a form.
      guard let next = error.suggestion, field != .name, field != .description else { return message }
      return LocalizedText("\(message.english) \(next.english)", ko: "\(message.korean) \(next.korean)")
    }
  }

  /// Returns the message with the label of the form in place of the name that is typed on a command line.
  private func labelled(_ message: LocalizedText) -> LocalizedText {
    func text(_ text: StyledText, _ language: MessageLanguage) -> StyledText {
      let label = field.title[language].plain
      return StyledText(
        runs: text.runs.map { $0.meaning == .field && $0.text == field.rawValue ? .init(label, .field) : $0 })
    }
    return LocalizedText(text(message.english, .english), ko: text(message.korean, .korean))
  }

  private static func noCurrency(_ currency: Currency) -> LocalizedText {
    let known = FieldSummary.of(.currency)
    return LocalizedText(
      "\(.foreign(currency.code)) is not one of \(known.english).",
      ko: "\(.foreign(currency.code), .topic) API 문서의 통화(\(known.korean))가 아닙니다.")
  }

  /// Returns a counter such as `12/100`, or `nil` for a field without a maximum length.
  package func counter(of text: String) -> String? {
    switch field {
    case .name: "\(text.count)/\(DocumentedLimits.openMarket.name.upperBound)"
    case .description: "\(text.count)/\(DocumentedLimits.openMarket.description.upperBound)"
    case .id, .price, .discount, .sale, .currency, .stock, .vendor, .vendorID, .created, .modified, .thumbnail, .images:
      nil
    }
  }
}

/// The one-line descriptions of fields, for completion and help.
package enum FieldSummary {
  package static func of(_ name: String) -> LocalizedText? { ProductField(rawValue: name).map { of($0) } }

  package static func of(_ field: ProductField) -> LocalizedText {
    switch field {
    case .id: LocalizedText("product ID", ko: "상품 번호")
    case .name: LocalizedText("3 to 100 characters", ko: "3~100자")
    case .description: LocalizedText("10 to 1000 characters", ko: "10~1000자")
    case .price: LocalizedText("list price", ko: "정가")
    case .discount: LocalizedText("amount off the price", ko: "할인 금액")
    case .sale: LocalizedText("price after discount", ko: "판매가")
    case .currency: LocalizedText("KRW, USD, JPY, HKD", ko: "KRW, USD, JPY, HKD")
    case .stock: LocalizedText("number in stock", ko: "재고")
    case .vendor: LocalizedText("vendor name", ko: "판매자 이름")
    case .vendorID: LocalizedText("vendor ID", ko: "판매자 번호")
    case .created: LocalizedText("creation date", ko: "등록일")
    case .modified: LocalizedText("date of the last update", ko: "수정일")
    case .thumbnail: LocalizedText("thumbnail image", ko: "대표 사진")
    case .images: LocalizedText("all images", ko: "사진")
    }
  }
}
