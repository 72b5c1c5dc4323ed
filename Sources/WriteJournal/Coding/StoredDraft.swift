import Catalog
import Foundation

/// A product to be created, in its stored form.
struct StoredDraft: Decodable {
  let draft: ProductDraft

  private enum Key: String, CodingKey { case currency, description, discount, name, pictures, price, stock }

  init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: Key.self)
    draft = ProductDraft(
      name: try box.decode(String.self, forKey: .name), description: try box.decode(String.self, forKey: .description),
      price: Amount(try box.decode(Decimal.self, forKey: .price)),
      discount: Amount(try box.decode(Decimal.self, forKey: .discount)),
      currency: Currency(try box.decode(String.self, forKey: .currency)),
      stock: try box.decode(Int.self, forKey: .stock),
      pictures: try box.decode([StoredPictureFile].self, forKey: .pictures).map(\.file))
  }
}
