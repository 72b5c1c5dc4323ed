import Catalog
import Foundation
import Text

/// A change in its stored form, with pictures by the hash of their data.
///
/// Its text outlives the program that wrote it, so the names and structure are defined here independently of any type.
/// Tests read journals of every version.
struct StoredChange {
  private var change: Change
  let pictures: [String]
  /// The value of `Plan.isComputed(_:)`, absent if it is false.
  let relative: Bool?

  init(_ change: Change, isRelative: Bool = false, in blobs: BlobStore) throws(JournalError) {
    var files = change.files
    var names: [String] = []
    for index in files.indices {
      names.append(try blobs.store(files[index].bytes))
      files[index].bytes = Data()
    }
    self.change = files.isEmpty ? change : change.with(files)
    pictures = names
    relative = isRelative ? true : nil
  }

  /// The change without picture data.
  var bare: Change { change }

  /// Returns the change with its pictures, or `nil` if one is no longer stored.
  func restored(from blobs: BlobStore) -> Change? {
    var files = change.files
    guard files.count == pictures.count else { return nil }
    for index in files.indices {
      guard let bytes = blobs.bytes(pictures[index]) else { return nil }
      files[index].bytes = bytes
    }
    return change.with(files)
  }
}

extension Change {
  /// The total size of the change's pictures in bytes.
  var pictureBytes: Int { files.reduce(0) { $0 + $1.bytes.count } }

  /// The pictures that a create or an update sends.
  fileprivate var files: [PictureFile] {
    switch self {
    case .create(let draft): draft.pictures
    case .edit(_, _, let to): to.pictures ?? []
    case .delete: []
    }
  }

  fileprivate func with(_ files: [PictureFile]) -> Change {
    switch self {
    case .create(var draft):
      draft.pictures = files
      return .create(draft)
    case .edit(let product, let from, var to):
      if to.pictures != nil { to.pictures = files }
      return .edit(product, from: from, to: to)
    case .delete: return self
    }
  }
}

extension StoredChange: Decodable {
  private enum Key: String, CodingKey { case change, pictures, relative }
  private enum Kind: String, CodingKey { case create, edit, delete }
  private enum Part: String, CodingKey {
    case subject = "_0"
    case from, to
  }

  init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: Key.self)
    pictures = try box.decode([String].self, forKey: .pictures)
    relative = try box.decodeIfPresent(Bool.self, forKey: .relative)
    let kinds = try box.nestedContainer(keyedBy: Kind.self, forKey: .change)
    if kinds.contains(.create) {
      let parts = try kinds.nestedContainer(keyedBy: Part.self, forKey: .create)
      change = .create(try parts.decode(StoredDraft.self, forKey: .subject).draft)
    } else if kinds.contains(.edit) {
      let parts = try kinds.nestedContainer(keyedBy: Part.self, forKey: .edit)
      change = .edit(
        try parts.decode(StoredProduct.self, forKey: .subject).product,
        from: try parts.decode(StoredFields.self, forKey: .from).fields,
        to: try parts.decode(StoredFields.self, forKey: .to).fields)
    } else {
      let parts = try kinds.nestedContainer(keyedBy: Part.self, forKey: .delete)
      change = .delete(try parts.decode(StoredProduct.self, forKey: .subject).product)
    }
  }
}

extension StoredChange: JSONObjectEncodable {
  func encode(to object: inout JSONWriter) {
    object.add("change", bare)
    object.add("pictures", pictures)
    object.add("relative", relative)
  }
}

extension Change: JSONObjectEncodable {
  /// Writes `{"create":{"_0":…}}`, `{"edit":{"_0":…,"from":…,"to":…}}` or `{"delete":{"_0":…}}`.
  func encode(to object: inout JSONWriter) {
    switch self {
    case .create(let draft): object.add("create") { $0.add("_0", draft) }
    case .edit(var product, let from, let to):
      // Only the undo of a deletion needs the members beyond the fields.
      product.document = nil
      object.add("edit") { [product] parts in
        parts.add("_0", product)
        parts.add("from", from)
        parts.add("to", to)
      }
    case .delete(let product): object.add("delete") { $0.add("_0", product) }
    }
  }
}

