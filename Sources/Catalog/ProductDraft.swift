/// A product to be created: all required fields, and its pictures, beginning with the thumbnail.
package struct ProductDraft: Hashable, Sendable {
  package var name: String
  package var description: String
  package var price: Amount
  package var discount: Amount
  package var currency: Currency
  package var stock: Int
  package var pictures: [PictureFile]
  /// The id of the deleted product that this one restores.
  ///
  /// Later references to that id mean the new product.
  package var replaces: Product.ID?

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
