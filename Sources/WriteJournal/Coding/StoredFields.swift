import Catalog

/// Fields in their stored form.
///
/// Absent fields stay unchanged.
struct StoredFields: Decodable {
  let fields: ProductValues

  private enum Key: String, CodingKey {
    case currency, description, discount, name, pictures, price, stock, thumbnail
  }

  init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: Key.self)
    fields = ProductValues(
      name: try box.text(.name), description: try box.text(.description), price: try box.amount(.price),
      discount: try box.amount(.discount), currency: try box.currency(.currency), stock: try box.number(.stock),
      thumbnailID: try box.number(.thumbnail),
      pictures: try box.decodeIfPresent([StoredPictureFile].self, forKey: .pictures)?.map(\.file))
  }
}
