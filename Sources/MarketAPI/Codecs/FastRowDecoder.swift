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
  mutating func read(_ pull: inout JSONPullParser, into product: inout Product) throws(JSONPullParser
    .FastPathUnsupported)
  {
    var salePrice: Amount?
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
      case .salePrice: salePrice = try amount(&pull)
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
    if parts.contains(.price) { product.resolvePrices(salePrice: salePrice, discount: discount) }
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

  private func vendor(_ pull: inout JSONPullParser) throws(JSONPullParser.FastPathUnsupported) -> (
    id: Int?, name: String?
  ) {
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

  private mutating func next(_ pull: inout JSONPullParser, _ position: inout Int) throws(JSONPullParser
    .FastPathUnsupported) -> RowKey?
  {
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
    case "bargain_price": .salePrice
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
