/// An earlier write from this home folder that already made a change, so that no request is sent for it.
package struct EarlierWrite: Hashable, Sendable {
  /// The reason why the change counts as done.
  package enum Reason: Hashable, Sendable {
    /// An earlier run applied the same change of the same plan file.
    case plan
    /// An earlier run imported the same row of the file, or pushed the same file of the folder.
    case file
    /// A run made it at this time that was interrupted, or left something undone.
    case interruption(Timestamp)
    /// A run of the same line made it at this time, and reported a failure.
    case failure(Timestamp)
  }

  /// The number of the write in the log.
  package var entry: Int
  /// The current id of the product, which differs from the id it was created with if a deletion was undone.
  package var product: Product.ID
  package var isCreate: Bool
  package var reason: Reason

  package init(entry: Int, product: Product.ID, isCreate: Bool, reason: Reason) {
    self.entry = entry
    self.product = product
    self.isCreate = isCreate
    self.reason = reason
  }
}
