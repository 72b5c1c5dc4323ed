import Foundation

/// A product that is to be: every field the market asks for, and its pictures, first one the thumbnail.
package struct Draft: Hashable, Sendable {
  package var name: String
  package var description: String
  package var price: Amount
  package var discount: Amount
  package var currency: Currency
  package var stock: Int
  package var pictures: [PictureFile]

  package init(
    name: String, description: String, price: Amount, discount: Amount = .zero, currency: Currency, stock: Int = 0,
    pictures: [PictureFile]
  ) {
    self.name = name
    self.description = description
    self.price = price
    self.discount = discount
    self.currency = currency
    self.stock = stock
    self.pictures = pictures
  }
}

/// A picture ready to be sent: bytes within the market's limit, their type and a harmless name.
package struct PictureFile: Hashable, Sendable {
  package var name: String
  /// `image/jpeg` or `image/png`.
  package var type: String
  package var bytes: Data

  package init(name: String, type: String, bytes: Data) {
    self.name = name
    self.type = type
    self.bytes = bytes
  }
}

/// The limits the API's document gives (see Protocol); real servers enforced few of them.
package enum Limits {
  package static let name = 3...100
  package static let description = 10...1000
  package static let pictures = 1...5
  /// A picture must be smaller than this many bytes.
  package static let pictureBytes = 300 * 1024
  package static let pageSize = 1...1000
  /// Pages that can be asked for: more than any market has, and still far from where a product with a size would
  /// leave an `Int`.
  package static let page = 1...1_000_000_000_000
}
