import Catalog
import Foundation

/// A product in its stored form, without unknown values.
///
/// The names are those of the file format, independent of the properties.
struct StoredProduct: Decodable {
  let product: Product

  private enum Key: String, CodingKey {
    case created, currency, description, discount, id, images, modified, name, price, sale, stock, thumbnail, vendor
    case vendorID
  }

  init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: Key.self)
    product = Product(
      id: try box.decode(Int.self, forKey: .id), name: try box.text(.name), description: try box.text(.description),
      price: try box.amount(.price), discount: try box.amount(.discount), sale: try box.amount(.sale),
      currency: try box.currency(.currency), stock: try box.number(.stock), vendor: try box.text(.vendor),
      vendorID: try box.number(.vendorID), created: try box.time(.created), modified: try box.time(.modified),
      thumbnailURL: try box.text(.thumbnail),
      images: try box.decodeIfPresent([StoredPicture].self, forKey: .images)?.map(\.picture))
  }
}

extension Product: JSONObjectEncodable {
  func encode(to object: inout JSONObjectWriter) {
    object.add("created", created?.description)
    object.add("currency", currency?.code)
    object.add("description", description)
    object.add("discount", discount)
    object.add("id", id)
    if let images { object.add("images", images) }
    object.add("modified", modified?.description)
    object.add("name", name)
    object.add("price", price)
    object.add("sale", sale)
    object.add("stock", stock)
    object.add("thumbnail", thumbnailURL)
    object.add("vendor", vendor)
    object.add("vendorID", vendorID)
  }
}

private struct StoredPicture: Decodable {
  let picture: Picture

  private enum Key: String, CodingKey { case id, thumbnail, url }

  init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: Key.self)
    picture = Picture(
      id: try box.number(.id), url: try box.decode(String.self, forKey: .url), thumbnailURL: try box.text(.thumbnail))
  }
}

extension Picture: JSONObjectEncodable {
  func encode(to object: inout JSONObjectWriter) {
    object.add("id", id)
    object.add("thumbnail", thumbnailURL)
    object.add("url", url)
  }
}

extension ProductValues: JSONObjectEncodable {
  func encode(to object: inout JSONObjectWriter) {
    object.add("currency", currency?.code)
    object.add("description", description)
    object.add("discount", discount)
    object.add("name", name)
    if let pictures { object.add("pictures", pictures) }
    object.add("price", price)
    object.add("stock", stock)
    object.add("thumbnail", thumbnailID)
  }
}

extension ProductDraft: JSONObjectEncodable {
  func encode(to object: inout JSONObjectWriter) {
    object.add("currency", currency.code)
    object.add("description", description)
    object.add("discount", discount)
    object.add("name", name)
    object.add("pictures", pictures)
    object.add("price", price)
    object.add("stock", stock)
  }
}

extension PictureFile: JSONObjectEncodable {
  func encode(to object: inout JSONObjectWriter) {
    object.add("bytes", bytes.base64EncodedString())
    object.add("name", name)
    object.add("type", type)
  }
}

extension KeyedDecodingContainer {
  func text(_ key: Key) throws -> String? { try decodeIfPresent(String.self, forKey: key) }
  func number(_ key: Key) throws -> Int? { try decodeIfPresent(Int.self, forKey: key) }
  func amount(_ key: Key) throws -> Amount? {
    try decodeIfPresent(Decimal.self, forKey: key).map { Amount($0) }
  }
  func currency(_ key: Key) throws -> Currency? { try text(key).map { Currency($0) } }
  func time(_ key: Key) throws -> Timestamp? {
    guard let text = try text(key) else { return nil }
    guard let time = Timestamp(text) else {
      throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "not a date and time: \(text)")
    }
    return time
  }
}
