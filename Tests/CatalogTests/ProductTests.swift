import Catalog
import Testing

/// The sharing of equal texts between products, and products to be created.
@Suite struct ProductTests {
  @Test func draftHasEveryOtherValue() {
    let all = ProductValues(
      name: "a", description: "b", price: Amount(3), discount: Amount(1), currency: .usd, stock: 4)
    #expect(all.assignedFields == ProductField.writableValues)
    let draft = ProductDraft(
      name: "a", description: "b", price: Amount(3), currency: .usd, pictures: [], others: all)
    #expect(ProductValues(of: draft) == all)
  }

  /// A response's text keeps its bytes, also if Swift's `==` doesn't distinguish it from the planned one.
  @Test(arguments: [
    ("\u{AC00}위", "\u{1100}\u{1161}위"), ("\u{1100}\u{1161}위", "\u{AC00}위"), ("가위", "가위"), ("가위", "바위"),
  ])
  func sharedTextsKeepTheirBytes(_ answered: String, _ planned: String) {
    func product(_ text: String) -> Product {
      let small = "https://media.example/\(text)_thumb.jpg"
      return Product(
        id: 1, name: text, description: text, vendor: text, thumbnailURL: small,
        images: [Picture(id: 2, url: "https://media.example/\(text).jpg", thumbnailURL: small)])
    }
    let shared = product(answered).sharingStringStorage(with: product(planned))
    func bytes(_ product: Product) -> [[UInt8]] {
      let images = product.images ?? []
      let texts = [product.name, product.description, product.vendor, product.thumbnailURL]
      return (texts + images.flatMap { [$0.url, $0.thumbnailURL] }).map { Array(($0 ?? "").utf8) }
    }
    #expect(bytes(shared) == bytes(product(answered)))
  }
}
