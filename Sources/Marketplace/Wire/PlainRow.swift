import Catalog
import Foundation
import Networking

/// A fast decoder for consecutive rows of a list.
///
/// Rows usually have the same members in the same order, so each key is compared with the key at that position of the
/// first row, and looked up only if it differs.
struct FastRowDecoder {
  private let parts: RowKeySet
  /// The members of the first row, in their order.
  private var members: [RowKey] = []
  private var known: [JSONPullParser.CachedKey] = []

  init(_ parts: RowKeySet) { self.parts = parts.union(.id) }

  /// Decodes the next row into `product`.
  ///
  /// The id and all requested parts are replaced, even if the row lacks them.
  mutating func read(_ pull: inout JSONPullParser, into product: inout Product) throws(JSONPullParser.FastPathUnsupported) {
    var bargain: Amount?
    var discount: Amount?
    var owner: (id: Int?, name: String?)
    var missing = parts
    var position = 0
    try pull.beginObject()
    while let member = try next(&pull, &position) {
      guard parts.contains(member.part) else {
        try pull.skip()
        continue
      }
      missing.remove(member.part)
      switch member {
      case .id:
        guard let id = try pull.int() else { throw JSONPullParser.FastPathUnsupported() }
        product.id = id
      case .name: product.name = try pull.string()
      case .description: product.description = try pull.string()
      case .thumbnail: product.thumbnailURL = try pull.string()
      case .currency: product.currency = try pull.string().map { Currency($0) }
      case .price: product.price = try amount(&pull)
      case .bargain: bargain = try amount(&pull)
      case .discount: discount = try amount(&pull)
      case .stock: product.stock = try pull.int()
      case .vendorID: product.vendorID = try pull.int()
      case .vendor: product.vendor = try pull.string()
      case .created: product.created = try time(&pull)
      case .modified: product.modified = try time(&pull)
      case .images: product.images = try pictures(&pull)
      case .vendorObject: owner = try vendor(&pull)
      case .other: try pull.skip()
      }
    }
    if missing.contains(.id) { throw JSONPullParser.FastPathUnsupported() }
    if !missing.isEmpty { product.clear(missing) }
    if parts.contains(.price) { product.resolvePrices(bargain: bargain, discount: discount) }
    if parts.contains(RowKey.vendor.part), product.vendor == nil { product.vendor = owner.name }
    if parts.contains(RowKey.vendorID.part), product.vendorID == nil { product.vendorID = owner.id }
  }

  /// Decodes the pictures.
  ///
  /// As in the decoder based on `JSON`, a picture without a URL is omitted.
  private func pictures(_ pull: inout JSONPullParser) throws(JSONPullParser.FastPathUnsupported) -> [Picture]? {
    if try pull.null() { return nil }
    var pictures: [Picture] = []
    try pull.beginArray()
    while try pull.nextElement() {
      var (id, url, thumbnail): (Int?, String?, String?)
      try pull.beginObject()
      while let key = try pull.nextKey() {
        switch key {
        case "id": id = try pull.int()
        case "url": url = try pull.string()
        case "thumbnail_url": thumbnail = try pull.string()
        default: try pull.skip()
        }
      }
      if let url { pictures.append(Picture(id: id, url: url, thumbnailURL: thumbnail)) }
    }
    return pictures
  }

  private func vendor(_ pull: inout JSONPullParser) throws(JSONPullParser.FastPathUnsupported) -> (id: Int?, name: String?) {
    if try pull.null() { return (nil, nil) }
    var (id, name): (Int?, String?)
    try pull.beginObject()
    while let key = try pull.nextKey() {
      switch key {
      case "id": id = try pull.int()
      case "name": name = try pull.string()
      default: try pull.skip()
      }
    }
    return (id, name)
  }

  private func amount(_ pull: inout JSONPullParser) throws(JSONPullParser.FastPathUnsupported) -> Amount? {
    try pull.number().map { Amount(units: $0.digits, exponent: $0.exponent) }
  }

