import CGlibc
import Catalog
import Glibc

/// The reason why the journal can't be read or written.
///
/// If it can't be written, nothing is sent.
package enum JournalError: Error, Hashable, Sendable {
  /// The directory or a file in it couldn't be created, opened or written.
  case unwritable(path: String, reason: String)
  case diskFull
  /// The pictures of pending writes use the whole quota.
  case quota(bytes: Int)
  /// Another shell has dismissed the write or is executing it.
  case claimedByOtherShell(Int)
  /// The write is already undone, or another undo of it is in progress.
  case alreadyUndone(Int, by: Int)
  /// Other users can read or write the file; `mode` is its permissions.
  case insecurePermissions(path: String, mode: Int)
  /// The file belongs to another user, or is a link or a special file.
  case wrongOwner(path: String)
  /// A newer program wrote the journal: it can be read, but not written.
  case newerSchema(version: Int)
  /// The file isn't a valid journal any more.
  case damaged(String)
  /// An earlier commit failed, so the state on disk is uncertain until the program is restarted.
  case poisoned(String)
  /// Another shell held the lock for too long.
  case locked
  /// No journal was opened.
  case notOpen
  /// The database is missing while its folders exist, so earlier writes aren't known any more.
  case missing(path: String)
  /// The SQLite file belongs to another program; it is left unchanged.
  case foreign(path: String)
}

/// The undecided write that prevents another write to the same product, in this or another shell.
package struct ConflictingWrite: Hashable, Sendable {
  /// The number of that write in the log.
  package var entry: Int
  package var process: Int
  package var host: String
  package var since: Timestamp
  /// A Boolean value that indicates an unknown outcome; otherwise the write is being sent right now.
  package var isUnknown: Bool
}
