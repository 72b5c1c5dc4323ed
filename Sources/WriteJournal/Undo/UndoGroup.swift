/// The writes that one `undo` reverts: a single write, or the writes of a batch that aren't undone yet.
package struct UndoGroup: Hashable, Sendable {
  /// The number of the batch, or `nil` for a single write.
  package var batch: Int?
  /// The entries, newest first.
  package var entries: [JournalEntry]
}
