import Foundation

/// A product in the terms shared by all editions.
///
/// Values that an edition doesn't provide are `nil`.
package struct Product: Hashable, Sendable {
  package typealias ID = Int

  package var id: ID
  package var name: String?
  package var description: String?
  /// The list price.
  package var price: Amount?
  /// The amount subtracted from the list price.
  package var discount: Amount?
  /// The price that a buyer pays, always `price - discount`.
  package var sale: Amount?
  package var currency: Currency?
  package var stock: Int?
  /// The vendor's name.
  package var vendor: String?
  package var vendorID: Int?
  package var created: Timestamp?
  package var modified: Timestamp?
  /// The URL of the small picture.
  package var thumbnailURL: String?
  /// The pictures, or `nil` in a row of a list, which doesn't contain them.
  package var images: [Picture]?
  /// The id of the write that created the product, or the text that is in its member, in a market that stores it.
  ///
  /// It isn't a field of the product.
  package var mark: String?
  /// All members of the product as JSON, if it was read alone in a market that a file describes.
  ///
  /// An undo of its deletion creates it with them.
  package var document: String?

  /// The picture whose small version is the product's thumbnail, if the pictures are known.
  package var coverPicture: Picture? { images?.first { $0.thumbnailURL != nil && $0.thumbnailURL == thumbnailURL } }

  package init(
    id: ID, name: String? = nil, description: String? = nil, price: Amount? = nil, discount: Amount? = nil,
    sale: Amount? = nil, currency: Currency? = nil, stock: Int? = nil, vendor: String? = nil, vendorID: Int? = nil,
    created: Timestamp? = nil, modified: Timestamp? = nil, thumbnailURL: String? = nil, images: [Picture]? = nil
  ) {
    self.id = id
    self.name = name
    self.description = description
    self.price = price
    self.discount = discount
    self.sale = sale
    self.currency = currency
    self.stock = stock
    self.vendor = vendor
    self.vendorID = vendorID
    self.created = created
    self.modified = modified
    self.thumbnailURL = thumbnailURL
    self.images = images
  }
}

extension Product {
  /// Returns the same product with its strings sharing the storage of equal strings in `other`.
  ///
  /// A product is often stored twice, before and after a write; its texts then use memory once.
  package func sharingStringStorage(with other: Product) -> Product {
    var shared = self
    shared.name = name.shared(with: other.name)
    shared.description = description.shared(with: other.description)
    shared.vendor = vendor.shared(with: other.vendor)
    shared.thumbnailURL = thumbnailURL.shared(with: other.thumbnailURL)
    shared.images = images?.map { picture in
      Picture(id: picture.id, url: picture.url, thumbnailURL: picture.thumbnailURL.shared(with: shared.thumbnailURL))
    }
    return shared
  }
}

extension String? {
  /// Returns `other` if both texts are equal byte for byte.
  ///
  /// `==` would also accept another Unicode normalization form.
  func shared(with other: String?) -> String? {
    guard let text = self, let other, text.utf8.elementsEqual(other.utf8) else { return self }
    return other
  }
}

/// A product to be created: all required fields, and its pictures, beginning with the thumbnail.
package struct ProductDraft: Hashable, Sendable {
  package var name: String
  package var description: String
  package var price: Amount
  package var discount: Amount
  package var currency: Currency
  package var stock: Int
  package var pictures: [PictureFile]
  /// The id of the deleted product that this one restores.
  ///
  /// Later references to that id mean the new product.
  package var replaces: Product.ID?
  /// The fields that aren't sent, because they have no value and the market doesn't need them.
  package var unset: Set<ProductField> = []
  /// The members that the deleted product had in a market that a file describes, as JSON.
  package var document: String?
  /// The mark of the deleted product, by which this one is found in place of the id of the write; see `Product.mark`.
  package var mark: String?

  package init(
    name: String, description: String, price: Amount, discount: Amount = .zero, currency: Currency, stock: Int = 0,
    pictures: [PictureFile]
  ) {
    self.name = name
    self.description = description
    self.price = price
    self.discount = discount
    self.currency = currency
    self.stock = stock
    self.pictures = pictures
  }

  /// Creates a product from the values that it must have, and from all others that `values` has.
  package init(
    name: String, description: String, price: Amount, currency: Currency, pictures: [PictureFile],
    others values: ProductValues
  ) {
    self.init(
      name: name, description: description, price: price, discount: values.discount ?? .zero, currency: currency,
      stock: values.stock ?? 0, pictures: pictures)
  }

  /// Creates a product with those values of another one that it has and that a change can set, and without pictures.
  package init(valuesOf product: Product, in writable: [ProductField]) {
    self.init(
      name: product.name ?? "", description: product.description ?? "", price: product.price ?? .zero,
      currency: product.currency ?? Currency(""), pictures: [], others: ProductValues(of: product))
    unset = Set(ProductField.writableValues.filter { product[$0] == nil || !writable.contains($0) })
  }

  /// Returns the value of a field, or `nil` for the images and for a field that a new product doesn't have.
  package subscript(field: ProductField) -> FieldValue? {
    if unset.contains(field) { return nil }
    return switch field {
    case .name: .text(name)
    case .description: .text(description)
    case .price: .amount(price)
    case .discount: .amount(discount)
    case .currency: .text(currency.code)
    case .stock: .number(stock)
    case .id, .sale, .vendor, .vendorID, .created, .modified, .thumbnail, .images: nil
    }
  }
}

