import Foundation

/// A product that a lesson begins with.
package struct InitialProduct: Sendable {
  /// The number of the product, or `nil` for the next one.
  package var id: Int64?
  /// The name of its vendor, or `nil` for the demo vendor.
  package var vendor: String?
  package var name: String
  package var description: String
  /// The price as an exact decimal number.
  package var price: String
  /// The discount as an exact decimal number.
  package var discount: String
  package var currency: String
  package var stock: Int64
  /// The bytes of the pictures; if there are none, one is drawn.
  package var pictures: [Data]

  package init(
    id: Int64?, vendor: String?, name: String, description: String, price: String, discount: String, currency: String,
    stock: Int64, pictures: [Data]
  ) {
    self.id = id
    self.vendor = vendor
    self.name = name
    self.description = description
    self.price = price
    self.discount = discount
    self.currency = currency
    self.stock = stock
    self.pictures = pictures
  }
}

/// The products of a new market.
package enum InitialProducts: Sendable {
  /// The sample products.
  case sample
  case none
  case listed([InitialProduct])

  var isSample: Bool { if case .sample = self { true } else { false } }
}
