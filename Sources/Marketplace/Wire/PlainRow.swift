import Catalog
import Foundation
import Networking

/// A fast decoder for consecutive rows of a list.
///
/// Rows usually have the same members in the same order, so each key is compared with the key at that position of the
/// first row, and looked up only if it differs.
struct RowReader {
  private let parts: RowParts
  /// The members of the first row, in their order.
  private var members: [RowMember] = []
  private var known: [JSONPull.KnownMember] = []

  init(_ parts: RowParts) { self.parts = parts.union(.id) }

  /// Decodes the next row into `product`.
  ///
  /// The id and all requested parts are replaced, even if the row lacks them.
  mutating func read(_ pull: inout JSONPull, into product: inout Product) throws(JSONPull.NotPlain) {
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
        guard let id = try pull.int() else { throw JSONPull.NotPlain() }
        product.id = id
      case .name: product.name = try pull.string()
      case .description: product.description = try pull.string()
      case .thumbnail: product.thumbnail = try pull.string()
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
      case .owner: owner = try vendor(&pull)
      case .other: try pull.skip()
      }
    }
    if missing.contains(.id) { throw JSONPull.NotPlain() }
    if !missing.isEmpty { product.forget(missing) }
    if parts.contains(.price) { product.settle(bargain: bargain, discount: discount) }
    if parts.contains(RowMember.vendor.part), product.vendor == nil { product.vendor = owner.name }
    if parts.contains(RowMember.vendorID.part), product.vendorID == nil { product.vendorID = owner.id }
  }

  /// Decodes the pictures.
  ///
  /// As in the decoder based on `JSON`, a picture without a URL is omitted.
  private func pictures(_ pull: inout JSONPull) throws(JSONPull.NotPlain) -> [Picture]? {
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
      if let url { pictures.append(Picture(id: id, url: url, thumbnail: thumbnail)) }
    }
    return pictures
  }

  private func vendor(_ pull: inout JSONPull) throws(JSONPull.NotPlain) -> (id: Int?, name: String?) {
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

  private func amount(_ pull: inout JSONPull) throws(JSONPull.NotPlain) -> Amount? {
    try pull.number().map { Amount(units: $0.digits, exponent: $0.exponent) }
  }

  private func time(_ pull: inout JSONPull) throws(JSONPull.NotPlain) -> Timestamp? {
    try pull.plainText().flatMap { Timestamp(utf8: $0) }
  }

  private mutating func next(_ pull: inout JSONPull, _ position: inout Int) throws(JSONPull.NotPlain) -> RowMember? {
    if parts != .all { position = try pull.skip(known, from: position) }
    let here = position
    position += 1
    if here < known.count, pull.takeKey(known[here]) { return members[here] }
    guard let key = try pull.nextKey() else { return nil }
    let member = RowReader.member(key)
    if here == members.count {
      members.append(member)
      known.append(pull.known(isPassed: !parts.contains(member.part)))
    }
    return member
  }

  private static func member(_ key: UnsafeBufferPointer<UInt8>) -> RowMember {
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
    case "vendors": .owner
    default: .other
    }
  }
}

extension Product {
  /// Computes the missing prices: the sale price is the list price minus the discount.
  mutating func settle(bargain: Amount?, discount: Amount?) {
    self.discount = discount ?? price.flatMap { price in bargain.map { price - $0 } }
    guard let price, let discount else {
      sale = bargain
      return
    }
    sale = discount == .zero ? price : price - discount
  }
}

/// The members of a row.
private enum RowMember: UInt16 {
  case id, name, description, thumbnail, currency, price, bargain, discount, stock, vendorID, vendor, created, modified
  case images, owner, other

  var part: RowParts { RowParts(rawValue: 1 << rawValue) }
}

/// The members of a row that are decoded for some fields.
///
/// Other members are skipped.
struct RowParts: OptionSet {
  let rawValue: UInt16

  static let id = RowMember.id.part
  static let price = RowMember.price.part
  static let all = RowParts(rawValue: RowMember.other.part.rawValue - 1)

  init(rawValue: UInt16) { self.rawValue = rawValue }

  init(_ fields: Set<Field>) {
    self = fields.reduce(into: []) { $0.formUnion(RowParts($1)) }
  }

  private init(_ field: Field) {
    let members: [RowMember] =
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
      case .vendor: [.vendor, .vendorID, .owner]
      case .vendorID: [.vendorID, .owner]
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
  fileprivate mutating func forget(_ parts: RowParts) {
    if parts.contains(RowMember.name.part) { name = nil }
    if parts.contains(RowMember.description.part) { description = nil }
    if parts.contains(RowMember.thumbnail.part) { thumbnail = nil }
    if parts.contains(RowMember.currency.part) { currency = nil }
    if parts.contains(.price) { price = nil }
    if parts.contains(RowMember.stock.part) { stock = nil }
    if parts.contains(RowMember.vendorID.part) { vendorID = nil }
    if parts.contains(RowMember.vendor.part) { vendor = nil }
    if parts.contains(RowMember.created.part) { created = nil }
    if parts.contains(RowMember.modified.part) { modified = nil }
    if parts.contains(RowMember.images.part) { images = nil }
  }
}
