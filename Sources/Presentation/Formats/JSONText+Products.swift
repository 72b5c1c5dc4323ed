import Catalog

/// Products and listings as JSON: every key there, in the order of `Field`.
extension JSONText {
  init(_ product: Product, fields: [Field]? = nil) {
    self = .object((fields ?? Field.allCases).map { ($0.rawValue, JSONText(product, $0)) })
  }

  init(_ listing: Listing) {
    let page = listing.page
    var entries: [(String, JSONText)] = [
      ("page", listing.scan == nil ? .number(String(page.number)) : .null),
      ("size", .int(page.size)), ("total", .int(page.total)), ("last_page", .int(page.last)),
      ("has_next", page.hasNext.map(JSONText.bool) ?? .null),
      ("has_prev", page.hasPrevious.map(JSONText.bool) ?? .null),
    ]
    if let scan = listing.scan {
      entries.append(("pages_read", .number(String(scan.pagesRead))))
      entries.append(("complete", .bool(scan.complete)))
    }
    entries.append(("products", .array(page.products.map { JSONText($0, fields: listing.columns) })))
    self = .object(entries)
  }

  init(_ product: Product, _ field: Field) {
    switch field {
    case .id: self = .int(product.id)
    case .name: self = .words(product.name)
    case .description: self = .words(product.description)
    case .price: self = .amount(product.price)
    case .discount: self = .amount(product.discount)
    case .sale: self = .amount(product.sale)
    case .currency: self = .words(product.currency?.code)
    case .stock: self = .int(product.stock)
    case .vendor: self = .words(product.vendor)
    case .vendorID: self = .int(product.vendorID)
    case .created: self = .words(product.created?.description)
    case .modified: self = .words(product.modified?.description)
    case .thumbnail: self = .words(product.thumbnail)
    case .images: self = product.images.map { .array($0.map(JSONText.init)) } ?? .null
    }
  }

  private init(_ picture: Picture) {
    self = .object([
      ("id", .int(picture.id)), ("url", .string(picture.url)), ("thumbnail", .words(picture.thumbnail)),
    ])
  }

  static func int(_ value: Int?) -> JSONText { value.map { .number(String($0)) } ?? .null }
  static func words(_ value: String?) -> JSONText { value.map(JSONText.string) ?? .null }
  static func amount(_ value: Amount?) -> JSONText { value.map { .number($0.description) } ?? .null }
}
