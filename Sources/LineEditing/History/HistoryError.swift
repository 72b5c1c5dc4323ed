import Glibc

/// The reason why lines are not stored, which the shell reports once in the user's language.
package enum HistoryError: Sendable, Hashable {
  /// The path is a symbolic link, which is not followed.
  case symbolicLink
  /// The path is a folder, a FIFO or a device.
  case notAFile
  /// The file belongs to another user.
  case foreignOwner
  /// The file cannot be opened or written; `code` is the `errno`.
  case failed(code: Int32)
  /// The number of lines that were invalid and skipped; the history is still stored.
  case skippedLines(Int)
}
