import Catalog
import Networking

/// Reads the members of one product's JSON object in their order, and the value of each as the requested type.
///
/// `PullRowReader` reads text in one pass and gives up on anything unusual. `TreeRowReader` reads parsed JSON, accepts
/// what the servers may send, and says which value is wrong.
protocol RowReader {
  associatedtype Failure: Error

  /// The members to return; others are skipped.
  var parts: RowKeySet { get }

  /// Reads the start of the object; call `nextKey` next.
  mutating func beginRow() throws(Failure)
  /// Returns the next requested member, whose value is read next, or `nil` at the end of the object.
  mutating func nextKey() throws(Failure) -> RowKey?

  /// Reads an integer, or returns `nil` for null, as all that follow.
  mutating func int() throws(Failure) -> Int?
  mutating func string() throws(Failure) -> String?
  mutating func amount() throws(Failure) -> Amount?
  /// Reads a time; an invalid one is `nil`, because no decision depends on it.
  mutating func timestamp() throws(Failure) -> Timestamp?
  /// Reads the pictures; one without a URL is omitted, because there is nothing to show.
  mutating func pictures() throws(Failure) -> [Picture]?
  /// Reads the vendor's id and name from its object.
  mutating func vendor() throws(Failure) -> (id: Int?, name: String?)?

  /// The error for a row without an id.
  var missingID: Failure { get }
}

/// The members of a row of the editions with vendors.
enum RowKey: UInt32, CaseIterable {
  case id, name, description, thumbnail, currency, price, salePrice, discount, stock, vendorID, vendor, created,
    modified
  case images, vendorObject, other

  /// Creates the member with this key, without its quotation marks.
  init(_ key: UnsafeBufferPointer<UInt8>) {
    self =
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

  init(_ key: String) {
    var key = key
    self = key.withUTF8 { RowKey($0) }
  }

  var part: RowKeySet { RowKeySet(rawValue: 1 << rawValue) }
}

/// The members of a row that are decoded for some fields.
///
/// Other members are skipped.
struct RowKeySet: OptionSet {
  let rawValue: UInt32

  static let id = RowKey.id.part
  static let price = RowKey.price.part
  static let all = RowKeySet(rawValue: RowKey.other.part.rawValue - 1)

  init(rawValue: UInt32) { self.rawValue = rawValue }

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
      case .price, .discount, .sale: [.price, .salePrice, .discount]
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

/// The requested members of a list's rows and the order in which they come.
///
/// Rows usually have the same members in the same order, so each key is compared with the key at that position of the
/// first row, and looked up only if it differs.
struct RowLayout {
  let parts: RowKeySet
  /// The members of the first row, in their order.
  private var members: [RowKey] = []
  private var known: [JSONPullParser.CachedKey] = []

  init(_ parts: RowKeySet) { self.parts = parts.union(.id) }

  /// Reads the next key; unwanted members may be skipped or returned.
  mutating func next(_ pull: inout JSONPullParser, _ position: inout Int) throws(JSONPullParser.FastPathUnsupported)
    -> RowKey?
  {
    if parts != .all { position = try pull.skip(known, from: position) }
    let here = position
    position += 1
    if here < known.count, pull.takeKey(known[here]) { return members[here] }
    guard let key = try pull.nextKey() else { return nil }
    let member = RowKey(key)
    if here == members.count {
      members.append(member)
      known.append(pull.known(isPassed: !parts.contains(member.part)))
    }
    return member
  }
}

extension Product {
  /// Decodes the next row of an edition with vendors.
  ///
  /// The id and all requested parts are replaced, even if the row lacks them.
  mutating func decode<Reader: RowReader>(from reader: inout Reader) throws(Reader.Failure) {
    let parts = reader.parts
    var salePrice: Amount?
    var discount: Amount?
    var owner: (id: Int?, name: String?)?
    var missing = parts
    try reader.beginRow()
    while let key = try reader.nextKey() {
      missing.remove(key.part)
      switch key {
      case .id:
        guard let id = try reader.int() else { throw reader.missingID }
        self.id = id
      case .name: name = try reader.string()
      case .description: description = try reader.string()
      case .thumbnail: thumbnailURL = try reader.string()
      case .currency: currency = try reader.string().map { Currency($0) }
      case .price: price = try reader.amount()
      case .salePrice: salePrice = try reader.amount()
      case .discount: discount = try reader.amount()
      case .stock: stock = try reader.int()
      case .vendorID: vendorID = try reader.int()
      case .vendor: vendor = try reader.string()
      case .created: created = try reader.timestamp()
      case .modified: modified = try reader.timestamp()
      case .images: images = try reader.pictures()
      case .vendorObject: owner = try reader.vendor()
      case .other: break
      }
    }
    if missing.contains(.id) { throw reader.missingID }
    if !missing.isEmpty { clear(missing) }
    if parts.contains(.price) { resolvePrices(salePrice: salePrice, discount: discount) }
    if parts.contains(RowKey.vendor.part), vendor == nil { vendor = owner?.name }
    if parts.contains(RowKey.vendorID.part), vendorID == nil { vendorID = owner?.id }
  }