/// A vendor: the number and the name that the server assigns.
package struct Vendor: Hashable, Sendable {
  package var id: Int
  package var name: String?

  package init(id: Int, name: String? = nil) {
    self.id = id
    self.name = name
  }
}

/// A picture of a product that is stored on the server: its id, and the URLs of the original and the small version.
package struct Picture: Hashable, Sendable {
  package var id: Int?
  package var url: String
  package var thumbnailURL: String?

  package init(id: Int? = nil, url: String, thumbnailURL: String? = nil) {
    self.id = id
    self.url = url
    self.thumbnailURL = thumbnailURL
  }
}

/// A picture ready to be sent: data within the API's limit, its media type and a sanitized file name.
package struct PictureFile: Hashable, Sendable {
  package var name: String
  /// `image/jpeg` or `image/png`.
  package var type: String
  package var bytes: Data
  /// The path of the picture as the file that names it states it, for display, or `nil`.
  ///
  /// It is no part of the picture: two pictures with other paths are equal.
  package var statedPath: String?

  package init(name: String, type: String, bytes: Data, statedPath: String? = nil) {
    self.name = name
    self.type = type
    self.bytes = bytes
    self.statedPath = statedPath
  }

  /// Creates a picture at an address, which a market that takes addresses stores as it is.
  package init(address: String) {
    self.init(name: address, type: PictureFile.addressType, bytes: Data(), statedPath: address)
  }

  /// The address, or `nil` for a picture with data.
  package var address: String? { type == PictureFile.addressType ? name : nil }

  /// The media type of a list of addresses (RFC 2483), in place of that of an image.
  package static let addressType = "text/uri-list"

  package static func == (one: PictureFile, other: PictureFile) -> Bool {
    one.name == other.name && one.type == other.type && one.bytes == other.bytes
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(type)
    hasher.combine(bytes)
  }

  /// An image of one pixel (PNG), for products without an image: a market accepts none without.
  package static let onePixel = PictureFile(
    name: "blank.png", type: "image/png",
    bytes: Data(
      base64Encoded:
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==") ?? Data())
}

/// Picture URLs as they are compared between two snapshots: the same path on a server that moved is the same picture.
package enum PictureAddresses {
  /// Returns the text without the `http://server` or `https://server` of every URL in it; all other text is unchanged.
  ///
  /// URLs are separated by spaces, tabs or line ends.
  package static func removingOrigins(in text: String) -> String {
    var rest = text.utf8[...]
    var stored: [UInt8] = []
    while let start = rest.firstIndex(of: UInt8(ascii: "h")) {
      stored += rest[..<start]
      rest = rest[start...]
      if let path = afterServer(rest) {
        rest = rest[path...]
      } else {
        stored.append(rest.removeFirst())
      }
    }
    return String(decoding: stored + rest, as: UTF8.self)
  }

  /// Returns the start of the path if `text` begins with a URL, or `nil`.
  private static func afterServer(_ text: Substring.UTF8View) -> String.Index? {
    guard let scheme = ["http://", "https://"].first(where: { text.starts(with: $0.utf8) }) else { return nil }
    let server = text.dropFirst(scheme.utf8.count).prefix { $0 != UInt8(ascii: "/") && !isBlank($0) }
    return server.isEmpty ? nil : server.endIndex
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || (9...13).contains(byte) }
}

/// Values of writable fields: the values a change sets, or those it found before.
///
/// Absent fields stay unchanged.
package struct ProductValues: Hashable, Sendable {
  package var name: String?
  package var description: String?
  package var price: Amount?
  package var discount: Amount?
  package var currency: Currency?
  package var stock: Int?
  /// The id of the picture that becomes the thumbnail.
  package var thumbnailID: Int?
  /// The complete new set of pictures, beginning with the thumbnail.
  ///
  /// Only the camp editions accept one in a change.
  package var pictures: [PictureFile]?

  package init(
    name: String? = nil, description: String? = nil, price: Amount? = nil, discount: Amount? = nil,
    currency: Currency? = nil, stock: Int? = nil, thumbnailID: Int? = nil,
    pictures: [PictureFile]? = nil
  ) {
    self.name = name
    self.description = description
    self.price = price
    self.discount = discount
    self.currency = currency
    self.stock = stock
    self.thumbnailID = thumbnailID
    self.pictures = pictures
  }

  package var isEmpty: Bool { self == ProductValues() }
}

extension ProductValues {
  /// Creates the values of a product in the fields that `pattern` sets.
  ///
  /// Values that the product doesn't show are `nil`.
  package init(of product: Product, like pattern: ProductValues) {
    let all = ProductValues(of: product)
    self.init()
    for field in pattern.assignedFields { self[field] = all[field] }
  }

  /// Creates all writable values that the product shows.
  package init(of product: Product) {
    self.init()
    for field in ProductField.writable where field != .thumbnail { self[field] = product[field] }
    thumbnailID = product.coverPicture?.id
  }

  package init(of draft: ProductDraft) {
    self.init()
    for field in ProductField.writable { self[field] = draft[field] }
  }

  /// The fields that have a value.
  package var assignedFields: [ProductField] { ProductField.writable.filter { self[$0] != nil } }

  /// The values by their fields.
  package var byField: [ProductField: FieldValue] {
    Dictionary(uniqueKeysWithValues: assignedFields.compactMap { field in self[field].map { (field, $0) } })
  }

  /// Accesses the value of a field, which is `nil` for a field that no change can set.
  package subscript(field: ProductField) -> FieldValue? {
    get {
      switch field {
      case .name: name.map(FieldValue.text)
      case .description: description.map(FieldValue.text)
      case .price: price.map(FieldValue.amount)
      case .discount: discount.map(FieldValue.amount)
      case .currency: currency.map { .text($0.code) }
      case .stock: stock.map(FieldValue.number)
      case .thumbnail: thumbnailID.map(FieldValue.number)
      case .id, .sale, .vendor, .vendorID, .created, .modified, .images: nil
      }
    }
    set {
      switch (field, newValue) {
      case (.name, .text(let text)): name = text
      case (.name, _): name = nil
      case (.description, .text(let text)): description = text
      case (.description, _): description = nil
      case (.price, .amount(let amount)): price = amount
      case (.price, _): price = nil
      case (.discount, .amount(let amount)): discount = amount
      case (.discount, _): discount = nil
      case (.currency, .text(let code)): currency = Currency(code)
      case (.currency, _): currency = nil
      case (.stock, .number(let number)): stock = number
      case (.stock, _): stock = nil
      case (.thumbnail, .number(let number)): thumbnailID = number
      case (.thumbnail, _): thumbnailID = nil
      case (.id, _), (.sale, _), (.vendor, _), (.vendorID, _), (.created, _), (.modified, _), (.images, _): break
      }
    }
  }

  /// Returns the fields whose value differs from `other`, ignoring white space around texts.
  package func differing(from other: ProductValues) -> [ProductField] {
    assignedFields.filter { field in
      guard let theirs = other[field], let ours = self[field] else { return false }
      return !ours.isSame(as: theirs)
    }
  }

  /// Returns these values with those that the other assigns in their place.
  package func overlaid(with other: ProductValues?) -> ProductValues {
    var result = self
    for field in other?.assignedFields ?? [] { result[field] = other?[field] }
    return result
  }

  /// Returns these values without those that the product already has.
  package func removingValues(of product: Product) -> ProductValues {
    let current = ProductValues(of: product)
    var result = self
    for field in assignedFields where self[field] == current[field] { result[field] = nil }
    return result
  }
}

extension Product {
  /// Assigns the values, and the sale price and the thumbnail that follow from them.
  package mutating func apply(_ values: ProductValues) {
    for field in values.assignedFields {
      switch field {
      case .name: name = values.name
      case .description: description = values.description
      case .price: price = values.price
      case .discount: discount = values.discount
      case .currency: currency = values.currency
      case .stock: stock = values.stock
      case .thumbnail:
        if let image = images?.first(where: { $0.id == values.thumbnailID }) { thumbnailURL = image.thumbnailURL }
      case .id, .sale, .vendor, .vendorID, .created, .modified, .images: break
      }
    }
    if values.price != nil || values.discount != nil, let price { sale = price - (discount ?? .zero) }
  }
}

/// The limits that a market documents for its products.
package struct DocumentedLimits: Hashable, Sendable {
  /// The length of a name, in characters.
  package var name: ClosedRange<Int>
  /// The length of a description, in characters.
  package var description: ClosedRange<Int>
  /// The number of pictures of a product.
  package var pictures: ClosedRange<Int>
  /// The size in bytes that a picture must stay below.
  package var pictureBytes: Int
  /// The currencies of prices.
  ///
  /// A write with another currency needs confirmation.
  package var currencies: [Currency]

  /// The limits of the four editions (see the article Protocol).
  ///
  /// The real servers enforced few of them.
  package static let openMarket = DocumentedLimits(
    name: 3...100, description: 10...1000, pictures: 1...5, pictureBytes: 300 * 1024, currencies: Currency.documented)

  package static let pageSize = 1...1000
  /// The page numbers that can be requested.
  ///
  /// No market has as many pages, and a page number times a page size still fits in an `Int`.
  package static let page = 1...1_000_000_000_000
}
