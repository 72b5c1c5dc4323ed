/// The JSON of products in an API that a file describes.
///
/// It puts each field at its place, among the members that all products have: those of the sample, those that requests
/// state, and those of the file. The order of the members is that of the sample.
struct DescribedProduct: Sendable {
  private let api: ServedDescription
  /// The members of every product, with a value of the right kind at the place of every field.
  let template: WireJSON
  /// The members with placeholders, which differ from product to product.
  private let varying: [(at: WirePointer, value: WireJSON)]
  /// The lists of which the file describes the only element.
  let lists: Set<WirePointer>

  init(_ api: ServedDescription) {
    self.api = api
    let fields = ServedDescription.Field.allCases.compactMap { field in api.fields[field].map { (field, $0) } }
      .filter { $0.1.constant == nil }
    var template = api.sample.flatMap { try? WireJSONReader.read($0.utf8) } ?? .object([])
    if template.value(at: api.id) == nil { template.set(.number(0), at: api.id) }
    for (field, rule) in fields where template.value(at: rule.at) == nil {
      template.set(DescribedProduct.emptyValue(of: field, rule), at: rule.at)
    }
    var varying: [(at: WirePointer, value: WireJSON)] = []
    for member in api.createValues {
      guard let place = member.at.pointer else { continue }
      let value = member.value
      if DescribedProduct.hasPlaceholder(value) {
        varying.append((place, value))
      } else if template.value(at: place) == nil {
        template.set(value, at: place)
      }
    }
    if let mark = api.create?.mark { varying.append((mark, .text(DescribedProduct.operation))) }
    for member in api.extra {
      guard let place = member.at.pointer else { continue }
      if DescribedProduct.hasPlaceholder(member.value) {
        varying.append((place, member.value))
      } else {
        template.set(member.value, at: place)
      }
    }
    for (place, value) in varying where template.value(at: place) == nil { template.set(value, at: place) }
    self.template = template
    self.varying = varying
    let places =
      fields.filter { $0.0.isComputed && !$0.0.isOwn }.map(\.1.at) + api.createValues.compactMap(\.at.pointer)
      + (api.update?.along ?? [])
      + (api.create?.mark.map { [$0] } ?? [])
    lists = Set(places.flatMap(\.lists))
  }

  private static let operation = "{operation}"
  private static let id = "{id}"

  static func hasPlaceholder(_ value: WireJSON) -> Bool {
    let text = value.minified
    return text.contains(operation) || text.contains(id)
  }

  /// Returns the values of the placeholders in the members of a product.
  static func placeholders(of product: Int64) -> [String: WireJSON] {
    [id: .number(product), operation: .text("openmarket-\(product)")]
  }

  /// Returns a value of the kind that a field has.
  private static func emptyValue(of field: ServedDescription.Field, _ rule: ServedDescription.Rule) -> WireJSON {
    switch rule.notation {
    case .text, .decimalText, .time: return .text("")
    case .integer, .decimal, .minorUnits, .percentOfPrice, .seconds, .milliseconds: return .number(0)
    case .salePrice: return .null
    case .addresses:
      var element = WireJSON.null
      element.set(.text(""), at: rule.each ?? .root)
      return .list([element])
    }
  }

  /// Returns a product.
  ///
  /// - Parameters:
  ///   - row: The product.
  ///   - members: The members that clients have sent, beyond the fields.
  ///   - base: The beginning of the URLs of pictures.
  ///   - isInList: Indicates a row of a list.
  func json(_ row: ProductRow, _ members: WireJSON?, base: String, isInList: Bool = false) -> WireJSON {
    var product = template
    let values = DescribedProduct.placeholders(of: row.id)
    for (place, value) in varying { product.set(value.filling(values), at: place) }
    if let members { product = product.merged(with: members, elementwise: lists) }
    product.set(.number(row.id), at: api.id)
    for field in ServedDescription.Field.allCases {
      guard let rule = api.fields[field], rule.constant == nil else { continue }
      if isInList, !rule.isInList {
        product.remove(at: rule.at)
      } else if field.isComputed || members?.value(at: rule.at) == nil {
        product.set(value(of: field, by: rule, in: row, base: base), at: rule.at)
      }
    }
    return product
  }

