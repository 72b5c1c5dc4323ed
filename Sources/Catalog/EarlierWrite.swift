/// An earlier write from this home folder that already achieved a change, so that no request is sent for it.
package struct EarlierWrite: Hashable, Sendable {
  /// The reason why the change counts as done.
  package enum Reason: Hashable, Sendable {
    /// An earlier run applied the same change of the same plan file.
    case plan
    /// An earlier import wrote the same row of a file, or an earlier run of an unfinished script ran the same line.
    case line
    /// The command that made it was interrupted at this time, before it reported how the write ended.
    case interruption(Timestamp)
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
