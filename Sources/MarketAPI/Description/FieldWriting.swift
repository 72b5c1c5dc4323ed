import Catalog
import Foundation
import Networking

/// The product as the market has it, with all its members.
package struct ProductDocument: Hashable, Sendable {
  package var product: Product
  /// The object of the product in the response.
  package var record: JSON
  /// The value of the header field `ETag`, or `nil` if there was none.
  package var tag: String?
  package init(product: Product, record: JSON, tag: String?) {
    (self.product, self.record, self.tag) = (product, record, tag)
  }
}

extension MarketDescription {
  /// A Boolean value that indicates whether an update needs the members of the product that it changes.
  package var readsBeforeUpdate: Bool {
    guard let rule = write(.edit) else { return false }
    return rule.usesETag || !rule.along.isEmpty
      || fields.values.contains { $0.isWritable && (!$0.at.arrays.isEmpty || $0.notation == .salePrice) }
  }

  /// The fields that a change can set.
  var writableFields: [ProductField] {
    ProductField.valuesAndImages.filter { field in
      switch field {
      case .discount: fields[.discount]?.isWritable == true || fields[.sale]?.isWritable == true
      default: fields[field]?.isWritable == true
      }
    }
  }

  /// Returns the members that set values, with their places in the object of a product.
  ///
  /// - Parameters:
  ///   - values: The values, of which only the writable ones are sent.
  ///   - current: The product as it is, for a sale price that follows from price and discount.
  func members(for values: ProductValues, current: Product?) -> [(at: JSONPointer, value: JSON)] {
    var members: [(at: JSONPointer, value: JSON)] = []
    let price = values.price ?? current?.price
    func add(_ field: ProductField, _ value: (FieldRule) -> JSON?) {
      guard let rule = fields[field], rule.isWritable, let json = value(rule) else { return }
      members.append((rule.at, json))
    }
    for field in ProductField.writableValues where field != .discount {
      guard let value = values[field] else { continue }
      add(field) { rule in
        switch value {
        case .text(let text): .string(text)
        case .number(let number): .int(number)
        case .amount(let amount): rule.json(amount)
        case .timestamp, .pictures, .references: nil
        }
      }
    }
    if let pictures = values.pictures, pictures.allSatisfy({ $0.address != nil }) {
      add(.images) { $0.json(pictures.compactMap(\.address)) }
    }
    if values.discount != nil || values.price != nil, let price {
      let discount = values.discount ?? current?.discount ?? .zero
      if values.discount != nil || fields[.discount]?.notation == .percentOfPrice {
        add(.discount) { $0.notation == .percentOfPrice ? .amount(percentage(discount, of: price)) : $0.json(discount) }
      }
      add(.sale) { rule in
        if discount == .zero {
          // Without a sale before and after, a change of the price leaves the member alone.
          if values.discount == nil { return nil }
          if let removal = rule.removal { return .string(removal) }
        }
        return fields[.price]?.notation == .decimalText
          ? .string((price - discount).description) : .amount(price - discount)
      }
    }
    return members
  }

  private func percentage(_ discount: Amount, of price: Amount) -> Amount {
    price == .zero ? .zero : Amount(discount.decimalValue * 100 / price.decimalValue).rounded(to: 6)
  }
}

extension MarketDescription.FieldRule {
  /// Returns a list of addresses, each in an object of its own if the file says so, or `nil` if that can't be made.
  fileprivate func json(_ addresses: [String]) -> JSON? {
    let elements = addresses.compactMap { (each ?? .root).setting(.string($0), in: nil) }
    return elements.count == addresses.count ? .array(elements) : nil
  }

  /// Returns an amount in the notation of the field, or `nil` for one that has more decimals than the field.
  fileprivate func json(_ amount: Amount) -> JSON? {
    switch notation {
    case .decimalText: return .string(amount.description)
    case .minorUnits:
      let units = amount * Amount(units: 1, exponent: digits)
      return units.hasFraction ? nil : .amount(units)
    default: return .amount(amount)
    }
  }
}