  private func value(
    of field: ServedDescription.Field, by rule: ServedDescription.Rule, in row: ProductRow, base: String
  ) -> WireJSON {
    switch field {
    case .name: .text(row.name)
    case .description: .text(row.description)
    case .price: DescribedProduct.amount(row.price, rule)
    case .discount:
      rule.notation == .percentOfPrice
        ? .number(row.discount.percentage(of: row.price).description) : DescribedProduct.amount(row.discount, rule)
    case .sale: sale(rule, row)
    case .currency: .text(row.currency)
    case .stock: .number(row.stock)
    case .vendor: .text(row.vendor.name)
    case .vendorID: .number(row.vendor.id)
    case .created: DescribedProduct.time(row.created, rule)
    case .modified: DescribedProduct.time(row.modifiedAt, rule)
    case .thumbnail: .text(row.coverPicture.map { DescribedPicture.address(of: $0, .thumb, base: base) } ?? "")
    case .images: images(rule, row, base: base)
    }
  }

  static func amount(_ amount: DecimalPrice, _ rule: ServedDescription.Rule) -> WireJSON {
    switch rule.notation {
    case .decimalText: .text(amount.description)
    case .minorUnits: .number(amount.minorUnits(digits: rule.digits))
    default: .number(amount.description)
    }
  }

  private func sale(_ rule: ServedDescription.Rule, _ row: ProductRow) -> WireJSON {
    if row.discount == .zero { return rule.removal.map { .text($0) } ?? .null }
    let price = row.salePrice.description
    return api.fields[.price]?.notation == .decimalText ? .text(price) : .number(price)
  }

  private static func time(_ time: MarketTime, _ rule: ServedDescription.Rule) -> WireJSON {
    switch rule.notation {
    case .seconds: .number(floorDivide(time.microseconds, 1_000_000))
    case .milliseconds: .number(floorDivide(time.microseconds, 1000))
    default: .text(time.isoText)
    }
  }

  /// Returns the addresses of the pictures in the form of the sample: a list of addresses, a list of objects with an
  /// address each, or the first address alone.
  private func images(_ rule: ServedDescription.Rule, _ row: ProductRow, base: String) -> WireJSON {
    let addresses = row.pictures.map { DescribedPicture.address(of: $0, .original, base: base) }
    let shape = template.value(at: rule.at)
    if case .text? = shape { return .text(addresses.first ?? "") }
    guard let each = rule.each else { return .list(addresses.map { .text($0) }) }
    var model = WireJSON.object([])
    if case .list(let elements)? = shape, let first = elements.first { model = first }
    return .list(
      addresses.map { address in
        var element = model
        element.set(.text(address), at: each)
        return element
      })
  }
}

/// The addresses of pictures in an API that a file describes.
enum DescribedPicture {
  /// Returns whether an address of a picture of this server is in a value.
  static func isOwn(_ value: WireJSON, base: String) -> Bool {
    switch value {
    case .text(let text): text.hasPrefix(base + "/media/")
    case .list(let elements): elements.contains { isOwn($0, base: base) }
    case .object(let members): members.contains { isOwn($0.value, base: base) }
    case .null, .bool, .number: false
    }
  }

  static let originals = "/media/original/:file"
  static let thumbnails = "/media/thumbnail/:file"

  static func address(of picture: PictureRow, _ size: PictureSize, base: String) -> String {
    switch size {
    case .original: "\(base)/media/original/\(picture.origin)\(picture.fileExtension)"
    case .thumb: "\(base)/media/thumbnail/\(picture.thumb)\(picture.fileExtension)"
    }
  }
}
