/// Why lines are not kept, for the shell to say once in the person's language.
package enum HistoryTrouble: Sendable, Hashable {
  /// The path is a link, which is not followed.
  case symbolicLink
  /// The path is a folder, a pipe or a device.
  case notAFile
  /// The file belongs to someone else.
  case foreignOwner
  /// The file cannot be opened or written; `code` is the `errno`.
  case failed(code: Int32)
  /// So many lines of the file were not lines of ours and were left out; history stays on.
  case skippedLines(Int)
}
