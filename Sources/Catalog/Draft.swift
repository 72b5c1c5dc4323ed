/// A product that is to be: every field the market asks for, and its pictures, first one the thumbnail.
package struct Draft: Hashable, Sendable, Codable {
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
