import Catalog
import Text

/// Checks one field of a form while it is typed and when it is done.
package struct FormField: Hashable, Sendable {
  package let field: Field
  package let limits: LimitPolicy

  package init(_ field: Field, limits: LimitPolicy = .documented) {
    self.field = field
    self.limits = limits
  }

  /// What is wrong with the whole text; nil when it can be taken.
  package func problem(of text: String) -> LocalizedText? {
    do throws(ParseError) {
      switch field {
      case .price, .discount: _ = try FieldReader.amount(text, of: field)
      case .stock: _ = try FieldReader.stock(text)
      case .currency: _ = try FieldReader.currency(text)
      case .name, .description: _ = try FieldReader.text(text, of: field, limits)
      case .id, .sale, .vendor, .vendorID, .created, .modified, .thumbnail, .images: break
      }
      return nil
    } catch {
      return error.what
    }
  }

  /// False when no further typing could make the text right: a key that should do nothing.
  package func allowsTyping(_ text: String) -> Bool {
    if text.isEmpty { return true }
    switch field {
    // `12,50` must not become 1250 by a key that does nothing: what numbers are written with stands, and Enter judges it.
    case .price, .discount, .stock:
      return text.utf8.count <= 20 && text.utf8.allSatisfy { (48...57).contains($0) || ",.-".utf8.contains($0) }
    case .currency: return (try? FieldReader.currency(text)) != nil
    case .name: return limits == .server || text.count <= Limits.name.upperBound
    case .description: return limits == .server || text.count <= Limits.description.upperBound
    case .id, .sale, .vendor, .vendorID, .created, .modified, .thumbnail, .images: return true
    }
  }

  /// `12/100`; nil for a field whose length does not matter.
  package func counter(of text: String) -> String? {
    switch field {
    case .name: "\(text.count)/\(Limits.name.upperBound)"
    case .description: "\(text.count)/\(Limits.description.upperBound)"
    case .id, .price, .discount, .sale, .currency, .stock, .vendor, .vendorID, .created, .modified, .thumbnail, .images:
      nil
    }
  }
}

/// One line about each field, for Tab and help.
package enum FieldSummary {
  package static func of(_ name: String) -> LocalizedText? { Field(rawValue: name).map { of($0) } }

  package static func of(_ field: Field) -> LocalizedText {
    switch field {
    case .id: LocalizedText("the product's number", ko: "상품 번호")
    case .name: LocalizedText("3 to 100 characters", ko: "3~100자")
    case .description: LocalizedText("10 to 1000 characters", ko: "10~1000자")
    case .price: LocalizedText("the list price", ko: "정가")
    case .discount: LocalizedText("the amount taken off", ko: "할인 금액")
    case .sale: LocalizedText("what a buyer pays", ko: "판매가")
    case .currency: LocalizedText("KRW, USD, JPY, HKD", ko: "KRW, USD, JPY, HKD")
    case .stock: LocalizedText("how many there are", ko: "재고")
    case .vendor: LocalizedText("the vendor's name", ko: "판매자 이름")
    case .vendorID: LocalizedText("the vendor's number", ko: "판매자 번호")
    case .created: LocalizedText("when it was made", ko: "등록일")
    case .modified: LocalizedText("when it was last changed", ko: "수정일")
    case .thumbnail: LocalizedText("the picture shown small", ko: "대표 사진")
    case .images: LocalizedText("the pictures", ko: "사진")
    }
  }
}