  private func time(_ pull: inout JSONPullParser) throws(JSONPullParser.FastPathUnsupported) -> Timestamp? {
    try pull.unescapedBytes().flatMap { Timestamp(utf8: $0) }
  }

  private mutating func next(_ pull: inout JSONPullParser, _ position: inout Int) throws(JSONPullParser.FastPathUnsupported) -> RowKey? {
    if parts != .all { position = try pull.skip(known, from: position) }
    let here = position
    position += 1
    if here < known.count, pull.takeKey(known[here]) { return members[here] }
    guard let key = try pull.nextKey() else { return nil }
    let member = FastRowDecoder.member(key)
    if here == members.count {
      members.append(member)
      known.append(pull.known(isPassed: !parts.contains(member.part)))
    }
    return member
  }

  private static func member(_ key: UnsafeBufferPointer<UInt8>) -> RowKey {
    switch key {
    case "id": .id
    case "name": .name
    case "description": .description
    case "thumbnail": .thumbnail
    case "currency": .currency
    case "price": .price
    case "bargain_price": .bargain
    case "discounted_price": .discount
    case "stock": .stock
    case "vendor_id": .vendorID
    case "vendorName": .vendor
    case "created_at": .created
    case "issued_at": .modified
    // Only a single product has these members.
    case "images": .images
    case "vendors": .vendorObject
    default: .other
    }
  }
}

extension Product {
  /// Computes the missing prices: the sale price is the list price minus the discount.
  mutating func resolvePrices(bargain: Amount?, discount: Amount?) {
    self.discount = discount ?? price.flatMap { price in bargain.map { price - $0 } }
    guard let price, let discount else {
      sale = bargain
      return
    }
    sale = discount == .zero ? price : price - discount
  }
}

/// The members of a row.
private enum RowKey: UInt16 {
  case id, name, description, thumbnail, currency, price, bargain, discount, stock, vendorID, vendor, created, modified
  case images, vendorObject, other

  var part: RowKeySet { RowKeySet(rawValue: 1 << rawValue) }
}

/// The members of a row that are decoded for some fields.
///
/// Other members are skipped.
struct RowKeySet: OptionSet {
  let rawValue: UInt16

  static let id = RowKey.id.part
  static let price = RowKey.price.part
  static let all = RowKeySet(rawValue: RowKey.other.part.rawValue - 1)

  init(rawValue: UInt16) { self.rawValue = rawValue }

  init(_ fields: Set<ProductField>) {
    self = fields.reduce(into: []) { $0.formUnion(RowKeySet($1)) }
  }

  private init(_ field: ProductField) {
    let members: [RowKey] =
      switch field {
      case .id: [.id]
      case .name: [.name]
      case .description: [.description]
      case .thumbnail: [.thumbnail]
      case .currency: [.currency]
      // Each price may be computed from the two others.
      case .price, .discount, .sale: [.price, .bargain, .discount]
      case .stock: [.stock]
      // A filter on the vendor's name may compare the vendor's number.
      case .vendor: [.vendor, .vendorID, .vendorObject]
      case .vendorID: [.vendorID, .vendorObject]
      case .created: [.created]
      case .modified: [.modified]
      case .images: [.images]
      }
    self = members.reduce(into: []) { $0.formUnion($1.part) }
  }
}

extension Product {
  /// Clears these parts.
  ///
  /// Discount and sale price are cleared together with the list price.
  fileprivate mutating func clear(_ parts: RowKeySet) {
    if parts.contains(RowKey.name.part) { name = nil }
    if parts.contains(RowKey.description.part) { description = nil }
    if parts.contains(RowKey.thumbnail.part) { thumbnailURL = nil }
    if parts.contains(RowKey.currency.part) { currency = nil }
    if parts.contains(.price) { price = nil }
    if parts.contains(RowKey.stock.part) { stock = nil }
    if parts.contains(RowKey.vendorID.part) { vendorID = nil }
    if parts.contains(RowKey.vendor.part) { vendor = nil }
    if parts.contains(RowKey.created.part) { created = nil }
    if parts.contains(RowKey.modified.part) { modified = nil }
    if parts.contains(RowKey.images.part) { images = nil }
  }
}
