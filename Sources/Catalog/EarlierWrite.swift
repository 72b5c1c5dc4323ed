/// A write of this home that already did what a change wants, so that nothing is sent for the change.
package struct EarlierWrite: Hashable, Sendable {
  /// Why the change counts as made before.
  package enum Reason: Hashable, Sendable {
    /// The same change of the same plan file was applied before.
    case plan
    /// The same row of a file was imported before, or the same line of an unfinished script was run before.
    case line
    /// The command that made it was interrupted at this time, before it showed how the write ended.
    case interruption(Timestamp)
  }

  /// The number of the write in the log.
  package var entry: Int
  /// The product as it is known today: one whose deletion was undone has another id than when it was created.
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
