import Catalog
import Testing

/// The parts of a description that must mean the same as when a write was recorded.
@Suite struct DescriptionMappingTests {
  private static let product = Product(id: 7, name: "Cup", price: Amount(5), stock: 3)
  private static let edit = Change.edit(product, from: ProductValues(stock: 3), to: ProductValues(stock: 4))
  private static let priced = Change.edit(
    product, from: ProductValues(price: Amount(5)), to: ProductValues(price: Amount(6)))
  private static let draft: ProductDraft = {
    var draft = ProductDraft(
      name: "Cup", description: "", price: Amount(5), discount: .zero, currency: .usd, stock: 3, pictures: [])
    draft.unset = [.description, .currency, .stock, .price, .discount]
    return draft
  }()

  /// A write depends on its fields, on how a product is named and read, and, where it is sent, on its request.
  @Test(
    arguments: [
      (edit, .reading, "stock id [read]"), (edit, .sending, "stock id [read] [update]"),
      (edit, .undoing, "stock id [read]"), (priced, .reading, "price discount sale id [read]"),
      (.delete(product), .reading, "id [read]"), (.delete(product), .sending, "id [read] [delete]"),
      (
        .delete(product), .undoing,
        "name description price discount sale currency stock vendor vendor_id created modified thumbnail images id [read]"
      ),
      (.create(draft), .reading, "name id mark [read]"), (.create(draft), .sending, "name id mark [read] [create]"),
      (.create(draft), .undoing, "name id [read]"),
    ] as [(Change, DescriptionMapping.Use, String)])
  func partsOfAChange(_ change: Change, _ use: DescriptionMapping.Use, _ expected: String) {
    #expect(DescriptionMapping.parts(of: change, use).joined(separator: " ") == expected)
  }

  /// A product that is created again with its document depends on every field.
  @Test func documentDependsOnEveryField() {
    var draft = DescriptionMappingTests.draft
    draft.document = "{}"
    let fields = ProductField.allCases.filter { $0 != .id }.map(\.rawValue)
    #expect(Array(DescriptionMapping.parts(of: .create(draft), .reading).prefix(fields.count)) == fields)
  }

  /// Only what differs in a part that the change depends on counts, and an unchanged file never does.
  @Test(
    arguments: [
      (["stock": "/left"], "stock"), (["price": "/cost"], ""), (["[read]": "GET /p"], "[read]"), (["id": "/no"], "id"),
      (["[delete]": "x"], ""), ([:], ""),
    ] as [([String: String], String)])
  func differencesAreThoseOfTheChange(_ changed: [String: String], _ expected: String) {
    let parts = ["stock": "/stock", "price": "/price", "id": "/id", "[read]": "GET /x", "[update]": "PATCH /x"]
    let recorded = DescriptionMapping(file: "a.toml", digest: "1", parts: parts)
    var now = DescriptionMapping(file: "b.toml", digest: "2", parts: parts.merging(changed) { $1 })
    #expect(now.differences(from: recorded, for: DescriptionMappingTests.edit, .sending).joined() == expected)
    now.digest = "1"
    #expect(now.differences(from: recorded, for: DescriptionMappingTests.edit, .sending).isEmpty)
  }
}