/// A product in its stored form, without unknown values.
///
/// The names are those of the file format, independent of the properties.
struct StoredProduct: Decodable {
  let product: Product

  private enum Key: String, CodingKey {
    case created, currency, description, discount, document, id, images, mark, modified, name, price, sale, stock
    case thumbnail, vendor, vendorID
  }

  init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: Key.self)
    var product = Product(
      id: try box.decode(Int.self, forKey: .id), name: try box.text(.name), description: try box.text(.description),
      price: try box.amount(.price), discount: try box.amount(.discount), sale: try box.amount(.sale),
      currency: try box.currency(.currency), stock: try box.number(.stock), vendor: try box.text(.vendor),
      vendorID: try box.number(.vendorID), created: try box.time(.created), modified: try box.time(.modified),
      thumbnailURL: try box.text(.thumbnail),
      images: try box.decodeIfPresent([StoredPicture].self, forKey: .images)?.map(\.picture))
    product.document = try box.text(.document)
    product.mark = try box.text(.mark)
    self.product = product
  }
}

extension Product: JSONObjectEncodable {
  func encode(to object: inout JSONWriter) {
    object.add("created", created?.description)
    object.add("currency", currency?.code)
    object.add("description", description)
    object.add("discount", discount)
    object.add("document", document)
    object.add("id", id)
    if let images { object.add("images", images) }
    object.add("mark", mark)
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

extension Product {
  /// The product with nothing but the values by which it is recognized; see `ProductReference`.
  var identifying: Product {
    Product(id: id, name: name, vendorID: vendorID, created: created, thumbnailURL: thumbnailURL ?? images?.first?.url)
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
  func encode(to object: inout JSONWriter) {
    object.add("id", id)
    object.add("thumbnail", thumbnailURL)
    object.add("url", url)
  }
}

extension ProductValues: JSONObjectEncodable {
  func encode(to object: inout JSONWriter) {
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
  func encode(to object: inout JSONWriter) {
    object.add("currency", currency.code)
    object.add("description", description)
    object.add("discount", discount)
    object.add("document", document)
    object.add("mark", mark)
    object.add("name", name)
    object.add("pictures", pictures)
    object.add("price", price)
    object.add("stock", stock)
    if !unset.isEmpty { object.add("unset", unset.map(\.rawValue).sorted().joined(separator: ",")) }
  }
}

extension PictureFile: JSONObjectEncodable {
  func encode(to object: inout JSONWriter) {
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

/// A product to be created, in its stored form.
struct StoredDraft: Decodable {
  let draft: ProductDraft

  private enum Key: String, CodingKey {
    case currency, description, discount, document, mark, name, pictures, price, stock, unset
  }

  init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: Key.self)
    var draft = ProductDraft(
      name: try box.decode(String.self, forKey: .name), description: try box.decode(String.self, forKey: .description),
      price: Amount(try box.decode(Decimal.self, forKey: .price)),
      discount: Amount(try box.decode(Decimal.self, forKey: .discount)),
      currency: Currency(try box.decode(String.self, forKey: .currency)),
      stock: try box.decode(Int.self, forKey: .stock),
      pictures: try box.decode([StoredPictureFile].self, forKey: .pictures).map(\.file))
    draft.document = try box.text(.document)
    draft.mark = try box.text(.mark)
    let unset = try box.text(.unset)?.split(separator: ",").compactMap { ProductField(rawValue: String($0)) }
    draft.unset = Set(unset ?? [])
    self.draft = draft
  }
}

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

/// The name and type of a picture, whose data is a blob.
struct StoredPictureFile: Decodable {
  let file: PictureFile

  private enum Key: String, CodingKey { case bytes, name, type }

  init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: Key.self)
    file = PictureFile(
      name: try box.decode(String.self, forKey: .name), type: try box.decode(String.self, forKey: .type),
      bytes: try box.decode(Data.self, forKey: .bytes))
  }
}
