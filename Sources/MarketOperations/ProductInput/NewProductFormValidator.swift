import Catalog
import CommandLanguage
import Platform
import Text

/// The rules for the fields of a new product, checked while the user types.
package struct NewProductFormValidator: Sendable {
  private let policy: LimitPolicy
  private let home: String?
  private let pictures = PictureValidationCache()

  package init(_ policy: LimitPolicy, home: String?) {
    self.policy = policy
    self.home = home
  }

  /// Returns the default of an empty field.
  static func defaultText(_ field: ProductField) -> String? { field == .discount || field == .stock ? "0" : nil }

  /// Returns a description of the rule, shown before anything is typed.
  package func rule(_ field: ProductField) -> LocalizedText {
    switch field {
    case .name, .description:
      policy == .documented ? FieldSummary.of(field) : LocalizedText("any length", ko: "길이 제한 없음")
    case .currency: FieldSummary.of(field)
    case .price: LocalizedText("12900, 12,900 or 19.99", ko: "12900, 12,900, 19.99")
    case .discount: LocalizedText("amount or 10% (default: 0)", ko: "금액이나 10%(기본: 0)")
    case .stock: LocalizedText("whole number (default: 0)", ko: "정수, 비우면 0")
    case .images: LocalizedText("1 to 5 image files, separated by commas", ko: "사진 파일 1~5개, 쉼표로 구분")
    case .id, .sale, .vendor, .vendorID, .created, .modified, .thumbnail: LocalizedText("", ko: "")
    }
  }

  /// Returns the error in the text, given the other fields, or `nil` if it is valid.
  package func problem(_ field: ProductField, _ text: String, _ others: [ProductField: String]) -> LocalizedText? {
    if text.isEmpty, NewProductFormValidator.defaultText(field) != nil { return nil }
    if field == .images { return pictures.problem(text, home: home) }
    if field == .discount, let price = others[.price].flatMap({ try? FieldValueParser.money($0, of: .price).amount }),
      let discount = try? FieldValueParser.money(text, of: .discount).amount, discount > price, policy == .documented
    {
      return LocalizedText("The discount cannot be higher than the price.", ko: "할인은 정가를 넘을 수 없습니다.")
    }
    return FieldValidator(field, limits: policy).validate(of: text)
  }

  package func counter(_ field: ProductField, _ text: String) -> String? {
    FieldValidator(field, limits: policy).counter(of: text)
  }

  package func candidates(_ field: ProductField, _ text: String) -> [Candidate] {
    switch field {
    case .currency:
      return Currency.documented.map { Candidate($0.code) }.filter { $0.text.hasPrefix(text.uppercased()) }
    case .images:
      let last = text.split(separator: ",", omittingEmptySubsequences: false).last.map(String.init) ?? ""
      return PathCompletion.files(String(last.drop { $0 == " " }), home: home).map { Candidate($0, endsWord: false) }
    case .id, .name, .description, .price, .discount, .sale, .stock, .vendor, .vendorID, .created, .modified,
      .thumbnail:
      return []
    }
  }
}
