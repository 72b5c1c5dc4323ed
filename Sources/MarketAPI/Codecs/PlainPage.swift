import Catalog
import Foundation
import Networking

extension VendorFormat {
  /// Decodes the page in one pass, or returns `nil` for anything unusual, which the decoder based on `JSON` then
  /// handles.
  func plainPage(_ body: Data, asked: ListProducts) -> Page? {
    body.withUnsafeBytes { raw in
      var pull = JSONPullParser(raw.bindMemory(to: UInt8.self))
      return try? plainPage(&pull, asked)
    }
  }

  /// Decodes the product in one pass, or returns `nil` for anything unusual.
  func plainProduct(_ body: Data) -> Product? {
    body.withUnsafeBytes { raw in
      var reader = PullRowReader(JSONPullParser(raw.bindMemory(to: UInt8.self)), RowLayout(.all))
      var product = Product(id: 0)
      do {
        try product.decode(from: &reader)
        try reader.pull.end()
        return product
      } catch {
        return nil
      }
    }
  }

  private func plainPage(_ pull: inout JSONPullParser, _ asked: ListProducts) throws(JSONPullParser.FastPathUnsupported)
    -> Page
  {
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
      case .otherEdition: throw JSONPullParser.FastPathUnsupported()
      }
    }
    try pull.end()
    guard hasRows else { throw JSONPullParser.FastPathUnsupported() }
    return result
  }

  private enum Member { case page, size, total, last, next, previous, rows, other, otherEdition }

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
    // The page number of another edition.
    case "page_no", "pageNo": return .otherEdition
    default: return .other
    }
  }

  private func plainRows(_ pull: inout JSONPullParser, _ asked: ListProducts) throws(JSONPullParser.FastPathUnsupported)
    -> (products: [Product], allIDs: [Product.ID]?)
  {
    let count = min(asked.size ?? 20, 1000)
    var reader = PullRowReader(pull, RowLayout(asked.rowFilter.map { RowKeySet($0.fields) } ?? .all))
    // Decodes all members of a row that matches the filter.
    var whole = RowLayout(.all)
    // The product is reused for every row, because creating one takes as long as decoding a short row.
    var row = Product(id: 0)
    var products: [Product] = []
    var ids: [Product.ID] = []
    // Ids almost always descend. Only if they don't can a row be repeated.
    var seen: Set<Product.ID>?
    if asked.rowFilter == nil { products.reserveCapacity(count) }
    ids.reserveCapacity(count)
    try reader.pull.beginArray()
    while try reader.pull.nextElement() {
      let start = reader.pull.checkpoint
      try row.decode(from: &reader)
      if seen == nil, let last = ids.last, last <= row.id { seen = Set(ids) }
      if seen?.insert(row.id).inserted == false { continue }
      ids.append(row.id)
      guard asked.rowFilter?.matches(row) != false else { continue }
      products.append(row)
      guard asked.rowFilter != nil else { continue }
      reader.pull.rewind(to: start)
      swap(&reader.layout, &whole)
      try products[products.count - 1].decode(from: &reader)
      swap(&reader.layout, &whole)
    }
    pull = reader.pull
    return (products, asked.rowFilter == nil ? nil : ids)
  }
}
