import Catalog
import Foundation
import Networking

extension SharedVendorCodec {
  /// The page in a body that is plain throughout, read in one pass; nil where anything is out of the ordinary, and then
  /// the reader of trees has the word.
  func plainPage(_ body: Data, asked: ListProducts) -> Page? {
    body.withUnsafeBytes { raw in
      var pull = JSONPull(raw.bindMemory(to: UInt8.self))
      return try? plainPage(&pull, asked)
    }
  }

  private func plainPage(_ pull: inout JSONPull, _ asked: ListProducts) throws(JSONPull.NotPlain) -> Page {
    var result = Page(number: asked.page, size: asked.size, products: [])
    var hasRows = false
    try pull.beginObject()
    while let key = try pull.nextKey() {
      switch member(key) {
      case .page: result.number = PageCounts.count(try pull.int()) ?? asked.page
      case .size: result.size = PageCounts.size(try pull.int()) ?? asked.size
      case .total: result.total = PageCounts.count(try pull.int())
      case .last: result.last = PageCounts.count(try pull.int())
      case .next: result.hasNext = try pull.bool()
      case .previous: result.hasPrevious = try pull.bool()
      case .rows:
        hasRows = true
        (result.products, result.allIDs) = try plainRows(&pull, asked)
      case .other: try pull.skip()
      case .foreign: throw JSONPull.NotPlain()
      }
    }
    try pull.end()
    guard hasRows else { throw JSONPull.NotPlain() }
    return result
  }

  private enum Member { case page, size, total, last, next, previous, rows, other, foreign }

  private func member(_ key: UnsafeBufferPointer<UInt8>) -> Member {
    let name = String(decoding: key, as: UTF8.self)
    switch name {
    case page: return .page
    case size: return .size
    case total: return .total
    case last: return .last
    case next: return .next
    case previous: return .previous
    case "pages": return .rows
    // The page's number as another edition has it.
    case "page_no", "pageNo": return .foreign
    default: return .other
    }
  }

  private func plainRows(_ pull: inout JSONPull, _ asked: ListProducts) throws(JSONPull.NotPlain)
    -> (products: [Product], allIDs: [Product.ID]?)
  {
    let count = min(asked.size ?? 20, 1000)
    var reader = RowReader()
    let parts = asked.wanted.map { RowParts($0.fields) } ?? .all
    var products: [Product] = []
    var ids: [Product.ID] = []
    // Nearly always ids fall; only where they do not may a row come again.
    var seen: Set<Product.ID>?
    if asked.wanted == nil { products.reserveCapacity(count) }
    ids.reserveCapacity(count)
    try pull.beginArray()
    while try pull.nextElement() {
      let start = pull.mark
      let product = try reader.read(&pull, parts)
      if seen == nil, let last = ids.last, last <= product.id { seen = Set(ids) }
      if seen?.insert(product.id).inserted == false { continue }
      ids.append(product.id)
      guard let wanted = asked.wanted else {
        products.append(product)
        continue
      }
      guard wanted.holds(product) else { continue }
      pull.goBack(to: start)
      products.append(try reader.read(&pull, .all))
    }
    return (products, asked.wanted == nil ? nil : ids)
  }
}

/// Reads the rows of a list one after the other. Their members stand in one order, so that each key is looked for where it
/// stood in the row before, and spelled out only where it is another.
private struct RowReader {
  private enum Member {
    case id, name, description, thumbnail, currency, price, bargain, discount, stock, vendorID, vendor, created
    case modified, other
  }

  /// The members of the first row, in their order, each with the place of its key.
  private var members: [(member: Member, place: Range<Int>)] = []

