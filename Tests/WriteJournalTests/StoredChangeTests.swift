import Catalog
import Foundation
import TestSupport
import Testing

@testable import WriteJournal

/// The JSON of changes is read back unchanged, including awkward texts.
struct StoredChangeTests {
  private static let awkward = "\"\\/\u{0}\u{8}\n\r\t\u{1B}\u{7F}\u{85}é가👍🏽\u{2028} "
  private static let picture = PictureFile(name: awkward, type: "image/png", bytes: Data([0, 255, 10]))
  private static let whole = Product(
    id: .max, name: awkward, description: "", price: Amount(typed: "999999999999999.99"), discount: .zero,
    sale: Amount(-5), currency: Currency("X\"Y"), stock: .min, vendor: awkward, vendorID: 0,
    created: Timestamp("2022-10-18T23:59:59Z"), modified: Timestamp("0001-01-01"), thumbnailURL: awkward,
    images: [Picture(id: nil, url: awkward), Picture(id: 1, url: "", thumbnailURL: awkward)])
  private static let allFields = ProductValues(
    name: awkward, description: "", price: Amount(typed: "0.01"), discount: Amount(1), currency: .usd, stock: 0,
    thumbnailID: 7, pictures: [picture])
  private static let draft = ProductDraft(
    name: awkward, description: awkward, price: Amount(1), discount: Amount(2), currency: .krw, stock: 3,
    pictures: [picture, picture])

  /// A product of a market that a file describes, and its create after a deletion.
  private static let described: (product: Product, draft: ProductDraft) = {
    var product = Product(id: 4, name: awkward)
    (product.document, product.mark) = ("{\"id\":4,\"sku\":\"A\"}", awkward)
    var draft = ProductDraft(name: awkward, description: "", price: .zero, currency: Currency(""), pictures: [])
    (draft.document, draft.mark, draft.unset) = (product.document, awkward, [.description, .price, .currency])
    return (product, draft)
  }()

  /// A field that is missing here could be missing in the journal.
  @Test func samplesHaveEveryField() {
    #expect(ProductField.allCases.filter { Self.whole[$0] == nil } == [])
    #expect(ProductField.writable.filter { Self.allFields[$0] == nil } == [.images])
    #expect(ProductField.writableValues.filter { Self.draft[$0] == nil } == [])
  }

  @Test(arguments: [whole, Product(id: 1), Product(id: 2, images: []), described.product])
  func productsAreReadBackUnchanged(_ product: Product) {
    #expect(JSONColumn.decode(StoredProduct.self, product.json)?.product == product)
  }

  @Test(arguments: [allFields, ProductValues(), ProductValues(pictures: [])])
  func fieldsAreReadBackUnchanged(_ fields: ProductValues) {
    #expect(JSONColumn.decode(StoredFields.self, fields.json)?.fields == fields)
  }

  @Test(arguments: [
    Change.create(draft), .edit(whole, from: ProductValues(), to: allFields), .delete(Product(id: 3)),
    .create(described.draft), .delete(described.product),
  ]) func changesAreReadBackUnchanged(_ change: Change) throws {
    let bench = Bench()
    let blobs = try bench.journal().blobs
    let text = try StoredChange(change, in: blobs).json
    #expect(!text.contains("\n"))
    #expect(JSONColumn.decode(StoredChange.self, text)?.restored(from: blobs) == change)
  }

  /// Any JSON in a row of the journal is read or refused.
  @Test func anyRowIsReadOrRefused() throws {
    let bench = Bench()
    let blobs = try bench.journal().blobs
    let changes = [
      Change.create(Self.draft), .edit(Self.whole, from: ProductValues(), to: Self.allFields), .delete(Self.whole),
    ]
    let fuzzer = MutatingFuzzer(
      samples: try changes.map { try StoredChange($0, in: blobs).json } + [Self.whole.json, Self.allFields.json],
      words: ["\"id\":", "\"price\":", "\"created\":", "\"images\":["])
    let count = Trial.count(500, long: 1_000_000, variable: "OPENMARKET_FUZZ_ROUNDS")
    let read = try fuzzer.run("journal", count, seed: Trial.seed) { bytes, _ in
      let text = String(decoding: bytes, as: UTF8.self)
      let change = JSONColumn.decode(StoredChange.self, text)
      _ = (change?.bare.product?.id, change?.restored(from: blobs)?.product)
      _ = JSONColumn.decode(StoredProduct.self, text)?.product[.sale]
      _ = JSONColumn.decode(StoredFields.self, text)?.fields
      _ = JSONColumn.decode([Product.ID].self, text)
      return change != nil
    }
    #expect(read > 20)
  }
}
