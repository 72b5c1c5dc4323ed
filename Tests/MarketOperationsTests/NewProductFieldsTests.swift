import Catalog
import CommandLanguage
import MarketOperations
import Testing

/// The fields of a new product, as typed and as they are created.
@Suite struct NewProductFieldsTests {
  private static func text(of field: ProductField) -> String {
    switch field.valueType {
    case .text: field == .currency ? "USD" : "Teacup, white"
    case .number: "7"
    case .amount: "9"
    case .timestamp, .pictures: ""
    }
  }

  /// A field that is accepted is in the form when it is continued, and in the product that is created.
  @Test(arguments: ProductField.writableValues) func setFieldIsInTheFormAndInTheDraft(_ field: ProductField) throws {
    var fields = NewProductFields(price: 100, currency: .krw)
    let without = try fields.draft(pictures: [], .documented)
    try fields.set(field.rawValue, text: Self.text(of: field), limits: .documented)
    #expect(fields.typedValues[field] == Self.text(of: field))
    let with = try fields.draft(pictures: [], .documented)
    #expect(with[field] != without[field] && with[field]?.description == Self.text(of: field))
    #expect(NewProductForm.fields.contains(field))
  }
}