  mutating func read(_ pull: inout JSONPull, _ parts: RowParts) throws(JSONPull.NotPlain) -> Product {
    var product = Product(id: 0)
    var id: Int?
    var bargain: Amount?
    var discount: Amount?
    var position = 0
    try pull.beginObject()
    while let member = try next(&pull, position) {
      position += 1
      switch member {
      case .id: id = try pull.int()
      case .name where parts.contains(.name): product.name = try pull.string()
      case .description where parts.contains(.description): product.description = try pull.string()
      case .thumbnail where parts.contains(.thumbnail): product.thumbnail = try pull.string()
      case .currency where parts.contains(.currency): product.currency = try pull.string().map { Currency($0) }
      case .price where parts.contains(.prices): product.price = try amount(&pull)
      case .bargain where parts.contains(.prices): bargain = try amount(&pull)
      case .discount where parts.contains(.prices): discount = try amount(&pull)
      case .stock where parts.contains(.stock): product.stock = try pull.int()
      case .vendorID where parts.contains(.vendorID): product.vendorID = try pull.int()
      case .vendor where parts.contains(.vendor): product.vendor = try pull.string()
      case .created where parts.contains(.created): product.created = try time(&pull)
      case .modified where parts.contains(.modified): product.modified = try time(&pull)
      default: try pull.skip()
      }
    }
    guard let id else { throw JSONPull.NotPlain() }
    product.id = id
    if parts.contains(.prices) { product.settle(bargain: bargain, discount: discount) }
    return product
  }

  private func amount(_ pull: inout JSONPull) throws(JSONPull.NotPlain) -> Amount? {
    try pull.number().map { Amount(units: $0.digits, exponent: $0.exponent) }
  }

  private func time(_ pull: inout JSONPull) throws(JSONPull.NotPlain) -> Timestamp? {
    try pull.plainText().flatMap { Timestamp(utf8: $0) }
  }

  private mutating func next(_ pull: inout JSONPull, _ position: Int) throws(JSONPull.NotPlain) -> Member? {
    if position < members.count, pull.takeKey(spelledAs: members[position].place) { return members[position].member }
    guard let key = try pull.nextKey() else { return nil }
    let member = try RowReader.member(key)
    if position == members.count { members.append((member, pull.spelling)) }
    return member
  }

  private static func member(_ key: UnsafeBufferPointer<UInt8>) throws(JSONPull.NotPlain) -> Member {
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
    // Only a product by itself has these.
    case "vendors", "images": throw JSONPull.NotPlain()
    default: .other
    }
  }
}

extension Product {
  /// Fills in what the two other prices tell; the sale price is what the list price leaves after the discount.
  mutating func settle(bargain: Amount?, discount: Amount?) {
    self.discount = discount ?? price.flatMap { price in bargain.map { price - $0 } }
    guard let price, let discount else {
      sale = bargain
      return
    }
    sale = discount == .zero ? price : price - discount
  }
}

/// The members of a row that are read for some fields; the others are passed over.
struct RowParts: OptionSet, Sendable {
  let rawValue: UInt16

  static let name = RowParts(rawValue: 1)
  static let description = RowParts(rawValue: 1 << 1)
  static let thumbnail = RowParts(rawValue: 1 << 2)
  static let currency = RowParts(rawValue: 1 << 3)
  /// Each price is told with the help of the two others.
  static let prices = RowParts(rawValue: 1 << 4)
  static let stock = RowParts(rawValue: 1 << 5)
  static let vendorID = RowParts(rawValue: 1 << 6)
  static let vendor = RowParts(rawValue: 1 << 7)
  static let created = RowParts(rawValue: 1 << 8)
  static let modified = RowParts(rawValue: 1 << 9)
  static let all = RowParts(rawValue: .max)

  init(rawValue: UInt16) { self.rawValue = rawValue }

  init(_ fields: Set<Field>) {
    self = fields.reduce(into: []) { $0.formUnion(RowParts($1)) }
  }

  private init(_ field: Field) {
    self =
      switch field {
      case .id: []
      case .name: .name
      case .description: .description
      case .thumbnail: .thumbnail
      case .currency: .currency
      case .price, .discount, .sale: .prices
      case .stock: .stock
      // A vendor may be asked for by number where the name is compared.
      case .vendor: [.vendor, .vendorID]
      case .vendorID: .vendorID
      case .created: .created
      case .modified: .modified
      case .images: .all
      }
  }
}
