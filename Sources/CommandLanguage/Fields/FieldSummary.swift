import Catalog
import Text

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
