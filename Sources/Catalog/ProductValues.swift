/// Values of writable fields: the values a change sets, or those it found before.
///
/// Absent fields stay unchanged.
package struct ProductValues: Hashable, Sendable {
  package var name: String?
  package var description: String?
  package var price: Amount?
  package var discount: Amount?
  package var currency: Currency?
  package var stock: Int?
  /// The id of the picture that becomes the thumbnail.
  package var thumbnailID: Int?
  /// The complete new set of pictures, beginning with the thumbnail.
  ///
  /// Only the camp editions accept one in a change.
  package var pictures: [PictureFile]?

  package init(
    name: String? = nil, description: String? = nil, price: Amount? = nil, discount: Amount? = nil,
    currency: Currency? = nil, stock: Int? = nil, thumbnailID: Int? = nil,
    pictures: [PictureFile]? = nil
  ) {
    self.name = name
    self.description = description
    self.price = price
    self.discount = discount
    self.currency = currency
    self.stock = stock
    self.thumbnailID = thumbnailID
    self.pictures = pictures
  }

  package var isEmpty: Bool { self == ProductValues() }
}
