import Catalog
import Text

/// One line about each field, for Tab and help.
package enum FieldSummary {
  package static func of(_ name: String) -> Wording? { Field(rawValue: name).map { of($0) } }

  package static func of(_ field: Field) -> Wording {
    switch field {
    case .id: Wording("the product's number", ko: "상품 번호")
    case .name: Wording("3 to 100 characters", ko: "3~100자")
    case .description: Wording("10 to 1000 characters", ko: "10~1000자")
    case .price: Wording("the list price", ko: "정가")
    case .discount: Wording("the amount taken off", ko: "할인 금액")
    case .sale: Wording("what a buyer pays", ko: "판매가")
    case .currency: Wording("KRW, USD, JPY, HKD", ko: "KRW, USD, JPY, HKD")
    case .stock: Wording("how many there are", ko: "재고")
    case .vendor: Wording("the vendor's name", ko: "판매자 이름")
    case .vendorID: Wording("the vendor's number", ko: "판매자 번호")
    case .created: Wording("when it was made", ko: "만든 때")
    case .modified: Wording("when it was last changed", ko: "고친 때")
    case .thumbnail: Wording("the picture shown small", ko: "대표 이미지")
    case .images: Wording("the pictures", ko: "이미지")
    }
  }
}
