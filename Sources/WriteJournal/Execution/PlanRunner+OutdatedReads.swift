import Catalog

extension PlanRunner {
  /// Returns whether a product that was read after a write may show what an earlier write of ours replaced, instead of
  /// another client's value or the effect of the write.
  ///
  /// A wanted value that was there before the earlier write, as after an undo, is trusted if the server confirmed the
  /// write.
  func isOutdated(
    _ reading: EffectReading, _ product: Product?, _ ticket: PendingWrite, isConfirmed: Bool, in journal: Journal
  ) throws(JournalError) -> Bool {
    guard let product, case .edit(_, _, let to) = ticket.change else { return false }
    let fields = isConfirmed ? Array(reading.foreign.keys) : to.assignedFields
    guard !fields.isEmpty else { return false }
    return try journal.recentWrites(to: product.id, except: ticket.entryID, within: rules.settle, binding)
      .isOutdated(product, in: fields)
  }
}
