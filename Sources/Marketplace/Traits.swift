import Catalog

/// What an edition can and how it is meant; each says its own beside its spelling, so that nobody else asks which it is.
package struct Traits: Hashable, Sendable {
  /// Everything it does; the rest is refused in words.
  package var abilities: [Operation]
  /// Products belong to vendors, who are known by an identifier; otherwise each has a password of its own, and a wrong one
  /// is answered like a product that is gone.
  package var knowsVendors: Bool
  /// `discounted_price` is what a buyer pays; otherwise the amount taken off.
  package var namesSalePrice: Bool
  /// The first page of the list holds the newest products; otherwise the last one does.
  package var listsNewestFirst: Bool
  /// A deletion answers the product as it was; otherwise its id alone.
  package var answersDeletedProduct: Bool

  /// Fields that a product tells and a row of a list does not.
  package var notInRows: [Field]
  /// Fields that no answer tells.
  package var untold: [Field] = []
  /// What stands before the token in the answer to the first call of a deletion.
  package var ticketPrefix = ""

  /// What every edition does.
  static let common: [Operation] = [.list, .show, .create, .edit, .delete]
}
