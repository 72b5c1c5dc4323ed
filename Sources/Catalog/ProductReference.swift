/// The product that a record refers to: its id, and the names and times that it had when the record was made.
///
/// A market that is emptied counts from 1 again, so that an id alone may name another product later.
package struct ProductReference: Hashable, Sendable {
  package var id: Product.ID
  /// The names that the product is known to have had, the first of which is displayed.
  package var names: [String]
  package var created: Timestamp?
  package var vendorID: Int?
  /// The paths of the pictures without the server, or none if they aren't known.
  package var pictures: Set<String>

  package init(
    id: Product.ID, name: String? = nil, created: Timestamp? = nil, vendorID: Int? = nil, pictures: [String] = []
  ) {
    self.id = id
    names = [name].compactMap(\.self)
    self.created = created
    self.vendorID = vendorID
    self.pictures = Set(pictures.map { PictureAddresses.removingOrigins(in: $0) })
  }

  /// Creates the reference to a product as it was read.
  package init(_ product: Product) {
    self.init(
      id: product.id, name: product.name, created: product.created, vendorID: product.vendorID,
      pictures: ProductReference.addresses(of: product))
  }

  /// Creates the reference that a file stores, with one picture.
  package init(recording product: Product) {
    self.init(
      id: product.id, name: product.name, created: product.created, vendorID: product.vendorID,
      pictures: [product.thumbnailURL ?? product.images?.first?.url].compactMap(\.self))
  }

  /// Returns the reference with a further name, which a change of this program gave the product.
  package func named(_ name: String?) -> ProductReference {
    guard let name, !names.contains(name) else { return self }
    var copy = self
    copy.names.append(name)
    return copy
  }

  private static func addresses(of product: Product) -> [String] {
    (product.images ?? []).flatMap { [$0.url, $0.thumbnailURL].compactMap(\.self) }
      + [product.thumbnailURL].compactMap(\.self)
  }
}

/// A product that was read under the id of another one.
package struct ProductMismatch: Hashable, Sendable {
  package var meant: ProductReference
  package var found: ProductReference
}

extension ProductReference {
  /// Returns the mismatch if a product that was read under this id is another one, or `nil` if it may be the same.
  ///
  /// A value that either side doesn't know decides nothing. A vendor decides alone. A time of creation decides together
  /// with the name or the pictures, because a server that is moved may create all products again. A time that names a day
  /// only, as in some editions, and an unknown one need both: a colleague renames products, and edits replace pictures.
  package func mismatch(with product: Product) -> ProductMismatch? {
    isAnother(product) ? ProductMismatch(meant: self, found: ProductReference(product)) : nil
  }

  private func isAnother(_ product: Product) -> Bool {
    if let vendorID, let other = product.vendorID, vendorID != other { return true }
    let isRenamed =
      product.name.map { name in !names.isEmpty && !names.contains { $0.equalsIgnoringWhiteSpace(name) } } ?? false
    let found = ProductReference(product).pictures
    let hasOtherPictures = !pictures.isEmpty && !found.isEmpty && pictures.isDisjoint(with: found)
    guard let created, let other = product.created, !(created.isDay || other.isDay) || created.day != other.day else {
      return isRenamed && hasOtherPictures
    }
    return created.seconds != other.seconds && (isRenamed || hasOtherPictures)
  }
}

extension String {
  /// Returns whether two texts differ in nothing but white space, which servers change.
  package func equalsIgnoringWhiteSpace(_ other: String) -> Bool {
    split(whereSeparator: \.isWhitespace).elementsEqual(other.split(whereSeparator: \.isWhitespace))
  }
}

extension Timestamp {
  /// A Boolean value that indicates midnight, which editions without times write for a day.
  fileprivate var isDay: Bool { seconds.isMultiple(of: 86_400) }
  fileprivate var day: Int64 { seconds / 86_400 }
}