  /// Computes the missing prices: the sale price is the list price minus the discount.
  private mutating func resolvePrices(salePrice: Amount?, discount: Amount?) {
    self.discount = discount ?? price.flatMap { price in salePrice.map { price - $0 } }
    guard let price, let discount else {
      sale = salePrice
      return
    }
    sale = discount == .zero ? price : price - discount
  }

  /// Clears these parts.
  ///
  /// Discount and sale price are computed again with the list price.
  private mutating func clear(_ parts: RowKeySet) {
    for key in RowKey.allCases where parts.contains(key.part) {
      switch key {
      case .name: name = nil
      case .description: description = nil
      case .thumbnail: thumbnailURL = nil
      case .currency: currency = nil
      case .price: price = nil
      case .stock: stock = nil
      case .vendorID: vendorID = nil
      case .vendor: vendor = nil
      case .created: created = nil
      case .modified: modified = nil
      case .images: images = nil
      case .id, .salePrice, .discount, .vendorObject, .other: break
      }
    }
  }
}

/// Reads one row from parsed JSON.
///
/// A value of the wrong type throws an error with its key and the value.
struct TreeRowReader: RowReader {
  typealias Failure = JSONTypeError

  private let row: JSONObject
  private var rest: ArraySlice<String>
  /// The key of the value that is read next.
  private var key = ""

  init(_ row: JSONObject) { (self.row, rest) = (row, row.keys[...]) }

  var parts: RowKeySet { .all }
  var missingID: JSONTypeError { JSONTypeError(field: "id", found: .null) }

  func beginRow() {}

  mutating func nextKey() -> RowKey? {
    while let next = rest.popFirst() {
      key = next
      let member = RowKey(next)
      if parts.contains(member.part) { return member }
    }
    return nil
  }

  func int() throws(JSONTypeError) -> Int? { try row.int(key) }
  func string() throws(JSONTypeError) -> String? { try row.string(key) }
  func amount() throws(JSONTypeError) -> Amount? { try row.amount(key) }

  func timestamp() -> Timestamp? { (try? row.string(key)).flatMap { Timestamp($0) } }

  func pictures() throws(JSONTypeError) -> [Picture]? {
    try row.array(key)?.compactMap { element in
      guard let picture = element.object, let url = try? picture.string("url") else { return nil }
      return Picture(id: try? picture.int("id"), url: url, thumbnailURL: try? picture.string("thumbnail_url"))
    }
  }

  /// An invalid id or name doesn't make the product unusable if the row has it outside of the object too.
  func vendor() throws(JSONTypeError) -> (id: Int?, name: String?)? {
    guard let vendor = try row.object(key) else { return nil }
    return (
      id: try row.int("vendor_id") == nil ? try vendor.int("id") : nil,
      name: try row.string("vendorName") == nil ? try vendor.string("name") : nil
    )
  }
}

/// Reads consecutive rows from JSON text in one pass.
struct PullRowReader: RowReader {
  typealias Failure = JSONPullParser.FastPathUnsupported

  var pull: JSONPullParser
  /// The requested members and their places; a caller may exchange it between two rows.
  var layout: RowLayout
  private var position = 0

  init(_ pull: JSONPullParser, _ layout: RowLayout) {
    self.pull = pull
    self.layout = layout
  }

  var parts: RowKeySet { layout.parts }
  var missingID: Failure { Failure() }

  mutating func beginRow() throws(Failure) {
    try pull.beginObject()
    position = 0
  }

  mutating func nextKey() throws(Failure) -> RowKey? {
    while let key = try layout.next(&pull, &position) {
      if parts.contains(key.part) { return key }
      try pull.skip()
    }
    return nil
  }

  mutating func int() throws(Failure) -> Int? { try pull.int() }

  mutating func string() throws(Failure) -> String? { try pull.string() }

  mutating func amount() throws(Failure) -> Amount? {
    try pull.number().map { Amount(units: $0.digits, exponent: $0.exponent) }
  }

  mutating func timestamp() throws(Failure) -> Timestamp? {
    try pull.unescapedBytes().flatMap { Timestamp(utf8: $0) }
  }

  mutating func pictures() throws(Failure) -> [Picture]? {
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

  mutating func vendor() throws(Failure) -> (id: Int?, name: String?)? {
    if try pull.null() { return nil }
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
}
