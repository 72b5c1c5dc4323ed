import Catalog
import Glibc

/// Says that a shell is alive: the kernel lets go of it at any death, so no process number is ever guessed at.
final class SessionLock: Sendable {
  private let descriptor: Int32
  private let path: String

  init(directory: String, session: String) throws(JournalFailure) {
    path = directory + "/" + session + ".lock"
    descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw PrivateFiles.failure(path) }
    guard flock(descriptor, LOCK_EX) == 0 else { throw PrivateFiles.failure(path) }
  }

  /// True while some process, or another journal of this one, holds the lock, and where that cannot be found out.
  static func isHeld(directory: String, session: String) -> Bool {
    let descriptor = open(directory + "/" + session + ".lock", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    // Only a lock that is gone is nobody's: out of descriptors, a shell must not take over what another one is sending.
    guard descriptor >= 0 else { return errno != ENOENT }
    defer { close(descriptor) }
    // Shared, so that two who ask at once do not take each other for the owner.
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0
  }

  deinit {
    unlink(path)
    close(descriptor)
  }
}

/// Who keeps a product from being written: an earlier write, here or in another shell, that is not decided yet.
package struct Holder: Hashable, Sendable {
  /// The number of that write in the log.
  package var entry: Int
  package var process: Int
  package var host: String
  package var since: Timestamp
  /// True when nobody knows how it ended; false when it is being sent right now.
  package var isUnknown: Bool
}
