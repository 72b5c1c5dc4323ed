import Catalog
import Foundation
import Networking

extension MarketDescription {
  /// Returns the product in a row of a list, or in the response to a request for it.
  ///
  /// A field that the row lacks, or whose value is null, is `nil`.
  ///
  /// - Throws: `JSONTypeError` with the pointer to the first value that can't be the field's.
  func product(from row: JSON, inList: Bool) throws(JSONTypeError) -> Product {
    var product = Product(id: try productID(in: row))
    // The price comes before the discount, which may be a percentage of it.
    for field in ProductField.allCases {
      guard let rule = fields[field], rule.isInList || !inList else { continue }
      try rule.read(field, from: row, into: &product)
    }
    if !inList, write(.delete) != nil { product.document = row.serialized }
    if let mark = write(.create)?.mark, case .string(let text)? = mark.value(in: row) { product.mark = text }
    if product.sale == nil {
      product.sale = product.price.map { $0 - (product.discount ?? .zero) }
    } else {
      product.discount = product.price.flatMap { price in product.sale.map { price - $0 } }
    }
    return product
  }

  /// Returns the id of a row.
  ///
  /// - Throws: `JSONTypeError` for a value that isn't an integer.
  func productID(in row: JSON) throws(JSONTypeError) -> Product.ID {
    let found = id.value(in: row) ?? .null
    guard case .number(let number) = found, let value = number.int else {
      throw JSONTypeError(field: id.description, found: found)
    }
    return value
  }
}

extension MarketDescription.FieldRule {
  fileprivate func read(_ field: ProductField, from row: JSON, into product: inout Product) throws(JSONTypeError) {
    let found = constant.map { JSON.string($0) } ?? at.value(in: row) ?? .null
    // A shop removes a sale by an empty text or null.
    if found == .null || found == .string("") && notation != .text {
      if notation == .salePrice { product.sale = product.price }
      return
    }
    switch field {
    case .id: break
    case .name: product.name = try text(found)
    case .description: product.description = try text(found)
    case .price: product.price = try amount(found)
    case .discount:
      let amount = try amount(found)
      product.discount = notation == .percentOfPrice ? product.price.map { percent(amount, of: $0) } : amount
    case .sale: product.sale = try amount(found)
    case .currency: product.currency = Currency(try text(found))
    case .stock: product.stock = try whole(found)
    case .vendor: product.vendor = try text(found)
    case .vendorID: product.vendorID = try whole(found)
    case .created: product.created = try moment(found)
    case .modified: product.modified = try moment(found)
    case .thumbnail: product.thumbnailURL = try text(found)
    case .images: product.images = try pictures(found)
    }
  }

  private func wrong(_ found: JSON) -> JSONTypeError { JSONTypeError(field: at.description, found: found) }

  private func text(_ found: JSON) throws(JSONTypeError) -> String {
    guard case .string(let text) = found else { throw wrong(found) }
    return text
  }

  private func whole(_ found: JSON) throws(JSONTypeError) -> Int {
    guard case .number(let number) = found, let value = number.int else { throw wrong(found) }
    return value
  }

  private func amount(_ found: JSON) throws(JSONTypeError) -> Amount {
    switch (notation, found) {
    case (.minorUnits, .number(let number)):
      guard let units = number.int else { break }
      return Amount(units: units, exponent: -digits)
    case (.decimal, .number(let number)), (.percentOfPrice, .number(let number)), (.salePrice, .number(let number)):
      if let amount = number.amount { return amount }
    case (.decimalText, .string(let text)), (.salePrice, .string(let text)):
      if let amount = JSONNumber(text)?.amount { return amount }
    default: break
    }
    throw wrong(found)
  }

  private func percent(_ percentage: Amount, of price: Amount) -> Amount {
    Amount(price.decimalValue * percentage.decimalValue / 100).rounded(to: digits)
  }

  private func moment(_ found: JSON) throws(JSONTypeError) -> Timestamp {
    switch (notation, found) {
    case (.time, .string(let text)):
      if let moment = Timestamp(text) { return moment }
    case (.seconds, .number(let number)):
      if let moment = number.decimal.flatMap({ Timestamp(unixSeconds: $0) }) { return moment }
    case (.milliseconds, .number(let number)):
      if let moment = number.decimal.flatMap({ Timestamp(unixSeconds: $0 / 1000) }) { return moment }
    default: break
    }
    throw wrong(found)
  }

  /// Returns the pictures of a list of addresses, of objects with one each, or of a single address.
  private func pictures(_ found: JSON) throws(JSONTypeError) -> [Picture] {
    var pictures: [Picture] = []
    for element in found.array ?? [found] {
      switch each.map({ $0.value(in: element) ?? .null }) ?? element {
      case .string(let url) where !url.isEmpty: pictures.append(Picture(url: url))
      case .null, .string: break
      case let other: throw wrong(other)
      }
    }
    return pictures
  }
}
